"""Gateway sessions: what each has been told, so that a resume can repeat it. Knows sockets only as something that takes bytes."""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from discord_loopback.model import Application
from discord_loopback.refusals import Json

Outlet = Callable[[bytes], None]
"""Takes a finished JSON payload for a connection."""
Hang = Callable[[int], None]
"""Ends a connection with a close code; 0 cuts it without one."""


@dataclass(slots=True)
class Event:
    """A dispatch that a session was told: its number and the payload."""

    sequence: int
    payload: bytes


@dataclass(slots=True)
class Session:
    """A session of one application and shard; `outlet` is set while a connection speaks for it."""

    application: Application
    intents: int
    shard: int
    shards: int
    replay: int
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    sequence: int = 0
    events: deque[Event] = field(init=False)
    outlet: Outlet | None = None
    hang: Hang | None = None
    left_at: float = 0.0
    large_threshold: int = 50

    def __post_init__(self) -> None:
        self.events = deque(maxlen=self.replay)

    def say(self, name: str, body: bytes, *, twice: bool = False) -> None:
        """Dispatch an event, whose data are already encoded; kept for a resume, and sent if there is a connection."""
        self.sequence += 1
        payload = b'{"op":0,"s":%d,"t":"%b","d":%b}' % (self.sequence, name.encode(), body)
        self.events.append(Event(self.sequence, payload))
        if self.outlet is not None:
            self.outlet(payload)
            if twice:
                self.outlet(payload)

    def since(self, sequence: int) -> list[bytes] | None:
        """The payloads after a number; none if some are no longer kept."""
        if sequence > self.sequence:
            return None
        missed = [event.payload for event in self.events if event.sequence > sequence]
        return missed if len(missed) == self.sequence - sequence else None


def hello(seconds: float) -> Json:
    """The first frame of a connection."""
    return {"op": 10, "d": {"heartbeat_interval": int(seconds * 1000), "_trace": []}, "s": None, "t": None}
