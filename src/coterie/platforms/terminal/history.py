"""What was said, oldest on top, scrolled by itself to the newest line unless the reader looks back. What the entries are is in `lines`.

One widget draws the rows in sight (Textual's line API): a widget for each line would cost a layout of all of them for each new word.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from rich.segment import Segment
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.visual import Visual

from coterie.platforms.terminal.colours import PERSON
from coterie.platforms.terminal.lines import BLANK, Row, being_written, noted, said, wrap
from coterie.platforms.terminal.shapes import Line

MOST_SHOWN = 400
"""Entries kept while nobody looks back; the oldest go first, and are read again when someone scrolls up to them."""
MOST_COLUMNS = 110
"""Longer rows are hard to read."""
DRAW_SECONDS = 0.05
"""How often a line that is being written is drawn at most."""


@dataclass(slots=True, eq=False)
class _Entry:
    content: Content
    rows: list[Row]
    is_line: bool = False
    compose: Callable[[], Content] | None = None
    """Where the text still grows: makes it anew."""


class History(ScrollView, can_focus=False):
    """The lines of one room."""

    class OlderWanted(Message):
        """The reader reached the top, and there may be more."""

    def __init__(self) -> None:
        super().__init__(id="history")
        self._colours: Mapping[str, str] = {}
        self._entries: list[_Entry] = []
        self._growing: dict[str, _Entry] = {}
        self._tops: list[int] = [1]
        self._columns = 0
        self._has_older = False
        self._follows = True
        self._is_drawing_due = False
        self._strips: LRUCache[tuple[int, int], tuple[Row, Strip]] = LRUCache(512)

    # What is in it

    def paint(self, colours: Mapping[str, str]) -> None:
        """The names of personas have these colours from now on."""
        self._colours = colours

    def show(self, lines: Sequence[Line], now: datetime, *, has_older: bool) -> None:
        """Begin anew with these lines, the newest in sight."""
        self._growing.clear()
        known = {line.message_id: line for line in lines}
        self._entries = [self._line(line, known, now) for line in lines]
        self._has_older, self._follows = has_older, True
        self._settle()

    def put_in_front(self, lines: Sequence[Line], known: Mapping[str, Line], now: datetime, *, has_older: bool) -> None:
        """Earlier lines; what the reader sees stays where it is."""
        entries = [self._line(line, known, now) for line in lines]
        self._entries = [*entries, *self._entries]
        self._has_older = has_older
        self._settle(moved=sum(len(entry.rows) for entry in entries))

    def may_ask_again(self) -> None:
        """Reading back did not work this time."""
        self._has_older = True

    def add(self, line: Line, known: Mapping[str, Line], now: datetime) -> int:
        """A new line behind those that are finished. Returns how many of the oldest lines had to go for it."""
        self._insert(self._line(line, known, now))
        gone = self._make_room()
        self._settle()
        return gone

    def note(self, text: str, *, is_error: bool = False) -> None:
        """A sentence that nobody said."""
        content = noted(text, is_error=is_error)
        self._insert(_Entry(content, self._rows_of(content)))
        self._settle()

    def grow(self, turn: str, handle: str, name: str, written: Callable[[], str]) -> None:
        """A turn has written more."""
        if turn not in self._growing:
            colour = self._colours.get(handle, PERSON)
            self._growing[turn] = _Entry(Content(""), [], compose=lambda: being_written(name, colour, written()))
            self._entries.append(self._growing[turn])
        if not self._is_drawing_due:
            self._is_drawing_due = True
            self.set_timer(DRAW_SECONDS, self._draw_growing)

    def withdraw(self, turn: str) -> None:
        """What a turn has written goes."""
        entry = self._growing.pop(turn, None)
        if entry is not None:
            self._entries.remove(entry)
            self._settle()

    def _draw_growing(self) -> None:
        self._is_drawing_due = False
        for entry in self._growing.values():
            self._wrap(entry)
        self._settle()

    def _insert(self, entry: _Entry) -> None:
        """Behind what is finished, before what still grows."""
        self._entries.insert(len(self._entries) - len(self._growing), entry)

    def _make_room(self) -> int:
        surplus = self._entries[: max(0, len(self._entries) - MOST_SHOWN)] if self._follows else []
        if surplus:
            del self._entries[: len(surplus)]
            self.screen.clear_selection()
        gone = sum(entry.is_line for entry in surplus)
        self._has_older = self._has_older or gone > 0
        return gone

    def _line(self, line: Line, known: Mapping[str, Line], now: datetime) -> _Entry:
        colour = self._colours.get(line.persona, PERSON) if line.persona is not None else PERSON
        replied = ""
        if line.reply_to is not None:
            replied = known[line.reply_to].summary if line.reply_to in known else "an earlier line"
        content = said(line, colour, replied, now.date())
        return _Entry(content, self._rows_of(content), is_line=True)

    # Where it is

    @property
    def is_at_end(self) -> bool:
        """Whether the newest line is in sight."""
        return self._follows

    def _wrap(self, entry: _Entry) -> None:
        if entry.compose is not None:
            entry.content = entry.compose()
        rows = self._rows_of(entry.content)
        # What is drawn already stays drawn: a text that grows changes its last row.
        kept = [
            old if old.glue == new.glue and old.content.is_same(new.content) else new for old, new in zip(entry.rows, rows, strict=False)
        ]
        entry.rows = [*kept, *rows[len(kept) :]]

    def _rows_of(self, content: Content) -> list[Row]:
        return wrap(content, self._columns) if self._columns > 0 else []

    def _settle(self, moved: int = 0) -> None:
        """The rows have changed: `moved` of them are new above what the reader sees."""
        # One blank row stands above the first entry.
        self._tops = list(accumulate((len(entry.rows) for entry in self._entries), initial=1))
        follows = self._follows
        if moved:
            self.screen.clear_selection()
        self.virtual_size = Size(self.scrollable_content_region.width, self._tops[-1])
        if follows:
            self.scroll_to(y=self.max_scroll_y, animate=False)
            self._follows = True
        elif moved:
            self.scroll_to(y=self.scroll_y + moved, animate=False)
        self.refresh()
        self._ask_for_older()

    def on_resize(self) -> None:
        """Other columns, other rows; the entry on top of the screen stays there."""
        columns = min(MOST_COLUMNS, self.scrollable_content_region.width - 2 * self._margin)
        first = self._entry_at(self.scroll_offset.y)
        if columns != self._columns:
            self._columns = columns
            self.screen.clear_selection()
            for entry in self._entries:
                self._wrap(entry)
        self._settle()
        if not self._follows and first < len(self._entries):
            self.scroll_to(y=self._tops[first], animate=False)

    @property
    def _margin(self) -> int:
        return 2 if self.size.width > 60 else 1

    def _entry_at(self, row: int) -> int:
        return max(0, bisect_right(self._tops, row) - 1)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Whoever comes to the top wants to read on; whoever comes to the end follows again."""
        super().watch_scroll_y(old_value, new_value)
        self._follows = new_value >= self.max_scroll_y
        self._ask_for_older()

    def _ask_for_older(self) -> None:
        if self._has_older and self.scroll_y <= 0 and self._columns > 0:
            # Once: the answer says whether there is still more.
            self._has_older = False
            self.post_message(self.OlderWanted())

    # How it is drawn

    def _row(self, y: int) -> Row:
        index = self._entry_at(y)
        if y < 1 or index >= len(self._entries):
            return BLANK
        rows, place = self._entries[index].rows, y - self._tops[index]
        # An entry may have grown shorter since the places were last counted; they are counted again before the next drawing.
        return rows[place] if 0 <= place < len(rows) else BLANK

    def render_line(self, y: int) -> Strip:
        """One row in sight. Rows are drawn once: neither their place nor their text changes while a line below them grows."""
        number = y + self.scroll_offset.y
        row = self._row(number)
        if self.text_selection is not None:
            return self._drawn(self._selected(row.content, number), number)
        key = (number, self.scrollable_content_region.width)
        kept = self._strips.get(key)
        if kept is None or kept[0] is not row:
            kept = self._strips[key] = (row, self._drawn(row.content, number))
        return kept[1]

    def _drawn(self, content: Content, number: int) -> Strip:
        strips = Visual.to_strips(self, content, max(1, self._columns), 1, self.visual_style, apply_selection=False)
        strip = (strips[0] if strips else Strip.blank(0)).apply_offsets(0, number)
        margin = Strip([Segment(" " * self._margin, self.rich_style)], self._margin)
        return Strip.join([margin, strip]).adjust_cell_length(self.scrollable_content_region.width, self.rich_style)

    def _selected(self, content: Content, row: int) -> Content:
        span = self.text_selection.get_span(row) if self.text_selection is not None else None
        if span is None:
            return content
        end = len(content) if span[1] == -1 else span[1]
        return content.stylize(self.screen.get_visual_style("screen--selection"), span[0], end)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, as it was said and not as it is wrapped."""
        rows = [BLANK, *(row for entry in self._entries for row in entry.rows)]
        return joined(rows, selection), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the rows anew."""
        self.refresh()


def joined(rows: Iterable[Row], selection: Selection) -> str:
    """The text of the selected rows (a selection counts characters in rows)."""
    parts = []
    for number, row in enumerate(rows):
        span = selection.get_span(number)
        if span is None:
            continue
        plain = row.content.plain
        end = len(plain) if span[1] == -1 else span[1]
        parts.append(plain[span[0] : end])
        parts.append(row.glue)
    return "".join(parts[:-1]).strip("\n")
