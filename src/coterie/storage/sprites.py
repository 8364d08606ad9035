"""Sprites of personas. They are read with the cast (`persona_rows`); here they are changed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import Handle, PersonaId, WorkspaceId
from coterie.domain.personas.sprites import MOST_SPRITES, Sprite, sprite_key
from coterie.ports.sprites import SpriteChange, SpriteChanged, SpritesFull, SpriteTaken
from coterie.ports.stores import NotFound
from coterie.storage.border import clean
from coterie.storage.casts import SqlCasts
from coterie.storage.database import Database
from coterie.storage.persona_rows import SPRITE, to_sprite
from coterie.storage.schema.columns import now
from coterie.storage.schema.personas import personas
from coterie.storage.schema.sprites import persona_sprites
from coterie.storage.workspaces import lock_workspace

_PERSONA = sa.select(personas.c.persona_id).where(personas.c.server_id == bindparam("server"), personas.c.handle == bindparam("handle"))
_OF_PERSONA = persona_sprites.c.persona_id == bindparam("persona")
_IT = sa.and_(_OF_PERSONA, persona_sprites.c.sprite_key == bindparam("key"))
_LOAD = sa.select(*SPRITE).where(_OF_PERSONA)
_new = insert(persona_sprites)
_PUT = _new.on_conflict_do_update(
    index_elements=[persona_sprites.c.persona_id, persona_sprites.c.sprite_key],
    set_={column: _new.excluded[column] for column in ("sprite_name", "avatar_url", "usage_instructions", "is_identity", "updated_at")},
)
_EDIT = sa.update(persona_sprites).where(_IT)
_REMOVE = sa.delete(persona_sprites).where(_IT)

Step = Callable[[Connection, PersonaId, dict[str, Sprite]], SpriteChanged]
"""A change to the sprites of a persona, which are given by key."""


class SqlSprites:
    """`Sprites` over a database."""

    def __init__(self, database: Database, casts: SqlCasts, most: int = MOST_SPRITES) -> None:
        self._database = database
        self._casts = casts
        self._most = most

    async def put(self, workspace: WorkspaceId, handle: Handle, sprite: Sprite) -> SpriteChanged:
        """See `ports.sprites.Sprites`."""
        sprite = _cleaned(sprite)

        def step(connection: Connection, persona: PersonaId, there: dict[str, Sprite]) -> SpriteChanged:
            before = there.get(sprite.key)
            if before is None and len(there) >= self._most:
                raise SpritesFull(f"A persona can have {self._most} sprites; remove one first.")
            connection.execute(_PUT, {"persona_id": persona, **_columns(sprite)})
            return SpriteChanged(sprite, before)

        return await self._changed(workspace, handle, step)

    async def edit(self, workspace: WorkspaceId, handle: Handle, name: str, change: SpriteChange) -> SpriteChanged:
        """See `ports.sprites.Sprites`."""

        def step(connection: Connection, persona: PersonaId, there: dict[str, Sprite]) -> SpriteChanged:
            before = _named(there, name)
            after = _applied(before, change)
            if after.key != before.key and (holder := there.get(after.key)) is not None:
                raise SpriteTaken(f"There is a sprite called {holder.name} already.")
            connection.execute(_EDIT.values(**_columns(after)), {"persona": persona, "key": before.key})
            return SpriteChanged(after, before)

        return await self._changed(workspace, handle, step)

    async def remove(self, workspace: WorkspaceId, handle: Handle, name: str) -> SpriteChanged:
        """See `ports.sprites.Sprites`."""

        def step(connection: Connection, persona: PersonaId, there: dict[str, Sprite]) -> SpriteChanged:
            before = _named(there, name)
            connection.execute(_REMOVE, {"persona": persona, "key": before.key})
            return SpriteChanged(None, before)

        return await self._changed(workspace, handle, step)

    async def _changed(self, workspace: WorkspaceId, handle: Handle, step: Step) -> SpriteChanged:
        """Run a step under the cast's lock; the version that rises with it makes every reader read again."""
        # Makes a workspace that was never seen.
        await self._casts.cast(workspace)

        def unit(connection: Connection) -> SpriteChanged:
            server = lock_workspace(connection, workspace, ())
            persona = connection.execute(_PERSONA, {"server": server, "handle": handle}).scalar()
            if persona is None:
                raise NotFound(f"There is no persona with the handle {handle!r} here.")
            there = map(to_sprite, connection.execute(_LOAD, {"persona": persona}))
            return step(connection, PersonaId(persona), {sprite.key: sprite for sprite in there})

        changed = await self._database.write(unit)
        await self._casts.check(workspace)
        return changed


def _named(there: dict[str, Sprite], name: str) -> Sprite:
    found = there.get(sprite_key(clean(name)))
    if found is None:
        raise NotFound(f"There is no sprite called {name!r}.")
    return found


def _applied(sprite: Sprite, change: SpriteChange) -> Sprite:
    given = {
        "name": change.name,
        "picture": change.picture,
        "instructions": change.instructions,
        "is_identity": change.is_identity,
    }
    wanted: dict[str, Any] = {field: value for field, value in given.items() if value is not None}
    return _cleaned(replace(sprite, **wanted))


def _cleaned(sprite: Sprite) -> Sprite:
    """As it can be kept, so that keys are made from what is kept."""
    return replace(sprite, name=clean(sprite.name), picture=clean(sprite.picture), instructions=clean(sprite.instructions))


def _columns(sprite: Sprite) -> dict[str, Any]:
    return {
        "sprite_name": sprite.name,
        "sprite_key": sprite.key,
        "avatar_url": sprite.picture,
        "usage_instructions": sprite.instructions,
        "is_identity": sprite.is_identity,
        "updated_at": now(),
    }
