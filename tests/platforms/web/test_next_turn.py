"""What is set over HTTP counts from the next message on, in a room and in a server; the house is as it really is."""

import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx2
import pytest

from coterie.app.environment import Environment
from coterie.app.home import Home
from coterie.app.wiring import open_house
from coterie.domain.access import Standing
from coterie.domain.conversation import IncomingMessage, Person
from coterie.domain.ids import MessageId, PlaceId, RoleId, SessionId, UserId, WorkspaceId
from coterie.flows.talk import Talk
from fakes.houses import open_client

GUILD, HALL, ROOM = WorkspaceId("discord:7"), PlaceId("11"), SessionId("chat-00000000-0000-4000-8000-000000000007")
ANN, FRIEND = UserId("5"), RoleId("3")


@dataclass
class Server:
    """A channel of a server, and the API beside it."""

    talk: Talk
    api: httpx2.AsyncClient
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    async def put(self, path, **body):
        (await self.api.put(f"/v1/access/{path}?workspace={GUILD}", json=body)).raise_for_status()

    async def lift(self, path):
        (await self.api.delete(f"/v1/access/{path}?workspace={GUILD}")).raise_for_status()

    async def set(self, **values):
        change = {name.replace("_", "-"): value for name, value in values.items()}
        (await self.api.patch(f"/v1/settings?workspace={GUILD}", json=change)).raise_for_status()

    async def says(self, text, roles=()):
        """Who answers, and why each of the others does not."""
        standing = Standing(HALL, roles=tuple(roles))
        message = MessageId(f"said-{next(self.numbers)}")
        await self.talk.receive(IncomingMessage(message, GUILD, ROOM, Person(ANN, "Ann"), text, datetime.now(UTC), standing=standing))
        await self.talk.idle()
        response = await self.api.get(f"/v1/why/{message}")
        plan = response.json() if response.status_code == 200 else {"turns": [], "skipped": []}
        return [turn["persona"] for turn in plan["turns"]], {skip["persona"]: skip["why"] for skip in plan["skipped"]}


@pytest.fixture
async def server(tmp_path, sqlite_template) -> AsyncIterator[Server]:
    (tmp_path / "coterie.db").write_bytes(sqlite_template.read_bytes())
    async with open_house(Environment(COTERIE_MODEL="scripted"), Home(tmp_path), token=None, is_loopback=True) as opened:
        await opened.house.sessions.create(ROOM, GUILD, "hall")
        async with open_client(opened.house) as api:
            yield Server(opened.talk, api)
        await opened.end_streams()


async def test_each_list_counts_at_once_and_no_more_when_it_is_lifted(server):
    for path, body, why in (
        ("channels/12", {}, "not-allowed-here"),
        ("roles/3", {}, "role-needed"),
        ("blacklist/5", {}, "blacklisted"),
        ("personas/bram", {"channels": ["12"]}, "persona-not-here"),
        ("spotlights/5/11", {"personas": ["wren"]}, "not-in-spotlight"),
    ):
        assert (await server.says("bram?"))[0] == ["bram"]
        await server.put(path, **body)
        answering, silent = await server.says("bram?")
        assert (answering, silent["bram"]) == ([], why)
        await server.lift(path)
    assert (await server.says("bram?"))[0] == ["bram"]


async def test_who_has_the_role_may_call(server):
    await server.put("roles/3")
    assert (await server.says("bram?", roles=[FRIEND]))[0] == ["bram"]


async def test_somebody_answers_without_being_called_where_that_is_set(server):
    assert (await server.says("what a quiet evening"))[0] == []
    await server.put("auto-trigger-channels/11", persona="wren")
    assert (await server.says("what a quiet evening"))[0] == ["wren"]
    await server.put("spotlights/5/11", personas=["bram"], auto="bram", hours=1)
    assert (await server.says("what a quiet evening"))[0] == ["bram"]


async def test_a_wait_a_quota_and_a_sign_count_at_once(server):
    await server.set(cooldown_type="per-user", cooldown_length=600)
    assert (await server.says("bram?"))[0] == ["bram"]
    assert (await server.says("bram?"))[1]["bram"] == "cooldown"
    await server.put("channels/11", cooldown={"type": "off"})
    assert (await server.says("bram?"))[0] == ["bram"]
    await server.set(text_quota_daily=1)
    assert (await server.says("bram?"))[0] == ["bram"]
    assert (await server.says("bram?"))[1]["bram"] == "daily-quota"
    (await server.api.post(f"/v1/quota/reset?workspace={GUILD}", json={"user": ANN})).raise_for_status()
    assert (await server.says("bram?"))[0] == ["bram"]
    await server.set(deliberate_trigger_mode=True, text_quota_daily=0)
    assert (await server.says("bram?"))[1]["bram"] == "not-deliberate"
    (await server.api.patch(f"/v1/people/{ANN}", json={"deliberate-trigger-mode": "off"})).raise_for_status()
    assert (await server.says("bram?"))[0] == ["bram"]
    (await server.api.patch(f"/v1/people/{ANN}", json={"privacy": "full"})).raise_for_status()
    assert (await server.says("bram?"))[1]["bram"] == "private"


async def test_in_a_room_a_setting_counts_for_the_next_message_and_lists_say_nothing(server):
    async def says(text):
        async with server.api.stream("POST", "/v1/send", json={"session_id": room, "content": text}) as response:
            events = [(event.event, event.json()) async for event in httpx2.EventSource(response)]
        return [data["persona"] for name, data in events if name == "line"]

    room = next(each["session_id"] for each in (await server.api.get("/v1/sessions")).json()["sessions"] if each["default"])
    (await server.api.put("/v1/access/channels/12")).raise_for_status()
    assert await says("bram and wren?") == ["bram", "wren"]
    (await server.api.patch("/v1/settings", json={"trigger-match-limit": 1})).raise_for_status()
    assert await says("bram and wren?") == ["bram"]
