"""Where a text may be cut, and how good a place is; which of the places is taken is decided in `splitting`."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from coterie.domain.speech.fences import Fence
from coterie.kit.text import graphemes

_WHOLE = re.compile(
    r"""
      !?\[ (?: [^\[\]\n] | \[[^\[\]\n]*\] ){0,1000} \]                                                      # a link: its words
      \( (?: <[^<>\n]*> | (?: [^\s()] | \([^\s()]*\) )* ) (?:\ +"[^"\n]*")? \)                              # … and its address
    | < (?: @[!&]?\d+ | \#\d+ | a?:\w+:\d+ | /[^<>\n]{1,100}:\d+ | t:-?\d+(?::\w)? | id:\w+ ) >            # Discord's markup
    | <? https?:// (?: (?! \[[^\[\]\n]{0,1000}\]\( ) [^\s<>] )+ >?                                            # an address, up to a link
    | :\w{2,32}:                                                                                           # an emoji's name
    | (?<!`) (?: `[^`\n]+` | ``(?: [^`\n] | `(?!`) )+`` ) (?!`)                                             # inline code
    | (?<!`) (?P<ticks>`{3,99}) (?!`) [^\s`]* \s* (?P=ticks) `*                                             # a fence without code
    | (?P<mark>\*\*|__|~~|\|\|) (?=\S) [^\n]{1,300}? (?P=mark)                                              # emphasis, spoilers
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PROSE_BREAK = re.compile(r"(?P<blank>\s+)|(?P<sentence>[。！？｡]+[」』）】〕”’]*)|(?P<clause>[、，；])")
_CODE_BREAK = re.compile(r"(?P<line>\r?\n(?:[ \t]*\r?\n)*)|(?P<blank>[ \t]+)")
_SENTENCE_END = re.compile(r"""(?<![\s\d])[.!?…]+["'”’»)\]*_~|]*$""")
_FIRST_MARK = "\u0300"


class Rank(IntEnum):
    """How good a place for a cut is."""

    CODE_SPACE = 1
    SPACE = 2
    SENTENCE = 3
    CODE_LINE = 4
    LINE = 5
    PARAGRAPH = 6


@dataclass(frozen=True, slots=True)
class Break:
    """A place for a cut: a part may end at `end`, and the next one begins at `resume`; only white space lies between."""

    end: int
    resume: int
    rank: Rank


def may_cut(text: str, offset: int) -> bool:
    """Whether a cut beside a blank, a mark of punctuation or a backtick leaves graphemes whole (`offset` must lie beside one)."""
    pair = text[max(0, offset - 1) : offset + 1]
    # Nothing below U+0300 joins what stands beside it, but for a line's end of two characters.
    return len(pair) < 2 or (pair < _FIRST_MARK and pair[1] < _FIRST_MARK and pair != "\r\n") or len(next(graphemes(pair))) == 1


def gaps(length: int, blocks: Sequence[Fence]) -> Iterator[tuple[int, int]]:
    """The stretches of prose between fenced blocks, in a text of this length."""
    start = 0
    for block in blocks:
        yield start, block.start
        start = block.end
    if start < length:
        yield start, length


def whole_spans(text: str, blocks: Sequence[Fence], longest: int) -> list[tuple[int, int]]:
    """What should stay in one piece outside fenced code; not what is longer than `longest`, since that must be cut anyway."""
    found = (match.span() for start, end in gaps(len(text), blocks) for match in _WHOLE.finditer(text, start, end))
    return [(start, end) for start, end in found if end - start <= longest]


def is_inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a cut at `offset` would go through one of the rising, disjoint spans."""
    last = bisect_left(spans, (offset, -1)) - 1
    return last >= 0 and offset < spans[last][1]


def breaks(text: str, blocks: Sequence[Fence], spans: Sequence[tuple[int, int]]) -> list[Break]:
    """Every good place for a cut, rising: white space, ends of sentences, edges and lines of fenced code; none inside `spans`."""
    found = [place for start, end in gaps(len(text), blocks) for place in _in_prose(text, start, end)]
    found += [place for block in blocks for place in _in_code(text, block)]
    found.sort(key=lambda place: (place.end, place.resume))
    return [place for place in found if not is_inside(place.end, spans) and may_cut(text, place.end) and may_cut(text, place.resume)]


def _in_prose(text: str, start: int, end: int) -> Iterator[Break]:
    """Breaks of a stretch of prose; its edges are breaks, since fenced code begins or ends there."""
    if start:
        yield Break(start, start, Rank.LINE)
    for match in _PROSE_BREAK.finditer(text, start, end):
        if match["blank"]:
            yield Break(match.start(), match.end(), _rank_of_blank(text, match))
        else:
            yield Break(match.end(), match.end(), Rank.SENTENCE if match["sentence"] else Rank.SPACE)
    if end < len(text):
        yield Break(end, end, Rank.LINE)


def _rank_of_blank(text: str, match: re.Match[str]) -> Rank:
    lines = match.group().count("\n")
    if lines:
        return Rank.PARAGRAPH if lines > 1 else Rank.LINE
    before = text[max(0, match.start() - 10) : match.start()]
    return Rank.SENTENCE if _SENTENCE_END.search(before) else Rank.SPACE


def _in_code(text: str, block: Fence) -> Iterator[Break]:
    for match in _CODE_BREAK.finditer(text, block.body, block.body_end):
        if match["line"]:
            yield Break(match.start(), match.end(), Rank.CODE_LINE)
        else:
            yield Break(match.end(), match.end(), Rank.CODE_SPACE)
