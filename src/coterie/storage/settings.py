"""What each workspace has set. Values are judged before they come here (`domain.settings`)."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import WorkspaceId
from coterie.domain.settings import BY_NAME, Settings, Value
from coterie.ports.stores import PersonaDraft
from coterie.storage.database import Database
from coterie.storage.recent import Recent
from coterie.storage.schema.claims import server_auto_trigger_counts
from coterie.storage.schema.workspaces import server_chat_configs, server_settings, servers
from coterie.storage.workspaces import is_here, lock_workspace

MAX_CACHED = 2_000
"""Of how many workspaces the settings are remembered."""

CHAT_COLUMNS = {
    "trigger-match-limit": server_chat_configs.c.match_limit,
    "trigger-cascade-limit": server_chat_configs.c.cascade_limit,
    "message-fetch-limit": server_chat_configs.c.message_fetch_limit,
}
"""Settings that have a column of their own (specification 000)."""

_SET = (*CHAT_COLUMNS.values(), server_settings.c.chosen)
_LOAD = (
    sa.select(servers.c.cast_version, *_SET)
    .select_from(servers.outerjoin(server_chat_configs).outerjoin(server_settings))
    .where(servers.c.server_disc_id == bindparam("workspace"))
)
_CHOSEN = sa.select(server_settings.c.chosen).where(server_settings.c.server_id == bindparam("server"))
_new_chosen = insert(server_settings)
_CHOOSE = _new_chosen.on_conflict_do_update(
    index_elements=[server_settings.c.server_id],
    set_={"chosen": _new_chosen.excluded.chosen, "updated_at": _new_chosen.excluded.updated_at},
)

_COUNTED = frozenset({"auto-trigger-threshold", "auto-trigger-threshold-max"})
_COUNT_ANEW = sa.delete(server_auto_trigger_counts).where(server_auto_trigger_counts.c.server_id == bindparam("server"))
"""What was waited for is drawn anew from a range that has changed."""


class SqlSettings:
    """`WorkspaceSettings` over a database. `presets` is the cast of a workspace that is first seen here."""

    def __init__(self, database: Database, presets: Sequence[PersonaDraft], max_cached: int = MAX_CACHED) -> None:
        self._database = database
        self._presets = tuple(presets)
        self._recent: Recent[WorkspaceId, Settings] = Recent(max_cached)

    def remembered(self, workspace: WorkspaceId) -> Settings | None:
        """The settings as they were read last, without a question; nothing where a newer version is known of."""
        return self._recent.get(workspace)

    async def settings(self, workspace: WorkspaceId) -> Settings:
        """The settings, cached."""
        known = self._recent.get(workspace)
        if known is not None:
            return known
        settings, version = await self._database.read(lambda connection: _load(connection, workspace))
        self._recent.keep(workspace, settings, version)
        return settings

    async def change(self, workspace: WorkspaceId, values: Mapping[str, Value]) -> Settings:
        """Write judged values in one transaction and return all settings."""

        def unit(connection: Connection) -> tuple[Settings, int]:
            server_id = lock_workspace(connection, workspace, self._presets)
            _write(connection, server_id, values)
            return _load(connection, workspace)

        settings, version = await self._database.write(unit)
        self._recent.keep(workspace, settings, version)
        return settings

    def seen(self, workspace: WorkspaceId, version: int) -> None:
        """Hear of the version that the database holds now."""
        self._recent.seen(workspace, version)

    def forget(self) -> None:
        """Remember nothing: anything may have changed."""
        self._recent.forget()


def _load(connection: Connection, workspace: WorkspaceId) -> tuple[Settings, int]:
    """The settings and their version; the defaults for a workspace that was never seen."""
    row: Sequence[Any] | None = connection.execute(_LOAD, {"workspace": workspace}).one_or_none()
    version, *numbers, chosen = row or (0, *(None for _ in _SET))
    own = {name: number for name, number in zip(CHAT_COLUMNS, numbers, strict=True) if number is not None}
    # A setting that this program does not know is kept, and not shown.
    known = {name: value for name, value in (chosen or {}).items() if name in BY_NAME}
    return Settings(own | known, is_here(workspace)), version


def _write(connection: Connection, server_id: int, values: Mapping[str, Value]) -> None:
    if numbers := {CHAT_COLUMNS[name].name: value for name, value in values.items() if name in CHAT_COLUMNS}:
        new = insert(server_chat_configs).values(server_id=server_id, **numbers)
        changed = {column: new.excluded[column] for column in (*numbers, "updated_at")}
        connection.execute(new.on_conflict_do_update(index_elements=[server_chat_configs.c.server_id], set_=changed))
    if others := {name: value for name, value in values.items() if name not in CHAT_COLUMNS}:
        before = connection.execute(_CHOSEN, {"server": server_id}).scalar() or {}
        connection.execute(_CHOOSE, {"server_id": server_id, "chosen": before | others})
    if not _COUNTED.isdisjoint(values):
        connection.execute(_COUNT_ANEW, {"server": server_id})
