"""Who hears what happens in a room: live listeners, newcomers, and those who come back. Keeps nothing for good.

What a newcomer is told of turns under way is put together in `underway`, what somebody missed who comes back in `kept`.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Self
from weakref import WeakSet

from coterie.domain.ids import SessionId
from coterie.platforms.rooms.events import Event, resync_event
from coterie.platforms.rooms.kept import Kept
from coterie.platforms.rooms.underway import Underway

_KEPT_PER_SESSION = 512
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
    kept: Kept
    heard: int = -1
    """The number of the newest event that somebody heard, who can come back to it."""
    # Weak, so that an ear nobody holds any more (a client that hung up before its first event) is gone by itself.
    ears: WeakSet[Listening] = field(default_factory=WeakSet)
    underway: Underway = field(default_factory=Underway)


class Hub:
    """One stream of numbered events per session. `boot` tells the numbers of this process from those of an earlier one.

    The newest events of a session are kept as long as somebody can come back who heard what was before them: what nobody watches
    costs nothing.
    """

    def __init__(self, boot: str, kept_per_session: int = _KEPT_PER_SESSION) -> None:
        self._boot = boot
        self._kept_per_session = kept_per_session
        self._newest = 0
        self._rooms: OrderedDict[SessionId, _Room] = OrderedDict()
        self._is_closed = False

    def publish(self, session: SessionId, event: Event) -> None:
        """Number an event, keep it for a while, and hand it to everyone who listens."""
        room = self._room(session)
        room.underway.take(event)
        numbered = self._keep(room, event)
        heard = self._told(room, numbered) if event.name == "resync" else [numbered]
        for ear in room.ears:
            for each in heard if ear.is_follower else [numbered]:
                ear.hear(each)
        for again in room.underway.beyond(event) if event.name == "line" else ():
            # Whoever listens has it already. Those who come back hear it in place of what the line was made of.
            self._keep(room, again)

    def _keep(self, room: _Room, event: Event) -> Event:
        """Number an event, and keep it if there is somebody who can come back to what was before it."""
        self._newest += 1
        numbered = replace(event, id=self._newest_id)
        if room.ears:
            room.heard = self._newest
        if event.name == "resync" or room.heard < room.kept.lost:
            room.kept.lose(self._newest)
        else:
            room.kept.take(self._newest, numbered)
        return numbered

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
        room.heard = self._newest
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
            return self._told(room)
        boot, _, number = after.rpartition("-")
        is_ours = boot == self._boot and number.isdecimal() and int(number) <= self._newest
        missed = room.kept.since(int(number)) if is_ours else None
        return self._told(room, resync_event()) if missed is None else missed

    def _told(self, room: _Room, *before: Event) -> list[Event]:
        """What is under way. Only the last event has a number, the newest one: to that can come back who heard all of it."""
        told = [replace(event, id="") for event in (*before, *room.underway.retold())]
        return [*told[:-1], replace(told[-1], id=self._newest_id)] if told else []

    @property
    def _newest_id(self) -> str:
        return f"{self._boot}-{self._newest}"

    def _room(self, session: SessionId) -> _Room:
        room = self._rooms.get(session)
        if room is None:
            room = self._rooms[session] = _Room(Kept(self._kept_per_session, self._newest))
            self._forget_quiet(session)
        self._rooms.move_to_end(session)
        return room

    def _forget_quiet(self, newcomer: SessionId) -> None:
        while len(self._rooms) > _KEPT_SESSIONS:
            quiet = next((key for key, old in self._rooms.items() if not old.ears and not old.underway and key != newcomer), None)
            if quiet is None:
                break
            del self._rooms[quiet]
