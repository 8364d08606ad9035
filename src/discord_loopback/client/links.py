"""How the client reaches a server: in the same process, or over its internal API. Both do the same operations."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol, TypeVar

import aiohttp

from discord_loopback.control.finding import Unable
from discord_loopback.control.operations import call
from discord_loopback.control.watching import Watch
from discord_loopback.refusals import Json
from discord_loopback.server import Server

OperationFailed = Unable
"""An operation was refused; the message says why."""
PATIENCE = 30.0
"""Seconds to wait for what must come."""
Next = Callable[[], Awaitable[Json]]
T = TypeVar("T")


class NotSeen(AssertionError):
    """What was waited for has not come; the message says what was there instead."""


class Link(Protocol):
    """A way to a server."""

    async def call(self, operation: str, /, **arguments: Any) -> Any:
        """Do an operation of `control.operations`. Raises `OperationFailed`."""
        ...

    def watch(self) -> AbstractAsyncContextManager[Next]:
        """Inside, what is given waits until something happens that it has not told of."""
        ...


class Local:
    """A server in this process and loop."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def call(self, operation: str, /, **arguments: Any) -> Any:
        """Do an operation at once."""
        return call(self._server, operation, arguments)

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[Next]:
        """Hear what happens from now on."""
        with Watch(self._server.world) as watch:
            yield watch.news


class Remote:
    """A running server, by its address. An async context manager."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "Remote":
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    @property
    def _http(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise RuntimeError("Remote is used outside of `async with`.")
        return self._session

    async def call(self, operation: str, /, **arguments: Any) -> Any:
        """Do an operation over HTTP."""
        async with self._http.post(f"{self._address}/loopback/call/{operation}", json=arguments) as response:
            answer = await response.json()
        if response.status != 200:
            raise OperationFailed(answer["error"])
        return answer["result"]

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[Next]:
        """Hear what happens from the moment the server has answered."""
        timeout = aiohttp.ClientTimeout(total=None)
        async with self._http.get(f"{self._address}/loopback/happenings", timeout=timeout) as response:
            await response.content.readline()

            async def following() -> Json:
                while line := await response.content.readline():
                    if line.startswith(b"data: "):
                        note: Json = json.loads(line[6:])
                        return note
                raise ConnectionError("The server has stopped.")

            yield following


async def until(link: Link, look: Callable[[], Awaitable[T]], holds: Callable[[T], object], what: str, *, patience: float = PATIENCE) -> T:
    """Look again whenever something happens, until `holds`; raises `NotSeen` after `patience` seconds, saying what was seen last."""
    async with link.watch() as following:
        seen = await look()
        try:
            async with asyncio.timeout(patience):
                while not holds(seen):
                    await following()
                    seen = await look()
        except TimeoutError as error:
            raise NotSeen(f"After {patience:.0f} s this has not come: {what}. There was: {seen!r}") from error
    return seen
