"""Lets pages and clients hear what happens, in order and as JSON; each has a bounded queue of its own."""

import asyncio
from types import TracebackType

from discord_loopback.happenings import Happening
from discord_loopback.refusals import Json
from discord_loopback.world import World

MOST = 100_000
"""Notes that may wait; a watcher that is so far behind is told that it missed some."""


class Watch:
    """A context manager; inside, `next` gives one note after the other."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._notes: asyncio.Queue[Json] = asyncio.Queue(MOST)

    def __enter__(self) -> "Watch":
        self._world.listeners.append(self._hear)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._world.listeners.remove(self._hear)

    async def next(self) -> Json:
        """The next note: name, data, channel, and for whose eyes it is."""
        return await self._notes.get()

    async def news(self) -> Json:
        """Wait for something to happen; everything that has happened by then counts as one. The newest note."""
        note = await self._notes.get()
        while not self._notes.empty():
            note = self._notes.get_nowait()
        return note

    def _hear(self, happening: Happening) -> None:
        if self._notes.full():
            self._notes.get_nowait()
            happening = Happening("LOOPBACK_MISSED", {})
        channel = str(happening.channel.id) if happening.channel else happening.data.get("channel_id")
        only = str(happening.only.id) if happening.only else None
        eyes, data = str(happening.eyes), happening.data
        self._notes.put_nowait({"name": happening.name, "data": data, "channel": channel, "eyes": eyes, "only": only})
