"""Who is here: names in their colours, the words that call them, what they do. A panel beside the lines, or one row above them."""

from collections.abc import Iterable, Mapping

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coterie.platforms.terminal.happenings import Activity
from coterie.platforms.terminal.shapes import Member

_QUIET = "$foreground 60%"
_DOING: Mapping[Activity, str] = {"writing": "writes", "waiting": "waits"}


class CastPanel(VerticalScroll, can_focus=False):
    """The cast from top to bottom, for wide screens."""

    def __init__(self) -> None:
        super().__init__(id="cast")
        self._text = Static(id="cast-text")

    def compose(self) -> ComposeResult:
        """One text."""
        yield self._text

    def show(self, members: Iterable[Member], colours: Mapping[str, str], activities: Mapping[str, Activity]) -> None:
        """Draw the cast anew."""
        cards = [_card(member, colours[member.handle], activities.get(member.handle)) for member in members]
        self._text.update(Content("\n\n").join(cards))


class CastStrip(Static):
    """The cast in one row, for narrow screens; names only."""

    def __init__(self) -> None:
        super().__init__(id="strip")

    def show(self, members: Iterable[Member], colours: Mapping[str, str], activities: Mapping[str, Activity]) -> None:
        """Draw the cast anew; whoever writes or waits is underlined."""
        names = [
            Content.styled(
                member.name, f"bold underline {colours[member.handle]}" if member.handle in activities else colours[member.handle]
            )
            for member in members
        ]
        self.update(Content("  ").join(names))


def _card(member: Member, colour: str, activity: Activity | None) -> Content:
    parts: list[tuple[str, str]] = [(member.name, f"bold {colour}")]
    if member.is_main:
        parts.append(("  main", _QUIET))
    if activity is not None:
        parts.append((f"  {_DOING[activity]}", "italic $accent"))
    return Content.assemble(*parts, "\n", (", ".join(member.words) or "no words of its own", _QUIET))
