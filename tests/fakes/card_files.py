"""Builds card files of every kind, good and bad, byte by byte; for tests only, and independent of the code under test."""

import base64
import io
import json
import struct
import zipfile
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"

MIRA = {
    "name": "Mira Vale",
    "description": "{{char}} keeps a lighthouse and counts the ships.",
    "personality": "patient, dry",
    "scenario": "A night of fog.",
    "first_mes": "*The lamp turns.* You made it, {{user}}.",
    "mes_example": "<START>\n{{user}}: Is it lonely?\n{{char}}: The ships talk, if you let them.",
}


def v1(**changes):
    return {**MIRA, **changes}


def v2(**changes):
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**MIRA, "alternate_greetings": [], "extensions": {}, **changes}}


def v3(**changes):
    data = {**MIRA, "alternate_greetings": [], "group_only_greetings": [], "tags": [], "extensions": {}, **changes}
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}


def as_json(card):
    return json.dumps(card, ensure_ascii=False).encode()


def as_base64(card):
    return base64.b64encode(card if isinstance(card, bytes) else as_json(card))


def chunk(kind, body, crc=None):
    checksum = zlib.crc32(kind + body) if crc is None else crc
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


def text_chunk(keyword, text, **options):
    return chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text, **options)


def ztxt_chunk(keyword, text):
    return chunk(b"zTXt", keyword.encode() + b"\0\0" + zlib.compress(text))


def itxt_chunk(keyword, text, *, is_packed=False):
    return chunk(b"iTXt", keyword.encode() + b"\0" + bytes((is_packed, 0)) + b"en\0\0" + (zlib.compress(text) if is_packed else text))


IHDR = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0))
IDAT = chunk(b"IDAT", zlib.compress(b"\0\x10\x60\x90\x10\x60\x90" * 2))
IEND = chunk(b"IEND", b"")


def png(*before, after=(), end=IEND, junk=b""):
    """A picture of 2 x 2 pixels with chunks in front of and behind its pixels."""
    return b"".join((SIGNATURE, IHDR, *before, IDAT, *after, end, junk))


def png_card(card, keyword="chara"):
    return png(text_chunk(keyword, as_base64(card)))


def archive(members, *, prefix=b"", method=zipfile.ZIP_DEFLATED):
    """A ZIP archive; names are written as given, however wicked."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as file:
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name) if isinstance(name, str) else name, data, method)
    return prefix + target.getvalue()


def charx(card, *more, prefix=b""):
    return archive([("card.json", as_json(card)), *more], prefix=prefix)


def texts_in(data):
    """The `tEXt` chunks of a PNG, as pairs of keyword and text, and the kinds of all chunks in order."""
    found, kinds, at = [], [], 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body)
        kinds.append(kind)
        if kind == b"tEXt":
            keyword, _, text = body.partition(b"\0")
            found.append((keyword.decode("latin-1"), text))
        at += 12 + length
    return found, kinds
