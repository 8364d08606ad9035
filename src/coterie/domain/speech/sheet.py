"""A text about to be cut, with what is known of its places: lengths, fenced blocks, what belongs together, where a cut is good.

Which cut is taken is decided in `splitting`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

import regex

from coterie.domain.speech.breaks import Break, breaks, whole_spans
from coterie.domain.speech.fences import Fence, fences

_VISIBLE = re.compile(r"\S")
_SUBSTANCE = regex.compile(r"[^\s\p{P}\p{Sk}\p{C}]")


@dataclass(frozen=True)
class Sheet:
    """`text` without blanks at its ends, to be cut into parts of at most `limit` UTF-16 units. Offsets count code points."""

    text: str
    limit: int
    _visible: dict[int, int] = field(default_factory=dict)

    @cached_property
    def blocks(self) -> Sequence[Fence]:
        """The fenced blocks that are closed and opened again at cuts."""
        return tuple(_reopenable(self.text, self.limit // 2))

    @cached_property
    def spans(self) -> Sequence[tuple[int, int]]:
        """What belongs together and fits in one part."""
        return whole_spans(self.text, self.blocks, self.limit)

    @cached_property
    def breaks(self) -> Sequence[Break]:
        """The good places for a cut, rising."""
        return breaks(self.text, self.blocks, self.spans)

    @cached_property
    def units(self) -> Sequence[int]:
        """The length in UTF-16 units before each offset."""
        if max(self.text) <= "\uffff":
            return range(len(self.text) + 1)
        return tuple(accumulate((2 if char > "\uffff" else 1 for char in self.text), initial=0))

    @cached_property
    def last_substance(self) -> int:
        """Behind this offset there is nothing but punctuation and blanks."""
        found = _SUBSTANCE.search(self.text[::-1])
        return len(self.text) - 1 - found.start() if found else -1

    def substance_behind(self, offset: int) -> int | None:
        """Where the first character that is neither punctuation nor blank ends, at or behind `offset`."""
        found = _SUBSTANCE.search(self.text, offset)
        return found.end() if found else None

    def visible_from(self, offset: int) -> int:
        """Where the first character that is no blank stands, at or behind `offset`."""
        if offset not in self._visible:
            found = _VISIBLE.search(self.text, offset)
            self._visible[offset] = found.start() if found else len(self.text)
        return self._visible[offset]

    def block_at(self, offset: int) -> Fence | None:
        """The block that a cut at `offset` goes through."""
        last = bisect_right(self.blocks, offset, key=_start) - 1
        if last < 0:
            return None
        block = self.blocks[last]
        return block if block.start < offset and (offset < block.end or not block.is_closed) else None

    def breaks_behind(self, offset: int) -> Iterator[Break]:
        """The good places behind `offset`, up to as far as a part could reach from there."""
        for index in range(bisect_right(self.breaks, offset, key=_end), len(self.breaks)):
            if self.breaks[index].end > offset + self.limit:
                return
            yield self.breaks[index]


def _start(block: Fence) -> int:
    return block.start


def _end(place: Break) -> int:
    return place.end


def _reopenable(text: str, most: int) -> Iterator[Fence]:
    """Not the blocks without code, nor those whose marks would take more than `most` of each part."""
    for fence in fences(text):
        is_wide = fence.body - fence.start + len(fence.closer) > most
        block = replace(fence, body=fence.start + fence.ticks, language="") if is_wide else fence
        if len(block.reopener) + len(block.closer) <= most and text[block.body : block.body_end].strip():
            yield block
