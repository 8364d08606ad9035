"""The personas of each workspace, cached by version."""

from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from coterie.domain.ids import Handle, PersonaId, WorkspaceId
from coterie.domain.personas.naming import name_key
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.ports.stores import CardOriginal, CastFull, MainStays, NameTaken, NotFound, PersonaDraft, TurnStatus
from coterie.storage.border import clean
from coterie.storage.database import Database
from coterie.storage.persona_rows import add_persona, change_persona, load_personas, replace_persona
from coterie.storage.recent import Recent
from coterie.storage.schema.conversations import turns
from coterie.storage.schema.personas import persona_cards, persona_configs, personas
from coterie.storage.schema.workspaces import servers
from coterie.storage.workspaces import ensure_workspace, lock_workspace

MAX_PERSONAS = 20
"""How many personas a workspace may have, main among them."""

MAX_CACHED = 2_000
"""Of how many workspaces the cast is remembered."""

_VERSION = sa.select(servers.c.server_id, servers.c.cast_version).where(servers.c.server_disc_id == bindparam("workspace"))
_CARD = sa.select(persona_cards.c.original, persona_cards.c.media_type).where(persona_cards.c.persona_id == bindparam("persona"))
_APPLIED = sa.select(personas.c.applied_avatar_hash).where(personas.c.persona_id == bindparam("persona"))
_APPLY = sa.update(personas).where(personas.c.persona_id == bindparam("persona")).values(applied_avatar_hash=bindparam("path"))
_PLAY_WITH = (
    sa.update(persona_configs)
    .where(persona_configs.c.persona_id == bindparam("persona"))
    .values(model=bindparam("its_model"), reasoning=bindparam("its_reasoning"))
)
_REMOVE = sa.delete(personas).where(personas.c.persona_id == bindparam("persona"))
_CALL_OFF = (
    sa.update(turns)
    .where(turns.c.persona_id == bindparam("persona"), turns.c.status == TurnStatus.WAITING)
    .values(status=TurnStatus.STOPPED, note="The persona was removed before its turn came.")
)


class SqlCasts:
    """`Casts` over a database. `presets` is the bundled cast, main first; `base_words` always belong to main."""

    def __init__(
        self,
        database: Database,
        presets: Sequence[PersonaDraft],
        base_words: Sequence[str],
        max_personas: int = MAX_PERSONAS,
        max_cached: int = MAX_CACHED,
    ) -> None:
        self._database = database
        self._presets = tuple(presets)
        self._base_words = tuple(base_words)
        self._max_personas = max_personas
        self._recent: Recent[WorkspaceId, Cast] = Recent(max_cached)
        self._listeners: list[Callable[[WorkspaceId, int], None]] = []

    def remembered(self, workspace: WorkspaceId) -> Cast | None:
        """The cast as it was read last, without a question; nothing where a newer version is known of."""
        return self._recent.get(workspace)

    async def cast(self, workspace: WorkspaceId) -> Cast:
        """The cast, cached by version. A workspace seen for the first time is made, with the bundled cast in it."""
        known = self._recent.get(workspace)
        if known is not None:
            return known
        cast = await self._database.read(lambda connection: self._load(connection, workspace))
        return self._keep(cast if cast is not None else await self._database.write(lambda connection: self._make(connection, workspace)))

    async def check(self, workspace: WorkspaceId) -> None:
        """Ask the database whether cast, settings and lists are still those that were read: another process may have changed them."""
        row = await self._database.read(lambda connection: connection.execute(_VERSION, {"workspace": workspace}).one_or_none())
        if row is not None:
            self.seen(workspace, row.cast_version)

    def on_version(self, listener: Callable[[WorkspaceId, int], None]) -> None:
        """Have `listener`, which remembers something of the same workspaces, told of every version too."""
        self._listeners.append(listener)

    def seen(self, workspace: WorkspaceId, version: int) -> None:
        """Hear of the version that the database holds now, so that a change made by another process is not missed."""
        self._recent.seen(workspace, version)
        for listener in self._listeners:
            listener(workspace, version)

    def forget(self) -> None:
        """Remember nothing: anything may have changed."""
        self._recent.forget()

    async def create(self, workspace: WorkspaceId, draft: PersonaDraft) -> Persona:
        """Add an alter, or replace main's content when the draft is not an alter. Raises `NameTaken`, `CastFull`."""

        def step(connection: Connection, server_id: int, there: Sequence[Persona]) -> PersonaId:
            replaced = None if draft.is_alter else next((persona for persona in there if not persona.is_alter), None)
            _refuse_taken(draft.content.name, there, replaced)
            if replaced is not None:
                replace_persona(connection, replaced.id, draft)
                return replaced.id
            if draft.is_alter and len(there) >= self._max_personas:
                raise CastFull(f"This workspace has {len(there)} personas, as many as it may have; remove one first.")
            return add_persona(connection, server_id, draft, is_alter=draft.is_alter)

        return await self._changed(workspace, step)

    async def change(self, workspace: WorkspaceId, handle: Handle, content: PersonaContent, avatar: str | None) -> Persona:
        """Write a persona's content and avatar (the handle stays). Raises `NotFound`, `NameTaken`."""

        def step(connection: Connection, _server_id: int, there: Sequence[Persona]) -> PersonaId:
            persona = _find(there, handle)
            _refuse_taken(content.name, there, persona)
            change_persona(connection, persona.id, content, avatar)
            return persona.id

        return await self._changed(workspace, step)

    async def play_with(self, workspace: WorkspaceId, handle: Handle, model: str | None, reasoning: str | None) -> Persona:
        """Give a persona a model and a level of its own; nothing: those of where it speaks. Raises `NotFound`."""

        def step(connection: Connection, _server_id: int, there: Sequence[Persona]) -> PersonaId:
            persona = _find(there, handle)
            connection.execute(_PLAY_WITH, {"persona": persona.id, "its_model": model, "its_reasoning": reasoning})
            return persona.id

        return await self._changed(workspace, step)

    async def remove(self, workspace: WorkspaceId, handle: Handle) -> Persona:
        """Remove an alter and return what was removed; its old lines keep their name. Raises `NotFound`, `MainStays`."""

        def unit(connection: Connection) -> tuple[Persona, Cast]:
            server_id = lock_workspace(connection, workspace, self._presets)
            persona = _find(settle(load_personas(connection, server_id), self._base_words), handle)
            if not persona.is_alter:
                raise MainStays(f"{persona.name} is the main persona; it can be replaced, not removed.")
            connection.execute(_CALL_OFF, {"persona": persona.id})
            connection.execute(_REMOVE, {"persona": persona.id})
            return persona, self._load_known(connection, workspace)

        removed, cast = await self._database.write(unit)
        self._keep(cast)
        return removed

    async def applied_avatar(self, persona: PersonaId) -> str:
        """Which picture of main the bot user wears in its guild, by its path; empty for none."""
        return await self._database.read(lambda connection: connection.execute(_APPLIED, {"persona": persona}).scalar()) or ""

    async def apply_avatar(self, persona: PersonaId, path: str) -> None:
        """The bot user wears this picture now."""
        row = {"persona": persona, "path": path}
        await self._database.single(lambda connection: connection.execute(_APPLY, row).rowcount)

    async def original(self, persona: PersonaId) -> CardOriginal | None:
        """The card this persona was imported from."""
        row = await self._database.read(lambda connection: connection.execute(_CARD, {"persona": persona}).one_or_none())
        return None if row is None else CardOriginal(bytes(row.original), row.media_type)

    async def _changed(self, workspace: WorkspaceId, step: Callable[[Connection, int, Sequence[Persona]], PersonaId]) -> Persona:
        """Run a step under the cast's lock and return the persona as the cast has it afterwards."""

        def unit(connection: Connection) -> tuple[Cast, PersonaId]:
            server_id = lock_workspace(connection, workspace, self._presets)
            persona = step(connection, server_id, load_personas(connection, server_id))
            return self._load_known(connection, workspace), persona

        cast, persona = await self._database.write(unit)
        changed = self._keep(cast).by_id(persona)
        assert changed is not None
        return changed

    def _keep(self, cast: Cast) -> Cast:
        self._recent.keep(cast.workspace, cast, cast.version)
        return cast

    def _make(self, connection: Connection, workspace: WorkspaceId) -> Cast:
        ensure_workspace(connection, workspace, self._presets)
        return self._load_known(connection, workspace)

    def _load_known(self, connection: Connection, workspace: WorkspaceId) -> Cast:
        cast = self._load(connection, workspace)
        assert cast is not None
        return cast

    def _load(self, connection: Connection, workspace: WorkspaceId) -> Cast | None:
        """The cast as it is stored; nothing when the workspace was never seen."""
        row = connection.execute(_VERSION, {"workspace": workspace}).one_or_none()
        if row is None:
            return None
        # The version is read first: a change in between makes the cast newer than its version, and it is only read once more.
        personas_there = settle(load_personas(connection, row.server_id), self._base_words)
        return Cast(workspace, personas_there, row.cast_version, self._base_words)


def _find(there: Sequence[Persona], handle: Handle) -> Persona:
    found = next((persona for persona in there if persona.handle == handle), None)
    if found is None:
        raise NotFound(f"There is no persona with the handle {handle!r} here.")
    return found


def _refuse_taken(name: str, there: Sequence[Persona], itself: Persona | None) -> None:
    """Raise `NameTaken` when another persona has this name. The cast is locked, so this holds until the change is written."""
    key = name_key(clean(name))
    holder = next((persona for persona in there if persona is not itself and name_key(persona.name) == key), None)
    if holder is not None:
        raise NameTaken(f"There is a persona called {holder.name} already.")
