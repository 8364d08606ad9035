"""A character card as a value, and what an import says about it. How bytes become one is in `read`, how one becomes bytes in `write`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from coterie.domain.personas.persona import Attribute, SampleDialogue

MAX_CARD_BYTES = 10 * 1024 * 1024
"""The largest file that is looked at, 10 MB."""

JsonObject = dict[str, object]


class CardRefused(Exception):
    """A file that is no usable character card; the text is one sentence for a person."""


class CardFormat(StrEnum):
    """The containers that are read and written. The value is the usual ending of the file's name."""

    PNG = "png"
    JSON = "json"
    CHARX = "charx"

    @property
    def media_type(self) -> str:
        """The media type under which the file is kept and served."""
        return {CardFormat.PNG: "image/png", CardFormat.JSON: "application/json", CardFormat.CHARX: "application/zip"}[self]


class Fate(StrEnum):
    """What became of a part of a card."""

    USED = "used"
    REPAIRED = "repaired"
    KEPT = "kept"
    """Not used (yet), but still in the kept original and in every export."""
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One part of an imported file and its fate; `note` is a sentence for a person."""

    part: str
    fate: Fate
    note: str = ""


class CardVersion(StrEnum):
    """The shape of a card's object."""

    V1 = "v1"
    V2 = "v2"
    V3 = "v3"
    PREDECESSOR = "predecessor"
    """The envelope of the `TomoriPreset` chunk."""


@dataclass(frozen=True, slots=True)
class OwnPart:
    """What a program of our own family wrote beside the common fields: a persona's content as it was. `None`: derive it from the card."""

    role: str | None = None
    trigger_words: tuple[str, ...] | None = None
    attributes: tuple[Attribute, ...] = ()
    sample_dialogues: tuple[SampleDialogue, ...] | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """What was understood of a card, its texts as written (macros included), and `raw`, the whole object it was read from."""

    raw: JsonObject
    version: CardVersion
    name: str = ""
    nickname: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    depth_prompt: str = ""
    first_mes: str = ""
    mes_example: str = ""
    alternate_greetings: tuple[str, ...] = ()
    own: OwnPart | None = None


@dataclass(frozen=True, slots=True)
class CardText:
    """A text found in a container that may be a card, under the keyword it was found by."""

    keyword: str
    data: bytes
    notes: tuple[ReportLine, ...] = ()


def no_file(path: str) -> bytes | None:
    """A container without files beside the card."""
    del path
    return None


@dataclass(frozen=True, slots=True)
class Container:
    """An opened file: texts that may be the card, best first; a picture of its own; the files that a card's assets refer to."""

    format: CardFormat
    texts: tuple[CardText, ...]
    picture: bytes | None = None
    file: Callable[[str], bytes | None] = no_file
    report: tuple[ReportLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card that was read, what reading it met with, its picture (any usual format, not decoded), and its container."""

    card: Card
    report: tuple[ReportLine, ...]
    picture: bytes | None
    container: Container

    @property
    def media_type(self) -> str:
        """The media type of the file."""
        return self.container.format.media_type


def field_of(value: object, key: str) -> object:
    """The member of an object, or nothing when this is no object or has no such member."""
    return value.get(key) if isinstance(value, Mapping) else None
