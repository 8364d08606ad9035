"""The terminal application driven against a server on loopback, and what stands on its screen."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual.pilot import Pilot
from textual.widgets import Static

from coterie.platforms.terminal.app import ChatApp
from coterie.platforms.terminal.client import ApiClient
from coterie.platforms.web.server import Serving
from fakes.house_api import FakeHouse, running

PATIENCE_SECONDS = 120


@dataclass
class Chat:
    """One running application."""

    app: ChatApp
    pilot: Pilot[None]

    async def until(self, condition) -> None:
        """Let the application work until something is so."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                await self.pilot.pause()
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Type a text and enter it."""
        self.write(text)
        await self.pilot.pause()
        await self.pilot.press("enter")

    def write(self, text: str) -> None:
        """Put a text into the composer, as if typed."""
        self.app.room.desk.composer.insert(text)

    @property
    def draft(self) -> str:
        return self.app.room.desk.composer.text

    def shown(self, place: str) -> str:
        """The text of one place on the screen, empty when it is not to be seen."""
        widget = self.app.room.query_one(place, Static)
        return str(widget.content) if widget.display else ""

    @property
    def lines(self) -> list[str]:
        """The lines in the history with their time left out, then those that still grow."""
        found = []
        for entry in self.app.room.history_view._entries:
            head, _, text = entry.content.plain.partition("\n")
            if entry.compose is not None:
                found.append(f"{head.removesuffix('  writes')} ... {text}")
            else:
                found.append(f"{head.rsplit('  ', 1)[0]}: {text}" if entry.is_line else f"* {head}")
        return found

    @property
    def rows(self) -> list[str]:
        """Every row of the screen as it is drawn, sheets included."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return ["".join(segment.text for segment in strip) for strip in strips]

    @property
    def picture(self) -> str:
        return "\n".join(self.rows)


@asynccontextmanager
async def chatting(house: FakeHouse, size: tuple[int, int] = (100, 30), session: str | None = None, name: str = "", **more: object):
    """The application in a room of this house, connected."""
    async with running(house) as serving, in_room(house, serving, size, session, name, **more) as chat:
        yield chat


@asynccontextmanager
async def in_room(
    house: FakeHouse, serving: Serving, size: tuple[int, int] = (100, 30), session: str | None = None, name: str = "", **more: object
):
    """The application alone; the server is somebody else's."""
    async with ApiClient(serving.address) as client:
        app = ChatApp(client, session, name, **more)
        async with app.run_test(size=size) as pilot:
            chat = Chat(app, pilot)
            await chat.until(lambda: any(house.listeners.values()) and chat.shown("#state").endswith(("ready", "loading")))
            await chat.until(lambda: len(chat.lines) == min(50, len(house.messages[app.room.session_id])))
            yield chat
