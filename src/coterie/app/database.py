"""What the `db` commands do. They speak to the database itself; only an upgrade needs the home for itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from coterie.app.console import CommandFailed, out, run
from coterie.app.home import HomeLock, private_files
from coterie.app.hosting import prepare
from coterie.ports.stores import StoreError
from coterie.storage.database import Database, open_database
from coterie.storage.migrate import backup as copy_database
from coterie.storage.migrate import check as look_at
from coterie.storage.migrate import upgrade as bring_up_to_date


@asynccontextmanager
async def _opened(folder: str) -> AsyncIterator[Database]:
    environment, home = prepare(folder)
    try:
        with private_files(home):
            database = await open_database(environment.database_url, home.folder)
        try:
            with private_files(home):
                yield database
        finally:
            await database.close()
    except StoreError as error:
        raise CommandFailed(str(error)) from error


def upgrade(folder: str) -> int:
    """Upgrade, while nobody else uses the home."""

    async def work() -> int | None:
        _, home = prepare(folder)
        lock = HomeLock(home)
        if not lock.take():
            raise CommandFailed(f"The home {home.folder} is in use; stop what runs on it first.")
        try:
            async with _opened(folder) as database:
                done = await bring_up_to_date(database)
        finally:
            lock.release()
        if done is None:
            out("The database is up to date.")
        else:
            out(f"From {done.before or 'nothing'} to {done.after}." + (f" The state before is in {done.copy}." if done.copy else ""))
        return None

    return run(work)


def check(folder: str) -> int:
    """Say how the database is; 1 when something is wrong."""

    async def work() -> int | None:
        async with _opened(folder) as database:
            report = await look_at(database)
        out(f"{report.location}: version {report.version or 'none'}, newest {report.newest}, {sum(report.rows.values()):,} rows.")
        for problem in report.problems:
            out(problem)
        return 1 if report.problems else None

    return run(work)


def backup(folder: str) -> int:
    """Copy the SQLite file."""

    async def work() -> int | None:
        async with _opened(folder) as database:
            out(f"{await copy_database(database)}")
        return None

    return run(work)
