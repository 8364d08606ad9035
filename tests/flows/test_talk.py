"""Conversations in a room of this process, on both databases."""

import pytest

from coterie.domain.ids import MessageId
from coterie.ports.stores import TurnStatus
from coterie.storage.opening import Storage
from flows.scenes import ROOM, Scene, lines, scene_of, skips, status, turns


@pytest.fixture
async def scene(storage: Storage):
    async with scene_of(storage) as opened:
        yield opened


async def test_the_one_named_first_answers_first_and_the_other_hears_it(scene: Scene):
    events = await scene.say("bram and wren, hello {{say@bram: good evening}}")
    assert lines(events) == [("Bram", "good evening"), ("Wren", "ok")]
    assert turns(events) == [[("bram", "trigger-word"), ("wren", "trigger-word")]]
    assert skips(events) == [{"odile": "not-called"}]
    assert status(events) == "answered"
    assert "Bram: good evening" in scene.model.requests[1].messages[-1].text


async def test_deltas_make_up_the_line_and_come_before_it(scene: Scene):
    events = await scene.say("bram {{say: one two}}")
    names = [event.name for event in events]
    assert names[0] == "plan"
    assert "".join(event.data["text"] for event in events if event.name == "delta") == "one two"
    assert names.index("line") > max(index for index, name in enumerate(names) if name == "delta")


async def test_a_setting_keeps_later_personas_from_hearing_earlier_ones(scene: Scene):
    from coterie.domain.ids import LOCAL

    await scene.storage.settings.change(LOCAL, {"see-earlier-replies": False})
    await scene.say("bram and wren {{say@bram: good evening}}")
    assert "Bram: good evening" not in "".join(piece.text for piece in scene.model.requests[1].messages)
    await scene.say("odile, what did bram say?")
    assert "Bram: good evening" in "".join(piece.text for piece in scene.model.requests[-2].messages)


async def test_a_persona_block_is_in_every_request_and_names_only_its_speaker(scene: Scene):
    await scene.say("bram and wren")
    for request, handle in zip(scene.model.requests, ["bram", "wren"], strict=True):
        assert request.system.count("## Bot Persona") == 1
        assert f"Your identity is {handle}." in request.system
        assert request.note.handle == handle


async def test_the_sessions_own_role_is_worn_by_main_alone(scene: Scene):
    from coterie.domain.sessions.session import SessionChange

    await scene.storage.sessions.change(ROOM, SessionChange(role="You are a ship's cook.", self_id="cook", name="A title"))
    await scene.say("odile and bram")
    main, alter = scene.model.requests
    assert "ship's cook" in main.system
    assert "Your identity is cook." in main.system
    assert "ship's cook" not in alter.system
    assert "A title" not in main.system + alter.system


@pytest.mark.parametrize(("on", "answers"), [(True, [[("odile", "always-reply")]]), (False, [[]])])
async def test_nobody_is_called(scene: Scene, on: bool, answers):
    from coterie.domain.ids import LOCAL

    await scene.storage.settings.change(LOCAL, {"always-reply": on})
    events = await scene.say("what a night")
    assert turns(events) == answers
    assert status(events) == ("answered" if on else "silent")


async def test_a_mention_of_us_calls_main_and_words_call_further(scene: Scene):
    events = await scene.say("roll call, bram", mentions_us=True)
    assert turns(events) == [[("odile", "mentioned"), ("bram", "trigger-word")]]


async def test_the_same_message_twice_is_one(scene: Scene):
    message = scene.message("bram?")
    assert await scene.talk.receive(message)
    assert not await scene.talk.receive(message)
    await scene.talk.idle()
    assert await scene.said() == [("Ann", "bram?"), ("Bram", "ok")]


async def test_messages_that_wait_are_not_heard_by_others(scene: Scene):
    first = scene.say_later("bram {{sleep: 1}}")
    await scene.gate.sleeping.acquire()
    second = scene.say_later("wren, a secret", by="jo")
    await scene.is_placed("wren, a secret")
    third = scene.say_later("odile, later", by="kim")
    await scene.is_placed("odile, later")
    scene.gate.opened.set()
    assert [lines(await task) for task in (first, second, third)] == [[("Bram", "ok")], [("Wren", "ok")], [("Odile", "ok")]]
    heard_by_bram, heard_by_wren, heard_by_odile = ["".join(piece.text for piece in request.messages) for request in scene.model.requests]
    assert "a secret" not in heard_by_bram
    assert "a secret" in heard_by_wren
    assert "later" not in heard_by_wren
    assert "a secret" in heard_by_odile


async def test_nobody_waits_for_a_message_that_nobody_would_answer(scene: Scene):
    from coterie.domain.ids import LOCAL

    await scene.storage.settings.change(LOCAL, {"always-reply": False})
    first = scene.say_later("bram {{sleep: 1}}")
    await scene.gate.sleeping.acquire()
    aside = await scene.say("what a night", by="jo")
    assert (turns(aside), status(aside)) == ([[]], "silent")
    scene.gate.opened.set()
    assert status(await first) == "answered"


async def test_only_the_newest_follow_up_is_answered(scene: Scene):
    first = scene.say_later("bram {{sleep: 1}}")
    await scene.gate.sleeping.acquire()
    waiting = scene.say_later("wren, your turn", by="jo")
    await scene.is_placed("wren, your turn")
    second = scene.say_later("no: {{sleep: 1}} caves")
    await scene.gate.sleeping.acquire()
    third = scene.say_later("I mean moths")
    await scene.is_placed("I mean moths")
    scene.gate.opened.set()
    assert status(await first) == "superseded"
    assert status(await second) == "superseded"
    assert lines(await third) == [("Bram", "ok")]
    assert turns(await third) == [[("bram", "follow-up")]]
    assert lines(await waiting) == [("Wren", "ok")]
    assert await scene.said() == [
        ("Ann", "bram {{sleep: 1}}"),
        ("Jo", "wren, your turn"),
        ("Ann", "no: {{sleep: 1}} caves"),
        ("Ann", "I mean moths"),
        ("Bram", "ok"),
        ("Wren", "ok"),
    ]


async def test_after_three_interruptions_a_person_waits_like_everybody(scene: Scene):
    tasks = [scene.say_later("bram {{sleep: 1}}")]
    await scene.gate.sleeping.acquire()
    for number in range(3):
        tasks.append(scene.say_later(f"no {number} {{{{sleep: 1}}}}"))
        await scene.gate.sleeping.acquire()
    fourth = scene.say_later("bram, and finally")
    await scene.is_placed("bram, and finally")
    scene.gate.opened.set()
    assert [status(await task) for task in tasks] == ["superseded"] * 3 + ["answered"]
    assert turns(await fourth) == [[("bram", "trigger-word")]]


async def test_a_stop_of_the_owner_clears_the_chain_and_is_answered_by_who_spoke(scene: Scene):
    first = scene.say_later("bram and wren {{sleep: 1}}")
    await scene.gate.sleeping.acquire()
    other = scene.say_later("odile?", by="jo")
    await scene.is_placed("odile?")
    stop = await scene.say("stop")
    assert turns(stop) == [[("bram", "stop-response")]]
    assert lines(stop) == [("Bram", "ok")]
    assert (lines(await first), status(await first)) == ([], "stopped")
    assert lines(await other) == [("Odile", "ok")]
    decision = await scene.storage.conversations.why(MessageId((await first)[0].root))
    assert decision is not None
    assert [turn.status for turn in decision.turns] == [TurnStatus.STOPPED, TurnStatus.STOPPED]


async def test_a_stop_of_somebody_else_stops_nothing(scene: Scene):
    first = scene.say_later("bram {{sleep: 1}}")
    await scene.gate.sleeping.acquire()
    other = scene.say_later("stop", by="jo")
    await scene.is_placed("stop")
    scene.gate.opened.set()
    assert status(await first) == "answered"
    assert turns(await other) == [[("odile", "always-reply")]]


async def test_the_hard_stop_clears_what_waits_too_and_leaves_the_room_free(scene: Scene):
    first = scene.say_later("bram and wren {{sleep: 1}}")
    await scene.gate.sleeping.acquire()
    other = scene.say_later("odile?", by="jo")
    await scene.is_placed("odile?")
    assert scene.rooms.running(ROOM) == 1
    await scene.rooms.stop(ROOM)
    assert [status(await task) for task in (first, other)] == ["stopped", "stopped"]
    assert skips(await other) == [{"odile": "stopped", "bram": "not-called", "wren": "not-called"}]
    assert scene.rooms.running(ROOM) == 0
    assert lines(await scene.say("wren?")) == [("Wren", "ok")]


async def test_a_chain_waits_behind_personas_and_before_messages(scene: Scene):
    first = scene.say_later("bram and odile {{sleep@bram: 1}}{{say@bram: wren, odile, bram!}}")
    await scene.gate.sleeping.acquire()
    other = scene.say_later("odile?", by="jo")
    await scene.is_placed("odile?")
    scene.gate.opened.set()
    events = await first
    assert turns(events) == [[("bram", "trigger-word"), ("odile", "trigger-word")], [("wren", "chain")]]
    assert skips(events)[1] == {"odile": "already-waiting", "bram": "speaker-itself"}
    await other
    assert [name for name, _ in await scene.said()] == ["Ann", "Jo", "Bram", "Odile", "Wren", "Odile"]


async def test_the_cascade_limit_ends_a_chain(scene: Scene):
    """A and B are called at once, each line calls the other: three further calls, then it is over."""
    events = await scene.say("bram {{say: odile? bram? wren?}}")
    assert status(events) == "answered"
    assert len(lines(events)) <= 4
    assert lines(events)[0] == ("Bram", "odile? bram? wren?")
    again = await scene.say("wren?")
    assert turns(again)[0] == [("wren", "trigger-word")]


async def test_a_turn_that_fails_lets_the_others_go_on(scene: Scene):
    events = await scene.say("bram and wren {{fail@bram: broken}}")
    assert lines(events) == [("Wren", "ok")]
    assert status(events) == "answered"
    errors = [event for event in events if event.name == "error"]
    assert len(errors) == 1
    assert errors[0].data["turn_id"]


async def test_a_stopped_process_takes_up_what_had_said_nothing(storage: Storage):
    async with scene_of(storage) as before:
        task = before.say_later("bram and wren {{sleep@wren: 1}}")
        await before.gate.sleeping.acquire()
        await before.talk.close()
        task.cancel()
        assert await before.said() == [("Ann", "bram and wren {{sleep@wren: 1}}"), ("Bram", "ok")]
    async with scene_of(storage) as after:
        after.gate.opened.set()
        assert await after.talk.resume() == 1
        await after.talk.idle()
        assert [name for name, _ in await after.said()] == ["Ann", "Bram", "Wren"]
        assert await after.talk.resume() == 0


async def test_what_runs_and_waits_here_was_left_by_nobody(scene: Scene):
    first = scene.say_later("bram and wren {{sleep@bram: 1}}")
    await scene.gate.sleeping.acquire()
    second = scene.say_later("odile {{say: Late.}}", "ben")
    await scene.is_placed("odile {{say: Late.}}")
    assert await scene.talk.resume() == 0
    scene.gate.opened.set()
    assert lines(await first) == [("Bram", "ok"), ("Wren", "ok")]
    assert lines(await second) == [("Odile", "Late.")]
    assert await scene.talk.resume() == 0


async def test_messages_that_waited_at_a_restart_are_planned_as_they_were_asked(storage: Storage):
    async with scene_of(storage) as before:
        tasks = [before.say_later("bram {{sleep@bram: 1}}")]
        await before.gate.sleeping.acquire()
        tasks.append(before.say_later("wren, are you there?", "ben"))
        await before.is_placed("wren, are you there?")
        tasks.append(before.say_later("whoever", "cy", persona="odile"))
        await before.is_placed("whoever")
        await before.talk.close()
        for task in tasks:
            task.cancel()
    async with scene_of(storage) as after:
        after.gate.opened.set()
        assert await after.talk.resume() == 3
        await after.talk.idle()
        assert [name for name, _ in await after.said()] == ["Ann", "Ben", "Cy", "Bram", "Wren", "Odile"]
        assert await after.talk.resume() == 0


async def test_what_was_interrupted_long_ago_is_not_taken_up(storage: Storage):
    async with scene_of(storage) as before:
        tasks = [before.say_later("bram {{sleep: 1}}")]
        await before.gate.sleeping.acquire()
        tasks.append(before.say_later("wren?", "ben"))
        await before.is_placed("wren?")
        await before.talk.close()
        for task in tasks:
            task.cancel()
    async with scene_of(storage) as after:
        after.clock.pass_by(minutes=11)
        assert await after.talk.resume() == 0
        assert [name for name, _ in await after.said()] == ["Ann", "Ben"]
        assert lines(await after.say("bram?")) == [("Bram", "ok")]


async def test_a_persona_that_left_before_its_turn_is_passed_over(scene: Scene):
    from coterie.domain.ids import LOCAL, Handle

    first = scene.say_later("bram and wren {{sleep@bram: 1}}")
    await scene.gate.sleeping.acquire()
    await scene.storage.casts.remove(LOCAL, Handle("wren"))
    scene.gate.opened.set()
    assert lines(await first) == [("Bram", "ok")]
    assert status(await first) == "answered"


async def test_an_edited_persona_is_used_in_the_next_turn(scene: Scene):
    from dataclasses import replace

    from coterie.domain.ids import LOCAL, Handle

    await scene.say("bram?")
    bram = (await scene.storage.casts.cast(LOCAL)).by_handle("bram")
    await scene.storage.casts.change(LOCAL, Handle("bram"), replace(bram.content, role="You dive.", trigger_words=("diver",)), bram.avatar)
    events = await scene.say("diver?")
    assert lines(events) == [("Bram", "ok")]
    assert "You dive." in scene.model.requests[-1].system


async def test_an_empty_cast_is_a_quiet_end(storage: Storage):
    from coterie.domain.ids import LOCAL, Handle

    async with scene_of(storage) as scene:
        for handle in ("bram", "wren"):
            await storage.casts.remove(LOCAL, Handle(handle))
        await storage.settings.change(LOCAL, {"always-reply": False})
        events = await scene.say("bram?")
        assert (turns(events), status(events)) == ([[]], "silent")


async def test_models_and_levels_are_chosen_in_order(scene: Scene):
    from coterie.domain.ids import LOCAL
    from coterie.domain.sessions.session import SessionChange

    await scene.say("bram?")
    await scene.storage.settings.change(LOCAL, {"model": "openai:workspace"})
    await scene.say("bram?")
    await scene.storage.sessions.change(ROOM, SessionChange(model="openai:session", reasoning="high"))
    await scene.say("bram?")
    await scene.say("bram?", model="openai:request", reasoning="low")
    assert scene.models.asked == [None, "openai:workspace", "openai:session", "openai:request"]
    assert [request.level for request in scene.model.requests] == ["medium", "medium", "high", "low"]
