import asyncio
from datetime import timedelta

import pytest

from coterie.domain.ids import LOCAL, Handle, MessageId, SessionId, TurnId, WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.domain.turns.plan import Reason, Why
from coterie.ports.stores import ChannelState, NotFound, PersonaDraft, PlanCommit, PlannedTurn, Turn, TurnFacts, TurnStatus
from storage.talking import ANN, BEN, NOON, ROOM, handles_of, said


async def test_a_room_in_which_nothing_happened(scene):
    facts = await scene.facts()
    assert (facts.state, facts.replied_to) == (ChannelState(), None)
    assert facts.settings.all() == (await scene.storage.settings.settings(LOCAL)).all()


async def test_facts_of_a_workspace_that_was_never_seen(storage):
    facts = await storage.conversations.facts(WorkspaceId("dm:7"), ROOM, MessageId("m0"), NOON)
    assert (facts.state, facts.replied_to, facts.settings.chosen, facts.settings.is_here) == (ChannelState(), None, {}, True)


async def test_facts_hold_the_settings_of_the_moment(scene, elsewhere):
    await elsewhere.settings.change(LOCAL, {"trigger-match-limit": 7, "always-reply": False})
    assert (await scene.facts()).settings.chosen == {"trigger-match-limit": 7, "always-reply": False}


async def test_facts_hold_the_message_that_is_replied_to(scene):
    await scene.hears("m1")
    await scene.plans("m1", "bram", resets=True)
    await scene.says("m1.bram", "Yes.")
    assert (await scene.facts("m1.bram.1")).replied_to == await scene.storage.conversations.message(MessageId("m1.bram.1"))
    assert (await scene.facts("m1")).replied_to.author == ANN
    assert (await scene.facts("never")).replied_to is None


async def test_a_message_of_another_session_is_not_replied_to(scene):
    other = SessionId("cli-00000000-0000-4000-8000-000000000002")
    await scene.storage.sessions.create(other, LOCAL)
    await scene.storage.conversations.hear(said("elsewhere", session=other))
    assert (await scene.facts("elsewhere")).replied_to is None


async def test_a_plan_is_written_as_it_was_made(scene):
    await scene.hears("m1")
    bram, wren = await scene.id_of("bram"), await scene.id_of("wren")
    plan = PlanCommit(
        LOCAL,
        ROOM,
        MessageId("m1"),
        MessageId("m1"),
        ANN.id,
        (PlannedTurn(TurnId("t1"), bram, Reason.MENTIONED, counts=True), PlannedTurn(TurnId("t2"), wren, Reason.CHAIN, counts=True)),
        ((await scene.id_of("odile"), Why.NOT_CALLED),),
        3,
        resets=True,
        at=NOON,
        model="openai:small",
        reasoning="low",
    )
    settled = await scene.storage.conversations.commit(plan)
    first = Turn(
        TurnId("t1"),
        ROOM,
        LOCAL,
        bram,
        Reason.MENTIONED,
        MessageId("m1"),
        MessageId("m1"),
        ANN.id,
        (bram, wren),
        TurnStatus.WAITING,
        NOON,
        "openai:small",
        "low",
    )
    assert settled.turns[0] == first
    assert [turn.id for turn in settled.turns] == ["t1", "t2"]
    assert settled.skipped == plan.skipped
    assert await scene.storage.conversations.turn(TurnId("t1")) == first
    assert await scene.storage.conversations.unfinished() == list(settled.turns)


async def test_a_plan_in_no_session_is_refused(scene):
    await scene.storage.sessions.delete(ROOM)
    with pytest.raises(NotFound, match=ROOM):
        await scene.plans("m1", "bram")


# The examples of specification 000: one count per channel, the first activation free.


async def test_a_message_that_calls_three_with_a_limit_of_one(scene):
    scene.limit = 1
    settled = await scene.plans("m1", "odile", "bram", "wren", resets=True, skipped={})
    assert handles_of(settled) == ["odile", "bram"]
    assert settled.skipped == ((await scene.id_of("wren"), Why.CASCADE_LIMIT),)
    assert await scene.count() == 2


async def test_a_chain_is_blocked_when_the_calls_are_used_up(scene):
    await scene.storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Dora")))
    assert handles_of(await scene.plans("m1", "odile", resets=True)) == ["odile"]
    assert handles_of(await scene.plans("m1.odile.1", "bram", "wren", root="m1")) == ["bram", "wren"]
    assert handles_of(await scene.plans("m1.bram.1", "dora", root="m1")) == ["dora"]
    blocked = await scene.plans("m1.wren.1", "odile", root="m1", skipped={"bram": Why.NOT_CALLED})
    assert blocked.turns == ()
    assert blocked.skipped == ((await scene.id_of("bram"), Why.NOT_CALLED), (await scene.id_of("odile"), Why.CASCADE_LIMIT))
    assert await scene.count() == 4


async def test_a_limit_of_nought_lets_the_first_through(scene):
    scene.limit = 0
    assert handles_of(await scene.plans("m1", "odile", "bram", resets=True)) == ["odile"]
    assert handles_of(await scene.plans("m1.odile.1", "bram", root="m1")) == []


async def test_a_message_of_a_person_resets_the_count_when_it_arrives(scene):
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.hears("m2", BEN)
    assert await scene.count() == 0


async def test_a_message_seen_twice_resets_once(scene):
    await scene.hears("m1")
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.hears("m1")
    assert await scene.count() == 2


async def test_a_plan_for_a_person_resets_the_count_again(scene):
    await scene.hears("m2")
    await scene.plans("m1.odile.1", "bram", "wren", root="m1")
    assert handles_of(await scene.plans("m2", "odile", "bram", "wren", resets=True)) == ["odile", "bram", "wren"]
    assert await scene.count() == 3


async def test_a_stop_keeps_the_count(scene):
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.hears("m2", resets=False)
    assert await scene.count() == 2


async def test_the_count_is_forgotten_after_half_an_hour_without_an_activation(scene):
    await scene.plans("m1", "odile", "bram", resets=True)
    scene.waits(20)
    await scene.plans("m1.bram.1", "wren", root="m1")
    scene.waits(30)
    assert await scene.count() == 3
    scene.waits(0.01)
    assert await scene.count() == 0
    assert handles_of(await scene.plans("m1.wren.1", "odile", "bram", root="m1")) == ["odile", "bram"]
    assert await scene.count() == 2


async def test_a_turn_chosen_by_hand_is_not_counted_and_never_blocked(scene):
    scene.limit = 0
    await scene.plans("m1", "odile", resets=True)
    settled = await scene.plans("m2", "bram", counts=False)
    assert handles_of(settled) == ["bram"]
    assert await scene.count() == 1


async def test_a_plan_without_turns_keeps_the_count_and_says_why(scene):
    await scene.plans("m1", "odile", "bram", resets=True)
    settled = await scene.plans("m1.odile.1", root="m1", skipped={"wren": Why.NOT_CALLED})
    assert settled.turns == ()
    assert await scene.count() == 2
    assert (await scene.storage.conversations.why(MessageId("m1.odile.1"))).skipped == settled.skipped


async def test_the_origin_is_who_began_the_chain(scene):
    assert (await scene.facts()).state.origin is None
    await scene.plans("m1", "odile", resets=True)
    assert (await scene.facts()).state.origin == ANN.id


async def test_each_channel_counts_for_itself(scene):
    other = SessionId("cli-00000000-0000-4000-8000-000000000002")
    await scene.storage.sessions.create(other, LOCAL)
    await scene.plans("m1", "odile", "bram", resets=True)
    assert (await scene.storage.conversations.facts(LOCAL, other, None, NOON)).state.cascade_count == 0


async def test_of_two_plans_at_once_exactly_as_many_turns_run_as_may(scene, elsewhere):
    cast = await scene.storage.casts.cast(LOCAL)
    await scene.plans("m1", "odile", resets=True)

    def chain(name: str) -> PlanCommit:
        turns = tuple(PlannedTurn(TurnId(f"{name}.{who.handle}"), who.id, Reason.CHAIN, counts=True) for who in cast.personas)
        return PlanCommit(LOCAL, ROOM, MessageId(name), MessageId("m1"), ANN.id, turns, (), 3, resets=False, at=NOON)

    settled = await asyncio.gather(scene.storage.conversations.commit(chain("a")), elsewhere.conversations.commit(chain("b")))
    assert sum(len(one.turns) for one in settled) == 3
    assert sum(len(one.skipped) for one in settled) == 3
    assert len(await scene.storage.conversations.unfinished()) == 4
    assert await scene.count() == 4


async def test_of_two_first_plans_at_once_exactly_as_many_turns_run_as_may(scene, elsewhere):
    cast = await scene.storage.casts.cast(LOCAL)
    await elsewhere.casts.cast(LOCAL)

    def first(name: str) -> PlanCommit:
        turns = tuple(PlannedTurn(TurnId(f"{name}.{who.handle}"), who.id, Reason.TRIGGER_WORD, counts=True) for who in cast.personas)
        return PlanCommit(LOCAL, ROOM, MessageId(name), MessageId(name), ANN.id, turns, (), 3, resets=False, at=NOON)

    settled = await asyncio.gather(scene.storage.conversations.commit(first("a")), elsewhere.conversations.commit(first("b")))
    assert sum(len(one.turns) for one in settled) == 4
    assert await scene.count() == 4


# Who spoke last.


async def test_the_last_two_speakers_are_remembered(scene):
    odile, bram = await scene.id_of("odile"), await scene.id_of("bram")
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.says("m1.odile", "One.", "Two.")
    assert await _speakers(scene) == (odile, None)
    await scene.says("m1.bram", "Three.")
    assert await _speakers(scene) == (bram, odile)


async def test_who_spoke_before_a_person_did_may_be_called_back(scene):
    odile, bram = await scene.id_of("odile"), await scene.id_of("bram")
    await scene.plans("m1", "odile", resets=True)
    await scene.says("m1.odile", "One.")
    await scene.hears("m2", BEN)
    await scene.plans("m2", "bram", resets=True)
    assert await _speakers(scene) == (odile, None)
    await scene.says("m2.bram", "Two.")
    assert await _speakers(scene) == (bram, None)


async def test_a_turn_without_a_line_changes_no_speaker(scene):
    odile = await scene.id_of("odile")
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.says("m1.odile", "One.")
    await scene.says("m1.bram", status=TurnStatus.SILENT)
    assert await _speakers(scene) == (odile, None)


async def test_a_removed_speaker_is_forgotten(scene):
    await scene.plans("m1", "bram", resets=True)
    await scene.says("m1.bram", "One.")
    await scene.storage.casts.remove(LOCAL, Handle("bram"))
    assert await _speakers(scene) == (None, None)


async def test_the_state_survives_a_restart(scene, elsewhere):
    await scene.plans("m1", "odile", "bram", resets=True)
    await scene.says("m1.odile", "One.")
    here = await scene.facts()
    there = await elsewhere.conversations.facts(LOCAL, ROOM, None, scene.at + timedelta(minutes=1))
    assert isinstance(there, TurnFacts)
    assert there.state == here.state


async def _speakers(scene):
    state = (await scene.facts()).state
    return state.last_speaker, state.spoke_before
