"""Who hears what happens in a room: live listeners, and the newest events for those who come back. Keeps nothing for good."""

import asyncio
import itertools
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from coterie.domain.ids import SessionId
from coterie.platforms.rooms.events import Event, resync_event

_KEPT_PER_SESSION = 2048
_KEPT_SESSIONS = 256


@dataclass(eq=False, slots=True)
class _Room:
    kept: deque[Event] = field(default_factory=lambda: deque(maxlen=_KEPT_PER_SESSION))
    listeners: set["asyncio.Queue[Event | None]"] = field(default_factory=set)


class Hub:
    """One stream of numbered events per session. `boot` tells the numbers of this process from those of an earlier one."""

    def __init__(self, boot: str) -> None:
        self._boot = boot
        self._numbers = itertools.count(1)
        self._rooms: OrderedDict[SessionId, _Room] = OrderedDict()
        self._is_closed = False

    def publish(self, session: SessionId, event: Event) -> None:
        """Number an event, keep it for a while, and hand it to everyone who listens."""
        room = self._room(session)
        numbered = replace(event, id=f"{self._boot}-{next(self._numbers)}")
        room.kept.append(numbered)
        for listener in room.listeners:
            listener.put_nowait(numbered)

    @contextmanager
    def listening(self, session: SessionId, after: str | None = None) -> Iterator[AsyncIterator[Event]]:
        """The events of a session from this moment on, first those that came after the id `after`; `resync` where they are forgotten."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        room = self._room(session)
        for event in self._missed(room, after):
            queue.put_nowait(event)
        if self._is_closed:
            queue.put_nowait(None)
        room.listeners.add(queue)
        try:
            yield _until_none(queue)
        finally:
            room.listeners.discard(queue)

    def close(self) -> None:
        """End every stream."""
        self._is_closed = True
        for room in self._rooms.values():
            for listener in room.listeners:
                listener.put_nowait(None)

    def forget(self, session: SessionId) -> None:
        """The session is gone: end its streams and keep nothing of it."""
        room = self._rooms.pop(session, None)
        for listener in room.listeners if room else ():
            listener.put_nowait(None)

    def _missed(self, room: _Room, after: str | None) -> list[Event]:
        if after is None:
            return []
        for index, event in enumerate(room.kept):
            if event.id == after:
                return list(room.kept)[index + 1 :]
        return [resync_event()]

    def _room(self, session: SessionId) -> _Room:
        room = self._rooms.setdefault(session, _Room())
        self._rooms.move_to_end(session)
        while len(self._rooms) > _KEPT_SESSIONS:
            quiet = next((key for key, old in self._rooms.items() if not old.listeners and key != session), None)
            if quiet is None:
                break
            del self._rooms[quiet]
        return room


async def _until_none(queue: "asyncio.Queue[Event | None]") -> AsyncIterator[Event]:
    while (event := await queue.get()) is not None:
        yield event
