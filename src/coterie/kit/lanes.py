"""Keyed serial lanes: one item at a time per key, in order, whatever an item does. Knows nothing of what an item is.

A lane is made when something is submitted and gone when it is empty. A running item is known by its `Ticket`. Only the holder of the
current ticket counts as running, so an item that was abandoned as stale cannot free, or speak for, the lane of its successor.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Ticket(Generic[K, T]):
    """An item that runs. `ended_by` says why it was cancelled, if it was; `phases` counts work under a timeout of its own.

    An item cancelled before its first step is not killed: it runs, finds `ended_by` set, and can put its own things in order.
    """

    key: K
    item: T
    last_progress: float
    ended_by: str | None = None
    phases: int = 0
    has_begun: bool = False
    task: "asyncio.Task[None] | None" = None


@dataclass(eq=False, slots=True)
class _Lane(Generic[K, T]):
    waiting: deque[T] = field(default_factory=deque)
    running: Ticket[K, T] | None = None


Run = Callable[[Ticket[K, T]], Awaitable[None]]
Report = Callable[[T, Exception], Awaitable[None]]


class Lanes(Generic[K, T]):
    """Serial lanes over the running loop. Every method but `idle` is synchronous: no other submit can slip in between two of them."""

    def __init__(self, run: Run[K, T], *, report: Report[T], now: Callable[[], float], stale_after: float = 180.0) -> None:
        self._run = run
        self._report = report
        self._now = now
        self._stale_after = stale_after
        self._lanes: dict[K, _Lane[K, T]] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    def submit(self, key: K, item: T) -> None:
        """Put an item at the end of its lane."""
        self._lane(key).waiting.append(item)
        self._pump(key)

    def submit_first(self, key: K, items: Sequence[T]) -> None:
        """Put items at the front of their lane, in the order given."""
        if not items:
            return
        self._lane(key).waiting.extendleft(reversed(items))
        self._pump(key)

    def submit_behind(self, key: K, items: Sequence[T], is_ahead: Callable[[T], bool]) -> None:
        """Put items behind the last waiting one for which `is_ahead` holds, and before all that stand after it."""
        if not items:
            return
        lane = self._lane(key)
        place = max((index + 1 for index, item in enumerate(lane.waiting) if is_ahead(item)), default=0)
        for offset, item in enumerate(items):
            lane.waiting.insert(place + offset, item)
        self._pump(key)

    def waiting(self, key: K) -> tuple[T, ...]:
        """What waits in a lane, first to last."""
        lane = self._lanes.get(key)
        return tuple(lane.waiting) if lane else ()

    def running(self, key: K) -> Ticket[K, T] | None:
        """The ticket of what runs in a lane."""
        lane = self._lanes.get(key)
        return lane.running if lane else None

    def is_current(self, ticket: Ticket[K, T]) -> bool:
        """Whether this ticket still holds its lane; what does not must no longer speak for it."""
        return self.running(ticket.key) is ticket

    def rewrite(self, key: K, change: Callable[[T], T]) -> None:
        """Put `change` of each waiting item of a lane in its place."""
        lane = self._lanes.get(key)
        if lane is not None:
            lane.waiting = deque(map(change, lane.waiting))

    def discard(self, key: K, unwanted: Callable[[T], bool]) -> tuple[T, ...]:
        """Take waiting items out of a lane and return them."""
        lane = self._lanes.get(key)
        if lane is None:
            return ()
        gone = tuple(item for item in lane.waiting if unwanted(item))
        lane.waiting = deque(item for item in lane.waiting if not unwanted(item))
        self._tidy(key)
        return gone

    def cancel(self, key: K, ended_by: str) -> bool:
        """Cancel what runs in a lane; false if nothing did. The first reason stands."""
        ticket = self.running(key)
        if ticket is None or ticket.task is None:
            return False
        if ticket.ended_by is None:
            ticket.ended_by = ended_by
            self._kill(ticket)
        return True

    def progress(self, ticket: Ticket[K, T]) -> None:
        """A sign of life: the item is not stale."""
        ticket.last_progress = self._now()

    @contextmanager
    def phase(self, ticket: Ticket[K, T]) -> Iterator[None]:
        """Work that has a timeout of its own: an item never goes stale inside it."""
        ticket.phases += 1
        try:
            yield
        finally:
            ticket.phases -= 1
            self.progress(ticket)

    def abandon_stale(self, key: K) -> Ticket[K, T] | None:
        """Free a lane whose item has shown no life for too long; the item is cancelled and its ticket is void."""
        ticket = self.running(key)
        if ticket is None or ticket.phases or self._now() - ticket.last_progress <= self._stale_after:
            return None
        ticket.ended_by = ticket.ended_by or "stale"
        self._kill(ticket)
        self._free(ticket)
        return ticket

    def keys(self) -> Iterable[K]:
        """Every lane that is not empty."""
        return tuple(self._lanes)

    async def idle(self) -> None:
        """Wait until every lane is empty."""
        await self._idle.wait()

    async def close(self, ended_by: str) -> None:
        """Drop what waits, cancel what runs, and wait for it to end."""
        tasks = []
        for key in tuple(self._lanes):
            self.discard(key, lambda _: True)
            ticket = self.running(key)
            if ticket is not None and ticket.task is not None:
                tasks.append(ticket.task)
            self.cancel(key, ended_by)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _lane(self, key: K) -> _Lane[K, T]:
        self._idle.clear()
        return self._lanes.setdefault(key, _Lane())

    def _pump(self, key: K) -> None:
        lane = self._lanes[key]
        if lane.running is not None or not lane.waiting:
            return
        ticket = Ticket(key, lane.waiting.popleft(), self._now())
        lane.running = ticket
        ticket.task = asyncio.get_running_loop().create_task(self._hold(ticket))
        ticket.task.add_done_callback(lambda _: self._free(ticket))

    def _kill(self, ticket: Ticket[K, T]) -> None:
        if ticket.task is not None and ticket.has_begun:
            ticket.task.cancel()

    async def _hold(self, ticket: Ticket[K, T]) -> None:
        ticket.has_begun = True
        try:
            await self._run(ticket)
        except Exception as error:  # noqa: BLE001 - a failing item must free its lane; what went wrong is reported
            await self._report(ticket.item, error)

    def _free(self, ticket: Ticket[K, T]) -> None:
        lane = self._lanes.get(ticket.key)
        if lane is None or lane.running is not ticket:
            return
        lane.running = None
        self._pump(ticket.key)
        self._tidy(ticket.key)

    def _tidy(self, key: K) -> None:
        lane = self._lanes[key]
        if lane.running is None and not lane.waiting:
            del self._lanes[key]
        if not self._lanes:
            self._idle.set()
