"""What the HTTP API stands on: the collaborators it calls, given once. It decides nothing itself; `application` makes the app of it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import SessionId, WorkspaceId
from coterie.platforms.rooms.events import Event
from coterie.platforms.web.metrics import Metrics
from coterie.ports.access import AccessLists, Limited, People
from coterie.ports.accounts import Accounts, Fundings
from coterie.ports.clock import Clock, Ids
from coterie.ports.media import Pictures
from coterie.ports.model_list import ModelList
from coterie.ports.sprites import Sprites
from coterie.ports.stores import Casts, Conversations, Sessions, Workspaces, WorkspaceSettings


class TalkingRooms(Protocol):
    """The rooms of this process, where messages are heard and turns speak."""

    async def send(self, message: IncomingMessage) -> AsyncIterator[Event]:
        """Hear a message and return its events up to and including `end`; closing the iterator does not stop the turn."""
        ...

    def listen(self, session: SessionId, last_event_id: str | None) -> AsyncIterator[Event]:
        """The events of a session from now on, first those after `last_event_id`; `resync` where they are forgotten."""
        ...

    async def stop(self, session: SessionId) -> None:
        """Stop what runs and clear what waits."""
        ...

    def running(self, session: SessionId) -> int:
        """How many turns run."""
        ...

    def forget(self, session: SessionId) -> None:
        """The session is gone: its streams end."""
        ...


@dataclass(frozen=True, slots=True)
class ModelHealth:
    """How the installation's default model is. A model that still loads does not keep the house from being usable."""

    name: str
    state: Literal["loading", "ready", "failed"] = "ready"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the house is usable: nothing `missing` means yes. `troubles` keep it from taking anything new; each entry is one sentence."""

    model: ModelHealth
    missing: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class House:
    """Everything the API calls. `token` and `is_loopback` settle who may come in (see `guard`)."""

    casts: Casts
    sessions: Sessions
    workspaces: Workspaces
    settings: WorkspaceSettings
    access: AccessLists
    people: People
    limited: Limited
    conversations: Conversations
    accounts: Accounts
    fundings: Fundings
    pictures: Pictures
    sprites: Sprites
    rooms: TalkingRooms
    models: ModelList
    clock: Clock
    ids: Ids
    health: Callable[[], Awaitable[Health]]
    version: str
    token: str | None = field(default=None, repr=False)
    is_loopback: bool = True
    owns_rooms: bool = True
    """Whether the conversations of this machine are this process's, where several share a database."""
    servers: Callable[[], Mapping[WorkspaceId, str]] = dict
    """The servers of Discord that this process is in at present, by name; also those in which nobody has called anybody yet."""
    metrics: Metrics = field(default_factory=Metrics)
    page: Path = Path(__file__).parent / "static"
    """The folder of the page; `index.html` in it is what `/` shows."""
