"""The API client against a server on loopback: answers, refusals, streams that break and go on."""

import subprocess
import sys
from contextlib import aclosing, asynccontextmanager

import pytest

from coterie.platforms.terminal.client import ApiClient, ApiFailed, Connected, Lost, StreamEvent
from coterie.platforms.terminal.streams import LONGEST_PAUSE_SECONDS, pause_after
from fakes.house_api import FakeHouse, Refusal, running

ANN = {"id": "owner", "name": "Ann"}


@asynccontextmanager
async def asked(house, token=""):
    async with running(house) as serving, ApiClient(serving.address, token) as client:
        yield client


async def test_lists_makes_changes_and_deletes_sessions():
    async with asked(FakeHouse()) as client:
        made = await client.create_session("cli", "Moths")
        assert made["name"] == "Moths"
        assert [each["name"] for each in await client.sessions()] == ["Night kitchen", "Moths"]
        await client.change_session(made["session_id"], {"self_id": "moths"})
        assert (await client.session(made["session_id"]))["self_id"] == "moths"
        await client.delete_session(made["session_id"])
        with pytest.raises(ApiFailed) as failure:
            await client.session(made["session_id"])
        assert (failure.value.status, failure.value.sentence) == (404, "There is no such session.")


async def test_sends_and_yields_events_up_to_the_end():
    def answer(house, body):
        message = house.hear(body)
        house.plan(message, "bram")
        house.write("t", "Hel")
        house.line("t", "bram", "Bram", "Hello.")
        house.end_of(message)
        house.write("t", "never seen")

    house = FakeHouse(on_send=answer)
    async with asked(house) as client:
        events = [event async for event in client.send("bram, hello", session="chat-1", user=ANN, reply_to="m9")]
    assert [event.name for event in events] == ["plan", "delta", "line", "end"]
    assert events[1].data == {"turn_id": "t", "text": "Hel"}
    assert house.sent == [{"session_id": "chat-1", "content": "bram, hello", "user": ANN, "reply_to": "m9"}]


async def test_a_stream_without_end_is_a_failure():
    house = FakeHouse(on_send=lambda house, body: house.hang_up())
    async with asked(house) as client:
        with pytest.raises(ApiFailed, match="ended before the answer did") as failure:
            _ = [event async for event in client.send("hello", session="chat-1", user=ANN)]
    assert failure.value.status == 0


async def test_a_refusal_carries_the_servers_sentence():
    house = FakeHouse(refusal=Refusal(413, "content has too many characters."))
    async with asked(house) as client:
        with pytest.raises(ApiFailed, match=r"^content has too many characters\.$") as failure:
            _ = [event async for event in client.send("hello", session="chat-1", user=ANN)]
        assert failure.value.status == 413
        assert not failure.value.is_passing


@pytest.mark.parametrize(("token", "status"), [("", 401), ("wrong", 401), ("schlüssel", None)])
async def test_the_token_is_shown_at_the_door(token, status):
    async with asked(FakeHouse(token="schlüssel"), token) as client:
        if status is None:
            assert await client.personas()
            return
        with pytest.raises(ApiFailed, match="A token is needed") as failure:
            await client.personas()
        assert failure.value.status == status


async def test_nobody_there_is_one_sentence():
    async with running(FakeHouse()) as serving:
        address = serving.address
    async with ApiClient(address) as client:
        with pytest.raises(ApiFailed, match=r"^Nothing answers at http://127.0.0.1:\d+; is Coterie running there\?$") as failure:
            await client.sessions()
    assert failure.value.status == 0
    assert failure.value.is_passing


@pytest.mark.parametrize("address", ["http://[::1", "ftp://127.0.0.1:1", "127.0.0.1:1"])
async def test_what_is_no_address_is_one_sentence(address):
    with pytest.raises(ApiFailed) as failure:
        await ApiClient(address).sessions()
    assert failure.value.status == 0


async def test_ids_cannot_leave_their_place_in_the_path():
    async with asked(FakeHouse()) as client:
        with pytest.raises(ApiFailed) as failure:
            await client.session("../../healthz")
        assert failure.value.status == 404


async def test_a_session_is_followed_across_a_broken_connection():
    house = FakeHouse()
    async with asked(house) as client, aclosing(client.events("chat-1")) as events:
        assert await anext(events) == Connected(is_resumed=False)
        house.write("t", "one")
        assert await anext(events) == StreamEvent("delta", {"turn_id": "t", "text": "one"}, "e-1")
        house.hang_up()
        assert isinstance(await anext(events), Lost)
        house.write("t", "two")
        assert await anext(events) == Connected(is_resumed=True)
        assert (await anext(events)).data["text"] == "two"
    assert house.resumed_after == [None, "e-1"]


async def test_a_session_is_followed_across_a_restart_of_the_server():
    house = FakeHouse()
    async with running(house) as serving:
        client = ApiClient(serving.address)
        events = client.events("chat-1", last_event_id="e-0")
        assert await anext(events) == Connected(is_resumed=True)
    assert isinstance(await anext(events), Lost)
    lost = await anext(events)
    assert isinstance(lost, Lost)
    assert "Nothing answers" in lost.sentence
    async with running(house, serving.port):
        while isinstance(event := await anext(events), Lost):
            pass
        assert event == Connected(is_resumed=True)
        await events.aclose()
        await client.aclose()


async def test_a_session_that_is_gone_is_not_waited_for():
    async with asked(FakeHouse()) as client:
        with pytest.raises(ApiFailed, match="no such session") as failure:
            _ = [event async for event in client.events("chat-9")]
    assert failure.value.status == 404


async def test_cards_go_up_as_files(tmp_path):
    house = FakeHouse()
    card = tmp_path / "bram.png"
    card.write_bytes(b"\x89PNG")
    async with asked(house) as client:
        answer = await client.import_card(card, "alter", ["moth", "lamp"])
        await client.import_card(b"{}", "main")
    assert answer["persona"]["handle"] == "bram"
    assert house.sent == [
        {"file": "bram.png", "bytes": b"\x89PNG", "type": "alter", "triggers": "moth,lamp"},
        {"file": "card", "bytes": b"{}", "type": "main", "triggers": None},
    ]


async def test_a_card_that_cannot_be_read_is_one_sentence(tmp_path):
    async with ApiClient("http://127.0.0.1:9") as client:
        with pytest.raises(ApiFailed, match="cannot be read: No such file"):
            await client.import_card(tmp_path / "none.png")


async def test_a_house_that_is_not_usable_still_says_how_it_is():
    async with asked(FakeHouse(model={"name": "embedded", "state": "loading", "note": ""})) as client:
        assert (await client.health())["model"]["state"] == "loading"


@pytest.mark.parametrize(
    ("failures", "pause"), [(1, 0.25), (2, 0.5), (5, 4.0), (6, 8.0), (7, LONGEST_PAUSE_SECONDS), (10**6, LONGEST_PAUSE_SECONDS)]
)
def test_pauses_double_up_to_a_bound(failures, pause):
    assert pause_after(failures) == pause


def test_the_client_does_not_load_the_terminal_framework():
    code = "import sys, coterie.platforms.terminal.client; sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
