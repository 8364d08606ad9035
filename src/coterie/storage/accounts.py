"""The saved accounts with model providers, whoever's they are; their keys rest sealed, each to its own place."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import UserId, WorkspaceId
from coterie.domain.turns.funding import (
    INSTALLATION,
    Entry,
    Grant,
    Holder,
    PersonalFunding,
    ServerFunding,
    person_holder,
    person_of,
    workspace_holder,
    workspace_of,
)
from coterie.ports.accounts import Account, Subscription
from coterie.ports.stores import PersonaDraft
from coterie.storage.border import clean
from coterie.storage.database import Database
from coterie.storage.people import raise_person
from coterie.storage.recent import Recent
from coterie.storage.schema.accounts import provider_accounts, saved_provider_configs, subscriptions, user_saved_provider_configs
from coterie.storage.schema.people import users
from coterie.storage.schema.workspaces import servers
from coterie.storage.sealed import SealBroken, Sealer
from coterie.storage.workspaces import lock_workspace

MAX_CACHED = 2_000
"""Of how many workspaces, and of how many people, is remembered what they have saved."""

_TEXT = "text"
"""The one capability that there is so far."""

_SERVER = sa.select(servers.c.server_id, servers.c.cast_version).where(servers.c.server_disc_id == bindparam("id"))
_USER = sa.select(users.c.user_id, users.c.settings_version).where(users.c.user_disc_id == bindparam("id"))
_GRANT = sa.select(subscriptions.c.expires_at).where(
    subscriptions.c.scope == bindparam("scope"), subscriptions.c.holder_id == bindparam("id")
)
_new_grant = insert(subscriptions)
_GIVE = _new_grant.on_conflict_do_update(
    index_elements=list(subscriptions.primary_key.columns), set_={"expires_at": _new_grant.excluded.expires_at}
)
_TAKE_AWAY = sa.delete(subscriptions).where(
    subscriptions.c.scope == bindparam("its_scope"), subscriptions.c.holder_id == bindparam("its_id")
)


class SqlAccounts:
    """`Accounts` and `Fundings` over a database. `presets` is the cast of a workspace that is first seen here."""

    def __init__(self, database: Database, sealer: Sealer, presets: Sequence[PersonaDraft]) -> None:
        self._database = database
        self._sealer = sealer
        self._presets = tuple(presets)
        self._servers: Recent[WorkspaceId, ServerFunding] = Recent(MAX_CACHED)
        self._people: Recent[UserId, PersonalFunding] = Recent(MAX_CACHED)

    async def list(self, holder: Holder = INSTALLATION) -> Sequence[Account]:
        """Every account that this holder saved, the oldest first. One whose key does not open has none, and says why."""
        rows = await self._database.read(lambda connection: _rows(connection, holder))
        return [self._account(row, holder) for row in rows]

    async def keep(self, account: Account, holder: Holder = INSTALLATION) -> None:
        """Add or replace the account of its provider. Where a person's is enabled, their others no longer are."""
        key = (
            None if not account.key or account.is_subscription else self._sealer.seal(clean(account.key), _place(holder, account.provider))
        )
        row: dict[str, Any] = {"provider": account.provider, "sealed_key": key, "base_url": account.base_url, "model": account.model}

        def unit(connection: Connection) -> None:
            owner = self._lock(connection, holder)
            chosen = [_TEXT] if account.is_subscription else []
            if person_of(holder) is not None:
                enabled = [_TEXT] if account.is_enabled else []
                if enabled:
                    nobody: dict[str, list[str]] = {"assigned_capabilities": [], "enabled_capabilities": []}
                    others = user_saved_provider_configs.c.user_id == owner["user_id"]
                    connection.execute(sa.update(user_saved_provider_configs).where(others).values(nobody))
                row.update(owner, subscription_capabilities=chosen, assigned_capabilities=[_TEXT], enabled_capabilities=enabled)
            elif workspace_of(holder) is not None:
                row.update(owner, subscription_capabilities=chosen)
            _replace(connection, _table(holder), row)

        await self._database.write(unit)
        self._forget_remembered(holder)

    async def forget(self, provider: str, holder: Holder = INSTALLATION) -> bool:
        """Remove an account; false if there was none."""
        table = _table(holder)

        def unit(connection: Connection) -> int:
            owner = self._lock(connection, holder)
            its = [table.c[column] == value for column, value in owner.items()]
            return connection.execute(sa.delete(table).where(table.c.provider == provider, *its)).rowcount

        removed = bool(await self._database.write(unit))
        self._forget_remembered(holder)
        return removed

    async def server(self, workspace: WorkspaceId) -> ServerFunding:
        """What a workspace has saved, cached by its version."""
        known = self._servers.get(workspace)
        if known is not None:
            return known

        def unit(connection: Connection) -> ServerFunding:
            row = connection.execute(_SERVER, {"id": workspace}).one_or_none()
            grant = _grant(connection, "server", workspace)
            if row is None:
                return ServerFunding(grant=grant)
            entries = {entry.provider: entry for entry in map(_entry, _rows(connection, workspace_holder(workspace)))}
            return ServerFunding(entries, grant, row.cast_version)

        found = await self._database.read(unit)
        self._servers.keep(workspace, found, found.version)
        return found

    async def personal(self, person: UserId) -> PersonalFunding:
        """What a person has saved, cached by the version of their settings."""
        known = self._people.get(person)
        if known is not None:
            return known

        def unit(connection: Connection) -> PersonalFunding:
            row = connection.execute(_USER, {"id": person}).one_or_none()
            if row is None:
                return PersonalFunding()
            saved = _rows(connection, person_holder(person))
            enabled = next((_entry(each) for each in saved if _TEXT in each.enabled_capabilities), None)
            keys = frozenset(each.provider for each in saved if each.sealed_key is not None or each.base_url)
            return PersonalFunding(enabled, keys, _grant(connection, "user", person), row.settings_version)

        found = await self._database.read(unit)
        self._people.keep(person, found, found.version)
        return found

    async def subscriptions(self) -> Sequence[Subscription]:
        """Every subscription that was granted, also those that have run out."""
        rows = await self._database.read(lambda connection: connection.execute(sa.select(subscriptions).order_by("created_at")).all())
        return [Subscription(_holder(row.scope, row.holder_id), row.expires_at) for row in rows]

    async def grant(self, subscription: Subscription) -> None:
        """Grant a subscription to a workspace or a person, or change when it ends."""
        scope, name = _scope(subscription.holder)

        def unit(connection: Connection) -> None:
            self._lock(connection, subscription.holder)
            connection.execute(_GIVE, {"scope": scope, "holder_id": name, "expires_at": subscription.until})

        await self._database.write(unit)
        self._forget_remembered(subscription.holder)

    async def revoke(self, holder: Holder) -> bool:
        """End a subscription; false if there was none."""
        scope, name = _scope(holder)

        def unit(connection: Connection) -> int:
            self._lock(connection, holder)
            return connection.execute(_TAKE_AWAY, {"its_scope": scope, "its_id": name}).rowcount

        ended = bool(await self._database.write(unit))
        self._forget_remembered(holder)
        return ended

    def workspace_seen(self, workspace: WorkspaceId, version: int) -> None:
        """Hear of the version of a workspace that the database holds now."""
        self._servers.seen(workspace, version)

    def person_seen(self, person: UserId, version: int) -> None:
        """Hear of the version of a person's settings that the database holds now."""
        self._people.seen(person, version)

    def forget_all(self) -> None:
        """Remember nothing: anything may have changed."""
        self._servers.forget()
        self._people.forget()

    def _lock(self, connection: Connection, holder: Holder) -> dict[str, int]:
        """Raise the version of what is about to change, which also locks it; the columns that name its owner."""
        workspace, person = workspace_of(holder), person_of(holder)
        if workspace is not None:
            return {"server_id": lock_workspace(connection, workspace, self._presets)}
        return {} if person is None else {"user_id": raise_person(connection, person)}

    def _forget_remembered(self, holder: Holder) -> None:
        workspace, person = workspace_of(holder), person_of(holder)
        if workspace is not None:
            self._servers.drop(workspace)
        if person is not None:
            self._people.drop(person)

    def _account(self, row: Any, holder: Holder) -> Account:
        key, problem = "", ""
        if row.sealed_key is not None:
            try:
                key = self._sealer.open(bytes(row.sealed_key), _place(holder, row.provider))
            except SealBroken as broken:
                problem = str(broken)
        fields: Mapping[str, Any] = row._mapping
        return Account(
            row.provider,
            key,
            row.base_url,
            row.model,
            is_subscription=_TEXT in fields.get("subscription_capabilities", ()),
            is_enabled=_TEXT in fields.get("enabled_capabilities", ()),
            problem=problem,
        )


def _table(holder: Holder) -> sa.Table:
    if workspace_of(holder) is not None:
        return saved_provider_configs
    return provider_accounts if person_of(holder) is None else user_saved_provider_configs


def _rows(connection: Connection, holder: Holder) -> Sequence[Any]:
    """The saved accounts of a holder, the oldest first; the installation's by name."""
    table, workspace, person = _table(holder), workspace_of(holder), person_of(holder)
    chosen = sa.select(table)
    if workspace is not None:
        chosen = chosen.join(servers).where(servers.c.server_disc_id == workspace).order_by(table.c.created_at, table.c.provider)
    elif person is not None:
        chosen = chosen.join(users).where(users.c.user_disc_id == person).order_by(table.c.created_at, table.c.provider)
    else:
        chosen = chosen.order_by(table.c.provider)
    return connection.execute(chosen).all()


def _replace(connection: Connection, table: sa.Table, row: Mapping[str, Any]) -> None:
    new = insert(table).values(**row)
    keys = list(table.primary_key.columns)
    changed = {column: new.excluded[column] for column in (*row, "updated_at") if not table.c[column].primary_key}
    connection.execute(new.on_conflict_do_update(index_elements=keys, set_=changed))


def _entry(row: Any) -> Entry:
    return Entry(row.provider, row.model, _TEXT in row.subscription_capabilities)


def _grant(connection: Connection, scope: str, name: str) -> Grant | None:
    row = connection.execute(_GRANT, {"scope": scope, "id": name}).one_or_none()
    return None if row is None else Grant(row.expires_at)


def _scope(holder: Holder) -> tuple[str, str]:
    workspace, person = workspace_of(holder), person_of(holder)
    if workspace is not None:
        return "server", workspace
    if person is None:
        raise ValueError(holder)
    return "user", person


def _holder(scope: str, name: str) -> Holder:
    return workspace_holder(WorkspaceId(name)) if scope == "server" else person_holder(UserId(name))


def _place(holder: Holder, provider: str) -> str:
    """What a key is sealed to, so that no row's key opens in another's place."""
    return f"provider_accounts:{provider}" if holder == INSTALLATION else f"provider_accounts:{holder}:{provider}"
