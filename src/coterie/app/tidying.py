"""What is old is forgotten and what was left open is settled: at the start, and from then on every hour."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

from coterie.ports.clock import Clock
from coterie.storage.opening import Storage

EVERY = 3_600.0
"""Seconds."""

Report = Callable[[str, Exception], None]


async def tidy(storage: Storage, clock: Clock, decision_days: int) -> None:
    """What is old is forgotten, and what a process that died left open is settled."""
    now = clock.now()
    await storage.conversations.forget_decisions(now - timedelta(days=decision_days))
    await storage.access.forget_over(now)
    await storage.limited.settle_left(now)


class Rounds:
    """Does something again and again, for as long as it is not closed. A round that fails is reported, and the next one comes."""

    def __init__(self, work: Callable[[], Awaitable[None]], report: Report, *, every: float = EVERY) -> None:
        self._work, self._report, self._every = work, report, every
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Do it first when the time has passed once."""
        self._task = asyncio.create_task(self._run(), name="tidying")

    async def close(self) -> None:
        """Do it no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            try:
                await self._work()
            except Exception as error:  # noqa: BLE001 - a job: what failed is reported, and it is done again
                self._report("the tidying of the database", error)
