"""PNG as a container of cards: an own chunk walker (no picture is decoded here), and writing text chunks.

Libraries are no help for reading: they stop at the picture's data, keep the last of equal keywords, or refuse what can be repaired.
"""

import base64
import binascii
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from coterie.domain.personas.cards.card import CardFormat, CardRefused, CardText, Container, Fate, ReportLine
from coterie.domain.personas.cards.text import MAX_TEXT_BYTES

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 50_000
MAX_TEXT_CHUNKS = 2_000
MAX_ALL_TEXT_BYTES = 4 * MAX_TEXT_BYTES

KEYWORDS = ("ccv3", "chara", "char", "tomoripreset")
"""Keywords under which cards are found (letter case aside), best first: V3, V2 and V1, an old spelling, the predecessor's own."""

_TEXT_KINDS = (b"tEXt", b"zTXt", b"iTXt")
_ASSET = "chara-ext-asset_"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: its four-letter kind, its bytes without and with length, kind and checksum, and whether the checksum is right."""

    kind: bytes
    body: memoryview
    whole: memoryview
    is_sound: bool

    @property
    def is_text(self) -> bool:
        """Whether it holds a keyword and a text."""
        return self.kind in _TEXT_KINDS

    @property
    def keyword(self) -> str:
        """The keyword of a text chunk, in lower case."""
        return bytes(self.body[:80]).partition(b"\0")[0].decode("latin-1").strip().lower()


def chunks_of(data: bytes) -> Iterator[Chunk]:
    """The chunks up to IEND or to the first that cannot be one (cut off, or a length beyond the file); lengths are unsigned.

    Raises `CardRefused` when there are too many.
    """
    view, at = memoryview(data), len(SIGNATURE)
    for _ in range(MAX_CHUNKS):
        if at + 12 > len(data):
            return
        (length,) = struct.unpack_from(">I", data, at)
        kind, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data) or not kind.isalpha():
            return
        (checksum,) = struct.unpack_from(">I", data, end - 4)
        yield Chunk(kind, view[at + 8 : end - 4], view[at:end], checksum == zlib.crc32(view[at + 4 : end - 4]))
        if kind == b"IEND":
            return
        at = end
    raise CardRefused("This PNG file has too many parts to be read.")


def chunk_bytes(kind: bytes, body: bytes) -> bytes:
    """A chunk as it stands in a file."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def open_png(data: bytes) -> Container:
    """Find the texts that may be a card, best first; the picture without any texts; old-style asset chunks as files.

    Raises `CardRefused` when there is no card's text.
    """
    chunks = list(chunks_of(data))
    is_whole = bool(chunks) and chunks[-1].kind == b"IEND"
    texts = [chunk for chunk in chunks if chunk.is_text]
    if len(texts) > MAX_TEXT_CHUNKS:
        raise CardRefused("This PNG file has too many text parts to be read.")
    found = _card_texts(texts)
    if not found and not is_whole:
        raise CardRefused("This PNG file is damaged or cut off, and no character card can be found in it.")
    if not found:
        raise CardRefused("This PNG picture holds no character card; some sites and chats remove it, so fetch the original file.")
    note = ReportLine("file", Fate.REPAIRED, "The PNG file is damaged or cut off; the card in it could be read all the same.")
    return Container(CardFormat.PNG, tuple(found), picture_of(chunks), _assets(texts), () if is_whole else (note,))


def _card_texts(chunks: Sequence[Chunk]) -> list[CardText]:
    found: list[CardText] = []
    for keyword in KEYWORDS:
        copies = [chunk for chunk in chunks if chunk.keyword == keyword]
        # The predecessor reads the last of several, everyone else the first.
        for chunk in reversed(copies) if keyword == KEYWORDS[-1] else copies:
            text = _plain(chunk)
            if text is None:
                continue
            note = ReportLine(keyword, Fate.REPAIRED, "The checksum of this part of the file is wrong.")
            found.append(CardText(keyword, text, () if chunk.is_sound else (note,)))
            if sum(len(other.data) for other in found) > MAX_ALL_TEXT_BYTES:
                raise CardRefused("The texts in this PNG file are too large to be read.")
    return found


def _assets(chunks: Sequence[Chunk]) -> Callable[[str], bytes | None]:
    """Files in old-style asset chunks, found by `__asset:X` (programs differ in whether a colon stands before the X)."""
    assets = {chunk.keyword: chunk for chunk in chunks if chunk.kind == b"tEXt" and chunk.keyword.startswith(_ASSET)}

    def file(path: str) -> bytes | None:
        name = path.removeprefix("__asset:").lower()
        chunk = assets.get(f"{_ASSET}:{name}", assets.get(_ASSET + name))
        if chunk is None:
            return None
        try:
            return base64.b64decode(_plain(chunk) or b"", validate=True)
        except binascii.Error:
            return None

    return file


def _plain(chunk: Chunk) -> bytes | None:
    """The text of a text chunk, inflated if need be; nothing when it is broken or inflates to too much."""
    body = bytes(chunk.body).partition(b"\0")[2]
    match chunk.kind:
        case b"tEXt":
            return body
        case b"zTXt":
            return _inflated(body[1:])
        case _:
            packed, rest = body[:1], body[2:]
            text = rest.partition(b"\0")[2].partition(b"\0")[2]
            return _inflated(text) if packed == b"\x01" else text


def _inflated(data: bytes) -> bytes | None:
    try:
        text = zlib.decompressobj().decompress(data, MAX_TEXT_BYTES * 4 // 3 + 5)
    except zlib.error:
        return None
    return text


def picture_of(chunks: Sequence[Chunk]) -> bytes:
    """The picture alone: no texts (a picture library may refuse large ones), nothing unnecessary that is broken, a proper end."""
    is_needed = (chunk.whole for chunk in chunks if not chunk.is_text and chunk.kind != b"IEND" and (chunk.is_sound or _is_critical(chunk)))
    return b"".join((SIGNATURE, *is_needed, chunk_bytes(b"IEND", b"")))


def _is_critical(chunk: Chunk) -> bool:
    return chunk.kind[:1].isupper()


def with_texts(data: bytes, texts: Sequence[tuple[str, bytes]], *, dropping: Sequence[str] = KEYWORDS, also: bytes = b"") -> bytes:
    """A PNG with `tEXt` chunks in front of its end, and without the text chunks of the keywords to drop; all else as it was.

    `also` are further chunks as they stand in a file.
    """
    kept = (chunk.whole for chunk in chunks_of(data) if chunk.kind != b"IEND" and not (chunk.is_text and chunk.keyword in dropping))
    added = (chunk_bytes(b"tEXt", keyword.encode("latin-1") + b"\0" + text) for keyword, text in texts)
    return b"".join((SIGNATURE, *kept, also, *added, chunk_bytes(b"IEND", b"")))


def keywords_of(data: bytes) -> set[str]:
    """The keywords of a PNG's text chunks, in lower case."""
    return {chunk.keyword for chunk in chunks_of(data) if chunk.is_text}


def asset_chunks(data: bytes) -> bytes:
    """Old-style asset chunks as they stand in the file."""
    return b"".join(bytes(chunk.whole) for chunk in chunks_of(data) if chunk.is_text and chunk.keyword.startswith(_ASSET))


def blank_picture(side: int = 256) -> bytes:
    """A square of one quiet colour, for a persona without a face."""
    row = b"\0" + bytes((0x7A, 0x7F, 0x8C)) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return SIGNATURE + chunk_bytes(b"IHDR", header) + chunk_bytes(b"IDAT", zlib.compress(row * side, 9)) + chunk_bytes(b"IEND", b"")
