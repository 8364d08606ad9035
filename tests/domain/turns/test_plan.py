"""Who answers, in order, and why the others do not: one row for each rule."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.ids import Handle, PersonaId, WorkspaceId
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.settings import Settings
from coterie.domain.triggers.cascade import Cascade
from coterie.domain.triggers.recognise import Call
from coterie.domain.turns.plan import (
    MEANINGS,
    Chosen,
    PersonaChosen,
    PersonaSpoke,
    PersonSpoke,
    PlanFacts,
    Reason,
    TurnPlan,
    Why,
    is_counted,
    plan_turns,
    settle_turns,
)

MAIN, ANN, BOB, CLEO, DAN = map(PersonaId, (1, 2, 3, 4, 5))
CAST = Cast(
    WorkspaceId("local"),
    tuple(Persona(number, Handle(f"p{number}"), number != MAIN, PersonaContent(f"P{number}")) for number in (MAIN, ANN, BOB, CLEO, DAN)),
)
HEADLESS = Cast(WorkspaceId("local"), CAST.personas[1:])
EMPTY = Cast(WorkspaceId("local"))


def words(*personas: PersonaId) -> tuple[Call, ...]:
    return tuple(Call(persona, place, "word") for place, persona in enumerate(personas))


def facts(occasion, *called, match=5, cascade=10, count=0, always=False, waiting=(), cast=CAST) -> PlanFacts:
    settings = Settings({"trigger-match-limit": match, "trigger-cascade-limit": cascade, "always-reply": always})
    return PlanFacts(cast, occasion, settings, words(*called), Cascade(count), frozenset(waiting))


def turns(plan: TurnPlan) -> list[tuple[PersonaId, str]]:
    return [(chosen.persona, chosen.reason.value) for chosen in plan.turns]


def whys(plan: TurnPlan) -> dict[PersonaId, str]:
    return {skipped.persona: skipped.why.value for skipped in plan.skipped}


SOMEBODY = PersonSpoke()


@pytest.mark.parametrize(
    ("given_facts", "expected"),
    [
        # Words, in order of position.
        (facts(SOMEBODY, BOB, ANN), [(BOB, "trigger-word"), (ANN, "trigger-word")]),
        (facts(SOMEBODY), []),
        # Direct targets come first: the one replied to, then main on a mention, then the words.
        (facts(PersonSpoke(replied_to=CLEO), BOB), [(CLEO, "replied-to"), (BOB, "trigger-word")]),
        (facts(PersonSpoke(mentions_us=True), BOB), [(MAIN, "mentioned"), (BOB, "trigger-word")]),
        (
            facts(PersonSpoke(CLEO, mentions_us=True), BOB, MAIN),
            [(CLEO, "replied-to"), (MAIN, "mentioned"), (BOB, "trigger-word")],
        ),
        (facts(PersonSpoke(MAIN, mentions_us=True)), [(MAIN, "replied-to")]),
        (facts(PersonSpoke(replied_to=ANN), BOB, ANN), [(ANN, "replied-to"), (BOB, "trigger-word")]),
        (facts(PersonSpoke(replied_to=PersonaId(99)), BOB), [(BOB, "trigger-word")]),
        # Main answers when nobody is called, where that is set.
        (facts(SOMEBODY, always=True), [(MAIN, "always-reply")]),
        (facts(SOMEBODY, BOB, always=True), [(BOB, "trigger-word")]),
        (facts(PersonSpoke(replied_to=ANN), always=True), [(ANN, "replied-to")]),
        (facts(PersonSpoke(replied_to=PersonaId(99)), always=True), [(MAIN, "always-reply")]),
        (facts(SOMEBODY, always=True, cast=HEADLESS), []),
        (facts(PersonSpoke(mentions_us=True), cast=HEADLESS), []),
        # Limits. A person's message starts a new session whatever was counted before.
        (facts(SOMEBODY, DAN, CLEO, BOB, match=2), [(DAN, "trigger-word"), (CLEO, "trigger-word")]),
        (facts(SOMEBODY, DAN, CLEO, BOB, cascade=1), [(DAN, "trigger-word"), (CLEO, "trigger-word")]),
        (facts(SOMEBODY, DAN, CLEO, cascade=0), [(DAN, "trigger-word")]),
        (facts(SOMEBODY, DAN, CLEO, cascade=1, count=9), [(DAN, "trigger-word"), (CLEO, "trigger-word")]),
        (facts(PersonSpoke(ANN, mentions_us=True), DAN, match=2), [(ANN, "replied-to"), (MAIN, "mentioned")]),
        (facts(SOMEBODY, always=True, match=1, cascade=0, count=9), [(MAIN, "always-reply")]),
        # A persona's line.
        (facts(PersonaSpoke(ANN), BOB, MAIN), [(BOB, "chain"), (MAIN, "chain")]),
        (facts(PersonaSpoke(ANN), ANN, BOB), [(BOB, "chain")]),
        (facts(PersonaSpoke(ANN, last_speaker=ANN), BOB), [(BOB, "chain")]),
        (facts(PersonaSpoke(ANN, last_speaker=BOB), BOB, CLEO), [(CLEO, "chain")]),
        (facts(PersonaSpoke(ANN), always=True), []),
        (facts(PersonaSpoke(ANN), BOB, CLEO, waiting=[BOB]), [(CLEO, "chain")]),
        (facts(PersonaSpoke(ANN), BOB, CLEO, cascade=3, count=3), [(BOB, "chain")]),
        (facts(PersonaSpoke(ANN), BOB, CLEO, cascade=3, count=4), []),
        (facts(PersonaSpoke(ANN), BOB, CLEO, cascade=3, count=7), []),
        (facts(PersonaSpoke(ANN), BOB, CLEO, match=1), [(BOB, "chain")]),
        (facts(PersonaSpoke(ANN), BOB, CLEO, match=1, waiting=[BOB]), [(CLEO, "chain")]),
        # One persona chosen, whatever was said.
        (facts(PersonaChosen(CLEO), ANN, always=True), [(CLEO, "chosen")]),
        (facts(PersonaChosen(CLEO), cascade=0, count=5, match=1), [(CLEO, "chosen")]),
        (facts(PersonaChosen(CLEO, Reason.FOLLOW_UP)), [(CLEO, "follow-up")]),
        (facts(PersonaChosen(CLEO, Reason.STOP_RESPONSE)), [(CLEO, "stop-response")]),
        (facts(PersonaChosen(PersonaId(99))), [(MAIN, "chosen")]),
        (facts(PersonaChosen(PersonaId(99)), cast=HEADLESS), [(ANN, "chosen")]),
        # Nobody there.
        (facts(PersonaChosen(ANN), cast=EMPTY), []),
        (facts(PersonSpoke(ANN, mentions_us=True), always=True, cast=EMPTY), []),
        (facts(PersonaSpoke(ANN), cast=EMPTY), []),
    ],
)
def test_who_answers(given_facts, expected):
    assert turns(plan_turns(given_facts)) == expected


@pytest.mark.parametrize(
    ("given_facts", "expected"),
    [
        (facts(SOMEBODY, BOB), {MAIN: "not-called", ANN: "not-called", CLEO: "not-called", DAN: "not-called"}),
        (
            facts(SOMEBODY, DAN, CLEO, BOB, ANN, match=3, cascade=1),
            {BOB: "cascade-limit", ANN: "match-limit", MAIN: "not-called"},
        ),
        (
            facts(SOMEBODY, DAN, CLEO, BOB, match=1, cascade=1),
            {CLEO: "match-limit", BOB: "match-limit", **dict.fromkeys((MAIN, ANN), "not-called")},
        ),
        (
            facts(PersonaSpoke(ANN, last_speaker=BOB), ANN, BOB, CLEO, DAN, waiting=[DAN]),
            {ANN: "speaker-itself", BOB: "spoke-last", DAN: "already-waiting", MAIN: "not-called"},
        ),
        (
            replace(
                facts(PersonaSpoke(ANN, last_speaker=BOB), ANN, BOB, DAN, waiting=[DAN]),
                barred=dict.fromkeys((ANN, BOB, DAN), Why.PERSONA_NOT_HERE),
            ),
            {ANN: "speaker-itself", BOB: "persona-not-here", DAN: "persona-not-here", MAIN: "not-called", CLEO: "not-called"},
        ),
        (
            facts(PersonaSpoke(ANN, last_speaker=BOB), CLEO, waiting=[DAN]),
            {ANN: "speaker-itself", BOB: "not-called", DAN: "not-called", MAIN: "not-called"},
        ),
        (
            facts(PersonaSpoke(ANN, last_speaker=ANN), ANN, waiting=[ANN]),
            {ANN: "speaker-itself", **dict.fromkeys((MAIN, BOB, CLEO, DAN), "not-called")},
        ),
        (
            facts(PersonaSpoke(ANN), BOB, cascade=0, count=1),
            {ANN: "speaker-itself", BOB: "cascade-limit", **dict.fromkeys((MAIN, CLEO, DAN), "not-called")},
        ),
        (facts(PersonaChosen(CLEO), ANN), dict.fromkeys((MAIN, ANN, BOB, DAN), "another-chosen")),
        (facts(PersonaChosen(CLEO, Reason.FOLLOW_UP)), dict.fromkeys((MAIN, ANN, BOB, DAN), "not-called")),
        (facts(SOMEBODY, always=True), dict.fromkeys((ANN, BOB, CLEO, DAN), "not-called")),
    ],
)
def test_why_the_others_do_not(given_facts, expected):
    assert whys(plan_turns(given_facts)) == expected


def test_the_last_speaker_and_those_who_wait_may_be_called_by_a_person():
    plan = plan_turns(facts(SOMEBODY, ANN, BOB, waiting=[BOB]))
    assert turns(plan) == [(ANN, "trigger-word"), (BOB, "trigger-word")]


def test_skips_are_in_load_order():
    plan = plan_turns(facts(SOMEBODY, DAN, CLEO, ANN, match=1))
    assert [skipped.persona for skipped in plan.skipped] == [MAIN, ANN, BOB, CLEO]


@pytest.mark.parametrize(("match_limit", "cascade_limit"), [(match, cascade) for match in (1, 2, 3, 5) for cascade in (0, 1, 2, 3, 10)])
def test_the_bound_of_one_message(match_limit, cascade_limit):
    plan = plan_turns(facts(SOMEBODY, MAIN, ANN, BOB, CLEO, DAN, match=match_limit, cascade=cascade_limit))
    assert len(plan.turns) == min(match_limit, cascade_limit + 1, 5)


def settled(plan: TurnPlan, cascade_limit: int, count: int) -> tuple[list[PersonaId], list[PersonaId]]:
    run, beyond = settle_turns(plan.turns, lambda turn: is_counted(turn.reason), Cascade(count), cascade_limit)
    return [turn.persona for turn in run], [turn.persona for turn in beyond]


@pytest.mark.parametrize(
    ("count", "run", "beyond"),
    [(1, [BOB, CLEO], []), (2, [BOB, CLEO], []), (3, [BOB], [CLEO]), (4, [], [BOB, CLEO]), (9, [], [BOB, CLEO])],
)
def test_a_count_that_moved_meanwhile_trims_the_plan(count, run, beyond):
    plan = plan_turns(facts(PersonaSpoke(ANN), BOB, CLEO, cascade=3, count=1))
    assert settled(plan, 3, count) == (run, beyond)


@pytest.mark.parametrize("reason", [Reason.CHOSEN, Reason.IMPERSONATED, Reason.STOP_RESPONSE])
def test_turns_that_are_not_counted_are_never_trimmed_and_take_no_room(reason):
    mixed = TurnPlan((Chosen(ANN, reason), Chosen(BOB, Reason.CHAIN), Chosen(CLEO, Reason.CHAIN), Chosen(DAN, reason)), ())
    assert settled(mixed, 0, 0) == ([ANN, BOB, DAN], [CLEO])
    assert settled(mixed, 0, 9) == ([ANN, DAN], [BOB, CLEO])


def test_nobody_says_what_was_written_for_a_persona_that_is_gone():
    gone = PersonaId(99)
    assert plan_turns(facts(PersonaChosen(gone))).turns == (Chosen(MAIN, Reason.CHOSEN),)
    plan = plan_turns(facts(PersonaChosen(gone, Reason.IMPERSONATED)))
    assert plan.turns == ()
    assert {skipped.why for skipped in plan.skipped} == {Why.ANOTHER_CHOSEN}


def test_what_counts():
    free = {Reason.CHOSEN, Reason.IMPERSONATED, Reason.WELCOME, Reason.STOP_RESPONSE}
    assert {reason for reason in Reason if not is_counted(reason)} == free


def test_every_reason_has_a_meaning_and_a_name_of_its_own():
    assert set(MEANINGS) == {*Reason, *Why}
    assert len(set(MEANINGS.values())) == len(MEANINGS)
    assert all(meaning.endswith(".") for meaning in MEANINGS.values())


PERSONAS = st.sampled_from([MAIN, ANN, BOB, CLEO, DAN])
OCCASIONS = st.one_of(
    st.builds(PersonSpoke, st.none() | PERSONAS, st.booleans()),
    st.builds(PersonaSpoke, PERSONAS, st.none() | PERSONAS),
    st.builds(PersonaChosen, PERSONAS, st.sampled_from([Reason.CHOSEN, Reason.IMPERSONATED, Reason.FOLLOW_UP, Reason.STOP_RESPONSE])),
)

ANY_FACTS = st.builds(
    PlanFacts,
    st.just(CAST),
    OCCASIONS,
    st.builds(
        lambda match, cascade, always: Settings({"trigger-match-limit": match, "trigger-cascade-limit": cascade, "always-reply": always}),
        st.integers(1, 10),
        st.integers(0, 10),
        st.booleans(),
    ),
    st.lists(PERSONAS, unique=True).map(lambda called: words(*called)),
    st.integers(0, 12).map(Cascade),
    st.frozensets(PERSONAS),
)


@given(ANY_FACTS)
def test_everyone_is_told_exactly_once(given_facts):
    plan = plan_turns(given_facts)
    told = [*(chosen.persona for chosen in plan.turns), *(skipped.persona for skipped in plan.skipped)]
    assert sorted(told) == [MAIN, ANN, BOB, CLEO, DAN]


@given(ANY_FACTS)
def test_no_line_of_ours_starts_a_turn_beyond_the_cascade(given_facts):
    plan = plan_turns(given_facts)
    if isinstance(given_facts.occasion, PersonaSpoke):
        assert len(plan.turns) <= given_facts.cascade.room(given_facts.settings.number("trigger-cascade-limit"))
        assert given_facts.occasion.speaker not in [chosen.persona for chosen in plan.turns]


@given(ANY_FACTS)
def test_settling_with_an_unmoved_count_changes_nothing(given_facts):
    plan = plan_turns(given_facts)
    # A person's message starts a new session, and so does one that goes on with a turn.
    cascade = given_facts.cascade if isinstance(given_facts.occasion, PersonaSpoke) else Cascade()
    limit = given_facts.settings.number("trigger-cascade-limit")
    assert settled(plan, limit, cascade.count) == ([turn.persona for turn in plan.turns], [])
