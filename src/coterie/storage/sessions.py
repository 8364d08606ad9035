"""The conversations themselves; what is said in them is in `conversations`."""

from collections.abc import Sequence
from dataclasses import asdict

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from coterie.domain.ids import PlaceId, SessionId, WorkspaceId
from coterie.domain.sessions.session import Place, Session, SessionChange
from coterie.ports.stores import NotFound, PersonaDraft, SelfIdTaken
from coterie.storage.database import Database
from coterie.storage.schema.conversations import messages, session
from coterie.storage.schema.workspaces import servers
from coterie.storage.session_rows import LOAD, to_columns, to_session
from coterie.storage.workspaces import ensure_workspace

_OF_WORKSPACE = session.c.workspace_id == bindparam("workspace")
_ONE = LOAD.where(session.c.session_id == bindparam("session"))
_BY_NAME = LOAD.where(_OF_WORKSPACE, session.c.name == bindparam("name")).order_by(session.c.created_at, session.c.session_id).limit(1)
_OF_CHANNEL = LOAD.where(_OF_WORKSPACE, session.c.channel_id == bindparam("channel"))
_DEFAULT = LOAD.where(servers.c.server_disc_id == bindparam("workspace"), servers.c.default_session_id == session.c.session_id)
_last_said = (
    sa.select(messages.c.created_at)
    .where(messages.c.session_id == session.c.session_id)
    .order_by(messages.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)
_ALL = LOAD.where(_OF_WORKSPACE).order_by(sa.func.coalesce(_last_said, session.c.created_at).desc(), session.c.session_id)
_ADD = insert(session).on_conflict_do_nothing(index_elements=[session.c.session_id])
_MAKE_DEFAULT = (
    sa.update(servers)
    .where(servers.c.server_disc_id == bindparam("workspace"), servers.c.default_session_id.is_(None))
    .values(default_session_id=bindparam("session"))
)
_CHANGE = sa.update(session).where(session.c.session_id == bindparam("session"))
_DELETE = sa.delete(session).where(session.c.session_id == bindparam("session"))


class SqlSessions:
    """`Sessions` over a database. `presets` is the cast of a workspace whose first session is made here."""

    def __init__(self, database: Database, presets: Sequence[PersonaDraft]) -> None:
        self._database = database
        self._presets = tuple(presets)

    async def session(self, session: SessionId) -> Session:
        """One session. Raises `NotFound`."""
        return await self._database.read(lambda connection: _load(connection, session))

    async def find(self, workspace: WorkspaceId, name: str) -> Session | None:
        """The oldest session of the workspace with this shown name."""
        wanted = {"workspace": workspace, "name": name}
        row = await self._database.read(lambda connection: connection.execute(_BY_NAME, wanted).one_or_none())
        return None if row is None else to_session(row)

    async def of_channel(self, workspace: WorkspaceId, place: PlaceId) -> Session | None:
        """The session of a channel of a server."""
        wanted = {"workspace": workspace, "channel": place}
        row = await self._database.read(lambda connection: connection.execute(_OF_CHANNEL, wanted).one_or_none())
        return None if row is None else to_session(row)

    async def list(self, workspace: WorkspaceId) -> Sequence[Session]:
        """Every session of the workspace, the one with the newest activity first."""
        rows = await self._database.read(lambda connection: connection.execute(_ALL, {"workspace": workspace}).all())
        return [to_session(row) for row in rows]

    async def create(
        self, session: SessionId, workspace: WorkspaceId, name: str = "", *, is_default: bool = False, place: Place | None = None
    ) -> Session:
        """Add a session, or return the one that is there already. It becomes the default room only where there is none."""
        bound = asdict(place) if place else {}

        def unit(connection: Connection) -> Session:
            ensure_workspace(connection, workspace, self._presets)
            connection.execute(_ADD, {"session_id": session, "workspace_id": workspace, "name": name, **bound})
            if is_default:
                connection.execute(_MAKE_DEFAULT, {"workspace": workspace, "session": session})
            return _load(connection, session)

        return await self._database.write(unit)

    async def default(self, workspace: WorkspaceId) -> Session | None:
        """The default room."""
        row = await self._database.read(lambda connection: connection.execute(_DEFAULT, {"workspace": workspace}).one_or_none())
        return None if row is None else to_session(row)

    async def change(self, session: SessionId, change: SessionChange) -> Session:
        """Write only the columns of the change, in one transaction. Raises `NotFound`, `SelfIdTaken`."""
        columns = to_columns(change)

        def unit(connection: Connection) -> Session:
            if columns:
                connection.execute(_CHANGE.values(**columns), {"session": session})
            return _load(connection, session)

        try:
            return await self._database.write(unit)
        except IntegrityError as error:
            # No other rule of the table can be broken by these columns.
            raise SelfIdTaken(f"Another session is called {change.self_id!r} already.") from error

    async def delete(self, session: SessionId) -> None:
        """Remove a session with its messages, turns and decisions. Raises `NotFound`."""
        gone = await self._database.write(lambda connection: connection.execute(_DELETE, {"session": session}).rowcount)
        if not gone:
            raise _unknown(session)


def _load(connection: Connection, session_id: SessionId) -> Session:
    row = connection.execute(_ONE, {"session": session_id}).one_or_none()
    if row is None:
        raise _unknown(session_id)
    return to_session(row)


def _unknown(session_id: SessionId) -> NotFound:
    return NotFound(f"There is no session {session_id!r}.")
