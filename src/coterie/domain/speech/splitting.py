"""A reply cut into messages that a platform takes. Nothing here waits or sends; how a text is read is in `sheet`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from coterie.domain.speech.breaks import Break, Rank, is_inside
from coterie.domain.speech.sheet import Sheet
from coterie.kit.text import boundaries

LEAST_LIMIT = 40
"""Below this no part could hold a word and a fence."""

_BLANKS = re.compile(r"\s*")
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")


def split(text: str, limit: int = 2000) -> tuple[str, ...]:
    """Cut `text` into parts of at most `limit` characters, counted in code points and in UTF-16 units alike.

    Fenced code is closed at a cut and opened again with its language. Cuts prefer paragraphs, lines, sentences and blanks, in this
    order; a link, address, mention, emoji or piece of inline code is cut only where it alone is longer than a part, and so is a
    grapheme. Punctuation stays with its neighbour. Joined, the parts are the text up to the white space at cuts and the added fences;
    a run of blanks longer than a quarter of a part is shortened. A blank text has no part. Raises `ValueError` below `LEAST_LIMIT`.
    """
    if limit < LEAST_LIMIT:
        raise ValueError(f"A part must hold at least {LEAST_LIMIT} characters.")
    sheet = Sheet(_squeezed(text.strip(), limit // 4), limit)
    return tuple(part.as_sent() for part in _parts(sheet))


def _squeezed(text: str, most: int) -> str:
    """The text with no run of blanks longer than `most`, so that no part can consist of blanks alone."""
    return re.sub(rf"\s{{{most + 1},}}", lambda run: run.group()[-most:], text)


def _parts(sheet: Sheet) -> "Iterator[_Part]":
    start = 0
    while start < len(sheet.text):
        part = _Part(sheet, start).cut()
        yield part
        start = part.resume


@dataclass(frozen=True)
class _Part:
    """The part of a text that begins at `start`; once cut, it ends at `end`, and the next one begins at `resume`."""

    sheet: Sheet
    start: int
    end: int = 0
    resume: int = 0

    @cached_property
    def reopener(self) -> str:
        block = self.sheet.block_at(self.start)
        return block.reopener if block else ""

    @cached_property
    def room(self) -> int:
        """What the part holds of the text and of a closer, in UTF-16 units."""
        return self.sheet.limit - len(self.reopener)

    def as_sent(self) -> str:
        kept = self.sheet.text[self.start : self.end].rstrip()
        block = self.sheet.block_at(self.end)
        return (self.reopener + kept if self.reopener else kept.lstrip()) + (block.closer if block else "")

    def cut(self) -> Self:
        """The part with the end that suits it best."""
        whole = len(self.sheet.text)
        place = Break(whole, whole, Rank.PARAGRAPH) if self.fits(whole) else next(filter(None, self.tries()))
        return type(self)(self.sheet, self.start, place.end, place.resume)

    def tries(self) -> Iterator[Break | None]:
        """Ends from the best to the worst: first those with substance on both sides, and between words rather than between graphemes."""
        half = self.start + self.sheet.limit // 2
        late = self.settled(self.sheet.breaks_behind(half))
        yield _best(self.balanced(late))
        early = self.settled(place for place in self.sheet.breaks_behind(self.start) if place.end <= half)
        yield _last(self.balanced(early))
        fine = self.settled(self.graphemes())
        whole = [place for place in fine if not is_inside(place.end, self.sheet.spans)]
        yield _last(self.balanced(whole))
        yield _best(late) or _last(early) or _last(whole) or _last(fine)
        yield self.anywhere()

    def graphemes(self) -> Iterator[Break]:
        # One code point more than can fit, since a grapheme may go on behind the window.
        window = min(len(self.sheet.text), self.start + self.room + 1)
        return (Break(offset, offset, Rank.CODE_SPACE) for offset in boundaries(self.sheet.text, self.start, window))

    def anywhere(self) -> Break:
        """The last code point that fits: a single grapheme is too long for a part."""
        end = self.start + 1
        while end < len(self.sheet.text) and self.fits(end + 1):
            end += 1
        return Break(end, end, Rank.CODE_SPACE)

    def fits(self, end: int) -> bool:
        block = self.sheet.block_at(end)
        return self.sheet.units[end] - self.sheet.units[self.start] + (len(block.closer) if block else 0) <= self.room

    def balanced(self, places: Sequence[Break]) -> Sequence[Break]:
        """Those of the places that leave more than punctuation before them, and more or nothing at all behind."""
        least = self.sheet.substance_behind(self.start) if places else None
        if least is None:
            return ()
        last, length = self.sheet.last_substance, len(self.sheet.text)
        return [place for place in places if place.end >= least and (place.resume <= last or place.resume == length)]

    def settled(self, places: Iterable[Break]) -> Sequence[Break]:
        """Those of the places at which the part fits and leaves no empty fence, the next part beginning behind blank lines of code."""
        return [settled for place in places if self.fits(place.end) and (settled := self.settle(place))]

    def settle(self, place: Break) -> Break | None:
        block = self.sheet.block_at(place.end)
        if block is None:
            return place
        if place.end > block.body_end or self.sheet.visible_from(max(self.start, block.body)) >= place.end:
            return None
        resume = place.resume
        if self.sheet.text[resume - 1] == "\n":
            resume = self.behind(_BLANK_LINES, resume)
        if self.sheet.visible_from(resume) >= block.body_end:
            resume = self.behind(_BLANKS, block.end)
        return place if resume == place.resume else Break(place.end, resume, place.rank)

    def behind(self, pattern: re.Pattern[str], offset: int) -> int:
        match = pattern.match(self.sheet.text, offset)
        return match.end() if match else offset


def _best(places: Sequence[Break]) -> Break | None:
    """The last place of the best rank."""
    return max(places, key=lambda place: (place.rank, place.end, place.resume), default=None)


def _last(places: Sequence[Break]) -> Break | None:
    return places[-1] if places else None
