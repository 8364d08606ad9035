"""Scenes in the terminal: the real application, driven by keys, against a server on loopback."""

from contextlib import AsyncExitStack

import pytest
from textual import events
from textual.widgets import OptionList

from coterie.platforms.terminal.history import MOST_SHOWN
from fakes.house_api import FakeHouse, Refusal, message_json, persona_json, running, session_json
from fakes.terminal_scenes import chatting, in_room

TALK = [
    message_json("m1", "Ann", "Who is here?"),
    message_json("m2", "Bram", "I am, and the oven is warm.", persona="bram"),
]


def talked(**parts):
    return FakeHouse(messages={"chat-1": list(TALK)}, **parts)


def both_answer(house, body):
    message = house.hear(body)
    house.plan(message, "bram", "wren")
    for handle, name in (("bram", "Bram"), ("wren", "Wren")):
        house.write(f"{message}-{handle}", f"{name} says ")
        house.line(f"{message}-{handle}", handle, name, f"{name} says hello.")
    house.end_of(message)


async def test_opens_the_default_room_with_its_history_cast_and_model():
    house = talked(model={"name": "embedded:small", "state": "loading", "note": ""})
    async with chatting(house) as chat:
        assert chat.shown("#title") == "Night kitchen"
        assert chat.shown("#state") == "embedded:small is loading"
        assert chat.lines == ["Ann: Who is here?", "Bram: I am, and the oven is warm."]
        cast = chat.shown("#cast-text")
        assert cast == "Odile  main\nodile, coterie\n\nBram\nbram\n\nWren\nwren"
        house.model = {"name": "embedded:small", "state": "ready", "note": ""}
        await chat.until(lambda: chat.shown("#state") == "embedded:small is ready")


async def test_a_model_that_failed_says_why():
    house = talked(model={"name": "embedded:small", "state": "loading", "note": ""})
    async with chatting(house) as chat:
        house.model = {"name": "embedded:small", "state": "failed", "note": "The model's file is damaged."}
        await chat.until(lambda: chat.shown("#state") == "embedded:small failed")
        assert chat.shown("#sentence") == "The model's file is damaged."


async def test_two_personas_answer_in_order():
    house = talked(on_send=both_answer)
    async with chatting(house) as chat:
        await chat.type("bram and wren, hello")
        await chat.until(lambda: len(chat.lines) == 5)
        assert chat.lines[2:] == ["You: bram and wren, hello", "Bram: Bram says hello.", "Wren: Wren says hello."]
        assert chat.draft == ""
        assert house.sent == [{"session_id": "chat-1", "content": "bram and wren, hello", "user": {"id": "owner", "name": "You"}}]


async def test_a_line_grows_is_taken_back_and_is_said():
    house = talked(on_send=lambda house, body: house.plan(house.hear(body), "bram", "wren"))
    async with chatting(house) as chat:
        await chat.type("bram and wren, hello")
        await chat.until(lambda: chat.shown("#doing") == "Bram writes, Wren waits")
        assert "Bram  writes" in chat.shown("#cast-text")
        assert "Wren  waits" in chat.shown("#cast-text")
        house.write("m3-bram", "Wren: ")
        house.write("m3-bram", "I am")
        await chat.until(lambda: chat.lines[-1] == "Bram ... Wren: I am")
        house.publish("discard", {"turn_id": "m3-bram"})
        await chat.until(lambda: chat.lines[-1] == "You: bram and wren, hello")
        house.write("m3-bram", "Good evening")
        await chat.until(lambda: chat.lines[-1] == "Bram ... Good evening")
        house.line("m3-bram", "bram", "Bram", "Good evening.")
        await chat.until(lambda: chat.lines[-1] == "Bram: Good evening.")
        house.publish("error", {"error": "The model broke off.", "turn_id": "m3-wren"})
        house.end_of("m3")
        await chat.until(lambda: chat.lines[-1] == "* Wren: The model broke off." and chat.shown("#doing") == "")


async def test_a_turn_that_a_restart_took_up_is_shown_as_it_writes():
    turn = {"persona": "wren", "name": "Wren", "reason": "trigger-word", "meaning": "", "turn_id": "t", "status": "running", "note": ""}
    house = talked(whys={"m1": {"message_id": "m1", "turns": [turn], "skipped": []}}, forgets=True)
    house.on_send = lambda house, body: house.end_of(house.hear(body))
    async with chatting(house) as chat:
        await chat.type("hello")
        await chat.until(lambda: len(chat.lines) == 3)
        house.sessions["chat-1"]["state"] = "working"
        house.hang_up()
        await chat.until(lambda: chat.shown("#doing") == "Wren writes")
        house.write("t", "100 101")
        await chat.until(lambda: chat.lines[-1] == "Wren ... 100 101")
        house.line("t", "wren", "Wren", "100 101 102")
        house.end_of("m1")
        await chat.until(lambda: chat.lines[-1] == "Wren: 100 101 102" and chat.shown("#doing") == "")


async def test_who_comes_amid_an_answer_of_a_turn_without_a_plan_hears_whose_it_is():
    turn = {"persona": "wren", "name": "Wren", "reason": "trigger-word", "meaning": "", "turn_id": "t", "status": "running", "note": ""}
    house = talked(whys={"m1": {"message_id": "m1", "turns": [turn], "skipped": []}})
    async with chatting(house) as chat:
        house.write("t", "100 ")
        house.write("t", "101")
        await chat.until(lambda: chat.lines[-1] == "Wren ... 100 101")


async def test_silence_is_told_and_why_says_more():
    def nobody(house, body):
        message = house.hear(body)
        house.plan(message)
        house.end_of(message, "silent")

    skipped = [{"persona": "bram", "name": "Bram", "why": "not-called", "meaning": "The message holds none of its words."}]
    house = talked(on_send=nobody, whys={"m3": {"message_id": "m3", "turns": [], "skipped": skipped}})
    async with chatting(house) as chat:
        await chat.type("hm")
        await chat.until(lambda: chat.lines[-1] == "* Nobody was called; /why says more.")
        await chat.type("/why")
        await chat.until(lambda: "Bram does not answer: not-called" in chat.picture)
        assert "You: hm" in chat.picture
        assert "The message holds none of its words." in chat.picture
        await chat.pilot.press("escape")
        await chat.until(lambda: "not-called" not in chat.picture)


@pytest.mark.parametrize(("typed", "asked"), [("/why", "m1"), ("/why bram", "m2"), ("/why m2", "m2")])
async def test_why_asks_about_the_named_message(typed, asked):
    turn = {"persona": "bram", "name": "Bram", "reason": "trigger-word", "meaning": f"Asked about {asked}.", "turn_id": "t", "note": ""}
    house = talked(whys={asked: {"message_id": asked, "turns": [turn], "skipped": []}})
    async with chatting(house) as chat:
        await chat.type(typed)
        await chat.until(lambda: f"Asked about {asked}." in chat.picture)


async def test_enter_sends_and_other_keys_begin_a_new_line():
    house = talked()
    async with chatting(house) as chat:
        await chat.pilot.press("a", "ctrl+j", "b", "alt+enter", "c", "shift+enter", "d")
        assert chat.draft == "a\nb\nc\nd"
        chat.app.post_message(events.Paste("e\r\nf\x1b[2J"))
        await chat.until(lambda: chat.draft.endswith("de\nf[2J"))
        assert house.sent == []
        await chat.pilot.press("enter")
        await chat.until(lambda: bool(house.sent))
        assert house.sent[0]["content"] == "a\nb\nc\nde\nf[2J"
        await chat.pilot.press("enter")
        assert len(house.sent) == 1


async def test_esc_stops_what_is_being_said_and_ctrl_x_stops_anyhow():
    house = talked(on_send=lambda house, body: house.plan(house.hear(body), "bram"))
    async with chatting(house) as chat:
        await chat.pilot.press("escape")
        await chat.type("bram, count to a thousand")
        await chat.until(lambda: chat.shown("#doing") == "Bram writes")
        house.write("m3-bram", "One, two")
        assert house.stopped == []
        await chat.pilot.press("escape")
        await chat.until(lambda: house.stopped == ["chat-1"])
        house.end_of("m3", "stopped")
        await chat.until(lambda: chat.lines[-1] == "* Stopped.")
        assert "Bram ... One, two" not in chat.lines
        await chat.pilot.press("ctrl+x")
        await chat.until(lambda: house.stopped == ["chat-1", "chat-1"])
        await chat.type("/stop")
        await chat.until(lambda: len(house.stopped) == 3)


async def test_an_unknown_command_is_one_sentence_and_sends_nothing():
    house = talked()
    async with chatting(house) as chat:
        await chat.type("/shrug")
        await chat.until(lambda: "There is no command /shrug" in chat.shown("#sentence"))
        await chat.type("//shrug")
        await chat.until(lambda: bool(house.sent))
        assert [body["content"] for body in house.sent] == ["/shrug"]
        assert chat.shown("#sentence") == ""


async def test_help_lists_the_commands_over_the_room():
    async with chatting(talked()) as chat:
        await chat.type("/help")
        await chat.until(lambda: "/session switch NAME|ID" in chat.picture)
        await chat.pilot.press("escape")
        await chat.type("/cast")
        await chat.until(lambda: "Called by odile, coterie; handle odile." in chat.picture)


async def test_tab_and_enter_complete_a_command():
    house = talked()
    async with chatting(house) as chat:
        await chat.pilot.press("slash", "s", "t", "tab")
        assert chat.draft == "/stop"
        await chat.pilot.press("ctrl+u", "slash", "s", "t", "enter")
        await chat.until(lambda: house.stopped == ["chat-1"])
        await chat.pilot.press(*"/reply ")
        await chat.pilot.pause()
        await chat.pilot.press("down", "enter")
        await chat.until(lambda: chat.shown("#replying") == "Reply to Bram: I am, and the oven is warm.")
        await chat.pilot.press("slash", "h")
        choices = chat.app.room.query_one("#choices", OptionList)
        assert choices.display
        await chat.pilot.press("escape")
        assert not choices.display
        assert chat.draft == "/h"


async def test_sessions_are_listed_and_entered():
    house = talked()
    house.sessions["chat-2"] = session_json(
        "chat-2", name="Moth club", self_id="moths", model="openai:large", reasoning="high", state="working"
    )
    house.messages["chat-2"] = [message_json("m9", "Cid", "Lamps!")]
    async with chatting(house) as chat:
        await chat.type("/session")
        await chat.until(lambda: "moths, model openai:large, level high, working" in chat.picture)
        assert "Night kitchen  here" in chat.picture
        await chat.pilot.press("down", "enter")
        await chat.until(lambda: chat.lines == ["Cid: Lamps!"])
        assert chat.shown("#title") == "Moth club"
        assert chat.shown("#state") == "openai:large"
        await chat.type("/session switch night KITCHEN")
        await chat.until(lambda: chat.shown("#title") == "Night kitchen")
        await chat.type("/session switch Moths")
        await chat.until(lambda: chat.shown("#title") == "Moth club")
        await chat.type("/session switch nowhere")
        await chat.until(lambda: chat.shown("#sentence") == "There is no session nowhere; /session lists them.")
        await chat.type("hello")
        await chat.until(lambda: [body["session_id"] for body in house.sent] == ["chat-2"])


async def test_a_new_session_is_made_and_named():
    house = talked()
    async with chatting(house) as chat:
        await chat.type("/session new The attic")
        await chat.until(lambda: chat.shown("#title") == "The attic" and chat.lines == [])
        await chat.type("/session name The cellar")
        await chat.until(lambda: chat.shown("#title") == "The cellar")
        await chat.type("/session id cellar")
        await chat.until(lambda: house.sessions["chat-2"]["self_id"] == "cellar")
        await chat.type("/session id")
        await chat.until(lambda: chat.draft == "/session id cellar")
        await chat.pilot.press("ctrl+u")
        await chat.type('/session id ""')
        await chat.until(lambda: house.sessions["chat-2"]["self_id"] == "")
        await chat.pilot.press(*"/session role One", "ctrl+j", *"Two", "enter")
        await chat.until(lambda: house.sessions["chat-2"]["role"] == "One\nTwo")
        house.refusal = Refusal(409, "Another session has this self_id.")
        await chat.type("/session id moths")
        await chat.until(lambda: chat.shown("#sentence") == "Another session has this self_id.")


async def test_a_person_can_speak_as_somebody_else():
    house = talked()
    async with chatting(house, name="Ann") as chat:
        await chat.type("one")
        await chat.type("/as Cid the Cook")
        await chat.until(lambda: chat.shown("#doing") == "As Cid the Cook")
        await chat.type("two")
        await chat.type("/as")
        await chat.type("three")
        await chat.until(lambda: len(house.sent) == 3)
        users = [(body["user"]["id"], body["user"]["name"]) for body in house.sent]
        assert users == [("as:Ann", "Ann"), ("as:Cid the Cook", "Cid the Cook"), ("owner", "You")]
        await chat.type("/as " + "x" * 91)
        await chat.until(lambda: "at most 90" in chat.shown("#sentence"))


async def test_a_reply_names_the_message_and_is_shown_with_it():
    house = talked()
    async with chatting(house) as chat:
        await chat.type("/reply")
        await chat.until(lambda: chat.shown("#replying") == "Reply to Bram: I am, and the oven is warm.")
        await chat.type("How warm?")
        await chat.until(lambda: chat.lines[-1] == "You: > Bram: I am, and the oven is warm.\nHow warm?")
        assert house.sent[0]["reply_to"] == "m2"
        assert chat.shown("#replying") == ""
        await chat.type("/reply ann")
        await chat.until(lambda: chat.shown("#replying") == "Reply to Ann: Who is here?")
        await chat.pilot.press("escape")
        assert chat.shown("#replying") == ""
        await chat.type("/reply nobody")
        await chat.until(lambda: chat.shown("#sentence") == "There is no such line here.")


async def test_older_lines_come_when_the_reader_reaches_the_top_and_the_view_stays():
    house = FakeHouse(messages={"chat-1": [message_json(f"m{n}", "Ann", f"Number {n}.") for n in range(1, 121)]})
    async with chatting(house) as chat:
        history = chat.app.room.history_view
        assert "Ann: Number 120." in chat.lines
        assert len(chat.lines) == 50
        history.scroll_to(y=0, animate=False)
        await chat.until(lambda: len(chat.lines) == 100)
        await chat.until(lambda: history.scroll_y > 0)
        assert chat.lines[0] == "Ann: Number 21."
        assert "Number 71." in chat.picture
        house.hear({"session_id": "chat-1", "user": {"id": "b", "name": "Cid"}, "content": "New below."})
        await chat.until(lambda: chat.lines[-1] == "Cid: New below.")
        assert "Number 71." in chat.picture
        history.scroll_to(y=0, animate=False)
        await chat.until(lambda: len(chat.lines) == 121)
        assert chat.lines[0] == "Ann: Number 1."
        history.scroll_end(animate=False)
        await chat.until(lambda: "New below." in chat.picture)


async def test_pages_are_turned_from_the_composer():
    house = FakeHouse(messages={"chat-1": [message_json(f"m{n}", "Ann", f"Number {n}.") for n in range(1, 41)]})
    async with chatting(house) as chat:
        history = chat.app.room.history_view
        await chat.pilot.press("h", "pageup", "pageup")
        await chat.until(lambda: "Number 40." not in chat.picture)
        await chat.pilot.press("i", "pagedown", "pagedown", "pagedown", "pagedown")
        await chat.until(lambda: history.is_at_end and "Number 40." in chat.picture)
        assert chat.draft == "hi"


async def test_a_long_evening_keeps_a_bounded_number_of_lines():
    house = talked()
    async with chatting(house) as chat:
        for number in range(MOST_SHOWN + 20):
            house.hear({"session_id": "chat-1", "user": {"id": "b", "name": "Cid"}, "content": f"Number {number}."})
        await chat.until(lambda: chat.lines[-1] == f"Cid: Number {MOST_SHOWN + 19}.")
        assert len(chat.lines) == MOST_SHOWN
        assert len(chat.app.room.happenings.lines) == MOST_SHOWN
        chat.app.room.history_view.scroll_to(y=0, animate=False)
        await chat.until(lambda: chat.lines[0] == "Ann: Who is here?")


async def test_the_server_goes_away_and_comes_back_and_the_draft_stays():
    house = talked()
    async with AsyncExitStack() as stack:
        serving = await stack.enter_async_context(running(house))
        chat = await stack.enter_async_context(in_room(house, serving))
        chat.write("half a thought")
        house.hang_up()
        await serving.close()
        await chat.until(lambda: chat.shown("#state") == "no connection, trying again" and "Nothing answers at" in chat.shown("#sentence"))
        await chat.pilot.press("enter")
        await chat.until(lambda: chat.draft == "half a thought" and "Nothing answers at" in chat.shown("#sentence"))
        house.messages["chat-1"].append(message_json("m3", "Cid", "Meanwhile."))
        await stack.enter_async_context(running(house, serving.port))
        await chat.until(lambda: chat.shown("#state") == "scripted is ready")
        await chat.until(lambda: chat.lines[-1] == "Cid: Meanwhile.")
        assert chat.draft == "half a thought"
        assert chat.shown("#sentence") == ""
        await chat.pilot.press("enter")
        await chat.until(lambda: chat.lines[-1] == "You: half a thought")
        assert chat.draft == ""


async def test_a_text_whose_way_was_cut_off_leaves_the_composer_when_it_turns_out_to_be_heard():
    def hear_and_break(house, body):
        house.hear(body)
        house.on_send = both_answer
        house.hang_up()

    house = talked(on_send=hear_and_break)
    async with chatting(house) as chat:
        await chat.type("did you hear me?")
        await chat.until(lambda: chat.lines[-1] == "You: did you hear me?" and chat.draft == "")
        assert len(house.sent) == 1


async def test_what_was_missed_while_away_is_shown():
    house = talked()
    async with chatting(house) as chat:
        house.hear({"session_id": "chat-1", "user": {"id": "b", "name": "Cid"}, "content": "Before."})
        await chat.until(lambda: chat.lines[-1] == "Cid: Before.")
        house.hang_up()
        house.hear({"session_id": "chat-1", "user": {"id": "b", "name": "Cid"}, "content": "Meanwhile."})
        await chat.until(lambda: chat.lines[-1] == "Cid: Meanwhile.")
        assert house.resumed_after[-1] is not None
        house.forgets = True
        house.messages["chat-1"] = [message_json("m8", "Cid", "Only this is left.")]
        house.hang_up()
        await chat.until(lambda: chat.lines == ["Cid: Only this is left."])


async def test_a_refused_text_comes_back_into_the_composer():
    house = talked()
    async with chatting(house) as chat:
        await chat.type("/reply")
        house.refusal = Refusal(413, "content has 300,000 characters; at most 200,000 are taken.")
        await chat.type("long text")
        await chat.until(lambda: chat.draft == "long text")
        assert chat.shown("#sentence").startswith("content has 300,000")
        assert chat.shown("#replying").startswith("Reply to Bram")
        house.refusal = None
        await chat.pilot.press("enter")
        await chat.until(lambda: chat.lines[-1].endswith("long text"))


async def test_a_text_that_the_storage_did_not_take_comes_back_too():
    house = talked(takes_nothing="The disk is full.")
    async with chatting(house) as chat:
        await chat.type("remember this")
        await chat.until(lambda: chat.shown("#sentence") == "The disk is full.")
        assert chat.draft == "remember this"


async def test_a_message_whose_turns_all_fail_stays_said():
    def fail(house, body):
        message = house.hear(body)
        house.plan(message, "bram")
        house.publish("error", {"error": "The key was refused.", "turn_id": f"{message}-bram"})
        house.end_of(message, "failed")

    async with chatting(talked(on_send=fail)) as chat:
        await chat.type("bram?")
        await chat.until(lambda: chat.lines[-2:] == ["You: bram?", "* Bram: The key was refused."])
        await chat.until(lambda: not any(worker.group == "do" for worker in chat.app.workers))
        assert chat.draft == ""


async def test_a_session_that_is_deleted_leads_to_the_default_room():
    house = talked()
    house.sessions["chat-2"] = session_json("chat-2", name="Moth club")
    house.messages["chat-2"] = []
    async with chatting(house, session="chat-2") as chat:
        assert chat.shown("#title") == "Moth club"
        del house.sessions["chat-2"]
        house.hang_up()
        await chat.until(lambda: chat.shown("#title") == "Night kitchen")


async def test_a_new_persona_is_in_the_cast_when_it_is_heard_of():
    house = talked()
    async with chatting(house) as chat:
        house.personas.append(persona_json("newt", "Newt", ["newt"]))
        house.plan("m2", "newt")
        await chat.until(lambda: "Newt  writes\nnewt" in chat.shown("#cast-text"))


async def test_texts_and_names_are_never_commands_to_the_screen():
    evil = "[bold red]x[/] [@click=app.quit]leave[/] \x1b[2J\x1b]0;t\x07 $foreground {x}"
    house = FakeHouse(
        messages={"chat-1": [message_json("m1", evil, evil, persona="evil")]},
        personas=[persona_json("evil", evil, [evil], is_alter=False)],
    )
    house.sessions["chat-1"]["name"] = evil
    shown = "[bold red]x[/] [@click=app.quit]leave[/] [2J]0;t $foreground {x}"
    async with chatting(house, size=(160, 40)) as chat:
        assert chat.lines == [f"{shown}: {shown}"]
        assert chat.shown("#title") == shown
        assert shown in chat.shown("#cast-text")
        assert f"Talk to {shown}; /help" in chat.picture
        house.plan("m1", "evil")
        house.write("m1-evil", evil)
        await chat.until(lambda: chat.lines[-1] == f"{shown} ... {shown}")
        house.publish("error", {"error": evil, "turn_id": "m1-evil"})
        await chat.until(lambda: chat.lines[-1] == f"* {shown}: {shown}")
        for typed in ("/reply", "/session", "/cast"):
            await chat.type(typed)
            await chat.until(lambda: "[bold red]x[/]" in chat.picture)
            await chat.pilot.press("escape")
        house.refusal = Refusal(409, evil)
        await chat.type("/session id x")
        await chat.until(lambda: chat.shown("#sentence") == shown)
        assert "\x1b" not in chat.picture


async def test_ctrl_c_does_not_lose_a_draft_and_says_how_to_leave():
    async with chatting(talked()) as chat:
        await chat.pilot.press("h", "i", "ctrl+c")
        await chat.until(lambda: chat.shown("#sentence") == "Ctrl+C once more leaves, and so does Ctrl+Q or /quit.")
        assert chat.draft == "hi"
        await chat.pilot.press("ctrl+d")
        assert chat.app.is_running


@pytest.mark.parametrize(("seconds", "leaves"), [(1.9, True), (2.1, False)])
async def test_ctrl_c_leaves_when_it_is_pressed_twice_in_a_moment(seconds, leaves):
    moments = iter([100.0, 100.0 + seconds])
    async with chatting(talked(), clock=lambda: next(moments)) as chat:
        await chat.pilot.press("ctrl+c")
        await chat.until(lambda: chat.shown("#sentence").startswith("Ctrl+C once more leaves"))
        await chat.pilot.press("ctrl+c")
        await chat.pilot.pause()
        assert chat.app.is_running is not leaves


@pytest.mark.parametrize("key", ["ctrl+d", "ctrl+q"])
async def test_leaving_by_a_key(key):
    async with chatting(talked()) as chat:
        await chat.pilot.press(key)
        await chat.until(lambda: not chat.app.is_running)
