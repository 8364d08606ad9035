"""Which server discord.py talks to. Nothing else in the bot knows whether it is Discord itself."""

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

_PATIENCE_SECONDS = 10


class ServerUnreachable(Exception):
    """There is no Discord-compatible server at the address; the text is one sentence for a person."""


class TokenRefused(Exception):
    """The server at the address does not know the token; the text is one sentence for a person."""


async def point_at(address: str, token: str) -> None:
    """Have discord.py talk to the Discord-compatible server at `address` (REST below `/api/v10`, files below `/cdn`).

    The library has no public option for it; its gateway's address is a default that some paths use without asking, so it is asked for here.
    Raises `ServerUnreachable`, `TokenRefused`.
    """
    base = address.rstrip("/")
    Route.BASE = f"{base}/api/v10"
    discord.Asset.BASE = f"{base}/cdn"
    timeout = aiohttp.ClientTimeout(total=_PATIENCE_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as http,
            http.get(f"{Route.BASE}/gateway/bot", headers={"Authorization": f"Bot {token}"}) as answer,
        ):
            if answer.status == 401:
                raise TokenRefused(f"The server at {base} refuses the token in DISCORD_TOKEN.")
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL((await answer.json(content_type=None))["url"])
    except (aiohttp.ClientError, TimeoutError, ValueError, KeyError, TypeError) as error:
        raise ServerUnreachable(f"There is no Discord-compatible server at {base} (DISCORD_SERVER_URL).") from error
