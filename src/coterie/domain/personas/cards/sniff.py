"""What a file is by its bytes, whatever its name says; and, when it is no card, what it is instead, in a sentence."""

import re

from coterie.domain.personas.cards.card import CardFormat, CardRefused
from coterie.domain.personas.cards.charx import is_charx
from coterie.domain.personas.cards.png import SIGNATURE

_READ = "Character cards are PNG, JSON or CHARX files."

_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "a JPEG picture without a character card in it"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "a database"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"#!", "a program"),
    (b"OggS", "a sound file"),
    (b"ID3", "a sound file"),
)
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MARKUP = re.compile(rb"\s*<(!doctype|html|head|body|script|\?xml|svg|!--)", re.IGNORECASE)
_YAML = re.compile(rb"\s*(---|#[^\n]*\n)?\s*(char_)?(name|context|greeting|persona)\s*:", re.IGNORECASE)


def sniff(data: bytes) -> CardFormat:
    """Which container the bytes are. Raises `CardRefused` with what they are instead."""
    if not data.strip(b"\0 \t\r\n"):
        raise CardRefused("The file is empty.")
    if data.startswith(SIGNATURE):
        return CardFormat.PNG
    if is_charx(data):
        return CardFormat.CHARX
    bare = data.lstrip()
    if bare.startswith((b"{", *_MARKS)):
        return CardFormat.JSON
    raise CardRefused(f"This is {_kind(data, bare)}. {_READ}")


def _kind(data: bytes, bare: bytes) -> str:
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning):
            return kind
    if data[:4] == b"RIFF":
        return "a WEBP picture" if data[8:12] == b"WEBP" else "a sound or video file"
    if data[4:8] == b"ftyp":
        return "an AVIF picture or a video"
    if _MARKUP.match(data):
        return "a web page (HTML), not the file that the page offers"
    if bare.startswith(b"["):
        return "a JSON list, not a character card"
    if _YAML.match(data):
        return "a YAML or plain text file"
    return "no file that is known here"
