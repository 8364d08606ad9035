"""What flows keep and look up of who may call whom: the lists of servers, and what people have set for themselves."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from coterie.domain.access import Access, CooldownKey
from coterie.domain.ids import MessageId, UserId, WorkspaceId
from coterie.domain.settings import Settings, Value
from coterie.domain.turns.claims import Claims
from coterie.domain.turns.plan import Why

Edit = Callable[[Access], Access]
"""Makes new lists from old ones. It may be called more than once."""


class AccessLists(Protocol):
    """The lists of each workspace."""

    def remembered(self, workspace: WorkspaceId) -> Access | None:
        """The lists as they were read last, without a question; nothing where they are not known or have changed since."""
        ...

    async def access(self, workspace: WorkspaceId) -> Access:
        """The lists, cached by version."""
        ...

    async def change(self, workspace: WorkspaceId, edit: Edit) -> Access:
        """Change them in one transaction, whoever else does at the same time. Raises `NotFound` for a persona that is not there.

        Raises `ListFull` where a list would grow beyond what it may hold.
        """
        ...


class People(Protocol):
    """What each person has set for themselves."""

    async def personal(self, person: UserId, locale: str = "") -> Settings:
        """Their settings, cached. Somebody seen for the first time is registered, in a server with its language (specification 001)."""
        ...

    async def change(self, person: UserId, values: Mapping[str, Value]) -> Settings:
        """Write judged values in one transaction and return all settings."""
        ...

    async def locale(self, person: UserId) -> str:
        """The language they chose, else that of the server they were first seen in; blank where neither is known."""
        ...

    async def several(self, people: Iterable[UserId]) -> Mapping[UserId, Settings]:
        """The settings of several people, with one question for all that are not known yet."""
        ...


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a claim: refused for a reason, or taken, with a unit of a quota that has to be settled later or without."""

    refusal: Why | None = None
    has_unit: bool = False


class Limited(Protocol):
    """What is limited and is counted beside plans."""

    async def waits_until(self, workspace: WorkspaceId, key: CooldownKey, now: datetime) -> datetime | None:
        """When a wait ends that has not ended yet."""
        ...

    async def advance(self, workspace: WorkspaceId, drawn: int) -> bool:
        """Count one more message of the auto-trigger channels; whether it is the one that was waited for.

        With `drawn` a new count begins, where none is under way.
        """
        ...

    async def take(self, workspace: WorkspaceId, root: MessageId, claims: Claims, at: datetime) -> Taken:
        """Take what the turns of a message need after all, when their own routes have failed; once for all of them."""
        ...

    async def settle(self, root: MessageId, *, is_kept: bool) -> None:
        """Everything that goes back to a message has ended: its unit of a quota is spent for good, or given back."""
        ...

    async def settle_left(self, now: datetime) -> int:
        """Do so for every message whose turns have ended without it, because a process died; how many there were.

        Waits that are over are forgotten with them.
        """
        ...

    async def reset(self, workspace: WorkspaceId, person: UserId | None = None) -> None:
        """Begin the quota of a member, or of the whole server, anew."""
        ...
