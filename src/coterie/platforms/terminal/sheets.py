"""Sheets over the room: something to read, or a list to pick from. Esc closes them. Where their content comes from is not their affair."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from coterie.platforms.terminal.commands import COMMANDS, KEYS
from coterie.platforms.terminal.shapes import Member, Room, Verdict

_QUIET = "$foreground 60%"


class Page(VerticalScroll):
    """The scrolled part of a sheet."""


class ReadSheet(ModalScreen[None]):
    """Something to read."""

    BINDINGS: ClassVar = [Binding("escape,enter,q", "dismiss", "Close")]

    def __init__(self, title: str, text: Content) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Title, text, how to leave."""
        with Vertical(classes="sheet"):
            yield Static(Content(self._title), classes="sheet-title")
            with Page():
                yield Static(self._text)
            yield Static("Esc closes", classes="sheet-foot")


class RoomSheet(ModalScreen[str]):
    """The sessions; picks one to go to."""

    BINDINGS: ClassVar = [Binding("escape,q", "dismiss('')", "Close")]

    def __init__(self, rooms: Sequence[Room], current: str) -> None:
        super().__init__()
        self._rooms = rooms
        self._current = current

    def compose(self) -> ComposeResult:
        """Title, sessions, how to go on."""
        with Vertical(classes="sheet"):
            yield Static("Sessions", classes="sheet-title")
            yield OptionList(*[Option(_room_row(room, self._current)) for room in self._rooms], compact=True)
            yield Static("Enter goes there, Esc closes; /session new makes one", classes="sheet-foot")

    def on_mount(self) -> None:
        """Begin at the current session."""
        ids = [room.session_id for room in self._rooms]
        self.query_one(OptionList).highlighted = ids.index(self._current) if self._current in ids else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go there."""
        self.dismiss(self._rooms[event.option_index].session_id)


def _room_row(room: Room, current: str) -> Content:
    here = "  here" if room.session_id == current else ""
    state = "working" if room.is_working else "idle"
    handle = room.self_id or "no self_id"
    return Content.assemble(
        (room.title, "bold"), (here, "italic $accent"), ("\n", ""), (f"{handle}, model {room.model}, level {room.level}, {state}\n", _QUIET)
    )


def help_text() -> Content:
    """Commands and keys."""
    rows = [Content.assemble((command.usage, "bold"), "\n", (command.about, _QUIET)) for command in COMMANDS]
    keys = [Content.assemble((key, "bold"), "  ", (about, _QUIET)) for key, about in KEYS]
    rest = Content.assemble(("Everything else is said in the room; // says a text that begins with a slash.", _QUIET))
    return Content("\n").join([*rows, Content(""), *keys, Content(""), rest])


def cast_text(members: Sequence[Member]) -> Content:
    """The cast, with handles."""
    rows = []
    for member in members:
        main = "  main" if member.is_main else ""
        words = ", ".join(member.words) or "no words of its own"
        rows.append(
            Content.assemble((member.name, "bold"), (main, "italic $accent"), "\n", (f"Called by {words}; handle {member.handle}.", _QUIET))
        )
    return Content("\n\n").join(rows) if rows else Content("Nobody is here.")


def why_text(said: str, verdicts: Sequence[Verdict]) -> Content:
    """What was decided about a message, persona by persona."""
    rows = [Content.assemble((said, _QUIET))] if said else []
    for verdict in verdicts:
        answer = "answers" if verdict.is_turn else "does not answer"
        parts: list[str | tuple[str, str]] = [(verdict.name, "bold"), f" {answer}: {verdict.reason}\n", (verdict.meaning, _QUIET)]
        if verdict.note:
            parts.append((f"\n{verdict.note}", "$error"))
        rows.append(Content.assemble(*parts))
    return Content("\n\n").join(rows)
