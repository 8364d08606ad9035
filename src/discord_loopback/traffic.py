"""What went over the wire, kept to be looked at: requests with their answers, events, and requests to routes that do not exist."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from discord_loopback.refusals import Json


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer. `route` is the template, empty if there is none; `files` are names and sizes of a multipart body."""

    at: float
    method: str
    path: str
    route: str
    query: dict[str, str]
    body: Any
    files: tuple[tuple[str, int], ...]
    status: int
    answer: Any
    fault: str = ""
    application: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """One dispatch as a session got it; `session` is its id."""

    at: float
    session: str
    sequence: int
    name: str
    data: Json


@dataclass(slots=True)
class Traffic:
    """The newest exchanges and events; `unknown` keeps every request that met no route, or that its route could not answer."""

    keep: int
    exchanges: deque[Exchange] = field(init=False)
    events: deque[Sent] = field(init=False)
    unknown: list[Exchange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.exchanges = deque(maxlen=self.keep)
        self.events = deque(maxlen=self.keep)

    def clear(self) -> None:
        """Forget all."""
        self.exchanges.clear()
        self.events.clear()
        self.unknown.clear()
