"""The server: one aiohttp application of REST, gateway, CDN, page and internal API, and how it is started."""

import asyncio
import time

from aiohttp import web

from discord_loopback.cdn import Cdn
from discord_loopback.gateway.connection import connect
from discord_loopback.gateway.hub import Hub
from discord_loopback.happenings import NOBODY, Happening
from discord_loopback.rest.answering import PREFIX, Rest
from discord_loopback.snowflakes import Clock
from discord_loopback.switches import Switches
from discord_loopback.world import World

LARGEST_REQUEST = 64 * 1024 * 1024


class Server:
    """A server with its state, before or while it listens."""

    def __init__(self, *, clock: Clock = time.time, switches: Switches | None = None) -> None:
        self.world = World(clock, switches or Switches())
        self.hub = Hub(self.world)
        self.application = web.Application(client_max_size=LARGEST_REQUEST)
        self._runner = web.AppRunner(self.application, access_log=None, shutdown_timeout=1.0)
        self._add_routes()
        self.is_stopping = False

    def _add_routes(self) -> None:
        rest, cdn = Rest(self.world), Cdn(self.world)
        router = self.application.router

        async def gateway(request: web.Request) -> web.StreamResponse:
            return await connect(self.hub, request)

        router.add_get("/gw", gateway)
        router.add_get("/gw/", gateway)
        router.add_route("*", PREFIX + "/{path:.*}", rest.answer)
        router.add_get("/cdn/{path:.*}", cdn.answer)

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Listen; the address without a path. Port 0 takes a free one. Raises `OSError`."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, backlog=1024)
        await site.start()
        shown = f"[{host}]" if ":" in host else host
        self.world.base = f"http://{shown}:{self._runner.addresses[0][1]}"
        return self.world.base

    async def stop(self) -> None:
        """End all connections and listen no more."""
        self.is_stopping = True
        self.world.tell(Happening("LOOPBACK_STOPPED", {}, eyes=NOBODY))
        self.hub.cut(code=1001)
        await asyncio.sleep(0)
        await self._runner.cleanup()
