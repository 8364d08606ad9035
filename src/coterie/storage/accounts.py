"""The saved accounts with model providers; their keys rest sealed."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.ports.accounts import Account
from coterie.storage.border import clean
from coterie.storage.database import Database
from coterie.storage.schema.accounts import provider_accounts
from coterie.storage.sealed import SealBroken, Sealer

_LOAD = sa.select(provider_accounts).order_by(provider_accounts.c.provider)
_new = insert(provider_accounts)
_KEEP = _new.on_conflict_do_update(
    index_elements=[provider_accounts.c.provider],
    set_={column: _new.excluded[column] for column in ("sealed_key", "base_url", "model", "updated_at")},
)
_FORGET = sa.delete(provider_accounts).where(provider_accounts.c.provider == bindparam("provider"))


class SqlAccounts:
    """`Accounts` over a database."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    async def list(self) -> Sequence[Account]:
        """Every saved account. One whose key does not open has none, and says why."""
        rows = await self._database.read(lambda connection: connection.execute(_LOAD).all())
        return [self._account(row) for row in rows]

    async def keep(self, account: Account) -> None:
        """Add or replace the account of its provider."""
        row = {
            "provider": account.provider,
            "sealed_key": self._sealer.seal(clean(account.key), _place(account.provider)) if account.key else None,
            "base_url": account.base_url,
            "model": account.model,
        }
        await self._database.write(lambda connection: connection.execute(_KEEP, row).rowcount)

    async def forget(self, provider: str) -> bool:
        """Remove an account; false if there was none."""
        return bool(await self._database.write(lambda connection: connection.execute(_FORGET, {"provider": provider}).rowcount))

    def _account(self, row: Row[Any]) -> Account:
        key, problem = "", ""
        if row.sealed_key is not None:
            try:
                key = self._sealer.open(bytes(row.sealed_key), _place(row.provider))
            except SealBroken as broken:
                problem = str(broken)
        return Account(row.provider, key, row.base_url, row.model, problem)


def _place(provider: str) -> str:
    return f"provider_accounts:{provider}"
