"""Hears on PostgreSQL what other processes have changed, on a connection of its own, for as long as this process uses the database."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import asyncpg

from coterie.storage.tidings import CHANNEL, Hears, Tiding

Connect = Callable[[], Awaitable[asyncpg.Connection]]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 30.0
"""Seconds between two tries to reach the server."""
_ASKED_EVERY, _ANSWERS_WITHIN, _CLOSES_WITHIN = 30.0, 10.0, 2.0
"""Seconds; a connection that died without a word is known by its silence."""

_AWAY = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class Listener:
    """Begins anew whenever its connection ends. Whoever hears is told then that something may have been missed."""

    def __init__(self, connect: Connect, hears: Hears) -> None:
        self._connect, self._hears = connect, hears
        self._pause = _FIRST_PAUSE
        self._tried = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="tidings")

    async def begun(self) -> None:
        """Wait until it listens, or has tried to and will try again."""
        await self._tried.wait()

    async def close(self) -> None:
        """Hear no more."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                with suppress(*_AWAY):
                    await self._listen(await self._connect())
            finally:
                self._tried.set()
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    async def _listen(self, connection: asyncpg.Connection) -> None:
        """Listen until the connection ends."""
        ended = asyncio.Event()
        connection.add_termination_listener(lambda _: ended.set())
        try:
            await connection.add_listener(CHANNEL, self._heard)
            # What was remembered before may be old by now, and nobody would tell again.
            self._hears.missed()
            self._pause = _FIRST_PAUSE
            self._tried.set()
            while not await _within(_ASKED_EVERY, ended):
                await connection.fetchval("SELECT 1", timeout=_ANSWERS_WITHIN)
        finally:
            self._hears.missed()
            await connection.close(timeout=_CLOSES_WITHIN)

    def _heard(self, _connection: object, _pid: int, _channel: str, told: object) -> None:
        tiding = Tiding.read(str(told))
        if tiding is not None:
            self._hears.heard(tiding)


async def _within(seconds: float, event: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
