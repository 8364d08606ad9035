"""A server with the example seed for every scene; a scene fails that met an unknown route, or whose traffic Discord does not describe."""

from collections.abc import AsyncIterator

import pytest

from discord_loopback import serving
from discord_loopback.client import Channel, Guild, Loopback, Person
from fakes.discord_openapi import breaches, is_present
from fakes.loopback_bots import Bot, running


@pytest.fixture
async def loopback() -> AsyncIterator[Loopback]:
    async with serving() as loopback:
        yield loopback
        assert await loopback.unknown_routes() == []
        if is_present():
            assert breaches(await loopback.requests()) == []


@pytest.fixture
async def guild(loopback: Loopback) -> Guild:
    return await loopback.guild("The House")


@pytest.fixture
async def general(guild: Guild) -> Channel:
    return await guild.channel("general")


@pytest.fixture
async def ann(loopback: Loopback) -> Person:
    return await loopback.person("ann")


@pytest.fixture
async def bot(loopback: Loopback) -> AsyncIterator[Bot]:
    """discord.py, logged in with all intents."""
    async with running(loopback, Bot()) as bot:
        yield bot
