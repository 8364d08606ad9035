"""The whole storage from one address: connected, brought up to date, one store per port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coterie.domain.ids import LOCAL, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast
from coterie.ports.stores import PersonaDraft
from coterie.storage.access import SqlAccess
from coterie.storage.accounts import SqlAccounts
from coterie.storage.casts import MAX_PERSONAS, SqlCasts
from coterie.storage.conversations import SqlConversations
from coterie.storage.database import Database, open_database
from coterie.storage.limited import SqlLimited
from coterie.storage.migrate import Upgrade, upgrade
from coterie.storage.people import SqlPeople
from coterie.storage.posts import SqlPosts
from coterie.storage.sealed import Sealer
from coterie.storage.sessions import SqlSessions
from coterie.storage.settings import SqlSettings
from coterie.storage.sprites import SqlSprites
from coterie.storage.tidings import Remembering
from coterie.storage.webhooks import SqlWebhooks
from coterie.storage.welcomes import SqlWelcomes
from coterie.storage.workspaces import SqlWorkspaces

BASE_WORDS = Cast(LOCAL).base_words
"""The words that always belong to main, unless the installation has others."""


@dataclass(frozen=True, slots=True)
class Storage:
    """Everything that is kept. `upgraded` says what was done to the tables on the way, nothing in most cases."""

    database: Database
    casts: SqlCasts
    sessions: SqlSessions
    workspaces: SqlWorkspaces
    settings: SqlSettings
    access: SqlAccess
    people: SqlPeople
    limited: SqlLimited
    conversations: SqlConversations
    accounts: SqlAccounts
    webhooks: SqlWebhooks
    posts: SqlPosts
    sprites: SqlSprites
    welcomes: SqlWelcomes
    upgraded: Upgrade | None = None

    async def listen(self) -> None:
        """Hear from now on what other processes change, and forget what was remembered of it."""

        def forget() -> None:
            for remembers in (self.casts, self.settings, self.access, self.people):
                remembers.forget()
            self.accounts.forget_all()

        await self.database.listen(
            Remembering(
                workspace=lambda key, version: self.casts.seen(WorkspaceId(key), version),
                person=lambda key, version: self.people.seen(UserId(key), version),
                everything=forget,
            )
        )

    async def close(self) -> None:
        """Let go of the database."""
        await self.database.close()


async def open_storage(
    url: str,
    home: Path,
    presets: Sequence[PersonaDraft],
    *,
    environment: Mapping[str, str],
    base_words: Sequence[str] = BASE_WORDS,
    max_personas: int = MAX_PERSONAS,
) -> Storage:
    """Open the database that `url` names (nothing: `coterie.db` in `home`), upgrade it where it is behind, and wire the stores.

    `presets` is the bundled cast, main first; `environment` holds the `CRYPTO_SECRET` variables. Raises `StorageUnavailable`, `StoreError`.
    """
    sealer = Sealer.from_secrets(environment, home)
    database = await open_database(url, home)
    try:
        upgraded = await upgrade(database)
    except BaseException:
        await database.close()
        raise
    storage = wire(database, sealer, presets, base_words=base_words, max_personas=max_personas, upgraded=upgraded)
    await storage.listen()
    return storage


def wire(
    database: Database,
    sealer: Sealer,
    presets: Sequence[PersonaDraft],
    *,
    base_words: Sequence[str] = BASE_WORDS,
    max_personas: int = MAX_PERSONAS,
    upgraded: Upgrade | None = None,
) -> Storage:
    """The stores over an open, current database."""
    casts = SqlCasts(database, presets, base_words, max_personas)
    settings = SqlSettings(database, presets)
    access, people = SqlAccess(database, presets), SqlPeople(database)
    accounts = SqlAccounts(database, sealer, presets)
    for remembers in (settings.seen, access.seen, accounts.workspace_seen):
        casts.on_version(remembers)
    people.on_version(accounts.person_seen)
    return Storage(
        database=database,
        casts=casts,
        sessions=SqlSessions(database, presets),
        workspaces=SqlWorkspaces(database),
        settings=settings,
        access=access,
        people=people,
        limited=SqlLimited(database),
        conversations=SqlConversations(database, casts, settings, people),
        accounts=accounts,
        webhooks=SqlWebhooks(database, sealer),
        posts=SqlPosts(database),
        sprites=SqlSprites(database, casts),
        welcomes=SqlWelcomes(database, presets),
        upgraded=upgraded,
    )
