"""The lists of each server, cached by the version of their workspace. Of a change, what differs is written."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.exc import IntegrityError

from coterie.domain.access import Access, Cooldown, CooldownKind, Spotlight, judge_growth
from coterie.domain.ids import PersonaId, PlaceId, RoleId, UserId, WorkspaceId
from coterie.ports.access import Edit
from coterie.ports.stores import NotFound, PersonaDraft
from coterie.storage.database import Database
from coterie.storage.errors import belongs_to_nothing
from coterie.storage.recent import Recent
from coterie.storage.schema.access import (
    channel_persona_whitelist,
    channel_whitelist,
    personal_spotlight_personas,
    personal_spotlights,
    personalization_blacklist,
    role_whitelist,
    server_auto_trigger_channels,
    server_auto_trigger_persona_overrides,
)
from coterie.storage.schema.columns import Moment
from coterie.storage.schema.workspaces import servers
from coterie.storage.workspaces import lock_workspace

MAX_CACHED = 2_000
"""Of how many workspaces the lists are remembered."""

Cells = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _List:
    """A table, and the rows of it that lists make. All columns but those of the key may change."""

    table: sa.Table
    columns: tuple[str, ...]
    rows: Callable[[Access], Iterable[Cells]]

    def read(self, connection: Connection, server: int) -> list[Cells]:
        chosen = sa.select(*(self.table.c[column] for column in self.columns)).where(self.table.c.server_id == server)
        return [tuple(row) for row in connection.execute(chosen)]

    def write(self, connection: Connection, server: int, before: Access, after: Access) -> None:
        """Remove the rows that are no more, and write those that are new or differ."""
        old, new = set(self.rows(before)), set(self.rows(after))
        left = {self._key(row) for row in new}
        self._each(connection, self._removal, "its_", server, (row for row in old if self._key(row) not in left))
        self._each(connection, self._addition, "", server, new - old)

    def _key(self, row: Cells) -> Cells:
        return tuple(cell for cell, column in zip(row, self.columns, strict=True) if self.table.c[column].primary_key)

    @property
    def _removal(self) -> sa.Delete:
        same = (self.table.c[column.name] == bindparam(f"its_{column.name}") for column in self.table.primary_key)
        return sa.delete(self.table).where(*same)

    @property
    def _addition(self) -> Insert:
        new = insert(self.table)
        keys = list(self.table.primary_key.columns)
        others = {column: new.excluded[column] for column in self.columns if not self.table.c[column].primary_key}
        if not others:
            return new.on_conflict_do_nothing(index_elements=keys)
        return new.on_conflict_do_update(index_elements=keys, set_=others)

    def _each(self, connection: Connection, change: Insert | sa.Delete, prefix: str, server: int, cells: Iterable[Cells]) -> None:
        names = [f"{prefix}{name}" for name in ("server_id", *self.columns)]
        # In a fixed order, so that two changes at once never wait for each other in a circle.
        rows = [dict(zip(names, (server, *row), strict=True)) for row in sorted(cells, key=repr)]
        if rows:
            connection.execute(change, rows)


_LISTS = (
    _List(
        channel_whitelist,
        ("channel_disc_id", "cooldown_type", "cooldown_length"),
        lambda access: (
            (place, None, None) if own is None else (place, own.kind.value, int(own.length.total_seconds()))
            for place, own in access.channels.items()
        ),
    ),
    _List(role_whitelist, ("role_disc_id",), lambda access: ((role,) for role in access.roles)),
    _List(personalization_blacklist, ("user_disc_id",), lambda access: ((user,) for user in access.blacklist)),
    _List(
        channel_persona_whitelist,
        ("channel_disc_id", "persona_id"),
        lambda access: ((place, persona) for persona, places in access.persona_channels.items() for place in places),
    ),
    _List(server_auto_trigger_channels, ("channel_disc_id",), lambda access: ((place,) for place in access.auto_channels)),
    _List(
        server_auto_trigger_persona_overrides,
        ("channel_disc_id", "persona_id"),
        lambda access: ((place, persona) for place, persona in access.auto_channels.items() if persona is not None),
    ),
    _List(
        personal_spotlights,
        ("user_disc_id", "channel_disc_id", "expires_at"),
        lambda access: ((*place, spotlight.expires_at) for place, spotlight in access.spotlights.items()),
    ),
    _List(
        personal_spotlight_personas,
        ("user_disc_id", "channel_disc_id", "persona_id", "is_auto"),
        lambda access: (
            (*place, persona, persona == spotlight.auto) for place, spotlight in access.spotlights.items() for persona in spotlight.personas
        ),
    ),
)
"""In the order in which they may be written: what refers to another comes behind it."""

_SERVER = sa.select(servers.c.server_id, servers.c.cast_version).where(servers.c.server_disc_id == bindparam("workspace"))

_OVER = sa.delete(personal_spotlights).where(personal_spotlights.c.expires_at <= bindparam("now", type_=Moment))


class SqlAccess:
    """`AccessLists` over a database. `presets` is the cast of a workspace that is first seen here."""

    def __init__(self, database: Database, presets: Sequence[PersonaDraft], max_cached: int = MAX_CACHED) -> None:
        self._database = database
        self._presets = tuple(presets)
        self._recent: Recent[WorkspaceId, Access] = Recent(max_cached)

    def remembered(self, workspace: WorkspaceId) -> Access | None:
        """The lists as they were read last, without a question; nothing where a newer version is known of."""
        return self._recent.get(workspace)

    async def access(self, workspace: WorkspaceId) -> Access:
        """The lists, cached; empty ones for a workspace that was never seen."""
        known = self._recent.get(workspace)
        if known is not None:
            return known
        access, version = await self._database.read(lambda connection: _load(connection, workspace))
        self._recent.keep(workspace, access, version)
        return access

    async def change(self, workspace: WorkspaceId, edit: Edit) -> Access:
        """Change the lists in one transaction. Raises `NotFound` for a persona that is not there, `ListFull` for a list that is."""

        def unit(connection: Connection) -> tuple[Access, int]:
            server = lock_workspace(connection, workspace, self._presets)
            before, _ = _load(connection, workspace)
            after = edit(before)
            judge_growth(before, after)
            for listed in _LISTS:
                listed.write(connection, server, before, after)
            return _load(connection, workspace)

        with _known_personas():
            access, version = await self._database.write(unit)
        self._recent.keep(workspace, access, version)
        return access

    async def forget_over(self, now: datetime) -> int:
        """Remove the spotlights that have run out, which narrow nothing any more; how many there were."""
        return await self._database.write(lambda connection: connection.execute(_OVER, {"now": now}).rowcount)

    def seen(self, workspace: WorkspaceId, version: int) -> None:
        """Hear of the version that the database holds now."""
        self._recent.seen(workspace, version)

    def forget(self) -> None:
        """Remember nothing: anything may have changed."""
        self._recent.forget()


def _load(connection: Connection, workspace: WorkspaceId) -> tuple[Access, int]:
    """The lists and their version, which is read first: a change in between makes them newer, and they are only read once more."""
    row = connection.execute(_SERVER, {"workspace": workspace}).one_or_none()
    if row is None:
        return Access(), 0
    channels, roles, barred, kept, auto, named, lights, lit = (listed.read(connection, row.server_id) for listed in _LISTS)
    names = {PlaceId(place): PersonaId(persona) for place, persona in named}
    return Access(
        channels={PlaceId(place): _cooldown(kind, seconds) for place, kind, seconds in channels},
        roles=frozenset(RoleId(role) for (role,) in roles),
        persona_channels=_places(kept),
        blacklist=frozenset(UserId(user) for (user,) in barred),
        auto_channels={PlaceId(place): names.get(PlaceId(place)) for (place,) in auto},
        spotlights=_spotlights(lights, lit),
    ), row.cast_version


def _cooldown(kind: str | None, seconds: int | None) -> Cooldown | None:
    return None if kind is None or seconds is None else Cooldown(CooldownKind(kind), timedelta(seconds=seconds))


def _places(kept: Iterable[Cells]) -> Mapping[PersonaId, frozenset[PlaceId]]:
    places: defaultdict[PersonaId, set[PlaceId]] = defaultdict(set)
    for place, persona in kept:
        places[PersonaId(persona)].add(PlaceId(place))
    return {persona: frozenset(found) for persona, found in places.items()}


def _spotlights(lights: Iterable[Cells], lit: Iterable[Cells]) -> Mapping[tuple[UserId, PlaceId], Spotlight]:
    personas: defaultdict[tuple[str, str], dict[PersonaId, bool]] = defaultdict(dict)
    for user, place, persona, is_auto in lit:
        personas[user, place][PersonaId(persona)] = is_auto
    return {
        (UserId(user), PlaceId(place)): Spotlight(
            frozenset(personas[user, place]), next((one for one, is_auto in personas[user, place].items() if is_auto), None), expires_at
        )
        for user, place, expires_at in lights
    }


@contextmanager
def _known_personas() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        if belongs_to_nothing(error):
            raise NotFound("There is no such persona here.") from error
        raise
