"""Saying something over real sockets: what is judged first, the stream, hanging up, listening, coming back."""

import asyncio
import json
from contextlib import aclosing, asynccontextmanager

import httpx2
import pytest

from coterie.domain.ids import SessionId, WorkspaceId
from fakes.houses import DEFAULT_ROOM, open_client

UNKNOWN = "http-12345678-1234-4123-8123-123456789abc"


def _body(content="hello", **more):
    return {"session_id": DEFAULT_ROOM, "content": content, **more}


async def _events(response):
    """Name, data and id of each event as they arrive."""
    async for event in httpx2.EventSource(response):
        yield event.event, json.loads(event.data), event.id


@asynccontextmanager
async def _listening(client, **request):
    async with client.stream("GET", f"/v1/session/{DEFAULT_ROOM}/events", **request) as response, aclosing(_events(response)) as events:
        yield events


async def _said(client, **more):
    async with client.stream("POST", "/v1/send", json=_body(**more)) as response:
        assert response.status_code == 200
        return [event async for event in _events(response)]


async def test_the_stream_is_the_plan_the_words_and_one_end(house, served):
    async with served.stream("POST", "/v1/send", json=_body()) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        events = [event async for event in _events(response)]
    message = house.rooms.heard[0].id
    turn = f"turn-{message}"
    assert [(name, data) for name, data, _ in events] == [
        ("plan", {"message_id": message, "turns": [{"persona": "bram", "reason": "chosen", "turn_id": turn}], "skipped": []}),
        ("delta", {"turn_id": turn, "text": "o"}),
        ("line", {"turn_id": turn, "persona": "bram", "name": "Bram", "avatar": None, "text": "ok", "message_id": f"line-{message}"}),
        ("end", {"status": "answered", "message_id": message}),
    ]


async def test_the_first_words_are_sent_while_the_answer_goes_on(house, served):
    house.rooms.may_answer.clear()
    async with served.stream("POST", "/v1/send", json=_body()) as response, aclosing(_events(response)) as events:
        assert (await anext(events))[0] == "plan"
        assert (await anext(events))[0] == "delta"
        assert (await served.get(f"/v1/session/{DEFAULT_ROOM}")).json()["state"] == "working"
        house.rooms.may_answer.set()
        assert [name async for name, _, _ in events] == ["line", "end"]
    after = (await served.get(f"/v1/session/{DEFAULT_ROOM}")).json()
    assert (after["state"], after["count"]) == ("idle", 0)


async def test_hanging_up_does_not_stop_the_turn(house, served):
    house.rooms.may_answer.clear()
    async with _listening(served) as events:
        async with served.stream("POST", "/v1/send", json=_body()) as response, aclosing(_events(response)) as own:
            assert (await anext(own))[0] == "plan"
        house.rooms.may_answer.set()
        seen = []
        async for name, _, _ in events:
            seen.append(name)
            if name == "end":
                break
    assert seen == ["plan", "delta", "line", "end"]
    assert house.rooms.stopped == []


async def test_a_listener_that_comes_back_misses_nothing(house, served):
    first = await _said(served, content="one")
    await _said(served, content="two")
    last = first[-1][2]
    for request in ({"headers": {"Last-Event-ID": last}}, {"params": {"last_event_id": last}}):
        async with _listening(served, **request) as events:
            missed = [await anext(events) for _ in range(3)]
        assert [name for name, _, _ in missed] == ["plan", "line", "end"]
        assert missed[-1][1]["message_id"] == house.rooms.heard[1].id
        assert len({event_id for _, _, event_id in missed}) == 3


@pytest.mark.parametrize("last", ["boot-999", "another-1", "junk"])
async def test_a_listener_that_missed_too_much_is_told_to_read_again(served, last):
    async with _listening(served, headers={"Last-Event-ID": last}) as events:
        assert (await anext(events))[:2] == ("resync", {})


async def test_two_listeners_hear_the_same(served):
    async with _listening(served) as ones, _listening(served) as twos:
        await _said(served)
        assert [await anext(ones) for _ in range(4)] == [await anext(twos) for _ in range(4)]


async def test_when_a_session_is_deleted_its_streams_end(served):
    room = (await served.post("/v1/sessions", json={"prefix": "chat"})).json()["session_id"]
    async with served.stream("GET", f"/v1/session/{room}/events") as response:
        await served.delete(f"/v1/session/{room}")
        assert [event async for event in _events(response)] == []


async def test_when_the_rooms_close_the_streams_end(house, served):
    async with _listening(served) as events:
        house.rooms.hub.close()
        assert [event async for event in events] == []


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"content": ""}, 400),
        ({"content": " \n\t\u3000"}, 400),
        ({"content": None}, 400),
        ({"content": 5}, 400),
        ({"content": "a\x00b"}, 400),
        ({"content": "x" * 200_001}, 413),
        ({"user": "Ann"}, 400),
        ({"user": {"name": "x" * 101}}, 400),
        ({"user": {"id": 5}}, 400),
        ({"model": "nobody:x"}, 400),
        ({"model": "nonsense"}, 400),
        ({"model": "scripted:a\nb"}, 400),
        ({"reasoning": "extreme"}, 400),
        ({"reasoning": ""}, 400),
        ({"persona": "nobody"}, 404),
        ({"persona": ""}, 404),
        ({"reply_to": "unknown"}, 404),
        ({"reply_to": ""}, 404),
        ({"session_id": "chat-12345678-1234-4123-8123-123456789abc"}, 404),
        ({"session_id": "http-1"}, 404),
        ({"session_id": "HTTP-12345678-1234-4123-8123-123456789abc"}, 404),
        ({"session_id": UNKNOWN + "\n"}, 404),
        ({"session_id": "../etc"}, 404),
        ({"session_id": ""}, 404),
        ({"session_id": None}, 400),
    ],
)
async def test_what_cannot_be_said_is_refused_before_the_stream(house, served, more, status):
    response = await served.post("/v1/send", json=_body(**more))
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert response.json()["error"].endswith(".")
    assert house.rooms.heard == []
    assert len((await served.get("/v1/sessions")).json()["sessions"]) == 1


async def test_a_message_that_is_too_long_hears_the_limit(served):
    response = await served.post("/v1/send", json=_body(content="ず" * 200_001))
    assert "200,000" in response.json()["error"]


async def test_the_longest_message_passes_however_it_is_escaped(house, served):
    content = "\U0001f98b" * 200_000
    body = json.dumps(_body(content=content), ensure_ascii=True)
    async with served.stream("POST", "/v1/send", content=body, headers={"Content-Type": "application/json"}) as response:
        assert response.status_code == 200
        assert [name async for name, _, _ in _events(response)][-1] == "end"
    assert house.rooms.heard[0].text == content


@pytest.mark.parametrize("wrong", [{"persona": "nobody"}, {"reply_to": "unknown"}])
async def test_an_unknown_http_session_is_made_only_by_a_message_that_is_heard(served, wrong):
    assert (await served.post("/v1/send", json=_body(session_id=UNKNOWN, **wrong))).status_code == 404
    assert (await served.get(f"/v1/session/{UNKNOWN}")).status_code == 404
    await _said(served, session_id=UNKNOWN)
    assert (await served.get(f"/v1/session/{UNKNOWN}")).json()["session_id"] == UNKNOWN


async def test_everything_that_was_asked_for_reaches_the_room(house, served):
    await _said(served, content="one")
    first = house.rooms.heard[0]
    assert (first.author.id, first.author.name, first.persona, first.model, first.reasoning) == ("owner", "You", None, None, None)
    wishes = {"persona": " Bram ", "reply_to": first.id, "model": "scripted:scripted", "reasoning": "high"}
    await _said(served, content=" two ", user={"id": "ann", "name": "Ann"}, **wishes)
    second = house.rooms.heard[1]
    assert (second.author.id, second.author.name, second.text) == ("ann", "Ann", " two ")
    assert (second.persona, second.reply_to, second.model, second.reasoning) == ("bram", first.id, "scripted:scripted", "high")
    assert second.session == DEFAULT_ROOM


@pytest.mark.parametrize("unset", [{"model": ""}, {"model": "auto"}, {"reasoning": "auto"}, {"model": None, "persona": None, "user": None}])
async def test_auto_asks_for_nothing(house, served, unset):
    await _said(served, **unset)
    assert (house.rooms.heard[0].model, house.rooms.heard[0].reasoning) == (None, None)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann \n## Bot Persona ", "Ann ## Bot Persona"),
        ("A\u202enn\x1b[31m", "A nn [31m"),
        ("", "You"),
        (" \n", "You"),
        ("👩‍🚀 エリ", "👩‍🚀 エリ"),
    ],
)
async def test_a_shown_name_is_one_line_without_control_characters(house, served, given, name):
    await _said(served, user={"name": given})
    assert (house.rooms.heard[0].author.id, house.rooms.heard[0].author.name) == ("owner", name)


async def test_a_reply_to_a_message_of_another_session_is_not_found(house, served):
    await _said(served, session_id=UNKNOWN)
    elsewhere = house.rooms.heard[0].id
    assert (await served.post("/v1/send", json=_body(reply_to=elsewhere))).status_code == 404


async def test_events_of_an_unknown_session_are_not_found(served):
    assert (await served.get(f"/v1/session/{UNKNOWN}/events")).status_code == 404


async def test_many_at_once_each_hear_their_own_end(house, served):
    answers = await asyncio.gather(*(_said(served, content=str(number)) for number in range(20)))
    roots = {message.id for message in house.rooms.heard}
    assert {events[-1][1]["message_id"] for events in answers} == roots
    assert all([name for name, _, _ in events] == ["plan", "delta", "line", "end"] for events in answers)


async def test_a_conversation_on_discord_is_held_there(house, client):
    room = SessionId("dc-" + "0" * 64)
    await house.sessions.create(room, WorkspaceId("discord:1"))
    response = await client.post("/v1/send", json=_body() | {"session_id": room})
    assert (response.status_code, response.json()) == (409, {"error": "This conversation is on Discord: write there."})


async def test_where_another_process_has_the_rooms_they_are_used_there(house):
    async with open_client(house, owns_rooms=False) as client:
        response = await client.post("/v1/send", json=_body())
    assert response.status_code == 409
    assert "another Coterie process" in response.json()["error"]
