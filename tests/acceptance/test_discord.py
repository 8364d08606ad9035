"""The unmodified `coterie serve` on a Discord-compatible server: it speaks there; killed, it loses and repeats nothing."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from acceptance.running import STEP, start
from coterie.platforms.discord.places import spot
from discord_loopback.serving import serving


async def seen(look, holds):
    """Look until something holds of what is seen."""
    for _ in range(int(60 / STEP)):
        if holds(await look()):
            return
        await asyncio.sleep(STEP)
    raise AssertionError(await look())


@asynccontextmanager
async def bot(home, loopback, **variables):
    """A process that has connected; killed at the end, if it still runs."""
    application = await loopback.application()
    others = await application.connections()
    known = {"DISCORD_TOKEN": application.token, "DISCORD_SERVER_URL": loopback.url}
    # The server lives in this process, so that nothing here may block while the bot comes up.
    running = await asyncio.to_thread(start, home, **known, **variables)
    try:
        await application.until_online(others + 1, patience=60)
        yield running
    finally:
        running.kill()
        await seen(application.connections, lambda count: count <= others)


@pytest.fixture
async def loopback():
    async with serving() as opened:
        yield opened
        assert not await opened.unknown_routes()


async def general_of(loopback):
    return await (await loopback.guild()).channel("general")


async def texts(channel):
    return [(message.name, message.content) for message in (await channel.messages()) if message.name != "ann"]


async def test_the_bot_comes_online_and_two_personas_answer(tmp_path, loopback):
    general = await general_of(loopback)
    ann = await loopback.person("ann")
    async with bot(tmp_path / "home", loopback) as running:
        await ann.write(general, "bram and wren, hello {{say@bram: Good evening.}} {{say@wren: It is late.}}")
        await general.until_said("It is late.", patience=60)
        assert await texts(general) == [("Bram", "Good evening."), ("Wren", "It is late.")]
        assert await asyncio.to_thread(running.stop) == 0
    assert "On Discord as Coterie" in (tmp_path / "home" / "serve.txt").read_text()


async def test_a_token_that_is_refused_is_one_sentence_and_the_rooms_go_on(tmp_path, loopback):
    running = await asyncio.to_thread(start, tmp_path / "home", DISCORD_TOKEN="nonsense", DISCORD_SERVER_URL=loopback.url)
    try:
        log = await until(lambda: (tmp_path / "home" / "serve.txt").read_text(), lambda text: "refuses the token in DISCORD_TOKEN" in text)
        assert "Traceback" not in log
        with running.api() as api:
            assert (await asyncio.to_thread(api.get, "/healthz")).status_code == 200
        assert await asyncio.to_thread(running.stop) == 0
        assert "Traceback" not in (tmp_path / "home" / "serve.txt").read_text()
    finally:
        running.kill()


async def test_two_processes_share_one_database_and_each_serves_its_servers(tmp_path, loopback, postgres_url):
    """Restarted one at a time; nobody answers twice, and the rooms stay with the first."""
    ann = await loopback.person("ann")
    application = await loopback.application()
    channels = {}
    while len(channels) < 2:
        guild = await loopback.create_guild(f"Guild {len(channels)}", ann)
        await guild.install(application.id)
        channels.setdefault((int(guild.id) >> 22) % 2, await guild.create_channel("talk"))
    shared = {"DATABASE_URL": postgres_url, "DISCORD_SHARD_COUNT": "2"}

    def shard(number):
        return bot(tmp_path / f"home{number}", loopback, DISCORD_SHARD_IDS=str(number), **shared)

    async def both_answer(word):
        for number, channel in channels.items():
            await ann.write(channel, f"bram {{{{say: {word} {number}}}}}")
        for number, channel in channels.items():
            await channel.until_said(f"{word} {number}", patience=60)

    async with shard(0):
        async with shard(1):
            await application.until_online(2, patience=60)
            await both_answer("First")
        await ann.write(channels[1], "wren {{say: Late.}}")
        async with shard(1):
            await application.until_online(2, patience=60)
            await both_answer("Second")
    for number, channel in channels.items():
        assert await texts(channel) == [("Bram", f"First {number}"), ("Bram", f"Second {number}")]
    assert "The rooms belong to another" in (tmp_path / "home1" / "serve.txt").read_text()
    assert "The rooms belong to another" not in (tmp_path / "home0" / "serve.txt").read_text()


async def until(look, holds, seconds=60):
    """Look in a thread until something holds of what is seen; what was seen then."""
    for _ in range(int(seconds / STEP)):
        if holds(seen := await asyncio.to_thread(look)):
            return seen
        await asyncio.sleep(STEP)
    raise AssertionError(seen)


async def is_kept(running, loopback, channel, text):
    """Wait until a line is kept, whether or not anybody sees it."""
    room = spot(int(channel.id), int((await loopback.guild()).id), None).session
    with running.api() as api:
        await until(lambda: api.get(f"/v1/session/{room}/messages").text, lambda kept: text in kept)


@pytest.mark.parametrize(
    ("text", "fault", "point"),
    [
        # The model thinks.
        ("bram and odile {{sleep@bram: 3}} {{say@bram: First.}} {{say@odile: Second.}}", None, "asked"),
        # The line is kept and on its way.
        ("bram and odile {{say@bram: First.}} {{say@odile: Second.}}", {"kind": "latency", "seconds": 60}, "kept"),
        # Discord has it, and we do not know.
        ("bram and odile {{say@bram: First.}} {{say@odile: Second.}}", {"kind": "late", "seconds": 60}, "First."),
        # The second persona thinks.
        ("bram and odile {{sleep@odile: 3}} {{say@bram: First.}} {{say@odile: Second.}}", None, "First."),
    ],
)
async def test_kill_nine_at_any_point_of_a_turn_loses_and_repeats_nothing(tmp_path, loopback, text, fault, point):
    general = await general_of(loopback)
    ann = await loopback.person("ann")
    home = tmp_path / "home"
    async with bot(home, loopback) as running:
        await ann.write(general, "bram {{say: Before.}}")
        await general.until_said("Before.", patience=60)
        await loopback.forget_traffic()
        if fault:
            await loopback.begin_fault(method="POST", route="/webhooks/*", times=1, **fault)
        await ann.write(general, text)
        if point == "asked":
            await loopback.until_requests(bool, method="POST", route="/channels/{channel}/typing")
        elif point == "kept":
            await is_kept(running, loopback, general, "First.")
        else:
            await general.until_said(point, patience=60)
        running.kill()
    await loopback.lift()
    async with bot(home, loopback):
        await general.until_said("Second.", patience=60)
        await ann.write(general, "wren {{say: After.}}")
        await general.until_said("After.", patience=60)
    assert await texts(general) == [("Bram", "Before."), ("Bram", "First."), ("Coterie", "Second."), ("Wren", "After.")]
