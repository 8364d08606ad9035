"""Listening: the app on an address, inside the loop that runs already. Signals belong to whoever calls this."""

import asyncio
import errno
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.types import ASGIApp

_BACKLOG = 512
_GRACE_SECONDS = 3


class AddressRefused(Exception):
    """The server cannot listen there; the text is one sentence for a person."""


class PortTaken(AddressRefused):
    """Something else listens there already."""


class _Server(uvicorn.Server):
    """The library's server without its signal handlers, and with an event for the moment when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.is_up.set()


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that listens. `port` is the real one, also where 0 was asked for."""

    host: str
    port: int
    _server: _Server = field(repr=False)
    _task: "asyncio.Task[None]" = field(repr=False)

    @property
    def address(self) -> str:
        """The address as a browser takes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    async def close(self) -> None:
        """Take no more requests, let the running ones end, cut off what still streams after three seconds.

        End the rooms' streams first, then nothing has to be cut off.
        """
        self._server.should_exit = True
        await self._task

    async def closed(self) -> None:
        """Wait until the server has ended, for whatever reason."""
        await asyncio.shield(self._task)


async def serve(app: ASGIApp, host: str, port: int) -> Serving:
    """Listen on `host` and `port` (0: a free one) and answer from now on. Raises `PortTaken` and `AddressRefused`."""
    listener = await _listen(host, port)
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]), name="http server")
    up = asyncio.create_task(server.is_up.wait())
    await asyncio.wait({task, up}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        up.cancel()
        listener.close()
        await task
    return Serving(host, listener.getsockname()[1], server, task)


async def _listen(host: str, port: int) -> socket.socket:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        # The protocol is named, since the loop switches off Nagle's delay (40 ms an answer) only where it reads TCP there.
        return _bound(socket.socket(family, kind, protocol), address)
    except (OSError, UnicodeError) as error:
        # UnicodeError: a host whose name cannot be one, such as a label of more than 63 characters.
        raise _refused(host, port, error) from error


def _bound(listener: socket.socket, address: Any) -> socket.socket:
    try:
        if sys.platform != "win32":
            # There it would let a second program listen on the same port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _refused(host: str, port: int, error: OSError | UnicodeError) -> AddressRefused:
    if isinstance(error, (UnicodeError, socket.gaierror)):
        return AddressRefused(f"The host {host} is not known here.")
    if error.errno == errno.EADDRINUSE:
        return PortTaken(f"Port {port} on {host} is taken by another program; choose another one with --port, or 0 for any free one.")
    return AddressRefused(f"Listening on {host}, port {port}, is not possible: {(error.strerror or str(error)).lower()}.")
