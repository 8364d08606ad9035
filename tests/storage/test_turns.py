from datetime import timedelta

import pytest

from coterie.domain.ids import LOCAL, Handle, MessageId, TurnId
from coterie.domain.personas.persona import PersonaContent
from coterie.domain.turns.plan import Why
from coterie.ports.stores import NotFound, TurnStatus
from storage.talking import NOON, ROOM


async def status(scene, turn: str) -> tuple[TurnStatus, str]:
    found = await scene.storage.conversations.turn(TurnId(turn))
    return found.status, found.note


async def test_a_turn_waits_runs_and_answers(scene):
    await scene.hears("m1")
    await scene.plans("m1", "bram", resets=True)
    assert await status(scene, "m1.bram") == (TurnStatus.WAITING, "")
    await scene.storage.conversations.begin(TurnId("m1.bram"))
    assert await status(scene, "m1.bram") == (TurnStatus.RUNNING, "")
    await scene.says("m1.bram", "One.", "Two.")
    assert await status(scene, "m1.bram") == (TurnStatus.ANSWERED, "")
    assert await scene.history() == ["m1", "m1.bram.1", "m1.bram.2"]


@pytest.mark.parametrize("ended", [TurnStatus.SILENT, TurnStatus.STOPPED, TurnStatus.SUPERSEDED, TurnStatus.FAILED])
async def test_a_turn_ends_without_a_line(scene, ended):
    await scene.plans("m1", "bram", resets=True)
    await scene.storage.conversations.finish(TurnId("m1.bram"), ended, "The model fell silent.")
    assert await status(scene, "m1.bram") == (ended, "The model fell silent.")
    assert await scene.history() == []


async def test_what_was_said_before_a_stop_stays_with_the_reason(scene):
    await scene.plans("m1", "bram", resets=True)
    await scene.says("m1.bram", "One.", status=TurnStatus.STOPPED, note="Ann stopped it.")
    assert await status(scene, "m1.bram") == (TurnStatus.STOPPED, "Ann stopped it.")
    assert await scene.history() == ["m1.bram.1"]


async def test_a_finished_turn_says_nothing_twice(scene):
    await scene.plans("m1", "bram", resets=True)
    await scene.says("m1.bram", "One.")
    await scene.storage.conversations.begin(TurnId("m1.bram"))
    await scene.says("m1.bram", "One.", "Two.")
    await scene.storage.conversations.finish(TurnId("m1.bram"), TurnStatus.FAILED, "late")
    assert await status(scene, "m1.bram") == (TurnStatus.ANSWERED, "")
    assert await scene.history() == ["m1.bram.1"]


async def test_a_turn_that_is_not_there(scene):
    talk = scene.storage.conversations
    assert await talk.turn(TurnId("never")) is None
    with pytest.raises(NotFound, match="never"):
        await talk.finish(TurnId("never"), TurnStatus.STOPPED)
    await scene.plans("m1", "bram", resets=True)
    with pytest.raises(NotFound, match="never"):
        await talk.say(TurnId("never"), [await scene.line("m1.bram")], TurnStatus.ANSWERED, NOON)
    assert await scene.history() == []


async def test_unfinished_turns_are_taken_up_in_the_order_in_which_they_would_have_run(scene, elsewhere):
    await scene.plans("m1", "odile", "bram", "wren", resets=True)
    await scene.plans("m1.odile.1", "odile", root="m1")
    await scene.says("m1.odile", "Bram?")
    await scene.storage.conversations.begin(TurnId("m1.wren"))
    left = await elsewhere.conversations.unfinished()
    assert [(turn.id, turn.status) for turn in left] == [
        ("m1.wren", TurnStatus.RUNNING),
        ("m1.bram", TurnStatus.WAITING),
        ("m1.odile.1.odile", TurnStatus.WAITING),
    ]
    assert [len(turn.co_triggered) for turn in left] == [3, 3, 1]


async def test_the_waiting_turns_of_a_removed_persona_are_called_off(scene):
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.storage.casts.remove(LOCAL, Handle("bram"))
    assert [turn.id for turn in await scene.storage.conversations.unfinished()] == ["m1.odile"]
    assert (await status(scene, "m1.bram"))[0] is TurnStatus.STOPPED


async def test_a_persona_removed_while_it_speaks_still_finishes_its_line(scene):
    await scene.plans("m1", "bram", resets=True)
    await scene.storage.conversations.begin(TurnId("m1.bram"))
    line = await scene.line("m1.bram")
    await scene.storage.casts.remove(LOCAL, Handle("bram"))
    await scene.storage.conversations.say(TurnId("m1.bram"), [line], TurnStatus.ANSWERED, NOON)
    kept = await scene.storage.conversations.message(line.id)
    assert (kept.author.id, kept.author.name) == (0, "Bram")


async def test_why_names_everyone(scene):
    await scene.hears("m1")
    await scene.plans("m1", "bram", resets=True, skipped={"wren": Why.MATCH_LIMIT, "odile": Why.NOT_CALLED})
    await scene.says("m1.bram", "Yes.")
    decision = await scene.storage.conversations.why(MessageId("m1"))
    bram, wren, odile = [await scene.id_of(handle) for handle in ("bram", "wren", "odile")]
    assert (decision.message, decision.session, decision.at) == ("m1", ROOM, NOON)
    assert [(turn.persona, turn.status) for turn in decision.turns] == [(bram, TurnStatus.ANSWERED)]
    assert decision.skipped == ((wren, Why.MATCH_LIMIT), (odile, Why.NOT_CALLED))
    assert decision.names == {bram: ("bram", "Bram"), wren: ("wren", "Wren"), odile: ("odile", "Odile")}
    assert await scene.storage.conversations.why(MessageId("m2")) is None


async def test_a_decision_still_reads_when_its_personas_are_renamed_or_gone(scene):
    await scene.plans("m1", "bram", resets=True, skipped={"wren": Why.NOT_CALLED})
    before = await scene.storage.conversations.why(MessageId("m1"))
    await scene.says("m1.bram", "Yes.")
    await scene.storage.casts.remove(LOCAL, Handle("bram"))
    await scene.storage.casts.change(LOCAL, Handle("wren"), PersonaContent("Robin"), None)
    after = await scene.storage.conversations.why(MessageId("m1"))
    assert (after.names, after.skipped, after.turns[0].persona) == (before.names, before.skipped, before.turns[0].persona)


async def test_a_message_planned_once_more_has_one_decision(scene):
    await scene.plans("m1", skipped={"bram": Why.STOPPED})
    scene.waits(1)
    await scene.plans("m1", "bram", skipped={"wren": Why.NOT_CALLED})
    decision = await scene.storage.conversations.why(MessageId("m1"))
    assert [turn.id for turn in decision.turns] == ["m1.bram"]
    assert (decision.skipped, decision.at) == (((await scene.id_of("wren"), Why.NOT_CALLED),), scene.at)


async def test_old_decisions_are_forgotten_and_messages_stay(scene):
    await scene.hears("m1")
    await scene.plans("m1", "bram", resets=True)
    await scene.says("m1.bram", "Yes.")
    scene.waits(60)
    await scene.hears("m2")
    await scene.plans("m2", "bram", resets=True)
    await scene.says("m2.bram", "Yes.")
    talk = scene.storage.conversations
    assert await talk.forget_decisions(NOON) == 0
    assert await talk.forget_decisions(NOON + timedelta(minutes=1)) == 1
    assert await talk.why(MessageId("m1")) is None
    assert await talk.turn(TurnId("m1.bram")) is None
    assert (await talk.why(MessageId("m2"))) is not None
    assert await scene.history() == ["m1", "m1.bram.1", "m2", "m2.bram.1"]


async def test_a_decision_is_not_forgotten_while_its_turns_are_unfinished(scene):
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.says("m1.odile", "Yes.")
    talk = scene.storage.conversations
    assert await talk.forget_decisions(NOON + timedelta(days=1)) == 0
    await talk.finish(TurnId("m1.bram"), TurnStatus.STOPPED)
    assert await talk.forget_decisions(NOON + timedelta(days=1)) == 1
