"""The worked examples of specification 000, played through with words, plans and the counter. Lines of personas are given beforehand."""

from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from coterie.domain.ids import Handle, PersonaId, WorkspaceId
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.settings import Settings
from coterie.domain.triggers.cascade import Cascade
from coterie.domain.triggers.recognise import CastWords
from coterie.domain.turns.plan import PersonaChosen, PersonaSpoke, PersonSpoke, PlanFacts, TurnPlan, is_counted, plan_turns, settle_turns

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NAMES = ("odile", "alice", "bruno", "celia", "dario", "ester")
CAST = Cast(
    WorkspaceId("local"),
    settle(
        (
            Persona(PersonaId(number), Handle(name), number > 1, PersonaContent(name.title(), trigger_words=(name,)))
            for number, name in enumerate(NAMES, 1)
        ),
        (),
    ),
)
WORDS = CastWords.build(CAST)


class Talk:
    """A channel whose personas say what they are given to say, one turn at a time."""

    def __init__(self, *, cascade: int = 3, match: int = 3, **lines: str) -> None:
        self.settings = Settings({"trigger-cascade-limit": cascade, "trigger-match-limit": match})
        self.lines: Mapping[str, str] = lines
        self.cascade = Cascade()
        self.spoken: list[str] = []
        self.blocked: list[tuple[str, str]] = []
        self.last_speaker: PersonaId | None = None

    def hears(self, text: str, occasion: PersonSpoke | PersonaChosen | None = None) -> list[str]:
        """A person says something; everything that follows from it is played. Returns who spoke, in order."""
        self.cascade = self.cascade.spoken_to()
        self.spoken, self.blocked = [], []
        waiting = deque(self._activate(occasion or PersonSpoke(), text, frozenset()))
        while waiting:
            speaker = waiting.popleft()
            name = NAMES[speaker - 1]
            self.spoken.append(name)
            self.last_speaker = speaker
            waiting += self._activate(PersonaSpoke(speaker, self.last_speaker), self.lines.get(name, "Well."), frozenset(waiting))
        return self.spoken

    def _activate(self, occasion: PersonSpoke | PersonaSpoke | PersonaChosen, text: str, waiting: frozenset[PersonaId]) -> list[PersonaId]:
        plan = plan_turns(PlanFacts(CAST, occasion, self.settings, WORDS.called(text), self.cascade, waiting))
        self._note(plan)
        limit = self.settings.number("trigger-cascade-limit")
        turns, beyond = settle_turns(plan.turns, lambda turn: is_counted(turn.reason), self.cascade, limit)
        assert not beyond, "the count moved while nobody else was there"
        self.cascade = self.cascade.activated(NOW, sum(is_counted(turn.reason) for turn in turns))
        return [turn.persona for turn in turns]

    def _note(self, plan: TurnPlan) -> None:
        self.blocked += [
            (NAMES[skipped.persona - 1], skipped.why.value)
            for skipped in plan.skipped
            if skipped.why.value not in ("not-called", "speaker-itself", "another-chosen")
        ]


def test_example_with_limit_1():
    talk = Talk(cascade=1, match=3)
    assert talk.hears("alice, bruno, celia") == ["alice", "bruno"]
    assert talk.cascade.count == 2
    assert talk.blocked == [("celia", "cascade-limit")]


def test_example_with_limit_3():
    talk = Talk(alice="bruno, celia", bruno="dario", celia="ester")
    assert talk.hears("alice") == ["alice", "bruno", "celia", "dario"]
    assert talk.cascade.count == 4
    assert talk.blocked == [("ester", "cascade-limit")]


def test_example_flow_and_the_reset_after_it():
    talk = Talk(cascade=3, match=5, alice="Ask celia!", bruno="Yeah, ask dario too!", celia="Maybe ester?")
    assert talk.hears("alice, bruno") == ["alice", "bruno", "celia", "dario"]
    assert talk.blocked == [("ester", "cascade-limit")]
    assert talk.hears("Thanks everyone!") == []
    assert talk.cascade.count == 0
    assert talk.hears("ester?") == ["ester"]


@pytest.mark.parametrize(("limit", "total"), [(0, 1), (1, 2), (3, 4), (10, 11)])
def test_behavioural_summary(limit, total):
    talk = Talk(cascade=limit, alice="bruno?", bruno="alice?")
    assert len(talk.hears("alice")) == total


def test_multi_persona_counts_with_chains():
    talk = Talk(alice="dario")
    assert talk.hears("alice, bruno, celia") == ["alice", "bruno", "celia", "dario"]
    assert talk.cascade.count == 4


def test_chain_triggers_count():
    talk = Talk(cascade=2, alice="bruno", bruno="celia", celia="dario")
    assert talk.hears("alice") == ["alice", "bruno", "celia"]
    assert talk.blocked == [("dario", "cascade-limit")]


def test_limit_0_only_the_first_and_no_chain():
    talk = Talk(cascade=0, alice="bruno")
    assert talk.hears("alice, celia") == ["alice"]
    assert talk.blocked == [("celia", "cascade-limit"), ("bruno", "cascade-limit")]


def test_the_match_limit_caps_breadth_and_the_cascade_limit_the_total():
    talk = Talk(match=2, cascade=10, alice="celia, dario, ester")
    assert talk.hears("alice, bruno, odile") == ["alice", "bruno", "celia", "dario"]
    assert talk.blocked == [("odile", "match-limit"), ("ester", "match-limit")]


def test_a_persona_may_be_called_back_but_not_by_itself():
    talk = Talk(alice="I, alice, ask bruno.", bruno="alice?")
    assert talk.hears("alice") == ["alice", "bruno", "alice", "bruno"]


def test_one_that_waits_is_not_queued_twice():
    talk = Talk(cascade=10, alice="bruno and celia")
    assert talk.hears("alice, bruno") == ["alice", "bruno", "celia"]
    assert talk.blocked == [("bruno", "already-waiting")]


def test_a_manual_turn_is_not_counted_and_the_first_activation_after_it_is_free():
    talk = Talk(cascade=0, celia="alice?", alice="bruno?")
    assert talk.hears("", PersonaChosen(PersonaId(4))) == ["celia", "alice"]
    assert talk.blocked == [("bruno", "cascade-limit")]


def test_a_new_limit_applies_at_once():
    talk = Talk(cascade=1, alice="bruno?", bruno="alice?")
    assert len(talk.hears("alice")) == 2
    talk.settings = Settings({"trigger-cascade-limit": 5})
    assert len(talk.hears("alice")) == 6


def test_reply_and_word_together_route_to_both():
    talk = Talk()
    assert talk.hears("what does bruno say?", PersonSpoke(replied_to=PersonaId(1))) == ["odile", "bruno"]
