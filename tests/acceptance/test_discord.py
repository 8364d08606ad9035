"""The unmodified `coterie serve` on a Discord-compatible server: it speaks there; killed, it loses and repeats nothing."""

import asyncio
import socket
import time
from contextlib import asynccontextmanager

import httpx2
import pytest

from acceptance.running import STEP, coterie, start
from coterie.platforms.discord.places import spot
from discord_loopback.client import Loopback
from discord_loopback.client.links import Local
from discord_loopback.serving import make_server, serving


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


async def workspace_of(loopback):
    return f"discord:{(await loopback.guild()).id}"


async def why(home, loopback, *arguments):
    """Who answered, by `coterie why`; or the sentence of a refusal."""
    result = await asyncio.to_thread(coterie, home, "why", "--workspace", await workspace_of(loopback), *arguments)
    return result.stderr.strip() or [line.split(" (")[0] for line in result.stdout.splitlines() if "answered):" in line]


async def test_the_bot_comes_online_and_two_personas_answer(tmp_path, loopback):
    general = await general_of(loopback)
    ann = await loopback.person("ann")
    async with bot(tmp_path / "home", loopback) as running:
        await ann.write(general, "bram and wren, hello {{say@bram: Good evening.}} {{say@wren: It is late.}}")
        await general.until_said("It is late.", patience=60)
        assert await texts(general) == [("Bram", "Good evening."), ("Wren", "It is late.")]
        assert await why(running.home, loopback, "--room", "general") == ["Bram", "Wren"]
        assert await why(running.home, loopback) == f"Name a room of {await workspace_of(loopback)} with --room: general."
        assert await asyncio.to_thread(running.stop) == 0
    assert "On Discord as Coterie" in (tmp_path / "home" / "serve.txt").read_text()


async def test_a_server_is_set_up_over_http_before_anybody_has_called_and_each_change_counts_at_once(tmp_path, loopback):
    general, ann, workspace = await general_of(loopback), await loopback.person("ann"), await workspace_of(loopback)
    async with bot(tmp_path / "home", loopback) as running, httpx2.AsyncClient(base_url=running.address) as api:

        async def names():
            return {each["workspace"]: each["name"] for each in (await api.get("/v1/workspaces")).json()["workspaces"]}

        await seen(names, lambda found: workspace in found)
        assert (await names())[workspace] == (await loopback.guild()).name
        # Nobody has a role of this number.
        (await api.put(f"/v1/access/roles/12345?workspace={workspace}")).raise_for_status()
        unheard = await ann.write(general, "bram? {{say: Too early.}}")

        async def refused():
            answer = await api.get(f"/v1/why/{unheard.id}")
            return {each["persona"]: each["why"] for each in answer.json().get("skipped", ())}

        await seen(refused, lambda skipped: skipped.get("bram") == "role-needed")
        (await api.delete(f"/v1/access/roles/12345?workspace={workspace}")).raise_for_status()
        await ann.write(general, "bram? {{say: Now.}}")
        await general.until_said("Now.", patience=60)
        assert await texts(general) == [("Bram", "Now.")]


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


@pytest.fixture
def later():
    """A server that does not listen yet, a client for it, and the address that it will have."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server, url = make_server(), f"http://127.0.0.1:{port}"
    return server, Loopback(Local(server), url), port


async def test_a_server_that_is_not_there_yet_is_tried_until_it_is_and_the_page_works_meanwhile(tmp_path, later):
    server, loopback, port = later
    home, token = tmp_path / "home", (await loopback.application()).token
    running = await asyncio.to_thread(start, home, DISCORD_TOKEN=token, DISCORD_SERVER_URL=loopback.url)
    try:
        await until((home / "serve.txt").read_text, lambda text: "no Discord-compatible server" in text)
        with running.api() as api:
            assert (await asyncio.to_thread(api.get, "/healthz")).status_code == 200
        # Two more tries go by unheard.
        await asyncio.sleep(3.5)
        await server.start(port=port)
        general, ann = await general_of(loopback), await loopback.person("ann")
        await (await loopback.application()).until_online(patience=60)
        await ann.write(general, "bram, hello {{say: Good evening.}}")
        await general.until_said("Good evening.", patience=60)
        assert await asyncio.to_thread(running.stop) == 0
    finally:
        running.kill()
        await server.stop()
    told = (home / "serve.txt").read_text()
    assert told.count("no Discord-compatible server") == 1
    assert told.count("On Discord as Coterie") == 1
    assert "Traceback" not in told
    assert "Unclosed" not in told


async def test_a_serve_that_waits_for_its_server_stops_at_once(tmp_path, later):
    _, loopback, _ = later
    home = tmp_path / "home"
    running = await asyncio.to_thread(start, home, DISCORD_TOKEN="any", DISCORD_SERVER_URL=loopback.url)
    try:
        await until((home / "serve.txt").read_text, lambda text: "tried again" in text)
        began = time.monotonic()
        assert await asyncio.to_thread(running.stop) == 0
        assert time.monotonic() - began < 5
    finally:
        running.kill()
    assert "Unclosed" not in (home / "serve.txt").read_text()


@pytest.mark.parametrize("route", ["/users/@me", "/oauth2/applications/@me", "/gateway/bot"])
async def test_a_server_out_of_order_is_tried_again(tmp_path, loopback, route):
    home, application = tmp_path / "home", await loopback.application()
    if is_gateway := route == "/gateway/bot":
        # It is asked for before the login and after it; the second time is the library's own.
        await loopback.begin_fault("latency", method="GET", route="/users/@me", seconds=2, times=1)
    else:
        await loopback.begin_fault("status", method="GET", route=route, times=1, status=403)
    starting = asyncio.create_task(asyncio.to_thread(start, home, DISCORD_TOKEN=application.token, DISCORD_SERVER_URL=loopback.url))
    if is_gateway:
        await seen(loopback.traffic, lambda traffic: any(one["path"] == route for one in traffic["exchanges"]))
        await loopback.begin_fault("status", method="GET", route=route, times=1, status=403)
    running = await starting
    try:
        await application.until_online(patience=60)
        await until((home / "serve.txt").read_text, lambda text: "On Discord as Coterie" in text)
        assert await asyncio.to_thread(running.stop) == 0
    finally:
        running.kill()
    told = (home / "serve.txt").read_text()
    assert told.count("tried again") == 1
    assert "Traceback" not in told
    assert "Unclosed" not in told


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
