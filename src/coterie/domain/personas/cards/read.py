"""From any file to a card, with a report of what was met on the way. Bounded, pure, and refusing with a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from coterie.domain.personas.cards.assets import face_of, is_default, main_icon
from coterie.domain.personas.cards.card import (
    MAX_CARD_BYTES,
    Card,
    CardFormat,
    CardRefused,
    CardText,
    CardVersion,
    Container,
    Fate,
    ReadCard,
    ReportLine,
)
from coterie.domain.personas.cards.charx import open_charx
from coterie.domain.personas.cards.png import open_png
from coterie.domain.personas.cards.sniff import sniff
from coterie.domain.personas.cards.text import parse_card_text
from coterie.domain.personas.cards.understand import understand

Understood = tuple[Card, tuple[ReportLine, ...]]

_OPEN: dict[CardFormat, Callable[[bytes], Container]] = {
    CardFormat.PNG: open_png,
    CardFormat.CHARX: open_charx,
    CardFormat.JSON: lambda data: Container(CardFormat.JSON, (CardText("card", data),)),
}


def read_card(data: bytes, file_name: str = "") -> ReadCard:
    """Read a character card, judging the file by its bytes; `file_name` only serves to say when its ending is wrong.

    Raises `CardRefused` for anything that is no usable card, and nothing else, whatever the bytes are.
    """
    if len(data) > MAX_CARD_BYTES:
        raise CardRefused(f"The file is larger than {MAX_CARD_BYTES // 1024 // 1024} MB, the most a character card may have.")
    container = _OPEN[sniff(data)](data)
    card, report = _best(container)
    picture = face_of(card.raw, container)
    lines = (*_about_ending(container, file_name), *container.report, *report, *_about_picture(card, container, picture))
    return ReadCard(card, lines, picture, container)


def _best(container: Container) -> Understood:
    """The first text that is a card, and a word on those before and behind it. Raises the first refusal when none is."""
    refusals: list[CardRefused] = []
    broken: list[ReportLine] = []
    for at, text in enumerate(container.texts):
        try:
            card, report = _understood(text)
        except CardRefused as refusal:
            refusals.append(refusal)
            broken.append(ReportLine(text.keyword, Fate.DROPPED, f"This copy of the card cannot be used: {refusal}"))
            continue
        return card, (*broken, *report, *_about_copies(card, text, container.texts[at + 1 :]))
    raise refusals[0]


def _understood(text: CardText) -> Understood:
    raw, notes = parse_card_text(text.data, text.keyword)
    card, report = understand(raw)
    return card, (*text.notes, *notes, *report)


def _about_copies(card: Card, chosen: CardText, others: Sequence[CardText]) -> list[ReportLine]:
    """Whether the same card stands in the file again with other contents."""
    lines = []
    for other in others:
        if other.data == chosen.data:
            continue
        try:
            copy, _ = _understood(other)
        except CardRefused:
            lines.append(ReportLine(other.keyword, Fate.KEPT, "The file holds a further copy of the card, which cannot be read."))
            continue
        if _essence(copy) != _essence(card):
            note = f"The file holds a further, different copy of the card; {chosen.keyword} was used."
            lines.append(ReportLine(other.keyword, Fate.KEPT, note))
    return lines


def _essence(card: Card) -> Card:
    """What was understood, without the object and version it came in."""
    return replace(card, raw={}, version=CardVersion.V3, own=None)


def _about_ending(container: Container, file_name: str) -> list[ReportLine]:
    ending = file_name.rpartition(".")[2].lower()
    usual = {CardFormat.PNG: {"png", "apng"}, CardFormat.JSON: {"json"}, CardFormat.CHARX: {"charx", "zip", "jpg", "jpeg", "exe"}}
    if "." not in file_name or ending in usual[container.format] or ending not in set().union(*usual.values()):
        return []
    return [ReportLine("file", Fate.REPAIRED, f"The file is {container.format.value.upper()} by its contents, whatever its name says.")]


def _about_picture(card: Card, container: Container, picture: bytes | None) -> list[ReportLine]:
    icon = main_icon(card.raw)
    if picture is None and icon is not None and not is_default(icon):
        return [ReportLine("picture", Fate.KEPT, "The card's picture is not in the file; addresses on the web are not asked.")]
    return []
