"""Who hears what happens in a room: live listeners, and the newest events for those who come back. Keeps nothing for good.

What a newcomer is told of turns under way is put together in `underway`.
"""

import asyncio
import itertools
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace
from typing import Self
from weakref import WeakSet

from coterie.domain.ids import SessionId
from coterie.platforms.rooms.events import Event, resync_event
from coterie.platforms.rooms.underway import Underway

_KEPT_PER_SESSION = 2048
_KEPT_SESSIONS = 256


class Listening:
    """An open ear: an iterator over the events of one session from the moment it was made. It ends when the room or the process does.

    `is_follower` tells those who follow the whole session from those who wait for the answer to one message.
    """

    def __init__(self, *, is_follower: bool) -> None:
        self.is_follower = is_follower
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        event = await self._queue.get()
        if event is None:
            self._queue.put_nowait(None)
            raise StopAsyncIteration
        return event

    def hear(self, event: Event | None) -> None:
        """Put an event into the ear; nothing ends it."""
        self._queue.put_nowait(event)


@dataclass(eq=False, slots=True)
class _Room:
    kept: deque[Event] = field(default_factory=lambda: deque(maxlen=_KEPT_PER_SESSION))
    # Weak, so that an ear nobody holds any more (a client that hung up before its first event) is gone by itself.
    ears: WeakSet[Listening] = field(default_factory=WeakSet)
    underway: Underway = field(default_factory=Underway)


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
        room.underway.take(event)
        retold = _retold(room) if event.name == "resync" else []
        for ear in room.ears:
            for each in [numbered, *retold] if ear.is_follower else [numbered]:
                ear.hear(each)

    def listen(self, session: SessionId) -> Listening:
        """The events of a session from this moment on, and nothing else."""
        return self._open(self._room(session), Listening(is_follower=False))

    def follow(self, session: SessionId, after: str | None = None) -> Listening:
        """The events of a session: those after the id `after`, or, where it is not given or not known any more, what is under way.

        What is under way is told as a plan with the turns that have not ended and the text of each so far. `resync` comes before it where
        more was missed than is kept: what was heard earlier does not count any more, and the messages must be read again.
        """
        room, ear = self._room(session), Listening(is_follower=True)
        for event in self._missed(room, after):
            ear.hear(event)
        return self._open(room, ear)

    def _open(self, room: _Room, ear: Listening) -> Listening:
        if self._is_closed:
            ear.hear(None)
        room.ears.add(ear)
        return ear

    def close(self) -> None:
        """End every stream."""
        self._is_closed = True
        for room in self._rooms.values():
            self._deafen(room)

    def forget(self, session: SessionId) -> None:
        """The session is gone: end its streams and keep nothing of it."""
        room = self._rooms.pop(session, None)
        if room is not None:
            self._deafen(room)

    def _deafen(self, room: _Room) -> None:
        for ear in room.ears:
            ear.hear(None)

    def _missed(self, room: _Room, after: str | None) -> list[Event]:
        if after is None:
            return _retold(room)
        newer = next((list(room.kept)[index + 1 :] for index, event in enumerate(room.kept) if event.id == after), None)
        if newer is None or any(event.name == "resync" for event in newer):
            return [resync_event(), *_retold(room)]
        return newer

    def _room(self, session: SessionId) -> _Room:
        room = self._rooms.setdefault(session, _Room())
        self._rooms.move_to_end(session)
        while len(self._rooms) > _KEPT_SESSIONS:
            quiet = next((key for key, old in self._rooms.items() if not old.ears and not old.underway and key != session), None)
            if quiet is None:
                break
            del self._rooms[quiet]
        return room


def _retold(room: _Room) -> list[Event]:
    """What is under way. Its last event has the number of the newest one, so that whoever heard all of it can come back to that."""
    told = room.underway.retold()
    return [*told[:-1], replace(told[-1], id=room.kept[-1].id)] if told else []
