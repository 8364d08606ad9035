"""Text by what people see and by what platforms count: graphemes, UTF-16 units, places where a text may be cut.

How texts are compared is in `folding`; where a reply is best cut is no question of this module.
"""

import re
from collections.abc import Iterator

import regex

_GRAPHEME = regex.compile(r"\X")
_FIRST_MARK = "\u0300"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def graphemes(text: str) -> Iterator[str]:
    """What people see as single characters: extended grapheme clusters (Unicode UAX #29). Joined, they are `text`."""
    return (match.group() for match in _GRAPHEME.finditer(text))


def boundaries(text: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """The offsets after `start`, up to `end`, at which a grapheme ends. `start` must be such an offset itself, or 0."""
    return (match.end() for match in _GRAPHEME.finditer(text, start, len(text) if end is None else end))


def utf16_length(text: str) -> int:
    """The length in UTF-16 units, which is what browsers and some platforms count; never less than in code points."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def head(text: str, most: int) -> str:
    """The longest beginning of at most `most` UTF-16 units that cuts no grapheme; of a single longer grapheme, what fits of it."""
    if len(text) <= most and utf16_length(text) <= most:
        return text
    # A grapheme that reaches the window's end may go on behind it, so the window is one code point wider than what can fit.
    end = units = 0
    for grapheme in graphemes(text[: most + 1]):
        units += utf16_length(grapheme)
        if units > most:
            break
        end += len(grapheme)
    return text[:end] if end else _code_points(text, most)


def _code_points(text: str, most: int) -> str:
    """As many code points from the start as fit, and at least one."""
    units = 0
    for offset, char in enumerate(text[:most]):
        units += utf16_length(char)
        if units > most:
            return text[: max(1, offset)]
    return text[: max(1, most)]


def beginning(text: str, most: int) -> str:
    """The longest beginning of at most `most` code points that cuts no grapheme; of a single longer grapheme, what fits of it."""
    if len(text) <= most:
        return text
    # A grapheme that reaches the window's end may go on behind it, so the window is one code point wider than what can fit.
    ends = [end for end in boundaries(text, 0, most + 1) if end <= most]
    return text[: ends[-1] if ends else most]


def ending(text: str, most: int) -> str:
    """The longest end of at most `most` code points that cuts no grapheme; of a single longer grapheme, what fits of it."""
    least = max(len(text) - most, 0)
    anchor = next((offset for offset in range(least, 0, -1) if _surely_parts(text, offset)), 0)
    if anchor == least:
        return text[least:]
    start = next((start for start in boundaries(text, anchor) if start >= least), least)
    return text[start:] or text[least:]


def _surely_parts(text: str, offset: int) -> bool:
    """Whether a grapheme begins here whatever stands further off: nothing below U+0300 joins what is beside it, but for `\\r\\n`."""
    pair = text[offset - 1 : offset + 1]
    return max(pair) < _FIRST_MARK and pair != "\r\n"


def mend(text: str) -> str:
    """The text without what no database and no UTF-8 takes: NUL goes, surrogates are paired, a lone one becomes U+FFFD."""
    if not _UNSTORABLE.search(text):
        return text
    return text.replace("\x00", "").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
