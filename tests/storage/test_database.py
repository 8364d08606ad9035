"""What both kinds of database promise to those who build on them."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from coterie.storage.database import open_database
from coterie.storage.opening import open_storage

ROWS = sa.text("SELECT count(*) FROM provider_accounts")
ADD = sa.text("INSERT INTO provider_accounts (provider, base_url, model, updated_at) VALUES (:name, '', '', '2030-01-01T00:00:00+00:00')")

TALKER = """
import asyncio, sys
sys.path[:0] = {path!r}
from pathlib import Path
from storage.talking import ROOM, Scene
from conftest import PRESETS
from coterie.domain.ids import LOCAL
from coterie.storage.opening import open_storage

async def main():
    storage = await open_storage({url!r}, Path({home!r}), PRESETS, environment={{}})
    await storage.sessions.create(ROOM, LOCAL)
    scene = Scene(storage)
    for number in range(100_000):
        name = f"m{{number}}"
        await scene.hears(name)
        await scene.plans(name, "bram", "wren", resets=True)
        await scene.says(name + ".bram", "One.", "Two.")
        print(number, flush=True)

asyncio.run(main())
"""


async def rows(database) -> int:
    return await database.read(lambda connection: connection.execute(ROWS).scalar_one())


@pytest.fixture
async def database(database_url, tmp_path):
    opened = await open_database(database_url, tmp_path)
    yield opened
    await opened.close()


@pytest.mark.parametrize("durable", [True, False])
async def test_a_change_is_all_or_nothing(database, durable):
    def unit(connection):
        connection.execute(ADD, {"name": "a"})
        connection.execute(ADD, {"name": "b"})
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(unit, durable=durable)
    assert await rows(database) == 0
    await database.write(lambda connection: connection.execute(ADD, {"name": "a"}).rowcount, durable=durable)
    assert await rows(database) == 1


async def test_the_rules_of_the_tables_hold(database):
    with pytest.raises(sa.exc.IntegrityError):
        await database.write(
            lambda connection: connection.exec_driver_sql("INSERT INTO persona_attributes VALUES (7, 1, 'x', true)").rowcount
        )
    assert await rows(database) == 0


async def test_a_mistake_of_ours_is_not_called_a_failure_of_the_database(database):
    with pytest.raises(sa.exc.DBAPIError, match="nowhere"):
        await database.read(lambda connection: connection.exec_driver_sql("SELECT * FROM nowhere").all())
    assert await rows(database) == 0


async def test_changes_of_many_tasks_do_not_mix(database):
    async def change(number: int) -> None:
        def unit(connection):
            connection.execute(ADD, {"name": f"a{number}"})
            connection.execute(ADD, {"name": f"b{number}"})
            if number % 2:
                raise ZeroDivisionError

        await database.write(unit, durable=False)

    await asyncio.gather(*(change(number) for number in range(20)), return_exceptions=True)
    assert await rows(database) == 20


async def test_how_a_file_is_opened(sqlite_url, tmp_path):
    database = await open_database(sqlite_url, tmp_path)

    def pragmas(connection):
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous", "foreign_keys")]

    assert await database.read(pragmas) == ["wal", 1, 1]
    assert await database.write(pragmas, durable=False) == ["wal", 1, 1]
    assert await database.write(pragmas) == ["wal", 2, 1]
    assert await database.read(pragmas) == ["wal", 1, 1]
    await database.close()


async def test_what_waits_for_the_disk_of_a_server(postgres_url, tmp_path):
    database = await open_database(postgres_url, tmp_path)

    def setting(connection):
        return connection.exec_driver_sql("SHOW synchronous_commit").scalar()

    assert await database.write(setting, durable=False) == "off"
    assert await database.write(setting) == "on"
    assert await database.read(setting) == "off"
    await database.close()


async def test_a_process_killed_in_the_middle_of_talking_leaves_whole_changes(database_url, tmp_path):
    here = Path(__file__).parent.parent
    source = TALKER.format(path=[str(here), *sys.path], url=database_url, home=str(tmp_path))
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", source, stdout=asyncio.subprocess.PIPE)
    heard = [int(await process.stdout.readline()) for _ in range(5)]
    process.send_signal(signal.SIGKILL)
    await process.wait()
    storage = await open_storage(database_url, tmp_path, (), environment={})
    there = (await storage.conversations.history("chat-00000000-0000-4000-8000-000000000001", 1_000_000)).messages
    by_message = [
        [message.id for message in there if message.id.startswith(f"m{number}") and _number(message.id) == number] for number in heard
    ]
    assert by_message == [[f"m{number}", f"m{number}.bram.1", f"m{number}.bram.2"] for number in heard]
    lines = [message.id for message in there if message.turn is not None]
    assert len(lines) % 2 == 0
    for turn in await storage.conversations.unfinished():
        assert not any(message.turn == turn.id for message in there)
    await storage.close()


def _number(message: str) -> int:
    return int(message.removeprefix("m").partition(".")[0])


async def test_of_two_processes_on_postgresql_one_has_a_claim_until_it_ends(postgres_url, tmp_path):
    first, second = [await open_database(postgres_url, tmp_path) for _ in range(2)]
    assert [await first.claim("rooms"), await second.claim("rooms"), await second.claim("else")] == [True, False, True]
    await first.close()
    assert await second.claim("rooms") is True
    await second.close()


async def test_a_file_has_one_process_anyway(sqlite_url, tmp_path):
    database = await open_database(sqlite_url, tmp_path)
    assert await database.claim("rooms") is True
    await database.close()
