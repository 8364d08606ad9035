"""`coterie chat`: one room of a running Coterie in a terminal. It speaks to the HTTP API alone.

How things look is in `room_screen` and `chat.tcss`, what the commands do is in `doings`.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from datetime import datetime
from typing import ClassVar, assert_never

from textual.app import App
from textual.binding import Binding
from textual.scrollbar import ScrollBar, ScrollBarRender

from coterie.platforms.terminal.client import ApiClient, ApiFailed, Connected, Lost
from coterie.platforms.terminal.colours import THEME
from coterie.platforms.terminal.composer import Composer, Desk
from coterie.platforms.terminal.doings import Doings
from coterie.platforms.terminal.happenings import CastDiffers, Change, Growing, Missed, Noted, Said, Unplanned, Withdrawn
from coterie.platforms.terminal.room_screen import RoomScreen
from coterie.platforms.terminal.shapes import (
    Line,
    is_model_loading,
    read_member,
    read_message,
    read_model_state,
    read_room,
    read_running,
    read_trouble,
)
from coterie.platforms.terminal.streams import StreamEvent, pause_after

WIDE_COLUMNS = 76
TALL_ROWS = 12
PAGE = 50
"""Messages read at a time."""
LOOK_BACK = 6
"""In the plans of how many of the newest messages turns are looked for that a restart took up."""
LOOK_SECONDS = 20.0
"""How often names, cast and model are looked at again, which no event tells of."""
LOADING_LOOK_SECONDS = 1.0
TWICE_SECONDS = 2.0
"""How soon the second Ctrl+C has to follow the first to be meant as leaving."""


class _PlainBar(ScrollBarRender):
    """A scrollbar of blanks: the usual block glyphs are of ambiguous width (Unicode UAX #11) and break East Asian terminals."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


class ChatApp(App[None]):
    """The terminal application. Without a session it goes to the default room."""

    CSS_PATH = "chat.tcss"
    TITLE = "Coterie"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [
        Binding("ctrl+q", "quit", "Leave", priority=True),
        Binding("ctrl+x", "stop", "Stop", priority=True),
    ]

    def __init__(self, client: ApiClient, session_id: str | None, person_name: str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE_COLUMNS, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL_ROWS, "-tall")]
        self.register_theme(THEME)
        self.theme = THEME.name
        self._client = client
        self._first_room = session_id
        self.room = RoomScreen()
        self._trouble = ""
        self._clock = clock
        self._interrupted_at: float | None = None
        self._doings = Doings(client, self.room, self.go_to, person_name)

    async def on_mount(self) -> None:
        """Go to the room."""
        ScrollBar.renderer = _PlainBar
        await self.push_screen(self.room)
        self.go_to(self._first_room)
        self.run_worker(self._keep_looking(), group="look")

    # The room's events

    def go_to(self, session_id: str | None) -> None:
        """Follow this session from now on; nothing for the default room."""
        self.room.take_reply()
        self.run_worker(self._follow(session_id), group="follow", exclusive=True)

    async def _follow(self, wanted: str | None) -> None:
        failures = 0
        while True:
            try:
                self.room.session_id = wanted or await self._default_room()
                await self._listen(self.room.session_id)
            except ApiFailed as failure:
                failures += 1
                self.room.show_state("no connection" if failure.is_passing else "refused", is_trouble=True)
                self.room.desk.tell(failure.sentence)
                if failure.status == 404 and wanted is not None:
                    wanted = None
                elif not failure.is_passing:
                    return
                await asyncio.sleep(pause_after(failures))

    async def _default_room(self) -> str:
        rooms = [read_room(row) for row in await self._client.sessions()]
        chosen = next((room for room in rooms if room.is_default), None) or next(iter(rooms), None)
        return chosen.session_id if chosen else read_room(await self._client.create_session()).session_id

    async def _listen(self, session_id: str) -> None:
        async with aclosing(self._client.events(session_id)) as events:
            async for event in events:
                match event:
                    case Connected(is_resumed):
                        await self._connected(session_id, is_resumed=is_resumed)
                    case Lost(sentence):
                        self.room.show_state("no connection, trying again", is_trouble=True)
                        self.room.desk.tell(sentence)
                    case StreamEvent():
                        await self._hear(session_id, event)
                    case _:
                        assert_never(event)

    async def _connected(self, session_id: str, *, is_resumed: bool) -> None:
        self.room.desk.tell("")
        self._trouble = ""
        await self.look()
        if not is_resumed:
            await self._read_newest(session_id)

    async def _hear(self, session_id: str, event: StreamEvent) -> None:
        for change in self.room.hear(event, now()):
            await self._settle(session_id, change)
        if event.name == "message":
            self._doings.settle_doubt()

    async def _settle(self, session_id: str, change: Change) -> None:
        """Do what the screen cannot do by itself."""
        match change:
            case CastDiffers():
                self.room.show_cast([read_member(row) for row in await self._client.personas()])
            case Missed():
                await self._read_newest(session_id)
            case Unplanned():
                await self._find_running(session_id)
            case Said() | Growing() | Withdrawn() | Noted():
                pass
            case _:
                assert_never(change)

    # What is read

    async def _read_newest(self, session_id: str) -> None:
        lines = await self._read(session_id)
        self.room.show_lines(lines, now(), has_older=len(lines) == PAGE)
        self._doings.settle_doubt()
        if read_room(await self._client.session(session_id)).is_working:
            await self._find_running(session_id)

    async def _find_running(self, session_id: str) -> None:
        """Whose turns a restart has taken up, which no event tells: the plans of the newest messages do."""
        for message in list(self.room.happenings.lines)[-LOOK_BACK:]:
            try:
                plan = await self._client.why(message)
            except ApiFailed as failure:
                if failure.is_passing:
                    raise
                continue
            if session_id == self.room.session_id:
                self.room.find(*read_running(plan), now())

    async def _read(self, session_id: str, before: str | None = None) -> list[Line]:
        moment = now()
        return [read_message(row, moment) for row in await self._client.messages(session_id, before, PAGE)]

    async def look(self) -> bool:
        """Read names, cast and model anew; false while the model is not ready."""
        health = await self._client.health()
        self.room.show_cast([read_member(row) for row in await self._client.personas()])
        self.room.rooms = [read_room(row) for row in await self._client.sessions()]
        here = next((room for room in self.room.rooms if room.session_id == self.room.session_id), None)
        if here is not None:
            self.room.show_room(here)
        trouble = read_trouble(health)
        state = here.model if here is not None and here.model != "auto" else read_model_state(health)
        self.room.show_state(state, is_trouble=bool(trouble))
        if trouble != self._trouble:
            self.room.desk.tell(trouble)
            self._trouble = trouble
        return not is_model_loading(health)

    async def _keep_looking(self) -> None:
        is_ready = False
        while True:
            await asyncio.sleep(LOOK_SECONDS if is_ready else LOADING_LOOK_SECONDS)
            try:
                is_ready = await self.look()
            except ApiFailed:
                # Whoever follows the room tells of it and comes back.
                is_ready = True

    async def on_history_older_wanted(self) -> None:
        """The reader is at the top."""
        self.run_worker(self._read_older(), group="older")

    async def _read_older(self) -> None:
        first = next(iter(self.room.happenings.lines), None)
        if first is None or self.room.session_id is None:
            return
        session_id = self.room.session_id
        try:
            lines = await self._read(session_id, first)
        except ApiFailed as failure:
            self.room.desk.tell(failure.sentence)
            self.room.history_view.may_ask_again()
            return
        if session_id == self.room.session_id:
            self.room.show_older(lines, now(), has_older=len(lines) == PAGE)

    # What people do

    def on_desk_submitted(self, event: Desk.Submitted) -> None:
        """A text was entered."""
        self.run_worker(self._doings.do(event.text), group="do")

    def on_composer_paged(self, event: Composer.Paged) -> None:
        """Look back or forth."""
        history = self.room.history_view
        history.scroll_page_up() if event.direction < 0 else history.scroll_page_down()

    def on_composer_leave_wanted(self) -> None:
        """The end of input."""
        self.exit()

    def on_composer_escaped(self) -> None:
        """Close what is open, nearest first; when nothing is, stop what is being said."""
        if self.room.desk.close_choices():
            return
        if self.room.is_replying:
            self.room.take_reply()
        elif self.room.happenings.is_working:
            self.action_stop()

    def action_stop(self) -> None:
        """Stop what is being said here."""
        self.run_worker(self._doings.stop(), group="do")

    def on_composer_interrupted(self) -> None:
        """Ctrl+C copies; who presses it with nothing to copy and means to leave presses it once more."""
        moment, before = self._clock(), self._interrupted_at
        if before is not None and moment - before <= TWICE_SECONDS:
            self.exit()
        self._interrupted_at = moment
        self.room.desk.tell("Ctrl+C once more leaves, and so does Ctrl+Q or /quit.")


def now() -> datetime:
    """The present moment in the zone of this terminal."""
    return datetime.now().astimezone()
