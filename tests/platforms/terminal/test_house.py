"""The terminal in the real house: rooms, turns, storage and the API in this process, with the scripted model."""

from contextlib import asynccontextmanager

from coterie.app.environment import Environment
from coterie.app.home import HomeLock, open_home
from coterie.app.hosting import Place, host
from coterie.platforms.terminal.app import ChatApp
from coterie.platforms.terminal.client import ApiClient
from fakes.terminal_scenes import Chat

TOKEN = "a token of this test"


@asynccontextmanager
async def at_home(folder):
    home = open_home(str(folder))
    lock = HomeLock(home)
    assert lock.take()
    environment = Environment(COTERIE_MODEL="scripted")
    async with host(environment, home, lock, "chat", Place(token=TOKEN)) as owner, ApiClient(owner.address, owner.token) as client:
        app = ChatApp(client, None, "")
        async with app.run_test(size=(100, 40)) as pilot:
            chat = Chat(app, pilot)
            await chat.until(lambda: chat.shown("#state").endswith("ready") and "Odile" in chat.shown("#cast-text"))
            yield chat, client


async def test_two_personas_answer_in_order_and_the_third_says_why_not(tmp_path):
    async with at_home(tmp_path) as (chat, client):
        await chat.type("bram and wren, hello {{say@bram: Good evening.}} {{say@wren: It is late.}}")
        await chat.until(lambda: len(chat.lines) == 3 and not chat.app.room.happenings.is_working)
        assert chat.lines[1:] == ["Bram: Good evening.", "Wren: It is late."]
        assert chat.draft == ""
        await chat.type("/why")
        await chat.until(lambda: "Odile does not answer: not-called" in chat.picture)
        assert "Bram answers: trigger-word" in chat.picture
        await chat.pilot.press("escape")
        kept = await client.messages(chat.app.room.session_id)
        assert [message["author"]["persona"] for message in kept] == [None, "bram", "wren"]


async def test_a_running_turn_is_stopped_and_the_room_goes_on(tmp_path):
    async with at_home(tmp_path) as (chat, _):
        await chat.type("bram {{slow: 20}} {{say: " + "and on " * 200 + "}}")
        await chat.until(lambda: chat.lines[-1].startswith("Bram ... and on"))
        await chat.pilot.press("escape")
        await chat.until(lambda: not chat.app.room.happenings.is_working)
        assert not any(" ... " in line for line in chat.lines)
        await chat.type("wren {{say: Peace.}}")
        await chat.until(lambda: chat.lines[-1] == "Wren: Peace.")


async def test_sessions_replies_and_refusals_of_the_real_api(tmp_path):
    async with at_home(tmp_path) as (chat, client):
        first = chat.app.room.session_id
        await chat.type("/session id kitchen")
        await chat.type("/session new Moth club")
        await chat.until(lambda: chat.shown("#title") == "Moth club")
        await chat.type("/session id kitchen")
        await chat.until(lambda: "kitchen" in chat.shown("#sentence"))
        await chat.type("hello {{say: Hello.}}")
        await chat.until(lambda: chat.lines[-1] == "Odile: Hello.")
        await chat.type("/reply")
        await chat.type("{{say: Yes?}}")
        await chat.until(lambda: chat.lines[-1] == "Odile: Yes?")
        kept = await client.messages(chat.app.room.session_id)
        assert kept[2]["reply_to"] == kept[1]["message_id"]
        await chat.type("/session switch kitchen")
        await chat.until(lambda: chat.app.room.session_id == first and chat.lines == [])


async def test_the_client_speaks_every_other_call_of_the_real_api(tmp_path):
    async with at_home(tmp_path) as (_, client):
        assert [each["handle"] for each in await client.personas()] == ["odile", "bram", "wren"]
        made = await client.create_persona({"name": "Newt", "trigger_words": ["newt"], "role": "A newt."})
        changed = await client.change_persona(made["handle"], {"role": "A great newt."})
        assert (await client.persona("newt"))["role"] == changed["role"] == "A great newt."
        card = await client.export_card("newt", "json")
        await client.remove_persona("newt")
        imported = await client.import_card(card, "alter", ["pond"])
        assert imported["persona"]["name"] == "Newt"
        assert "pond" in imported["persona"]["trigger_words"]
        assert (await client.export_card("newt")).startswith(b"\x89PNG")
        assert (await client.change_settings({"trigger-match-limit": 2}))["trigger-match-limit"] == 2
        assert (await client.settings())["trigger-match-limit"] == 2
        assert (await client.models())["models"]
        assert (await client.providers())["providers"]
        assert (await client.health())["status"] == "ok"
