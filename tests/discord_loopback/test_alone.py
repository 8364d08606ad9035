"""The server as a process of its own: its command line, its seed, its client over HTTP, and who may ask."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from discord_loopback import connected
from discord_loopback.client import Loopback, NotSeen, OperationFailed
from discord_loopback.seeds import BadSeed, example, plant, read_seed
from discord_loopback.server import Server
from fakes.loopback_bots import Bot, running


@asynccontextmanager
async def started(*arguments: str) -> AsyncIterator[list[str]]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "discord_loopback", *arguments, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield [(await process.stdout.readline()).decode() for _ in range(2)]
    finally:
        process.terminate()
        await process.wait()


async def test_a_running_server_takes_bots_and_a_client():
    async with started("--port", "0") as (first, second):
        url, token = first.split()[0], second.rpartition("DISCORD_TOKEN=")[2].strip()
        assert f"DISCORD_SERVER_URL={url}" in second
        async with connected(url) as loopback, running(loopback, Bot(), token=token):
            general = await (await loopback.guild()).channel("general")
            ann = await loopback.person("ann")
            waiting = asyncio.create_task(general.until_said("here"))
            await ann.write(general, "here")
            assert (await waiting).name == "ann"
            with pytest.raises(OperationFailed, match="no person “nobody”"):
                await loopback.person("nobody")
            with pytest.raises(OperationFailed, match="There is nothing to send"):
                await ann.write(general)
            with pytest.raises(NotSeen, match=r"There was: .*here"):
                await general.until_said("never", patience=0.01)


async def run(*arguments: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "discord_loopback", *arguments, stderr=asyncio.subprocess.PIPE)
    _, said = await process.communicate()
    return process.returncode, said.decode()


async def test_a_seed_that_cannot_be_used_is_told_in_one_sentence(tmp_path: Path):
    seed = tmp_path / "seed.json"
    seed.write_text("[")
    code, said = await run("--port", "0", "--seed", str(seed))
    assert (code, len(said.splitlines())) == (1, 1)
    assert "is not JSON" in said


async def test_a_port_that_is_taken_is_told_in_one_sentence(loopback: Loopback):
    code, said = await run("--port", loopback.url.rpartition(":")[2])
    assert (code, len(said.splitlines())) == (1, 1)


def changed(**changes: Any) -> dict[str, Any]:
    seed = json.loads(json.dumps(example()))
    seed["guilds"][0] |= changes
    return seed


@pytest.mark.parametrize(
    ("seed", "sentence"),
    [
        ({"gilds": []}, "The seed has an unknown key “gilds”"),
        ({"guilds": [{}]}, "Guild 1 needs a name"),
        ({"guilds": ["x"]}, "Guild 1 must be an object"),
        ({"guilds": 5}, "wrong kind"),
        ({"applications": [{"name": "a", "intents": ["all"]}]}, "no privileged intent “all”"),
        (changed(owner="nobody"), "no person “nobody”"),
        (changed(channels=[{"name": "x", "type": "chat"}]), "no channel type “chat”"),
        (changed(channels=[{"name": "x", "overwrites": [{"role": "None"}]}]), "no role “None”"),
        (changed(roles=[{"name": "x", "permissions": ["fly"]}]), "no permission “fly”"),
        (changed(applications=["x"]), "no application “x”"),
        (changed(id="x"), "The id “x” of “The House” is not a number"),
    ],
)
def test_bad_seeds(seed: dict[str, Any], sentence: str):
    with pytest.raises(BadSeed, match=sentence):
        plant(Server().world, seed)


def test_a_seed_that_is_not_there(tmp_path: Path):
    with pytest.raises(BadSeed, match="cannot be read"):
        read_seed(tmp_path / "none.json")


async def test_other_sites_pages_may_not_ask(loopback: Loopback):
    address = f"{loopback.url}/loopback/call/guilds"
    async with aiohttp.ClientSession() as session:
        for headers in ({"Origin": "http://evil.test"}, {"Host": "evil.test"}, {"Host": "evil.test:" + loopback.url.rpartition(":")[2]}):
            assert (await session.post(address, json={}, headers=headers)).status == 403
        assert (await session.post(address, data="{}", headers={"Content-Type": "text/plain"})).status == 415
        assert (await session.post(address, data="{", headers={"Content-Type": "application/json"})).status == 400
        assert (await session.post(address, json={}, headers={"Origin": loopback.url})).status == 200
