"""The vocabulary of a model in a GGUF file, so that tokens can be counted exactly and without loading the model.

Reads the merges of a byte-pair vocabulary of the `smollm` kind only; tensors and other tokenizers are not read.
"""

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

_MERGES = "tokenizer.ggml.merges"
_STRING, _ARRAY = 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

# The runtime splits digits off first and then applies GPT-2's pattern to what is left; as one pattern that is:
_PIECES = r"\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+"


class VocabularyUnreadable(Exception):
    """The file is no GGUF file, or holds no vocabulary of this kind."""


def read_vocabulary(weights: Path) -> "tiktoken.Encoding":
    """The byte-pair encoding of a GGUF file; about a tenth of a second. Raises `VocabularyUnreadable`, `OSError`."""
    import tiktoken

    ranks = {bytes([octet]): octet for octet in range(256)}
    octets = _octets_by_letter()
    try:
        for merge in _merges(weights):
            left, right = merge.split(" ")
            ranks.setdefault(bytes(octets[letter] for letter in left + right), len(ranks))
    except (struct.error, ValueError, KeyError, OverflowError) as error:
        raise VocabularyUnreadable(f"{weights.name} holds no vocabulary that can be read.") from error
    return tiktoken.Encoding(weights.stem, pat_str=_PIECES, mergeable_ranks=ranks, special_tokens={})


def _merges(weights: Path) -> Iterator[str]:
    """The merge rules, most frequent first."""
    with weights.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        magic, _version, _tensors, entries = struct.unpack_from("<4sIQQ", data, 0)
        if magic != b"GGUF":
            raise ValueError(magic)
        position = struct.calcsize("<4sIQQ")
        for _ in range(entries):
            key, position = _string(data, position)
            (kind,) = struct.unpack_from("<I", data, position)
            position += 4
            if key == _MERGES:
                yield from _strings(data, position)
                return
            position = _skip(data, position, kind)
    raise KeyError(_MERGES)


def _string(data: mmap.mmap, position: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<Q", data, position)
    end = position + 8 + length
    return data[position + 8 : end].decode(), end


def _strings(data: mmap.mmap, position: int) -> Iterator[str]:
    """The items of an array of strings."""
    _kind, count = struct.unpack_from("<IQ", data, position)
    position += 12
    for _ in range(count):
        text, position = _string(data, position)
        yield text


def _skip(data: mmap.mmap, position: int, kind: int) -> int:
    """The position behind a value of this kind."""
    if kind == _STRING:
        return position + 8 + int(struct.unpack_from("<Q", data, position)[0])
    if kind != _ARRAY:
        return position + _SIZES[kind]
    item, count = struct.unpack_from("<IQ", data, position)
    position += 12
    if item in _SIZES:
        return position + _SIZES[item] * int(count)
    for _ in range(count):
        position = _skip(data, position, item)
    return position


def _octets_by_letter() -> dict[str, int]:
    """GPT-2's spelling of bytes as printable letters, backwards: printable ones stand for themselves, others follow from U+0100."""
    printable = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [octet for octet in range(256) if octet not in printable]
    return {chr(octet): octet for octet in printable} | {chr(0x100 + index): octet for index, octet in enumerate(hidden)}
