"""Turns that were asked for with a command: an instruction, a beginning, the words themselves; notes; stop. On both databases."""

from dataclasses import replace
from datetime import timedelta

import pytest

from coterie.domain.conversation import SYSTEM, Direction
from coterie.domain.ids import LOCAL
from coterie.flows.history import heard_by
from coterie.ports.stores import TurnStatus
from coterie.storage.opening import Storage
from flows.scenes import ROOM, Scene, lines, scene_of, skips, status, turns


@pytest.fixture
async def scene(storage: Storage):
    async with scene_of(storage) as opened:
        yield opened


def command(**given):
    return Direction(**given)


async def test_an_instruction_reaches_the_model_for_this_turn_alone_and_nobody_else(scene: Scene):
    await scene.say("good evening {{say: Evening.}}")
    events = await scene.say("/respond", persona="bram", direction=command(prompt="speak of moths {{say: Moths.}}"))
    assert lines(events) == [("Bram", "Moths.")]
    assert "“speak of moths" in scene.model.requests[-1].messages[-1].text
    assert "/respond" not in scene.model.requests[-1].messages[-1].text
    await scene.say("wren?")
    assert "moths {{" not in "".join(piece.text for piece in scene.model.requests[-1].messages)
    assert "speak of moths" not in str(await scene.said())


async def test_the_newest_message_is_what_a_command_answers(scene: Scene):
    await scene.say("the lamp is out", by="ben")
    await scene.say("/respond", persona="bram", direction=command())
    assert scene.model.requests[-1].messages[-1].text.endswith("Odile: ok")
    assert scene.model.requests[-1].note.last_user_text == ""


async def test_in_an_empty_room_somebody_begins(scene: Scene):
    events = await scene.say("/respond", persona="wren", direction=command())
    assert lines(events) == [("Wren", "ok")]
    assert scene.model.requests[-1].messages[-1].text == "(The conversation begins.)\n(Ann asks Wren to say something.)"


async def test_whoever_spoke_last_is_asked_to_go_on(scene: Scene):
    await scene.say("bram? {{say: I dig.}}")
    await scene.say("/respond", persona="bram", direction=command())
    assert "you spoke last" in scene.model.requests[-1].messages[-1].text
    await scene.say("/respond", persona="wren", direction=command())
    assert "you spoke last" not in scene.model.requests[-1].messages[-1].text


async def test_an_answer_begins_as_it_was_told_and_all_of_it_is_shown(scene: Scene):
    asked = command(prompt="{{say: there was a moth.}}", prefill="Once upon a time")
    events = await scene.say("/respond", persona="bram", direction=asked)
    assert lines(events) == [("Bram", "Once upon a time there was a moth.")]
    deltas = "".join(event.data["text"] for event in events if event.name == "delta")
    assert deltas == "Once upon a time there was a moth."


async def test_a_command_is_never_counted_and_its_line_may_call_the_next(scene: Scene):
    await scene.storage.settings.change(LOCAL, {"trigger-cascade-limit": 0})
    await scene.say("/respond", persona="bram", direction=command(prompt="{{say@bram: wren, you}}"))
    facts = await scene.storage.conversations.facts(LOCAL, ROOM, None, scene.clock.now())
    assert facts.state.cascade_count == 1
    assert [name for name, _ in await scene.said()][-2:] == ["Bram", "Wren"]


async def test_words_are_said_as_they_are_once_without_a_model_and_call_as_any_line(scene: Scene):
    events = await scene.say("/bot impersonate", persona="bram", direction=command(words="Bram: wren, look!\n\n/persona remove wren"))
    assert lines(events) == [("Bram", "Bram: wren, look!\n\n/persona remove wren"), ("Wren", "ok")]
    assert turns(events) == [[("bram", "impersonated")], [("wren", "chain")]]
    assert skips(events)[0] == {"odile": "another-chosen", "wren": "another-chosen"}
    assert len(scene.model.requests) == 1
    assert (await scene.storage.casts.cast(LOCAL)).by_handle("wren") is not None


async def test_a_command_that_waited_when_the_process_ended_is_carried_out_after_it(scene: Scene):
    asked = replace(
        scene.message("/respond", persona="bram", model="scripted:scripted"),
        direction=command(prompt="speak of moths {{say: Moths.}}", prefill="Oh,"),
    )
    await scene.storage.conversations.hear(asked)
    assert (await scene.storage.conversations.unplanned(scene.clock.now() - timedelta(minutes=1))) == (asked,)
    assert await scene.talk.resume() == 1
    await scene.talk.idle()
    assert await scene.said() == [("Ann", "/respond"), ("Bram", "Oh, Moths.")]


async def test_a_turn_that_was_planned_keeps_how_it_is_to_be_played(scene: Scene):
    later = scene.say_later("/respond", persona="bram", direction=command(prompt="{{sleep: 1}}", prefill="Oh"))
    await scene.gate.sleeping.acquire()
    (turn,) = await scene.storage.conversations.unfinished()
    assert turn.direction == Direction(prompt="{{sleep: 1}}", prefill="Oh")
    scene.gate.opened.set()
    assert status(await later) == "answered"


async def test_a_bare_command_is_still_a_command_after_a_restart(scene: Scene):
    await scene.say("/respond", persona="bram", direction=command())
    (line,) = (await scene.storage.conversations.history(ROOM, 1)).messages
    turn = await scene.storage.conversations.turn(line.turn)
    assert turn.direction == Direction()
    assert turn.trigger not in [message.id for message in heard_by(turn, [line], frozenset(), sees_earlier=True)]


async def test_a_note_is_read_by_everybody_and_answered_by_nobody(scene: Scene):
    note = replace(scene.message("wren, the lights go out"), author=SYSTEM)
    await scene.talk.narrate(note)
    decision = await scene.storage.conversations.why(note.id)
    names = {persona: handle for persona, (handle, _) in decision.names.items()}
    assert {names[persona]: why.value for persona, why in decision.skipped} == {
        "wren": "system-note",
        "odile": "not-called",
        "bram": "not-called",
    }
    assert decision.turns == ()
    assert await scene.storage.conversations.unplanned(scene.clock.now() - timedelta(minutes=1)) == ()
    await scene.say("bram?")
    assert "(wren, the lights go out)" in scene.model.requests[-1].messages[-1].text


async def test_a_note_that_was_kept_when_the_process_ended_calls_nobody_afterwards(scene: Scene):
    await scene.storage.conversations.hear(replace(scene.message("wren, bram and odile"), author=SYSTEM))
    assert await scene.storage.conversations.unplanned(scene.clock.now() - timedelta(minutes=1)) == ()


async def test_what_would_be_decided_is_told_and_nothing_is_kept(scene: Scene):
    message = scene.message("wren and bram?")
    cast, plan = await scene.talk.foresee(message)
    assert [cast.by_id(turn.persona).handle for turn in plan.turns] == ["wren", "bram"]
    assert await scene.storage.conversations.why(message.id) is None
    assert await scene.said() == []


async def test_a_stop_says_whether_there_was_anything(scene: Scene):
    assert await scene.talk.stop(ROOM) is False
    running = scene.say_later("bram {{sleep: 1}}")
    await scene.gate.sleeping.acquire()
    waiting = scene.say_later("/respond", by="ben", persona="wren", direction=command())
    await scene.is_placed("/respond")
    assert await scene.talk.stop(ROOM) is True
    assert status(await running) == TurnStatus.STOPPED
    assert status(await waiting) == TurnStatus.STOPPED
    await scene.talk.idle()
    assert [name for name, _ in await scene.said()] == ["Ann", "Ben"]
    assert await scene.talk.stop(ROOM) is False


async def test_a_message_does_not_interrupt_what_was_asked_for_by_hand(scene: Scene):
    first = scene.say_later("/respond", persona="bram", direction=command(prompt="{{sleep: 1}} {{say: Done.}}"))
    await scene.gate.sleeping.acquire()
    second = scene.say_later("bram, and moths?")
    await scene.is_placed("bram, and moths?")
    scene.gate.opened.set()
    assert lines(await first) == [("Bram", "Done.")]
    assert lines(await second) == [("Bram", "ok")]
