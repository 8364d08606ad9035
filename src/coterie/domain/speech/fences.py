"""Fenced code in a text: three or more backticks anywhere, up to as many or more, else to the end. `~~~` fences nothing.

Inline code is not here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TICKS = re.compile(r"`{3,}")
_INFO = re.compile(r"([^`\n]{0,100})\r?\n")
_INFO_ALONE = re.compile(r"[ \t]*(\S*)\s*\Z")
_LONGEST_LANGUAGE = 40


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block, in offsets of its text: `start` of the opener, `body` to `body_end`, `end` behind the closer.

    `body` lies behind the line of the opener where that holds nothing but a language (`py`, `c++`, `objective-c`, or nothing).
    """

    start: int
    body: int
    body_end: int
    end: int
    ticks: int
    language: str
    is_closed: bool

    @property
    def reopener(self) -> str:
        """What opens the block again at the start of the next part."""
        return "`" * self.ticks + self.language + "\n"

    @property
    def closer(self) -> str:
        """What closes the block at the end of a part."""
        return "\n" + "`" * self.ticks


def open_after(opened: int, line: str) -> int:
    """The number of backticks of the fence that is open after `line`, 0 for none, where `opened` was open before it."""
    for run in _TICKS.finditer(line):
        ticks = len(run.group())
        if not opened:
            opened = ticks
        elif ticks >= opened:
            opened = 0
    return opened


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of `text`, in order."""
    opener: re.Match[str] | None = None
    for run in _TICKS.finditer(text):
        if opener is None:
            opener = run
        elif len(run.group()) >= len(opener.group()):
            yield _fence(text, opener, run.start(), run.end(), is_closed=True)
            opener = None
    if opener is not None:
        yield _fence(text, opener, len(text), len(text), is_closed=False)


def _fence(text: str, opener: re.Match[str], body_end: int, end: int, *, is_closed: bool) -> Fence:
    start, body = opener.span()
    language = ""
    info = _INFO.match(text, body, body_end) or (None if is_closed else _INFO_ALONE.match(text, body))
    words = info[1].split() if info else []
    if info and (len(words) < 2 or start == 0 or text[start - 1] == "\n"):
        body = info.end()
        language = words[0] if words and len(words[0]) <= _LONGEST_LANGUAGE else ""
    return Fence(start, body, body_end, end, len(opener.group()), language, is_closed)
