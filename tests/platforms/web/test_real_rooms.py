"""The API on the house as it really is, with the scripted model: why, an edit that the next turn sees, and what several clients hear."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from coterie.app.environment import Environment
from coterie.app.home import Home
from coterie.app.wiring import open_house
from coterie.platforms.web.application import create_app
from coterie.platforms.web.server import serve


@pytest.fixture
async def real(tmp_path, sqlite_template) -> AsyncIterator[httpx2.AsyncClient]:
    (tmp_path / "coterie.db").write_bytes(sqlite_template.read_bytes())
    async with open_house(Environment(COTERIE_MODEL="scripted"), Home(tmp_path), token=None, is_loopback=True) as opened:
        serving = await serve(create_app(opened.house), "127.0.0.1", 0)
        async with httpx2.AsyncClient(base_url=serving.address, trust_env=False, timeout=60) as client:
            yield client
        await opened.end_streams()
        await serving.close()


@pytest.fixture
async def room(real) -> str:
    sessions = (await real.get("/v1/sessions")).json()["sessions"]
    return next(each["session_id"] for each in sessions if each["default"])


async def _say(client, room, content, **more):
    """The events of one message, by name."""
    async with client.stream("POST", "/v1/send", json={"session_id": room, "content": content, **more}) as response:
        assert response.status_code == 200, await response.aread()
        return [(event.event, event.json()) async for event in httpx2.EventSource(response)]


def _only(events, name):
    return [data for each, data in events if each == name]


async def test_two_personas_answer_and_why_tells_of_everybody(real, room):
    events = await _say(real, room, "bram and wren, {{say@bram: Moths.}} {{say@wren: Birds.}}")
    assert [(line["persona"], line["text"]) for line in _only(events, "line")] == [("bram", "Moths."), ("wren", "Birds.")]
    assert events[-1][1]["status"] == "answered"
    plan = _only(events, "plan")[0]
    why = (await real.get(f"/v1/why/{plan['message_id']}")).json()
    assert (why["message_id"], why["session_id"]) == (plan["message_id"], room)
    told = [(turn["persona"], turn["name"], turn["reason"], turn["status"], turn["turn_id"]) for turn in why["turns"]]
    assert told == [
        ("bram", "Bram", "trigger-word", "answered", plan["turns"][0]["turn_id"]),
        ("wren", "Wren", "trigger-word", "answered", plan["turns"][1]["turn_id"]),
    ]
    assert [(skip["persona"], skip["why"]) for skip in why["skipped"]] == [("odile", "not-called")]
    assert all(each["meaning"].endswith(".") for each in (*why["turns"], *why["skipped"]))


async def test_a_line_that_called_nobody_tells_why_it_was_said(real, room):
    events = await _say(real, room, "wren? {{say: Yes.}}")
    line = _only(events, "line")[0]
    why = (await real.get(f"/v1/why/{line['message_id']}")).json()
    assert [turn["persona"] for turn in why["turns"]] in (["wren"], [])
    asked = why if why["turns"] else (await real.get(f"/v1/why/{_only(events, 'plan')[0]['message_id']}")).json()
    assert asked["turns"][0]["turn_id"] == line["turn_id"]


async def test_a_turn_that_failed_says_what_went_wrong(real, room):
    events = await _say(real, room, "bram {{fail: busy}}")
    assert _only(events, "error")[0]["error"]
    assert events[-1][1]["status"] == "failed"
    why = (await real.get(f"/v1/why/{events[-1][1]['message_id']}")).json()
    assert (why["turns"][0]["status"], why["turns"][0]["note"]) == ("failed", _only(events, "error")[0]["error"])


async def test_an_edited_persona_answers_in_the_next_turn(real, room):
    await real.patch("/v1/personas/bram", json={"name": "Bramble", "trigger_words": ["thorn"]})
    events = await _say(real, room, "thorn, are you there?")
    assert [(line["persona"], line["name"]) for line in _only(events, "line")] == [("bram", "Bramble")]
    await real.post("/v1/personas", json={"name": "Mira", "trigger_words": ["mira"]})
    assert [line["persona"] for line in _only(await _say(real, room, "mira!"), "line")] == ["mira"]


async def test_a_setting_counts_from_the_next_message(real, room):
    await real.patch("/v1/settings", json={"always-reply": False})
    events = await _say(real, room, "nobody in particular")
    assert (events[-1][1]["status"], _only(events, "line")) == ("silent", [])


async def test_messages_carry_who_said_them_and_what_they_answer(real, room):
    events = await _say(real, room, "wren, hello", user={"id": "ann", "name": "Ann"})
    first, second = (await real.get(f"/v1/session/{room}/messages")).json()["messages"]
    assert (first["author"], first["turn_id"]) == ({"id": "ann", "name": "Ann", "persona": None}, None)
    line = _only(events, "line")[0]
    assert (second["message_id"], second["author"]["persona"], second["turn_id"]) == (line["message_id"], "wren", line["turn_id"])
    replied = await _say(real, room, "and then?", reply_to=line["message_id"])
    assert _only(replied, "plan")[0]["turns"][0]["reason"] == "replied-to"


async def test_stop_ends_what_runs(real, room):
    async with real.stream(
        "POST", "/v1/send", json={"session_id": room, "content": "bram and wren {{slow: 20}} {{say: " + "x" * 900 + "}}"}
    ) as response:
        events = aiter(httpx2.EventSource(response))
        while (await anext(events)).event != "delta":
            pass
        assert (await real.post(f"/v1/session/{room}/stop")).json() == {"ok": True}
        rest = [(event.event, event.json()) async for event in events]
    assert rest[-1][1]["status"] in {"stopped", "answered"}
    assert len(_only(rest, "end")) == 1
    assert (await real.get(f"/v1/session/{room}")).json()["state"] == "idle"


async def test_figures_of_a_turn_are_shown(real, room):
    await _say(real, room, "wren, hello")
    text = (await real.get("/metrics")).text
    assert "coterie_messages_heard_total 1.0" in text
    assert 'coterie_turns_total{status="answered"} 1.0' in text
    assert 'coterie_model_requests_total{model="scripted:' in text
