"""Starts a server with a seed: for tests in this process, with a client at hand; and for the command line."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from discord_loopback.client.links import Local
from discord_loopback.client.loopback import Loopback
from discord_loopback.control.surface import add_surface
from discord_loopback.refusals import Json
from discord_loopback.seeds import example, plant
from discord_loopback.server import Server
from discord_loopback.switches import Switches


def make_server(seed: Json | None = None, *, switches: Switches | None = None) -> Server:
    """A server with everything in it that does not listen yet. Raises `BadSeed`."""
    server = Server(switches=switches)
    add_surface(server)
    plant(server.world, example() if seed is None else seed)
    return server


@asynccontextmanager
async def serving(
    seed: Json | None = None, *, switches: Switches | None = None, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[Loopback]:
    """A server on a free port and a client for it; without a seed, the example is planted."""
    server = make_server(seed, switches=switches)
    url = await server.start(host, port)
    try:
        yield Loopback(Local(server), url)
    finally:
        await server.stop()
