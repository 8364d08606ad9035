"""Bringing a database up to date, checking it, copying it. The steps themselves are in `migrations`.

Alembic is imported only when there is something to do, since it would cost more time than all the rest of a start.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from coterie.ports.stores import StorageUnavailable, StoreError
from coterie.storage.copies import copy_file
from coterie.storage.database import Database
from coterie.storage.errors import is_locked
from coterie.storage.location import PostgresServer, SqliteFile
from coterie.storage.migrations import NEWEST, VERSION_TABLE
from coterie.storage.schema.columns import now

_PATIENCE = 20.0
"""Seconds within which another program's upgrade of the same file is over, also on a busy machine."""
_UPGRADES = 0x436F7465
"""The number under which PostgreSQL keeps our upgrades apart."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Where the steps are, and the number of the last of them."""

    folder: Path
    newest: str


OURS = Steps(Path(__file__).with_name("migrations"), NEWEST)


class Standing(StrEnum):
    """How a database of ours stands to this program."""

    NEW = "new"
    BEHIND = "behind"
    CURRENT = "current"


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What an upgrade did: from which version (nothing: it was new) to which, and where the copy of the state before is."""

    before: str | None
    after: str
    copy: Path | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found. `problems` are sentences; without any, all is well."""

    location: str
    version: str | None
    newest: str
    rows: Mapping[str, int]
    problems: tuple[str, ...]


class UpgradeRefused(StoreError):
    """An upgrade was undone; everything is as it was before."""


async def upgrade(database: Database, steps: Steps = OURS) -> Upgrade | None:
    """Bring the tables to the newest version; nothing when they are. Raises `StorageUnavailable`, `UpgradeRefused`.

    The state before is copied beside the file first. The steps are one transaction; two programs that start at once wait for each other.
    """
    standing, _ = await database.read(lambda connection: _stands(connection, steps))
    if standing is Standing.CURRENT:
        return None
    location = database.location
    if isinstance(location, PostgresServer):
        return await database.write(lambda connection: _upgrade_postgres(connection, steps))
    # A step that makes a table anew would take what refers to it along. The pragma does nothing within a transaction.
    await database.read(lambda connection: connection.exec_driver_sql("PRAGMA foreign_keys = OFF"))
    try:
        return await _in_patience(lambda: database.write(lambda connection: _upgrade_file(connection, location, steps)))
    finally:
        await database.read(lambda connection: connection.exec_driver_sql("PRAGMA foreign_keys = ON"))


async def _in_patience(attempt: Callable[[], Awaitable[Upgrade | None]]) -> Upgrade | None:
    """Wait longer than usual for who holds the file: it may be another program of ours that upgrades it just now."""
    loop = asyncio.get_running_loop()
    give_up = loop.time() + _PATIENCE
    while True:
        try:
            return await attempt()
        except StorageUnavailable as error:
            if not is_locked(error) or loop.time() >= give_up:
                raise


async def check(database: Database, steps: Steps = OURS) -> Report:
    """Look whether the database is whole and of this version. Changes nothing. Raises `StorageUnavailable`."""
    is_file = isinstance(database.location, SqliteFile)

    def look(connection: Connection) -> Report:
        standing, version = _stands(connection, steps)
        problems = [] if standing is Standing.CURRENT else [f"The tables are {standing}; `coterie db upgrade` brings them up to date."]
        if is_file:
            problems += _damage(connection)
        return Report(str(database.location), version, steps.newest, _rows(connection), tuple(problems))

    return await database.read(look)


async def backup(database: Database, target: Path | None = None) -> Path:
    """Copy a SQLite file, which may be in use, to `target`, by default into `backups/` beside it. Raises `StoreError`."""
    location = database.location
    if isinstance(location, PostgresServer):
        raise StoreError("A PostgreSQL database is copied with its own pg_dump.")

    def copy(connection: Connection) -> Path:
        if not sa.inspect(connection).has_table(VERSION_TABLE):
            raise StoreError(f"{location} is empty; there is nothing to copy yet.")
        return copy_file(location.path, target or _copy_path(location, _version(connection)))

    return await database.read(copy)


def _stands(connection: Connection, steps: Steps) -> tuple[Standing, str | None]:
    """How the tables stand, and their version. Raises `StorageUnavailable` when they are not ours, or are of a newer program."""
    tables = sa.inspect(connection).get_table_names()
    if VERSION_TABLE not in tables:
        if tables:
            raise StorageUnavailable(f"The database holds tables of another program ({tables[0]}, …); it was left as it is.")
        return Standing.NEW, None
    version = _version(connection)
    if version > steps.newest:
        raise StorageUnavailable(
            f"The database is of a newer Coterie (version {version}; this program knows {steps.newest}); it was left as it is."
        )
    return (Standing.CURRENT if version == steps.newest else Standing.BEHIND), version


def _version(connection: Connection) -> str:
    return str(connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar_one())


def _upgrade_postgres(connection: Connection, steps: Steps) -> Upgrade | None:
    # However long another program's upgrade takes: it is waited for.
    connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_UPGRADES})")
    return _upgrade_locked(connection, steps, lambda _version: None)


def _upgrade_file(connection: Connection, location: SqliteFile, steps: Steps) -> Upgrade | None:
    done = _upgrade_locked(connection, steps, lambda version: copy_file(location.path, _copy_path(location, version)))
    if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise UpgradeRefused(f"The upgrade was undone: it would leave rows of {broken[0]} without what they belong to.")
    return done


def _upgrade_locked(connection: Connection, steps: Steps, copy: Callable[[str], Path | None]) -> Upgrade | None:
    """Upgrade while nobody else can; looks again first, since another program may have done it meanwhile."""
    standing, version = _stands(connection, steps)
    if standing is Standing.CURRENT:
        return None
    kept = copy(version) if version is not None else None
    before = _rows(connection)
    _run_steps(connection, steps)
    after = _rows(connection)
    if lost := [table for table, count in before.items() if table in after and after[table] < count]:
        raise UpgradeRefused(f"The upgrade was undone: it would lose rows of {', '.join(lost)}.")
    return Upgrade(version, steps.newest, kept)


def _run_steps(connection: Connection, steps: Steps) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(steps.folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, steps.newest)


def _rows(connection: Connection) -> dict[str, int]:
    tables = sorted(set(sa.inspect(connection).get_table_names()) - {VERSION_TABLE})
    return {table: connection.execute(sa.select(sa.func.count()).select_from(sa.table(table))).scalar_one() for table in tables}


def _damage(connection: Connection) -> list[str]:
    found = connection.exec_driver_sql("PRAGMA integrity_check(10)").scalars().all()
    torn = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    sentences = [f"The file is damaged: {sentence}." for sentence in found if sentence != "ok"]
    return sentences + [f"Row {row[1]} of {row[0]} belongs to nothing in {row[2]}." for row in torn]


def _copy_path(location: SqliteFile, version: str) -> Path:
    return location.path.parent / "backups" / f"{location.path.stem}-{_stamp(now())}-{version}.db"


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y%m%dT%H%M%SZ")
