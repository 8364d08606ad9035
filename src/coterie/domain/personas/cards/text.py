"""From the bytes of a card's text to its object: base64, character sets, JSON. Lenient, bounded, and it says what it repaired."""

import base64
import binascii
import json
import math
import re

from coterie.domain.personas.cards.card import CardRefused, Fate, JsonObject, ReportLine

MAX_TEXT_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 64
MAX_OBJECTS = 500_000

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_LOCKED = b"rcc||"
_BLANKS = bytes(range(33))
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_card_text(data: bytes, part: str) -> tuple[JsonObject, tuple[ReportLine, ...]]:
    """Read the object in a card's text: JSON, or base64 of JSON in any of the spellings met in the wild.

    `part` names the text in the report. Raises `CardRefused`.
    """
    if len(data) > MAX_TEXT_BYTES * 4 // 3 + 4:
        raise CardRefused("The card's text is too large to be read.")
    notes: list[ReportLine] = []
    text = _characters(_unwrapped(data, part, notes), part, notes)
    return _object(text, part, notes), tuple(notes)


def _unwrapped(data: bytes, part: str, notes: list[ReportLine]) -> bytes:
    """The JSON in bytes, out of its base64 if there is one."""
    if data.startswith(_UTF16):
        return data
    bare = data.strip(_BLANKS)
    if bare.startswith(_LOCKED):
        raise CardRefused("This card is locked by RisuAI and cannot be read here; export it there without the lock.")
    if _is_json(bare):
        return bare
    packed = bare.translate(None, _BLANKS)
    if b"-" in packed or b"_" in packed:
        packed = packed.translate(bytes.maketrans(b"-_", b"+/"))
        notes.append(ReportLine(part, Fate.REPAIRED, "The base64 was of the URL-safe kind."))
    stripped = packed.rstrip(b"=")
    if not _BASE64.fullmatch(stripped):
        raise CardRefused("The card's text is neither JSON nor base64.")
    if len(packed) % 4:
        notes.append(ReportLine(part, Fate.REPAIRED, "The base64 was not padded."))
    try:
        return base64.b64decode(stripped + b"=" * (-len(stripped) % 4), validate=True).strip(_BLANKS)
    except binascii.Error as error:
        raise CardRefused("The base64 of the card's text is broken.") from error


def _is_json(bare: bytes) -> bool:
    # A byte order mark never begins base64.
    return bare.startswith((b"{", b"[", b'"', b"\xef\xbb\xbf"))


def _characters(data: bytes, part: str, notes: list[ReportLine]) -> str:
    """The text in bytes: UTF-8 with or without a mark, UTF-16 with one, else read as Windows-1252."""
    if data.startswith(_UTF16):
        notes.append(ReportLine(part, Fate.REPAIRED, "The text was UTF-16 instead of UTF-8."))
        return data.decode("utf-16", errors="replace").strip("\0")
    if data.startswith(b"\xef\xbb\xbf"):
        notes.append(ReportLine(part, Fate.REPAIRED, "A byte order mark was removed."))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        notes.append(ReportLine(part, Fate.REPAIRED, "The text was not UTF-8 and was read as Windows-1252; look at its accents."))
        return data.decode("cp1252", errors="replace").removeprefix("ï»¿")


def _object(text: str, part: str, notes: list[ReportLine]) -> JsonObject:
    if text.count("{") + text.count("[") > MAX_OBJECTS:
        raise CardRefused("The card's JSON has too many parts to be read.")
    try:
        value = json.loads(text, strict=False, parse_constant=lambda name: float(name.replace("Infinity", "inf")))
    except RecursionError as error:
        raise CardRefused("The card's JSON is nested too deeply.") from error
    except json.JSONDecodeError as error:
        raise CardRefused(f"The card's JSON is broken at line {error.lineno}, column {error.colno}.") from error
    except ValueError as error:
        raise CardRefused("The card's JSON holds a number with too many digits.") from error
    if not isinstance(value, dict):
        raise CardRefused("The card's JSON is not an object.")
    return _cleaned(value, part, notes)


def _cleaned(value: JsonObject, part: str, notes: list[ReportLine]) -> JsonObject:
    """The object fit to be stored and written again: no NaN, no infinities, no lone surrogates, not too deep."""
    cleaning = _Cleaning()
    cleaned = cleaning.mapping(value, MAX_DEPTH)
    if cleaning.numbers:
        notes.append(ReportLine(part, Fate.REPAIRED, f"{cleaning.numbers} number(s) that JSON cannot hold (NaN, infinity) became null."))
    if cleaning.surrogates:
        notes.append(ReportLine(part, Fate.REPAIRED, f"{cleaning.surrogates} text(s) held broken Unicode, which was replaced."))
    return cleaned


class _Cleaning:
    """Counts while it cleans."""

    def __init__(self) -> None:
        self.numbers = 0
        self.surrogates = 0

    def mapping(self, value: JsonObject, depth: int) -> JsonObject:
        if not depth:
            raise CardRefused("The card's JSON is nested too deeply.")
        return {self.text(key): self.value(member, depth - 1) for key, member in value.items()}

    def value(self, value: object, depth: int) -> object:
        match value:
            case str():
                return self.text(value)
            case float() if not math.isfinite(value):
                self.numbers += 1
                return None
            case dict():
                return self.mapping(value, depth)
            case list() if depth:
                return [self.value(member, depth - 1) for member in value]
            case list():
                raise CardRefused("The card's JSON is nested too deeply.")
            case _:
                return value

    def text(self, text: str) -> str:
        if text.isascii() or not _SURROGATE.search(text):
            return text
        self.surrogates += 1
        return _SURROGATE.sub("\ufffd", text)
