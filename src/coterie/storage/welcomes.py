"""How each server welcomes those who join. Seldom asked for, so nothing is remembered."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import PersonaId, PlaceId, WorkspaceId
from coterie.domain.welcome import Welcome
from coterie.ports.stores import PersonaDraft
from coterie.storage.database import Database
from coterie.storage.schema.welcomes import server_welcome_configs as configs
from coterie.storage.schema.workspaces import servers
from coterie.storage.workspaces import lock_workspace

_LOAD = (
    sa.select(configs.c.channel_disc_id, configs.c.welcome_persona_id, configs.c.prompt)
    .join(servers)
    .where(servers.c.server_disc_id == bindparam("workspace"))
)
_REMOVE = sa.delete(configs).where(configs.c.server_id == bindparam("server"))
_ADD = insert(configs)
_IS_ANY = sa.select(sa.exists().where(configs.c.server_id.is_not(None)))


class SqlWelcomes:
    """`Welcomes` over a database. `presets` is the cast of a workspace that is first seen here."""

    def __init__(self, database: Database, presets: Sequence[PersonaDraft]) -> None:
        self._database = database
        self._presets = tuple(presets)

    async def welcome(self, workspace: WorkspaceId) -> Welcome | None:
        """See `ports.welcomes.Welcomes`."""
        row = await self._database.read(lambda connection: connection.execute(_LOAD, {"workspace": workspace}).one_or_none())
        if row is None:
            return None
        channel, persona, prompt = row
        return Welcome(PlaceId(channel), None if persona is None else PersonaId(persona), prompt)

    async def set(self, workspace: WorkspaceId, welcome: Welcome | None) -> bool:
        """See `ports.welcomes.Welcomes`. It is a part of the workspace, whose version rises with it."""

        def unit(connection: Connection) -> bool:
            server = lock_workspace(connection, workspace, self._presets)
            was_there = connection.execute(_REMOVE, {"server": server}).rowcount > 0
            if welcome is not None:
                row = {"channel_disc_id": welcome.channel, "welcome_persona_id": welcome.persona, "prompt": welcome.prompt}
                connection.execute(_ADD, {"server_id": server, **row})
            return was_there

        return await self._database.write(unit)

    async def is_any(self) -> bool:
        """See `ports.welcomes.Welcomes`."""
        return bool(await self._database.read(lambda connection: connection.execute(_IS_ANY).scalar_one()))
