"""One entry of the history as styled text: a line, finished or being written, or a note; and how it is wrapped. `history` shows them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from textual.content import Content

from coterie.platforms.terminal.plain import one_line
from coterie.platforms.terminal.shapes import Line

_QUIET = "$foreground 60%"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the screen. `glue` is what stands between it and the next one in the text: a line break, a blank, or nothing."""

    content: Content
    glue: str


BLANK = Row(Content(""), "\n")


def said(line: Line, colour: str, replied: str, today: date) -> Content:
    """A finished line: the name in its colour, the time, what it replies to, the text."""
    moment = f"{line.at:%H:%M}" if line.at.date() == today else f"{line.at:%Y-%m-%d %H:%M}"
    reference = [(f"> {replied}\n", _QUIET)] if replied else []
    return Content.assemble((line.name, f"bold {colour}"), (f"  {moment}\n", _QUIET), *reference, line.text)


def being_written(name: str, colour: str, text: str) -> Content:
    """A line that is not finished."""
    return Content.assemble((name, f"bold {colour}"), ("  writes\n", _QUIET), text.rstrip())


def noted(text: str, *, is_error: bool) -> Content:
    """A sentence between the lines that nobody said."""
    return Content.styled(one_line(text, 400), "$error" if is_error else f"italic {_QUIET}")


def wrap(content: Content, columns: int) -> list[Row]:
    """The rows of an entry in so many columns (Unicode UAX #11: wide characters take two), and a blank one behind it."""
    rows = [row for logical in content.split("\n", allow_blank=True) for row in _wrap_line(logical, columns)]
    return [*rows, BLANK]


def _wrap_line(logical: Content, columns: int) -> Iterator[Row]:
    pieces = logical.wrap(max(2, columns)) or [Content("")]
    end = 0
    for piece, _ in pairwise(pieces):
        words = piece.plain.rstrip()
        end = logical.plain.find(words, end) + len(words)
        yield Row(piece, " " if logical.plain[end : end + 1].isspace() else "")
    yield Row(pieces[-1], "\n")
