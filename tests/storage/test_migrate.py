"""Upgrades keep everything or change nothing. Later steps than the real ones are written here, to upgrade from the real tables."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from coterie.domain.ids import LOCAL
from coterie.ports.stores import StorageUnavailable, StoreError
from coterie.storage.database import open_database
from coterie.storage.migrate import OURS, Steps, Upgrade, UpgradeRefused, backup, check, upgrade
from coterie.storage.migrations import NEWEST
from coterie.storage.opening import open_storage
from coterie.storage.schema import accounts, conversations, personas, workspaces
from coterie.storage.schema.columns import METADATA
from storage.talking import ROOM, Scene

STEP = """
import sqlalchemy as sa
from alembic import op

revision = "{number}"
down_revision = "{before}"


def upgrade():
    {work}
"""
ADD_A_COLUMN = 'op.add_column("session", sa.Column("colour", sa.Text(), nullable=False, server_default="green"))'
LOSE_ROWS = ADD_A_COLUMN + "\n    op.execute(\"DELETE FROM messages WHERE text = 'two'\")"
FAIL_HALF_WAY = ADD_A_COLUMN + '\n    op.execute("UPDATE nowhere SET x = 1")'
REBUILD_SESSIONS = (
    'with op.batch_alter_table("session", recreate="always") as table:\n'
    '        table.add_column(sa.Column("colour", sa.Text(), nullable=False, server_default="green"))'
)
TEAR = "op.execute(\"UPDATE personas SET server_id = 77 WHERE handle = 'bram'\")"


@pytest.fixture
def with_step(tmp_path):
    """The real steps and one more."""

    def make(work: str) -> Steps:
        folder = tmp_path / "steps"
        shutil.copytree(OURS.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
        number = f"{int(NEWEST) + 1:04}"
        (folder / "versions" / f"{number}_more.py").write_text(STEP.format(number=number, before=NEWEST, work=work))
        return Steps(folder, number)

    return make


@pytest.fixture
async def talked(scene):
    """A database with something in every corner."""
    for message in ("one", "two", "three"):
        await scene.hears(message, text=message)
    await scene.plans("three", "bram", "wren", resets=True)
    await scene.says("three.bram", "Yes.")
    return scene


async def tables(database):
    return (await check(database, Steps(OURS.folder, "9999"))).rows


def test_the_tables_are_what_the_steps_make(sqlite_template, postgres, postgres_template):
    assert {accounts, conversations, personas, workspaces}

    def difference(connection):
        from alembic.autogenerate import compare_metadata
        from alembic.migration import MigrationContext

        return compare_metadata(MigrationContext.configure(connection, opts={"version_table": "coterie_schema"}), METADATA)

    async def compare(url: str):
        database = await open_database(url, sqlite_template.parent)
        found = await database.read(difference)
        await database.close()
        return found

    for url in (f"sqlite:///{sqlite_template}", postgres.address.format(postgres_template)):
        assert asyncio.run(compare(url)) == []


def test_the_newest_step_is_the_last_there_is():
    from alembic.script import ScriptDirectory

    assert ScriptDirectory(str(OURS.folder)).get_heads() == [NEWEST]
    assert sorted(path.name[:4] for path in (OURS.folder / "versions").glob("*.py")) == [f"{n:04}" for n in range(1, int(NEWEST) + 1)]


async def test_a_current_database_is_left_alone(storage, tmp_path):
    assert storage.upgraded is None
    assert await upgrade(storage.database) is None
    assert not (tmp_path / "backups").exists()


async def test_a_new_file_is_made_without_a_copy(tmp_path):
    storage = await open_storage("", tmp_path / "deep" / "home", (), environment={})
    assert storage.upgraded == Upgrade(None, NEWEST, None)
    assert sorted(path.name for path in (tmp_path / "deep" / "home").iterdir() if not path.name.startswith("coterie.db-")) == [
        "coterie.db",
        "secret",
    ]
    await storage.close()


async def test_an_upgrade_keeps_every_row(talked, with_step, tmp_path):
    database = talked.storage.database
    before = await tables(database)
    steps = with_step(ADD_A_COLUMN)
    done = await upgrade(database, steps)
    assert (done.before, done.after) == (NEWEST, steps.newest)
    assert await tables(database) == before
    assert await talked.history() == ["one", "two", "three", "three.bram.1"]
    assert await database.read(lambda connection: connection.exec_driver_sql("SELECT colour FROM session").scalars().all()) == ["green"]
    assert await upgrade(database, steps) is None


async def test_the_state_before_an_upgrade_is_copied(sqlite_url, with_step, tmp_path):
    storage = await open_storage(sqlite_url, tmp_path, (), environment={})
    scene = Scene(storage)
    await storage.sessions.create(ROOM, LOCAL)
    await scene.hears("one")
    done = await upgrade(storage.database, with_step(ADD_A_COLUMN))
    await storage.close()
    assert done.copy.parent == tmp_path / "backups"
    assert [path.name for path in done.copy.parent.iterdir()] == [done.copy.name]
    copy = await open_storage(f"sqlite:///{done.copy}", tmp_path, (), environment={})
    assert copy.upgraded is None
    assert [message.id for message in (await copy.conversations.history(ROOM, 5)).messages] == ["one"]
    await copy.close()


async def test_a_table_can_be_made_anew_without_losing_what_refers_to_it(sqlite_url, with_step, tmp_path):
    storage = await open_storage(sqlite_url, tmp_path, (), environment={})
    await storage.sessions.create(ROOM, LOCAL)
    await Scene(storage).hears("one")
    before = await tables(storage.database)
    await upgrade(storage.database, with_step(REBUILD_SESSIONS))
    assert await tables(storage.database) == before
    assert await storage.database.read(lambda connection: connection.exec_driver_sql("PRAGMA foreign_keys").scalar()) == 1
    await storage.close()


@pytest.mark.parametrize("work", [LOSE_ROWS, FAIL_HALF_WAY])
async def test_an_upgrade_that_would_lose_something_changes_nothing(talked, elsewhere, with_step, work):
    database = talked.storage.database
    before = await tables(database)
    with pytest.raises((UpgradeRefused, sa.exc.DBAPIError), match=r"lose rows of messages|nowhere"):
        await upgrade(database, with_step(work))
    assert await tables(database) == before
    assert await talked.history() == ["one", "two", "three", "three.bram.1"]
    report = await check(elsewhere.database)
    assert (report.version, report.problems) == (NEWEST, ())


async def test_an_upgrade_that_would_tear_rows_apart_changes_nothing(sqlite_url, with_step, tmp_path):
    from conftest import PRESETS

    storage = await open_storage(sqlite_url, tmp_path, PRESETS, environment={})
    await storage.casts.cast(LOCAL)
    with pytest.raises(UpgradeRefused, match="rows of personas without what they belong to"):
        await upgrade(storage.database, with_step(TEAR))
    assert (await check(storage.database)).problems == ()
    await storage.close()


async def test_programs_that_start_at_once_upgrade_once(talked, database_url, with_step, tmp_path):
    steps = with_step(ADD_A_COLUMN)
    databases = [await open_database(database_url, tmp_path) for _ in range(3)]
    done = await asyncio.gather(*(upgrade(database, steps) for database in databases))
    assert sorted(one is None for one in done) == [False, True, True]
    for database in databases:
        await database.close()


async def test_programs_that_start_at_once_on_nothing_make_it_once(postgres, tmp_path):
    url = await postgres.make("template1")
    for address in (url, ""):
        opened = await asyncio.gather(*(open_storage(address, tmp_path, (), environment={}) for _ in range(3)))
        assert sorted(storage.upgraded is None for storage in opened) == [False, True, True]
        for storage in opened:
            await storage.close()
    await postgres.drop(url)


async def test_a_program_that_is_behind_refuses_after_another_upgraded(talked, elsewhere, with_step):
    await upgrade(talked.storage.database, with_step(ADD_A_COLUMN))
    with pytest.raises(StorageUnavailable, match="newer Coterie"):
        await upgrade(elsewhere.database)


async def test_a_check_of_a_sound_database(talked):
    report = await check(talked.storage.database)
    assert (report.version, report.newest, report.problems) == (NEWEST, NEWEST, ())
    assert (report.rows["messages"], report.rows["turns"], report.rows["personas"]) == (4, 2, 3)


async def test_a_check_says_that_the_tables_are_behind(talked):
    report = await check(talked.storage.database, Steps(OURS.folder, "9999"))
    assert report.problems == ("The tables are behind; `coterie db upgrade` brings them up to date.",)


async def test_a_check_finds_rows_that_belong_to_nothing(sqlite_url, tmp_path):
    storage = await open_storage(sqlite_url, tmp_path, (), environment={})
    await storage.sessions.create(ROOM, LOCAL)
    await Scene(storage).hears("one")
    with closing(sqlite3.connect(tmp_path / "coterie.db")) as other:
        other.execute("DELETE FROM session")
        other.commit()
    assert (await check(storage.database)).problems == ("Row 1 of messages belongs to nothing in session.",)
    await storage.close()


async def test_a_backup_of_a_file_in_use(sqlite_url, tmp_path):
    storage = await open_storage(sqlite_url, tmp_path, (), environment={})
    scene = Scene(storage)
    await storage.sessions.create(ROOM, LOCAL)
    await scene.hears("one")
    copied = await backup(storage.database)
    await scene.hears("two")
    chosen = await backup(storage.database, tmp_path / "elsewhere" / "copy.db")
    assert (copied.parent, chosen) == (tmp_path / "backups", tmp_path / "elsewhere" / "copy.db")
    for path, messages in ((copied, 1), (chosen, 2)):
        with closing(sqlite3.connect(path)) as copy:
            assert copy.execute("SELECT count(*) FROM messages").fetchone() == (messages,)
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    await storage.close()


async def test_a_backup_never_writes_over_a_file(sqlite_url, tmp_path):
    database = await open_database(sqlite_url, tmp_path)
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(StoreError, match="is there already; nothing was copied"):
        await backup(database, there)
    assert there.read_text() == "mine"
    await database.close()


async def test_there_is_no_backup_of_nothing(tmp_path):
    database = await open_database("", tmp_path)
    with pytest.raises(StoreError, match="is empty; there is nothing to copy yet"):
        await backup(database)
    assert (await check(database)).problems == ("The tables are new; `coterie db upgrade` brings them up to date.",)
    await database.close()


async def test_a_server_is_backed_up_with_its_own_tool(postgres_url, tmp_path):
    database = await open_database(postgres_url, tmp_path)
    with pytest.raises(StoreError, match="pg_dump"):
        await backup(database, Path("/nowhere"))
    await database.close()
