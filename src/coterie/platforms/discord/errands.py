"""Work in a channel that waits for its turn behind what arrived there before, while somebody waits for what comes of it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Overtaken(Exception):
    """A stop came before this had its turn: it will not be done."""


class Errand(Generic[T]):
    """One piece of work. `stays`: not even a stop takes it back."""

    def __init__(self, work: Callable[[], Awaitable[T]], *, stays: bool = False) -> None:
        self._work = work
        self._done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.stays = stays

    async def run(self) -> None:
        """Do it; what comes of it, a failure too, is for whoever waits."""
        try:
            result = await self._work()
        except asyncio.CancelledError:
            self._done.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - it is raised again where it is waited for
            self._end(error)
        else:
            if not self._done.done():
                self._done.set_result(result)

    def take_back(self) -> None:
        """It will not be done."""
        self._end(Overtaken())

    async def outcome(self) -> T:
        """What came of it. Raises what went wrong, or `Overtaken`."""
        return await self._done

    def _end(self, error: Exception) -> None:
        if not self._done.done():
            self._done.set_exception(error)
            # Who waited may be gone; nobody is to be told then.
            self._done.exception()
