"""Where a person's message goes that arrives while a turn may be running. Pure; the queue itself is elsewhere.

Specification 000, "Follow-up behavior during active streaming".
"""

from dataclasses import dataclass
from enum import StrEnum

from coterie.domain.ids import PersonaId, UserId
from coterie.domain.turns.plan import MANUAL, PersonSpoke, PlanFacts, Reason, addressed, plan_turns
from coterie.domain.turns.stop_phrases import StopPhrases

MOST_INTERRUPTS = 3
"""So many times in a row a person may interrupt an answer by going on."""


class Place(StrEnum):
    """What is done with a message."""

    RUN = "run"
    """Nothing is in its way."""
    QUEUE = "queue"
    """It waits behind what waits already, and is planned anew when its time comes."""
    INTERRUPT = "interrupt"
    """The running turn ends; its persona answers this message next, in place of any earlier follow-up of the same person."""
    FOLLOW_UP = "follow-up"
    """The same without ending the turn, since its tools are at work and their results would be lost."""
    STOP = "stop"
    """The running turn ends, what its chain has waiting is dropped, the count stays, and its persona answers that it stopped."""
    IGNORE = "ignore"
    """Nobody would answer it, so it does not wait."""


@dataclass(frozen=True, slots=True)
class Running:
    """The turn that runs. `owner` is the person the chain began with; `interrupts` how often it was interrupted in a row."""

    persona: PersonaId
    reason: Reason
    owner: UserId
    is_using_tools: bool = False
    interrupts: int = 0


def place_arrival(author: UserId, text: str, facts: PlanFacts, running: Running | None, phrases: StopPhrases) -> Place:
    """Decide where a person's message goes. `facts` are those its plan would be made from now; only its occasion of a person counts."""
    if running is None:
        return Place.RUN
    if author == running.owner and _is_for(running.persona, facts):
        is_stop = phrases.is_stop(text)
        if is_stop and running.reason is not Reason.STOP_RESPONSE:
            return Place.STOP
        # A turn that was asked for by hand is let finish, and so is one that only says it stopped.
        if not is_stop and running.reason not in (*MANUAL, Reason.STOP_RESPONSE) and running.interrupts < MOST_INTERRUPTS:
            return Place.FOLLOW_UP if running.is_using_tools else Place.INTERRUPT
    return Place.QUEUE if plan_turns(facts).turns else Place.IGNORE


def _is_for(persona: PersonaId, facts: PlanFacts) -> bool:
    """Whether the message addresses no other persona than the one that speaks."""
    spoke = facts.occasion
    if not isinstance(spoke, PersonSpoke):
        return False
    # Nobody is addressed by a reply to somebody who is gone.
    return all(turn.persona == persona for turn in addressed(facts, spoke))
