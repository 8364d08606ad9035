"""From a persona to a card file that other programs read.

A persona that came from a card leaves with everything that card had, read or unread, and with what was changed here since written into
it; one that did not becomes a V3 card. What the common fields cannot say stands under `extensions.coterie`, and only when it is needed to
get the same persona back.
"""

import base64
import json
from collections.abc import Sequence

from coterie.domain.personas.cards.assets import MAIN_ICON, inlined, is_default, main_icon, with_main_icon
from coterie.domain.personas.cards.card import MAX_CARD_BYTES, Card, CardFormat, CardVersion, JsonObject, ReadCard
from coterie.domain.personas.cards.charx import CARD, pack, repacked
from coterie.domain.personas.cards.edit import edited, new_card
from coterie.domain.personas.cards.png import KEYWORDS, SIGNATURE, asset_chunks, blank_picture, keywords_of, with_texts
from coterie.domain.personas.cards.read import read_card
from coterie.domain.personas.cards.versions import as_v2, as_v3
from coterie.domain.personas.persona import PersonaContent


def write_card(
    content: PersonaContent,
    card_format: CardFormat,
    *,
    original: bytes | None = None,
    picture: bytes | None = None,
    is_new_picture: bool = True,
    base_words: Sequence[str] = (),
) -> bytes:
    """The persona as a card file.

    `original` is the file it was imported from; for an unchanged persona in the same format that file is returned, with at most
    a chunk added. `picture` is its face as PNG, `is_new_picture` whether that is another one than the original's. `base_words` as in
    `to_persona`. Raises `CardRefused` when the original is no card.
    """
    source = None if original is None else read_card(original)
    if source is None or source.card.version is CardVersion.PREDECESSOR:
        card = new_card(content, source.card if source is not None else None)
    else:
        card = edited(source.card, content, base_words)
    face = picture if picture is not None and picture.startswith(SIGNATURE) else None
    if source is None or original is None:
        return _from_nothing(card, card_format, face)
    match card_format:
        case CardFormat.JSON:
            return _json_from(source, original, card)
        case CardFormat.PNG:
            return _png_from(source, original, card, face, is_new_picture=is_new_picture)
        case CardFormat.CHARX:
            return _charx_from(source, original, card, face, is_new_picture=is_new_picture)


def _from_nothing(card: Card, card_format: CardFormat, face: bytes | None) -> bytes:
    match card_format:
        case CardFormat.JSON:
            return _readable(card.raw)
        case CardFormat.PNG:
            return with_texts(face or blank_picture(), _texts(card.raw, as_v2(card)))
        case CardFormat.CHARX:
            return _charx(card.raw, face)


def _json_from(source: ReadCard, original: bytes, card: Card) -> bytes:
    if source.container.format is not CardFormat.JSON:
        return _readable(inlined(source, card.raw))
    return original if card is source.card else _readable(card.raw)


def _png_from(source: ReadCard, original: bytes, card: Card, face: bytes | None, *, is_new_picture: bool) -> bytes:
    if source.container.format is not CardFormat.PNG:
        return with_texts(face or blank_picture(), _texts(inlined(source, as_v3(card)), as_v2(card)))
    texts = _texts(as_v3(card), as_v2(card))
    if is_new_picture and face is not None:
        return with_texts(face, texts, also=asset_chunks(original))
    if card is not source.card:
        return with_texts(original, texts)
    # Untouched: the copies that are there stay as they are, only a missing one is added.
    missing = [text for text in texts if text[0] not in keywords_of(original)]
    return with_texts(original, missing, dropping=()) if missing else original


def _charx_from(source: ReadCard, original: bytes, card: Card, face: bytes | None, *, is_new_picture: bool) -> bytes:
    if source.container.format is not CardFormat.CHARX:
        is_own = source.container.format is CardFormat.PNG and not is_new_picture
        return _charx(inlined(source, as_v3(card)), source.picture if is_own else face)
    if is_new_picture and face is not None:
        return repacked(original, {CARD: _readable(with_main_icon(as_v3(card))), MAIN_ICON: face})
    return original if card is source.card else repacked(original, {CARD: _readable(as_v3(card))})


def _charx(raw: JsonObject, face: bytes | None) -> bytes:
    icon = main_icon(raw)
    if face is None or not (icon is None or is_default(icon)):
        return pack([(CARD, _readable(raw))])
    return pack([(CARD, _readable(with_main_icon(raw))), (MAIN_ICON, face)])


def _texts(newer: JsonObject, older: JsonObject) -> list[tuple[str, bytes]]:
    """The text chunks of a card: V3, and for older programs V2 or V1, unless the file would become too large with it."""
    texts = [(KEYWORDS[0], _packed(newer)), (KEYWORDS[1], _packed(older))]
    return texts if sum(len(text) for _, text in texts) < MAX_CARD_BYTES // 2 else texts[:1]


def _packed(raw: JsonObject) -> bytes:
    # A text chunk is Latin-1; base64 of UTF-8 is what every program reads.
    return base64.b64encode(json.dumps(raw, ensure_ascii=False, separators=(",", ":")).encode())


def _readable(raw: JsonObject) -> bytes:
    return json.dumps(raw, ensure_ascii=False, indent=2).encode()
