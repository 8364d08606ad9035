"""Unmodified libraries pointed at a loopback server: discord.py by its three class attributes, hikari by its own option."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import discord
import yarl
from discord import app_commands

from discord_loopback.client import Loopback


def usual() -> discord.Intents:
    """The intents that the example seed's application has switched on."""
    intents = discord.Intents.default()
    intents.members = intents.message_content = True
    return intents


class Bot(discord.Client):
    """A bot that puts every event a test asks for into a queue."""

    def __init__(self, intents: discord.Intents | None = None, **options: Any) -> None:
        super().__init__(intents=intents or usual(), guild_ready_timeout=0.05, **options)
        self.tree = app_commands.CommandTree(self)
        self.heard: asyncio.Queue[tuple[str, tuple[Any, ...]]] = asyncio.Queue()
        self.online = asyncio.Event()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        self.heard.put_nowait((event, args))
        if event == "ready":
            self.online.set()
        super().dispatch(event, *args, **kwargs)

    async def hears(self, event: str) -> Any:
        """Wait for the next event of this name; its argument, or all of them if there are several."""
        async with asyncio.timeout(30):
            while True:
                name, args = await self.heard.get()
                if name == event:
                    return args[0] if len(args) == 1 else args


def point(url: str) -> None:
    """Let discord.py talk to a loopback server."""
    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{url}/gw".replace("http", "ws", 1))
    discord.Asset.BASE = f"{url}/cdn"


@asynccontextmanager
async def running(loopback: Loopback, bot: Bot, *, token: str = "") -> AsyncIterator[Bot]:
    """A bot that is logged in and has heard of its guilds."""
    point(loopback.url)
    token = token or (await loopback.application()).token
    task = asyncio.create_task(bot.start(token))
    online = asyncio.create_task(bot.online.wait())
    await asyncio.wait([task, online], return_when=asyncio.FIRST_COMPLETED, timeout=30)
    online.cancel()
    if task.done():
        task.result()
    try:
        yield bot
    finally:
        await bot.close()
        with suppress(asyncio.CancelledError):
            await task
