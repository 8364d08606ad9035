"""Where a message goes that arrives while a persona speaks (specification 000, "Follow-up behavior during active streaming")."""

from dataclasses import replace

import pytest

from coterie.domain.ids import Handle, PersonaId, UserId, WorkspaceId
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.settings import Settings
from coterie.domain.triggers.recognise import CastWords
from coterie.domain.turns.arrival import MOST_INTERRUPTS, Place, Running, place_arrival
from coterie.domain.turns.plan import PersonaChosen, PersonaSpoke, PersonSpoke, PlanFacts, Reason
from coterie.domain.turns.stop_phrases import StopPhrases

ODILE, BRAM, WREN = map(PersonaId, (1, 2, 3))
CAST = Cast(
    WorkspaceId("local"),
    settle(
        (
            Persona(ODILE, Handle("odile"), False, PersonaContent("Odile", trigger_words=("odile",))),
            Persona(BRAM, Handle("bram"), True, PersonaContent("Bram", trigger_words=("bram",))),
            Persona(WREN, Handle("wren"), True, PersonaContent("Wren", trigger_words=("wren",))),
        ),
        ("coterie",),
    ),
)
WORDS = CastWords.build(CAST)
ANN, BEN = UserId("ann"), UserId("ben")
BRAM_SPEAKS = Running(BRAM, Reason.TRIGGER_WORD, ANN)
ODILE_SPEAKS = Running(ODILE, Reason.ALWAYS_REPLY, ANN)
NOBODY_ADDRESSED = PersonSpoke()


def place(text, *, author=ANN, running=BRAM_SPEAKS, spoke=NOBODY_ADDRESSED, always=False) -> str:
    facts = PlanFacts(CAST, spoke, Settings({"always-reply": always}), WORDS.called(text))
    return place_arrival(author, text, facts, running, StopPhrases()).value


@pytest.mark.parametrize(
    ("expected", "text", "changes"),
    [
        # Idle.
        ("run", "anything", {"running": None}),
        ("run", "stop", {"running": None}),
        # The same person goes on.
        ("interrupt", "and also moths", {}),
        ("interrupt", "bram, and moths", {}),
        ("interrupt", "and moths", {"always": True}),
        ("interrupt", "and moths", {"spoke": PersonSpoke(replied_to=BRAM)}),
        ("interrupt", "odile!", {"running": ODILE_SPEAKS}),
        ("interrupt", "coterie!", {"running": ODILE_SPEAKS}),
        ("interrupt", "you", {"running": ODILE_SPEAKS, "spoke": PersonSpoke(mentions_us=True)}),
        ("interrupt", "more", {"running": replace(BRAM_SPEAKS, reason=Reason.CHAIN)}),
        ("interrupt", "more", {"running": replace(BRAM_SPEAKS, reason=Reason.FOLLOW_UP, interrupts=2)}),
        ("follow-up", "and also moths", {"running": replace(BRAM_SPEAKS, is_using_tools=True)}),
        # A reply to somebody who is gone addresses nobody.
        ("interrupt", "and moths", {"spoke": PersonSpoke(replied_to=PersonaId(99))}),
        ("stop", "stop", {"spoke": PersonSpoke(replied_to=PersonaId(99))}),
        # Another persona is addressed, by each of the three signals; also together with the one that speaks, also with a stop word.
        ("queue", "wren, and you?", {}),
        ("queue", "bram and wren", {}),
        ("queue", "wren, stop", {}),
        ("queue", "coterie?", {}),
        ("queue", "you?", {"spoke": PersonSpoke(mentions_us=True)}),
        ("queue", "you?", {"spoke": PersonSpoke(replied_to=ODILE)}),
        ("queue", "stop", {"spoke": PersonSpoke(replied_to=WREN)}),
        ("queue", "you?", {"running": ODILE_SPEAKS, "spoke": PersonSpoke(replied_to=WREN, mentions_us=True)}),
        # Too many interrupts: the ordinary way.
        ("ignore", "and also moths", {"running": replace(BRAM_SPEAKS, interrupts=MOST_INTERRUPTS)}),
        ("queue", "bram, and moths", {"running": replace(BRAM_SPEAKS, interrupts=MOST_INTERRUPTS)}),
        ("queue", "and moths", {"running": replace(BRAM_SPEAKS, interrupts=MOST_INTERRUPTS), "always": True}),
        # Stopping.
        ("stop", "stop", {}),
        ("stop", "Bram, enough!", {}),
        ("stop", "stop", {"running": replace(BRAM_SPEAKS, is_using_tools=True)}),
        ("stop", "stop", {"running": replace(BRAM_SPEAKS, interrupts=MOST_INTERRUPTS)}),
        ("stop", "stop", {"running": replace(BRAM_SPEAKS, reason=Reason.CHOSEN)}),
        ("stop", "stop", {"spoke": PersonSpoke(replied_to=BRAM)}),
        ("interrupt", "wait, I meant the blue one", {}),
        # Somebody else neither stops nor interrupts.
        ("ignore", "stop", {"author": BEN}),
        ("ignore", "and moths", {"author": BEN}),
        ("queue", "bram, and moths", {"author": BEN}),
        ("queue", "hello", {"author": BEN, "always": True}),
        # A turn chosen by hand, and one that says it stopped, are let finish.
        ("ignore", "and moths", {"running": replace(BRAM_SPEAKS, reason=Reason.CHOSEN)}),
        ("queue", "bram, and moths", {"running": replace(BRAM_SPEAKS, reason=Reason.CHOSEN)}),
        ("ignore", "stop", {"running": replace(BRAM_SPEAKS, reason=Reason.STOP_RESPONSE)}),
        ("queue", "bram?", {"running": replace(BRAM_SPEAKS, reason=Reason.STOP_RESPONSE)}),
        # Choosing a persona by hand always waits its turn, whoever speaks.
        ("queue", "go", {"spoke": PersonaChosen(BRAM)}),
        ("queue", "stop", {"spoke": PersonaChosen(WREN)}),
    ],
)
def test_places(expected, text, changes):
    assert place(text, **changes) == expected


def test_a_persona_line_is_never_taken_for_a_follow_up():
    assert place("go on", spoke=PersonaSpoke(BRAM)) == "ignore"
    assert {one.value for one in Place} == {"run", "queue", "interrupt", "follow-up", "stop", "ignore"}
