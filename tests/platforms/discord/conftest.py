"""What scenes on Discord begin with: the whole cast in a server, or the webhooks alone."""

import pytest

from coterie.storage.opening import open_storage
from discord_loopback.serving import serving
from platforms.discord.stage_scenes import at_home, on_discord
from platforms.discord.webhook_scenes import open_house, speaking


@pytest.fixture
async def scene(sqlite_url, tmp_path):
    """The cast in a server."""
    async with serving() as loopback, at_home(sqlite_url, tmp_path) as storage, on_discord(storage, loopback, tmp_path) as opened:
        yield opened


@pytest.fixture
async def on_both(database_url, tmp_path):
    """The same, on either kind of database."""
    async with serving() as loopback, at_home(database_url, tmp_path) as storage, on_discord(storage, loopback, tmp_path) as opened:
        yield opened


@pytest.fixture
async def house():
    """A server alone."""
    async with open_house() as opened:
        yield opened


@pytest.fixture
async def kept(sqlite_url, tmp_path):
    """Webhooks as they are kept."""
    storage = await open_storage(sqlite_url, tmp_path, (), environment={})
    yield storage.webhooks
    await storage.close()


@pytest.fixture
async def webhooks(house, kept):
    """The shared webhooks of that server's channels."""
    async with speaking(house, kept) as opened:
        yield opened


@pytest.fixture
def channel(house):
    """One of its channels."""
    return house.channel()
