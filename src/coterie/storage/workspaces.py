"""A workspace's row, made with the bundled cast in it when the workspace is first seen; and the list of all."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import LOCAL, WorkspaceId
from coterie.ports.stores import PersonaDraft
from coterie.storage.database import Database
from coterie.storage.persona_rows import add_persona
from coterie.storage.schema.conversations import session
from coterie.storage.schema.workspaces import servers
from coterie.storage.tidings import WORKSPACE, Tiding, tell

DIRECT = "dm:"
"""How the id of a direct message's workspace begins."""

_FIND = sa.select(servers.c.server_id).where(servers.c.server_disc_id == bindparam("workspace"))
# PostgreSQL's `insert` writes an ON CONFLICT that both databases read; SQLite's own does not work the other way round.
_ADD = insert(servers).on_conflict_do_nothing(index_elements=[servers.c.server_disc_id]).returning(servers.c.server_id)
_RAISE = (
    sa.update(servers)
    .where(servers.c.server_disc_id == bindparam("workspace"))
    .values(cast_version=servers.c.cast_version + 1)
    .returning(servers.c.server_id, servers.c.cast_version)
)

# What a direct message is called is the name of the person it is with.
_person = (
    sa.select(sa.func.max(session.c.name))
    .where(session.c.workspace_id == servers.c.server_disc_id, servers.c.is_dm_channel)
    .scalar_subquery()
)
_ALL = sa.select(servers.c.server_disc_id, sa.func.coalesce(_person, "")).order_by(servers.c.server_id)


class SqlWorkspaces:
    """`Workspaces` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Mapping[WorkspaceId, str]:
        """Every workspace in the order in which they were first seen, with the name that is known of it."""
        rows = await self._database.read(lambda connection: connection.execute(_ALL).all())
        return {WorkspaceId(workspace): name for workspace, name in rows}

    async def has(self, workspace: WorkspaceId) -> bool:
        """Whether a workspace was ever seen."""
        return await self._database.read(lambda connection: connection.execute(_FIND, {"workspace": workspace}).scalar()) is not None


def is_here(workspace: WorkspaceId) -> bool:
    """Whether people talk to the cast alone there: the owner's machine, or a direct message."""
    return workspace == LOCAL or workspace.startswith(DIRECT)


def ensure_workspace(connection: Connection, workspace: WorkspaceId, presets: Sequence[PersonaDraft]) -> int:
    """The row number of a workspace. A new one gets `presets`, the first of them as main, in the transaction of `connection`.

    Of two programs that see it at once, one makes it and the other waits for it.
    """
    found: int | None = connection.execute(_FIND, {"workspace": workspace}).scalar()
    if found is not None:
        return found
    row = {"server_disc_id": workspace, "is_dm_channel": workspace.startswith(DIRECT)}
    added: int | None = connection.execute(_ADD, row).scalar()
    if added is None:
        return int(connection.execute(_FIND, {"workspace": workspace}).scalar_one())
    for index, draft in enumerate(presets):
        add_persona(connection, added, draft, is_alter=index > 0)
    return added


def lock_workspace(connection: Connection, workspace: WorkspaceId, presets: Sequence[PersonaDraft]) -> int:
    """Raise the version of a cast or of settings that are about to change, which also locks them; the workspace's row number.

    Every process is told, when the change is committed.
    """
    ensure_workspace(connection, workspace, presets)
    server_id, version = connection.execute(_RAISE, {"workspace": workspace}).one()
    tell(connection, Tiding(WORKSPACE, version, workspace))
    return int(server_id)
