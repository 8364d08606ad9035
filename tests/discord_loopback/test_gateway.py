"""The gateway: intents, resumes, close codes, shards; spoken raw where a library would hide it."""

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import orjson
import pytest
import zstandard

from discord_loopback.client import Channel, Guild, Loopback, Person
from discord_loopback.serving import serving
from discord_loopback.switches import Switches
from fakes.loopback_bots import Bot, running, usual

MESSAGES, CONTENT = 1 << 0 | 1 << 9, 1 << 15


class Raw:
    """A bare connection; frames as JSON."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, compress: str) -> None:
        self.socket = socket
        unzip, unzstd = zlib.decompressobj(), zstandard.ZstdDecompressor().decompressobj()
        self._read = {"zlib-stream": unzip.decompress, "zstd-stream": unzstd.decompress}.get(compress, lambda data: data)

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_bytes(orjson.dumps({"op": op, "d": data}))

    async def frame(self) -> dict[str, Any]:
        message = await self.socket.receive(timeout=30)
        data = message.data.encode() if message.type is aiohttp.WSMsgType.TEXT else message.data
        return orjson.loads(self._read(data))

    async def event(self, name: str) -> dict[str, Any]:
        while (frame := await self.frame())["t"] != name:
            pass
        return frame

    async def code(self) -> int | None:
        while (message := await self.socket.receive(timeout=30)).type not in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
            pass
        return self.socket.close_code if message.type is aiohttp.WSMsgType.CLOSED else message.data

    async def identify(self, token: str, **more: Any) -> dict[str, Any]:
        await self.send(2, {"token": token, "properties": {}, "intents": MESSAGES | CONTENT, **more})
        return (await self.event("READY"))["d"]


@asynccontextmanager
async def raw(loopback: Loopback, compress: str = "", version: str = "10") -> AsyncIterator[Raw]:
    async with aiohttp.ClientSession() as session:
        query = {"v": version, "encoding": "json"} | ({"compress": compress} if compress else {})
        async with session.ws_connect(f"{loopback.url}/gw", params=query) as socket:
            yield Raw(socket, compress)


@pytest.fixture
async def token(loopback: Loopback) -> str:
    return (await loopback.application()).token


@pytest.mark.parametrize("compress", ["", "zlib-stream", "zstd-stream"])
async def test_the_order_of_a_session(loopback: Loopback, token: str, compress: str, general: Channel, ann: Person):
    async with raw(loopback, compress) as one:
        assert (await one.frame())["op"] == 10
        ready = await one.identify(token)
        assert [guild["unavailable"] for guild in ready["guilds"]] == [True]
        assert (await one.frame())["t"] == "GUILD_CREATE"
        await one.send(1, None)
        assert (await one.frame())["op"] == 11
        await ann.write(general, "x" * 1000)
        frame = await one.frame()
        assert (frame["t"], frame["s"], frame["d"]["content"]) == ("MESSAGE_CREATE", 3, "x" * 1000)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([(2, {"token": "wrong", "intents": 0, "properties": {}})], 4004),
        ([(2, {"intents": 1 << 60})], 4013),
        ([(2, {"intents": 1 << 8})], 4014),
        ([(2, {"intents": 0, "shard": [2, 2]})], 4010),
        ([(2, {"intents": 0}), (2, {"intents": 0})], 4005),
        ([(8, {})], 4003),
        ([(99, {})], 4001),
        ([(1, "x" * 5000)], 4002),
        ([(6, {"session_id": "none", "seq": 1}), (99, {})], 4001),
        ([(1, None)] * 130, 4008),
    ],
)
async def test_close_codes(loopback: Loopback, token: str, frames: list[tuple[int, Any]], code: int):
    async with raw(loopback) as one:
        for op, data in frames:
            await one.send(op, {"token": token, "properties": {}, **data} if op in (2, 6) else data)
        assert await one.code() == code


async def test_another_version_of_the_gateway_is_refused(loopback: Loopback):
    async with raw(loopback, version="3") as one:
        assert await one.code() == 4012


async def test_what_is_no_json_is_refused(loopback: Loopback):
    async with raw(loopback) as one:
        await one.socket.send_str("{")
        assert await one.code() == 4002


async def test_without_the_content_intent_only_what_concerns_the_bot_can_be_read(
    loopback: Loopback, token: str, general: Channel, ann: Person
):
    bot = await loopback.application()
    async with raw(loopback) as one:
        await one.identify(token, intents=MESSAGES)
        await ann.write(general, "secret")
        assert (await one.event("MESSAGE_CREATE"))["d"]["content"] == ""
        await ann.write(general, f"for {bot.mention}")
        assert (await one.event("MESSAGE_CREATE"))["d"]["content"] == f"for {bot.mention}"


async def test_a_session_hears_only_what_it_asked_for_and_may_see(
    loopback: Loopback, token: str, guild: Guild, general: Channel, ann: Person
):
    library = await guild.channel("library")
    await library.set_overwrite(deny=["view_channel"])
    async with raw(loopback) as one:
        await one.identify(token)
        await ann.type(general)
        await ann.write(library, "unseen")
        await ann.write(general, "seen")
        frames = [await one.frame(), await one.frame()]
        assert [frame["t"] for frame in frames] == ["GUILD_CREATE", "MESSAGE_CREATE"]


async def test_a_resume_repeats_what_was_missed(loopback: Loopback, token: str, general: Channel, ann: Person):
    async with raw(loopback) as one:
        ready = await one.identify(token)
        await one.event("GUILD_CREATE")
        assert await loopback.drop() == 1
    await ann.write(general, "missed")
    async with raw(loopback, "zstd-stream") as two:
        await two.send(6, {"token": token, "session_id": ready["session_id"], "seq": 2})
        assert (await two.event("MESSAGE_CREATE"))["d"]["content"] == "missed"
        resumed = await two.frame()
        assert (resumed["t"], resumed["s"]) == ("RESUMED", 4)
        async with raw(loopback) as three:
            await three.send(6, {"token": token, "session_id": ready["session_id"], "seq": 99})
            assert await three.code() == 4007


async def test_a_session_that_is_no_longer_known_is_invalid(loopback: Loopback, token: str):
    async with raw(loopback) as one:
        ready = await one.identify(token)
        await one.socket.close(code=1000)
    async with raw(loopback) as two:
        await two.frame()
        await two.send(6, {"token": token, "session_id": ready["session_id"], "seq": 1})
        assert await two.frame() == {"op": 9, "d": False, "s": None, "t": None}


async def test_discord_py_survives_every_kind_of_interruption(loopback: Loopback, bot: Bot, general: Channel, ann: Person):
    await loopback.drop()
    await bot.hears("resumed")
    await loopback.reconnect()
    await bot.hears("resumed")
    for code in (4000, 4009, 1001):
        await loopback.drop(code=code)
        await bot.hears("resumed")
    await ann.write(general, "still here?")
    assert (await bot.hears("message")).content == "still here?"
    await loopback.switch(duplicate_events=True)
    await ann.write(general, "twice")
    assert [(await bot.hears("message")).content for _ in range(2)] == ["twice", "twice"]


async def test_events_can_overtake_each_other(loopback: Loopback, bot: Bot, general: Channel, ann: Person):
    webhook = await general.create_webhook("proxy")
    async with loopback.holding("MESSAGE_DELETE"):
        written = await ann.write(general, "mine")
        await general.repost(written, webhook=webhook["id"], name="Proxied", delete_first=True)
        assert [(await bot.hears("message")).author.name for _ in range(2)] == ["ann", "Proxied"]
    assert (await bot.hears("raw_message_delete")).message_id == int(written.id)


async def test_members_come_in_chunks(loopback: Loopback, guild: Guild):
    for number in range(1200):
        await loopback.create_person(f"member{number}", guild)
    async with running(loopback, Bot(), token=(await loopback.application()).token) as bot:
        assert len(bot.guilds[0].members) == 1203
        found = await bot.guilds[0].query_members("member119", limit=5)
        assert len(found) == 5


async def test_shards_share_the_guilds(loopback: Loopback, ann: Person):
    application = await loopback.application()
    for number in range(6):
        made = await loopback.create_guild(f"guild {number}", ann)
        await made.install(application.id)
    seen: list[set[int]] = []
    for shard in (0, 1):
        async with running(loopback, Bot(shard_id=shard, shard_count=2)) as bot:
            seen.append({guild.id for guild in bot.guilds})
            assert all((guild.id >> 22) % 2 == shard for guild in bot.guilds)
    assert (len(seen[0] | seen[1]), seen[0] & seen[1]) == (7, set())


async def test_kicked_timed_out_and_stripped(loopback: Loopback, bot: Bot, guild: Guild, general: Channel):
    channel = bot.get_channel(int(general.id))
    assert isinstance(channel, discord.TextChannel)
    application = await loopback.application()
    await guild.time_out(application.id, 60)
    _, after = await bot.hears("member_update")
    assert after.is_timed_out()
    with pytest.raises(discord.Forbidden) as forbidden:
        await channel.send("x")
    assert forbidden.value.code == 50013
    await guild.time_out(application.id, 0)
    await channel.send("y")
    await guild.outage()
    assert (await bot.hears("guild_unavailable")).id == int(guild.id)
    await guild.outage(begin=False)
    await bot.hears("guild_available")
    await guild.kick(application.id)
    assert (await bot.hears("guild_remove")).id == int(guild.id)


async def test_who_joins_waits_for_the_rules_and_leaves(loopback: Loopback, bot: Bot, guild: Guild):
    zoe = await loopback.create_person("zoe")
    await guild.join(zoe, pending=True)
    joined = await bot.hears("member_join")
    assert (joined.id, joined.pending, joined.guild.id) == (int(zoe.id), True, int(guild.id))
    assert (await joined.guild.fetch_member(joined.id)).pending
    await guild.admit(zoe)
    before, after = await bot.hears("member_update")
    assert (before.pending, after.pending) == (True, False)
    assert not (await joined.guild.fetch_member(joined.id)).pending
    await guild.kick(zoe.id)
    assert (await bot.hears("raw_member_remove")).user.id == int(zoe.id)
    with pytest.raises(discord.NotFound):
        await joined.guild.fetch_member(joined.id)


async def test_without_the_members_intent_nobody_hears_who_joins(loopback: Loopback, guild: Guild, general: Channel, ann: Person):
    intents = usual()
    intents.members = False
    async with running(loopback, Bot(intents)) as deaf:
        await guild.join(await loopback.create_person("zoe"))
        await ann.write(general, "hello")
        names = []
        while "message" not in names:
            names.append((await deaf.heard.get())[0])
        assert "member_join" not in names


async def test_two_processes_with_one_token_both_hear(loopback: Loopback, bot: Bot, general: Channel, ann: Person):
    async with running(loopback, Bot(usual())) as other:
        await (await loopback.application()).until_online(2)
        await ann.write(general, "both")
        heard = await asyncio.gather(bot.hears("message"), other.hears("message"))
        assert [one.content for one in heard] == ["both", "both"]


async def test_a_sharded_client_asks_how_many(loopback: Loopback, general: Channel, ann: Person):
    class Sharded(Bot, discord.AutoShardedClient):
        pass

    async with running(loopback, Sharded()) as bot:
        assert bot.shard_count == 1
        await ann.write(general, "heard")
        assert (await bot.hears("message")).content == "heard"
    assert len(await loopback.requests("GET", "/gateway/bot")) == 1


async def test_a_heartbeat_is_answered_after_its_sender_has_noted_it():
    """discord.py notes in a thread of its own when it sent one; an answer before that counts as one to the beat before."""
    async with serving(switches=Switches(heartbeat_interval=0.4)) as loopback, running(loopback, Bot()) as bot:
        seen = []
        for _ in range(10):
            await asyncio.sleep(0.4)
            seen.append(bot.latency)
    assert max(seen) < 0.35, seen
