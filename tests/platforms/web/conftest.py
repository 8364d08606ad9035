import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from coterie.platforms.web.application import create_app
from coterie.platforms.web.house import House
from coterie.platforms.web.server import serve
from fakes.houses import build, furnished, open_client


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    asyncio.run(build(folder))
    return folder


@pytest.fixture
async def house(built, tmp_path) -> AsyncIterator[House]:
    folder = shutil.copytree(built, tmp_path / "house")
    async with furnished(folder) as house:
        yield house


@pytest.fixture
async def client(house) -> AsyncIterator[httpx2.AsyncClient]:
    async with open_client(house) as client:
        yield client


@pytest.fixture
async def served(house) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the same house over a real socket."""
    serving = await serve(create_app(house), "127.0.0.1", 0)
    async with httpx2.AsyncClient(base_url=serving.address, trust_env=False, timeout=60) as client:
        yield client
    house.rooms.hub.close()
    await serving.close()


@pytest.fixture(scope="module")
def address(built, tmp_path_factory) -> Iterator[str]:
    """The address of a house that is served by a thread of its own, for clients that block."""
    folder = shutil.copytree(built, tmp_path_factory.mktemp("served") / "house")
    is_up, addresses, ends = threading.Event(), [], []

    async def run() -> None:
        async with furnished(folder) as house:
            serving = await serve(create_app(house), "127.0.0.1", 0)
            may_end = asyncio.Event()
            loop = asyncio.get_running_loop()
            addresses.append(serving.address)
            ends.append(lambda: loop.call_soon_threadsafe(may_end.set))
            is_up.set()
            await may_end.wait()
            house.rooms.hub.close()
            await serving.close()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    is_up.wait()
    yield addresses[0]
    ends[0]()
    thread.join()
