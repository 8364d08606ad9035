"""A Discord-compatible server on loopback, for tests and trials: REST v10, gateway, files and a page. Knows nothing of any bot.

In a test: `async with serving() as loopback:` starts one on a free port, and `loopback` lets people write, admins change things and faults
happen. By hand: `python -m discord_loopback --port 8070 --seed guild.json`.

A bot that uses discord.py is pointed at it, before its client is made, by three class attributes:

    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{url}/gw".replace("http", "ws", 1))
    discord.Asset.BASE = f"{url}/cdn"

and one that uses hikari by `hikari.GatewayBot(token, rest_url=f"{url}/api/v10")`.
"""

from discord_loopback.client.loopback import connected
from discord_loopback.serving import serving
from discord_loopback.switches import Switches

__all__ = ["Switches", "connected", "serving"]
