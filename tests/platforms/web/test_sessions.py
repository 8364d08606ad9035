"""Sessions over HTTP (specification 004), what was said in them, and why."""

import asyncio

import pytest

from fakes.houses import DEFAULT_ROOM

FIELDS = {
    "session_id", "self_id", "name", "model", "reasoning", "role", "rule", "effective_role", "levels", "chat_id", "guild_id", "channel_id",
    "user_id", "state", "count",
}  # fmt: skip
LEVELS = ["auto", "none", "low", "medium", "high", "xhigh", "max"]


@pytest.fixture
async def room(client):
    return (await client.post("/v1/sessions", json={"prefix": "chat", "name": "Attic"})).json()


def _at(room) -> str:
    return f"/v1/session/{room['session_id']}"


async def test_the_default_room_is_there_and_marked(client):
    sessions = (await client.get("/v1/sessions")).json()["sessions"]
    assert [(each["session_id"], each["default"]) for each in sessions] == [(DEFAULT_ROOM, True)]


@pytest.mark.parametrize("prefix", ["chat", "http", "cli"])
async def test_a_session_is_made_by_prefix(client, prefix):
    response = await client.post("/v1/sessions", json={"prefix": prefix})
    assert response.status_code == 201
    made = response.json()
    assert made["session_id"].startswith(f"{prefix}-")
    assert set(made) >= FIELDS
    assert (made["name"], made["model"], made["reasoning"], made["role"], made["default"]) == ("", "auto", "auto", "", False)
    assert made["levels"] == LEVELS
    assert (made["state"], made["count"]) == ("idle", 0)
    assert (await client.get(_at(made))).json() == made


async def test_two_sessions_may_share_a_name(client, room):
    again = await client.post("/v1/sessions", json={"prefix": "chat", "name": "Attic"})
    assert (again.status_code, again.json()["session_id"] != room["session_id"]) == (201, True)


async def test_sessions_are_made_in_local_only(client):
    assert (await client.post("/v1/sessions?workspace=dm:1", json={"prefix": "chat"})).status_code in {400, 404}


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ({}, {}),
        ({"self_id": None, "name": None, "model": None, "reasoning": None, "role": None, "rule": None}, {}),
        ({"unknown": 5}, {}),
        ({"self_id": " Ann_1 "}, {"self_id": "ann_1"}),
        ({"self_id": "A" * 32}, {"self_id": "a" * 32}),
        ({"self_id": ""}, {"self_id": ""}),
        ({"name": ""}, {"name": ""}),
        ({"name": " two  blanks "}, {"name": " two  blanks "}),
        ({"role": "A moth."}, {"role": "A moth.", "rule": "A moth.", "effective_role": "A moth."}),
        ({"rule": "A moth."}, {"role": "A moth.", "rule": "A moth.", "effective_role": "A moth."}),
        ({"role": "one", "rule": "two"}, {"role": "two", "rule": "two", "effective_role": "two"}),
        ({"role": ""}, {"role": "", "rule": ""}),
        ({"model": ""}, {"model": "auto"}),
        ({"model": "scripted:scripted"}, {"model": "scripted:scripted"}),
        ({"reasoning": "auto"}, {"reasoning": "auto"}),
        ({"reasoning": "xhigh"}, {"reasoning": "xhigh"}),
    ],
)
async def test_a_partial_update_changes_what_is_sent(client, room, body, changed):
    response = await client.post(_at(room), json=body)
    assert response.status_code == 200
    after = response.json()
    assert {**after, "updated_at": ""} == {**room, **changed, "updated_at": ""}
    assert (await client.get(_at(room))).json() == after


@pytest.mark.parametrize(
    "body",
    [
        {"self_id": "a" * 33},
        {"self_id": "é"},
        {"self_id": "ａ"},
        {"self_id": "\u212a"},
        {"self_id": "two words"},
        {"self_id": 5},
        {"name": ["a"]},
        {"name": "x" * 201},
        {"role": True},
        {"role": "x" * 16_001},
        {"model": "nobody:x"},
        {"model": {}},
        {"reasoning": ""},
        {"reasoning": "extreme"},
        {"reasoning": 1},
        [],
        "text",
    ],
)
async def test_a_refused_update_changes_nothing(client, room, body):
    with_others = {"name": "New", "role": "New", **body} if isinstance(body, dict) else body
    response = await client.post(_at(room), json=with_others)
    assert (response.status_code, list(response.json())) == (400, ["error"])
    assert (await client.get(_at(room))).json() == room


async def test_a_taken_self_id_is_409_and_changes_nothing(client, room):
    await client.post(_at(room), json={"self_id": "ann"})
    other = (await client.post("/v1/sessions", json={"prefix": "cli"})).json()
    response = await client.post(_at(other), json={"self_id": "ANN", "name": "New", "model": "scripted:scripted"})
    assert (response.status_code, list(response.json())) == (409, ["error"])
    assert (await client.get(_at(other))).json() == other
    assert (await client.post(_at(room), json={"self_id": "Ann"})).status_code == 200


async def test_two_updates_of_different_fields_both_count(client, room):
    await asyncio.gather(client.post(_at(room), json={"name": "One"}), client.post(_at(room), json={"role": "Two"}))
    after = (await client.get(_at(room))).json()
    assert (after["name"], after["role"]) == ("One", "Two")


async def test_two_sessions_cannot_take_one_self_id_at_once(client, room):
    other = (await client.post("/v1/sessions", json={"prefix": "cli"})).json()
    answers = await asyncio.gather(*(client.post(_at(each), json={"self_id": "ann"}) for each in (room, other)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_a_deleted_session_is_gone(house, client, room):
    assert (await client.delete(_at(room))).json() == {"ok": True}
    assert house.rooms.stopped == [room["session_id"]]
    assert (await client.get(_at(room))).status_code == 404
    assert (await client.delete(_at(room))).status_code == 404


async def test_the_default_room_stays(client):
    response = await client.delete(f"/v1/session/{DEFAULT_ROOM}")
    assert (response.status_code, list(response.json())) == (409, ["error"])
    assert (await client.get(f"/v1/session/{DEFAULT_ROOM}")).status_code == 200


async def test_a_session_is_not_found_in_a_wrong_workspace(client, room):
    assert (await client.get(_at(room), params={"workspace": "local"})).status_code == 200
    assert (await client.get(_at(room), params={"workspace": "discord:1"})).status_code == 404


async def test_stop_reaches_the_room(house, client, room):
    assert (await client.post(f"{_at(room)}/stop")).json() == {"ok": True}
    assert house.rooms.stopped == [room["session_id"]]
    assert (await client.post("/v1/session/chat-unknown/stop")).status_code == 404


async def _said(client, room, texts):
    for text in texts:
        await client.post("/v1/send", json={"session_id": room["session_id"], "content": text, "user": {"id": "ann", "name": "Ann"}})


async def test_messages_come_oldest_first_in_pages(client, room):
    await _said(client, room, [str(number) for number in range(5)])
    whole = (await client.get(f"{_at(room)}/messages")).json()["messages"]
    people = [each for each in whole if each["author"]["persona"] is None]
    assert [each["text"] for each in people] == ["0", "1", "2", "3", "4"]
    first = people[0]
    assert first["author"] == {"id": "ann", "name": "Ann", "persona": None}
    assert (first["created_at"], first["reply_to"], first["turn_id"]) == ("2026-01-02T03:04:05.000Z", None, None)
    newest = (await client.get(f"{_at(room)}/messages", params={"limit": 2})).json()["messages"]
    assert newest == whole[-2:]
    before = (await client.get(f"{_at(room)}/messages", params={"limit": 2, "before": newest[0]["message_id"]})).json()["messages"]
    assert before == whole[-4:-2]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("limit=200", 200),
        ("limit=201", 400),
        ("limit=0", 400),
        ("limit=x", 400),
        ("before=unknown", 404),
        ("before=%00", 404),
        ("before=", 404),
    ],
)
async def test_pages_are_bounded(client, room, query, status):
    assert (await client.get(f"{_at(room)}/messages?{query}")).status_code == status
