"""What goes wrong with a database gives one clear sentence, and loses nothing."""

import asyncio
import filecmp
import os
import re
import shutil
import socket
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from coterie.domain.ids import LOCAL, Handle
from coterie.domain.personas.persona import PersonaContent
from coterie.ports.stores import PersonaDraft, StorageUnavailable
from coterie.storage.database import open_database
from coterie.storage.opening import open_storage, wire
from coterie.storage.sealed import Sealer
from storage.talking import ROOM, Scene, said

NOBODY = 65534


async def refused(url: str, home: Path) -> str:
    """The sentence with which a storage does not open."""
    with pytest.raises(StorageUnavailable) as caught:
        await open_storage(url, home, (), environment={})
    sentence = str(caught.value)
    assert sentence[0].isupper() or sentence.startswith("/")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.fixture
async def impatient(sqlite_url, tmp_path):
    """A storage over a file, that waits for locks a moment only."""
    database = await open_database(sqlite_url, tmp_path, patience=0.01)
    storage = wire(database, Sealer.from_secrets({}, tmp_path), ())
    await storage.sessions.create(ROOM, LOCAL)
    await storage.conversations.hear(said("m1"))
    yield storage
    await storage.close()


async def test_a_file_that_another_program_locks(impatient, tmp_path):
    talk = impatient.conversations
    with closing(sqlite3.connect(tmp_path / "coterie.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailable, match=r"coterie\.db is locked by another program"):
            await talk.hear(said("m2"))
        with pytest.raises(StorageUnavailable, match="is locked"):
            await impatient.casts.change(LOCAL, Handle("odile"), PersonaContent("Odile"), None)
        assert len((await talk.history(ROOM, 5)).messages) == 1
        other.execute("ROLLBACK")
    assert await talk.hear(said("m2")) is True
    assert len((await talk.history(ROOM, 5)).messages) == 2


@pytest.mark.parametrize("change", ["talk", "owner"])
async def test_while_another_program_holds_a_lock_everything_else_goes_on(sqlite_url, tmp_path, change):
    storage = wire(await open_database(sqlite_url, tmp_path, patience=60), Sealer.from_secrets({}, tmp_path), ())
    await storage.sessions.create(ROOM, LOCAL)
    changes = {
        "talk": lambda: storage.conversations.hear(said("m1")),
        "owner": lambda: storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Odile"))),
    }
    with closing(sqlite3.connect(tmp_path / "coterie.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(changes[change]())
        for _ in range(100):
            await asyncio.sleep(0)
        assert not waiting.done()
        other.execute("ROLLBACK")
    assert await waiting
    await storage.close()


async def test_a_full_disk(impatient):
    talk = impatient.conversations

    def pages(limit: int):
        return impatient.database.read(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {limit}").scalar())

    unlimited = await pages(2**31 - 1)
    await pages(1)
    with pytest.raises(StorageUnavailable, match="The disk is full"):
        await talk.hear(said("m2", text="x" * 100_000))
    assert [message.id for message in (await talk.history(ROOM, 5)).messages] == ["m1"]
    await pages(unlimited)
    assert await talk.hear(said("m2", text="x" * 100_000)) is True


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"Dear diary, ...", "is not a database; it was left as it is"),
        (b"SQLite format 2\0" + bytes(200), "is not a database; it was left as it is"),
        (b"\0" * 4096, "is not a database; it was left as it is"),
    ],
)
async def test_a_file_that_is_no_database(tmp_path, content, sentence):
    path = tmp_path / "coterie.db"
    path.write_bytes(content)
    assert sentence in await refused("", tmp_path)
    assert path.read_bytes() == content
    assert {found.name for found in tmp_path.iterdir()} == {"coterie.db", "secret"}


async def test_a_database_of_another_program(tmp_path):
    path = tmp_path / "coterie.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE messages (id)")
        other.commit()
    before = path.read_bytes()
    assert "is a database of another program" in await refused("", tmp_path)
    assert path.read_bytes() == before
    assert {found.name for found in tmp_path.iterdir()} == {"coterie.db", "secret"}


async def test_an_empty_file_is_taken(tmp_path):
    (tmp_path / "coterie.db").touch()
    storage = await open_storage("", tmp_path, (), environment={})
    assert (await storage.casts.cast(LOCAL)).personas == ()
    await storage.close()


async def test_a_postgresql_database_of_another_program(postgres, tmp_path):
    url = await postgres.make("template1")
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE users (id int)")
    assert "holds tables of another program (users, …)" in await refused(url, tmp_path)
    assert await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 1
    await connection.close()
    await postgres.drop(url)


async def test_a_database_of_a_newer_coterie(database_url, storage, tmp_path):
    update = "UPDATE coterie_schema SET version_num = '9999'"
    await storage.database.write(lambda connection: connection.exec_driver_sql(update).rowcount)
    assert "is of a newer Coterie (version 9999" in await refused(database_url, tmp_path)


async def test_a_damaged_file(sqlite_url, tmp_path):
    path = tmp_path / "coterie.db"
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * len(content[4096:])
    path.write_bytes(content)
    before = path.read_bytes()
    sentence = await refused(sqlite_url, tmp_path)
    assert "is damaged; the newest good copies are in the folder backups" in sentence
    assert path.read_bytes() == before


@pytest.fixture
def readable():
    """A folder that others may look into, since a test that is nobody must find it."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.fixture
def nobody(sqlite_template):
    """What follows is done by a user without rights, where the tests run as one who may do everything.

    Such a user may not read the interpreter's own files either; with the template made, all is imported.
    """
    assert sqlite_template.exists()
    became = os.geteuid() == 0

    def become():
        if became:
            os.seteuid(NOBODY)

    yield become
    if became:
        os.seteuid(0)


async def test_a_folder_that_may_not_be_written(readable, nobody):
    os.chmod(readable, 0o555)
    nobody()
    with pytest.raises(StorageUnavailable, match=r"coterie\.db cannot be opened; check that its folder exists and may be written"):
        await open_database("", readable)


async def test_a_file_that_may_not_be_written(readable, nobody, sqlite_template, tmp_path):
    path = shutil.copy(sqlite_template, readable / "coterie.db")
    os.chmod(path, 0o444)
    os.chmod(readable, 0o555)
    before = shutil.copy(path, tmp_path / "before.db")
    nobody()
    with pytest.raises(StorageUnavailable, match=r"coterie\.db (may not be written|cannot be opened)"):
        await open_database("", readable)
    os.seteuid(os.getuid())
    assert filecmp.cmp(path, before, shallow=False)


async def test_a_file_that_may_not_be_read(readable, nobody, sqlite_template):
    path = Path(shutil.copy(sqlite_template, readable / "coterie.db"))
    os.chmod(path, 0o000)
    nobody()
    with pytest.raises(StorageUnavailable, match=r"coterie\.db cannot be reached \(Permission denied\)"):
        await open_database("", readable)


async def test_a_home_that_is_a_file(tmp_path):
    (tmp_path / "home").write_text("")
    with pytest.raises(StorageUnavailable, match="home"):
        await open_database("", tmp_path / "home")


async def test_a_server_that_is_not_there(tmp_path):
    with closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        sentence = await refused(f"postgresql://ann:secret@127.0.0.1:{port}/talk", tmp_path)
    assert f"PostgreSQL at 127.0.0.1:{port}/talk cannot be reached" in sentence
    assert "secret" not in sentence


async def test_a_database_that_does_not_exist(postgres, tmp_path):
    assert "nowhere does not exist; create the database first" in await refused(postgres.address.format("nowhere"), tmp_path)


async def test_a_user_that_does_not_exist(postgres, tmp_path):
    url = re.sub(r"://[^@/]*@", "://nobody-of-that-name@", postgres.address.format("postgres"))
    assert "refuses the user or the password in DATABASE_URL" in await refused(url, tmp_path)


async def hang_up(admin: asyncpg.Connection, url: str) -> None:
    """Close every connection of ours to this database from the server's side, as its restart does; other tests keep theirs."""
    ours, name = "FROM pg_stat_activity WHERE application_name = 'coterie' AND datname = $1", url.partition("?")[0].rpartition("/")[2]
    await admin.execute(f"SELECT pg_terminate_backend(pid) {ours}", name)
    while await admin.fetchval(f"SELECT count(*) {ours}", name):
        pass


async def test_a_server_that_closed_every_connection_is_asked_again(postgres, postgres_url, tmp_path):
    storage = await open_storage(postgres_url, tmp_path, (), environment={})
    await storage.sessions.create(ROOM, LOCAL)
    admin = await asyncpg.connect(postgres.admin)
    for number in range(3):
        await asyncio.gather(*(storage.sessions.list(LOCAL) for _ in range(5)))
        await hang_up(admin, postgres_url)
        assert await storage.conversations.hear(said(f"m{number}")) is True
        await hang_up(admin, postgres_url)
        assert len((await storage.conversations.history(ROOM, 5)).messages) == number + 1
        await hang_up(admin, postgres_url)
        await storage.settings.change(LOCAL, {"trigger-match-limit": number + 1})
    await admin.close()
    await storage.close()


async def test_a_question_in_which_the_connection_is_lost_is_asked_again(postgres, postgres_url, tmp_path):
    database = await open_database(postgres_url, tmp_path)
    asked = []

    def hang_up_once(connection):
        asked.append(1)
        if len(asked) == 1:
            connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
        return connection.exec_driver_sql("SELECT 7").scalar_one()

    assert await database.read(hang_up_once) == 7
    asked.clear()
    assert await database.write(hang_up_once) == 7
    asked.clear()
    with pytest.raises(StorageUnavailable, match=r"takes no more connections at present|cannot be reached|failed"):
        await database.single(hang_up_once)
    assert await database.single(hang_up_once) == 7
    await database.close()


async def test_a_change_that_fails_half_way_is_undone_as_a_whole(storage):
    scene = Scene(storage)
    await storage.sessions.create(ROOM, LOCAL)
    await scene.plans("m1", "bram", "wren", resets=True)
    await scene.says("m1.bram", "One.")
    line = await scene.line("m1.bram")
    with pytest.raises(Exception, match=r"(?i)unique"):
        await storage.conversations.say("m1.wren", [await scene.line("m1.wren"), line], "answered", scene.at)
    assert await scene.history() == ["m1.bram.1"]
    assert [turn.id for turn in await storage.conversations.unfinished()] == ["m1.wren"]
    await scene.says("m1.wren", "Two.")
    assert await scene.history() == ["m1.bram.1", "m1.wren.1"]


async def test_a_cancelled_change_happens_as_a_whole_or_not_at_all(storage):
    scene = Scene(storage)
    await storage.sessions.create(ROOM, LOCAL)
    await scene.plans("m1", "bram", resets=True)
    saying = asyncio.ensure_future(scene.says("m1.bram", "One.", "Two."))
    await asyncio.sleep(0)
    saying.cancel()
    await asyncio.gather(saying, return_exceptions=True)
    there, left = await scene.history(), await storage.conversations.unfinished()
    assert (there, [turn.id for turn in left]) in [(["m1.bram.1", "m1.bram.2"], []), ([], ["m1.bram"])]
    assert await scene.hears("m2") is True
