"""Pictures: the size that a file's header tells, and plain faces for accounts that have none. Decodes no pixels."""

import struct
import zlib

_PNG = b"\x89PNG\r\n\x1a\n"
COLOURS = (0x5865F2, 0x747F8D, 0x3BA55C, 0xFAA61A, 0xED4245, 0xEB459E)
"""The colours of Discord's default avatars."""


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG or GIF; none for anything else."""
    if data[:8] == _PNG and data[12:16] == b"IHDR" and len(data) >= 24:
        return struct.unpack(">II", data[16:24])
    if data[:4] == b"GIF8" and len(data) >= 10:
        return struct.unpack("<HH", data[6:10])
    return None


def kind_of(data: bytes) -> str | None:
    """The content type of a picture, by its first bytes."""
    if data[:8] == _PNG:
        return "image/png"
    if data[:4] == b"GIF8":
        return "image/gif"
    if data[:3] == b"\xff\xd8\xff":
        return "image/jpeg"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def plain_face(colour: int, side: int = 128) -> bytes:
    """A square PNG in one colour."""
    header = struct.pack(">IIBBBBB", side, side, 8, 3, 0, 0, 0)
    rows = (b"\0" + bytes(side)) * side
    return b"".join(
        (_PNG, _chunk(b"IHDR", header), _chunk(b"PLTE", colour.to_bytes(3)), _chunk(b"IDAT", zlib.compress(rows)), _chunk(b"IEND", b""))
    )
