"""The room on the screen: lines, cast, composer, and how events change them. It asks nobody; `app` brings what it shows."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from coterie.platforms.terminal.bars import StatusBar, TopBar, doing_text
from coterie.platforms.terminal.cast_panel import CastPanel, CastStrip
from coterie.platforms.terminal.colours import name_colours
from coterie.platforms.terminal.completion import Offer, complete
from coterie.platforms.terminal.composer import Desk
from coterie.platforms.terminal.happenings import CastDiffers, Change, Growing, Happenings, Missed, Noted, Said, Unplanned, Withdrawn
from coterie.platforms.terminal.history import History
from coterie.platforms.terminal.plain import shown_name
from coterie.platforms.terminal.shapes import Line, Member, Room
from coterie.platforms.terminal.streams import StreamEvent


class RoomScreen(Screen[None]):
    """One room, the session `session_id`. `rooms` are the sessions that completion knows."""

    def __init__(self) -> None:
        super().__init__()
        self.happenings = Happenings()
        self.rooms: Sequence[Room] = ()
        self.session_id: str | None = None
        self._reply_to: Line | None = None
        self._speaks_as = ""
        self._shown: object = None
        self.desk = Desk(self._complete)
        self.history_view = History()
        self._top = TopBar()
        self._strip = CastStrip()
        self._cast = CastPanel()
        self._status = StatusBar()

    def compose(self) -> ComposeResult:
        """From top to bottom; the cast stands beside the lines or, on a narrow screen, above them."""
        yield self._top
        yield self._strip
        with Horizontal(id="middle"):
            yield self.history_view
            yield self._cast
        with Vertical(id="bottom"):
            yield self.desk
            yield self._status

    def on_mount(self) -> None:
        """Ready to type."""
        self._top.show_state("connecting")
        self.desk.composer.focus()
        self._show_doing()

    def _complete(self, text: str) -> Offer:
        return complete(text, self.rooms, list(self.happenings.lines.values()))

    # What is shown

    def show_room(self, room: Room) -> None:
        """The session is this one, or has changed."""
        self._top.show_title(room.title)

    def show_state(self, state: str, *, is_trouble: bool = False) -> None:
        """How the model or the connection is."""
        self._top.show_state(state, is_trouble=is_trouble)

    def show_cast(self, members: Sequence[Member]) -> None:
        """The cast is this."""
        self.happenings.know(members)
        self.history_view.paint(name_colours(self.happenings.members))
        self.desk.invite([member.name for member in members])
        self._show_doing()

    def show_speaker(self, name: str) -> None:
        """The person speaks as somebody else; empty for under the own name."""
        self._speaks_as = name
        self._show_doing()

    def show_lines(self, lines: Sequence[Line], now: datetime, *, has_older: bool) -> None:
        """The newest messages, anew; nothing is under way."""
        self.happenings.start(lines)
        self.history_view.show(lines, now, has_older=has_older)
        self._show_doing()

    def show_older(self, lines: Sequence[Line], now: datetime, *, has_older: bool) -> None:
        """Earlier messages in front of those that are there."""
        new = self.happenings.older(lines)
        self.history_view.put_in_front(new, self.happenings.lines, now, has_older=has_older and bool(new))

    def _show_doing(self) -> None:
        happenings, members = self.happenings, list(self.happenings.members.values())
        colours, activities = name_colours(happenings.members), happenings.activities()
        shown = (members, activities, happenings.is_working, self._speaks_as)
        if shown == self._shown:
            return
        self._shown = shown
        self._cast.show(members, colours, activities)
        self._strip.show(members, colours, activities)
        named = [(happenings.name_of(handle), activity) for handle, activity in activities.items()]
        doing = doing_text(named, is_working=happenings.is_working)
        as_whom = f"As {self._speaks_as}" if self._speaks_as else ""
        keys = "Esc stops" if happenings.is_working else "Enter sends  /help"
        self._status.show(doing or as_whom, keys)

    # What happens

    def hear(self, event: StreamEvent, now: datetime) -> list[Change]:
        """Take in one event and show it; what is left for others to do is returned."""
        changes = self.happenings.apply(event, now)
        left = [change for change in changes if not self._show(change, now)]
        self._show_doing()
        return left

    def find(self, message: str, turns: Iterable[tuple[str, str]], now: datetime) -> None:
        """These turns run or wait because of a message, as was found out without an event."""
        for change in self.happenings.found(message, turns):
            self._show(change, now)
        self._show_doing()

    def _show(self, change: Change, now: datetime) -> bool:
        match change:
            case Said(line):
                gone = self.history_view.add(line, self.happenings.lines, now)
                self.happenings.forget_oldest(gone)
            case Growing(turn, handle, name):
                self.history_view.grow(turn, handle, name, lambda: self.happenings.written(turn))
            case Withdrawn(turn):
                self.history_view.withdraw(turn)
            case Noted(text, is_error):
                self.history_view.note(text, is_error=is_error)
            case CastDiffers() | Missed() | Unplanned():
                return False
        return True

    # What a reply refers to

    def reply_to(self, line: Line | None) -> None:
        """The next text replies to this line."""
        self._reply_to = line
        self.desk.reply_to(line.summary if line else "")

    def take_reply(self) -> Line | None:
        """The line that is replied to, once."""
        line, self._reply_to = self._reply_to, None
        self.desk.reply_to("")
        return line

    @property
    def is_replying(self) -> bool:
        """Whether the next text replies to a line."""
        return self._reply_to is not None

    def newest(self, *, of_personas: bool) -> Line | None:
        """The newest line of a persona, or of a person."""
        return next((line for line in reversed(self.happenings.lines.values()) if (line.persona is not None) == of_personas), None)

    def line_called(self, typed: str) -> Line | None:
        """A line that is shown, by its id or as the newest by whoever is called so."""
        named = shown_name(typed).casefold()
        lines = self.happenings.lines
        newest_by = (line for line in reversed(lines.values()) if named in {line.name.casefold(), (line.persona or "").casefold()})
        return lines.get(typed) or next(newest_by, None)
