"""How each server welcomes those who join, as it is kept."""

from typing import Protocol

from coterie.domain.ids import WorkspaceId
from coterie.domain.welcome import Welcome


class Welcomes(Protocol):
    """At most one welcome per workspace."""

    async def welcome(self, workspace: WorkspaceId) -> Welcome | None:
        """How those who join are welcomed; nothing where they are not."""
        ...

    async def set(self, workspace: WorkspaceId, welcome: Welcome | None) -> bool:
        """Welcome them in this way from now on, or not any more; whether they were welcomed before."""
        ...

    async def is_any(self) -> bool:
        """Whether they are welcomed anywhere."""
        ...
