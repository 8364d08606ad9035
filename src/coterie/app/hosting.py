"""Finds the API of a home, or hosts it: the first process on a home is its owner, all others are the owner's clients."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from coterie.app.console import CommandFailed
from coterie.app.environment import Environment, EnvironmentRefused, read_environment
from coterie.app.home import Home, HomeLock, HomeUnusable, Owner, open_home, owner_of
from coterie.platforms.terminal.client import ApiClient, ApiFailed

PATIENCE_SECONDS = 15.0
_STEP_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Place:
    """Where the API listens; `token` is empty where none is asked for."""

    host: str = "127.0.0.1"
    port: int = 0
    token: str = ""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in {"127.0.0.1", "::1", "localhost"}


def prepare(folder: str) -> tuple[Environment, Home]:
    """Read the environment and open the home. Raises `CommandFailed` with one sentence."""
    try:
        environment = read_environment()
        return environment, open_home(folder or environment.home)
    except (EnvironmentRefused, HomeUnusable) as error:
        raise CommandFailed(str(error), 2) from error


@asynccontextmanager
async def reach(folder: str, kind: str) -> AsyncIterator[ApiClient]:
    """A client of whoever runs on the home; when nobody does, the API is hosted here until the client is done."""
    environment, home = prepare(folder)
    lock = HomeLock(home)
    for _ in range(int(PATIENCE_SECONDS / _STEP_SECONDS)):
        if lock.take():
            async with host(environment, home, lock, kind, Place(token=secrets.token_urlsafe(24))) as owner, _client(owner) as client:
                yield client
            return
        if (owner_now := owner_of(home)) is not None:
            async with _client(owner_now) as client:
                if await _answers(client):
                    yield client
                    return
        await asyncio.sleep(_STEP_SECONDS)
    raise CommandFailed(f"Another process holds the home {home.folder} and does not answer.")


@asynccontextmanager
async def host(
    environment: Environment, home: Home, lock: HomeLock, kind: str, place: Place, *, tell: Callable[[str], None] | None = None
) -> AsyncIterator[Owner]:
    """Run everything in this process and announce where it listens. The lock is held by the caller and released here.

    `tell` says sentences to the owner; without it nothing is connected to Discord.
    """
    from coterie.app.wiring import open_house
    from coterie.platforms.web.application import create_app
    from coterie.platforms.web.server import AddressRefused, serve
    from coterie.ports.stores import StoreError

    try:
        async with open_house(environment, home, token=place.token or None, is_loopback=place.is_loopback, tell=tell) as opened:
            serving = await serve(create_app(opened.house), place.host, place.port)
            try:
                await opened.begin()
                owner = Owner(os.getpid(), kind, serving.address, place.token)
                lock.announce(owner)
                yield owner
            finally:
                await opened.end_streams()
                await serving.close()
    except (StoreError, AddressRefused) as error:
        raise CommandFailed(str(error)) from error
    finally:
        lock.release()


@asynccontextmanager
async def _client(owner: Owner) -> AsyncIterator[ApiClient]:
    async with ApiClient(owner.address, owner.token) as client:
        yield client


async def _answers(client: ApiClient) -> bool:
    try:
        await client.health()
    except ApiFailed:
        return False
    return True
