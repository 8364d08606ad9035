"""From who is called to who answers: an ordered plan, and a named reason for everyone else. Pure; spends nothing."""

from dataclasses import dataclass
from enum import StrEnum

from coterie.domain.ids import PersonaId


class Reason(StrEnum):
    """Why a persona answers."""

    CHOSEN = "chosen"
    REPLIED_TO = "replied-to"
    MENTIONED = "mentioned"
    TRIGGER_WORD = "trigger-word"
    ALWAYS_REPLY = "always-reply"
    CHAIN = "chain"
    FOLLOW_UP = "follow-up"
    STOP_RESPONSE = "stop-response"


class Why(StrEnum):
    """Why a persona does not answer. The value is the stable name; `MEANINGS` says it to people."""

    NOT_CALLED = "not-called"
    MATCH_LIMIT = "match-limit"
    CASCADE_LIMIT = "cascade-limit"
    SPEAKER_ITSELF = "speaker-itself"
    SPOKE_LAST = "spoke-last"
    ALREADY_WAITING = "already-waiting"
    ANOTHER_CHOSEN = "another-chosen"
    STOPPED = "stopped"
    SUPERSEDED = "superseded"
    STORAGE_UNAVAILABLE = "storage-unavailable"


MEANINGS: dict[Reason | Why, str] = {
    Reason.CHOSEN: "It was chosen by hand.",
    Reason.REPLIED_TO: "The message replies to one of its lines.",
    Reason.MENTIONED: "The message mentions it.",
    Reason.TRIGGER_WORD: "The message holds one of its trigger words.",
    Reason.ALWAYS_REPLY: "Nobody was called, and here the main persona answers then.",
    Reason.CHAIN: "Another persona called it.",
    Reason.FOLLOW_UP: "The message continues what was being said with it.",
    Reason.STOP_RESPONSE: "It was speaking when it was asked to stop.",
    Why.NOT_CALLED: "The message holds none of its trigger words and does not address it in another way.",
    Why.MATCH_LIMIT: "It was called, but one message may call only so many personas (trigger-match-limit).",
    Why.CASCADE_LIMIT: "It was called, but the further calls are used up (trigger-cascade-limit); any message of yours resets them.",
    Why.SPEAKER_ITSELF: "It said this line itself; a persona does not answer itself.",
    Why.SPOKE_LAST: "It spoke last before this line; personas do not hand the word straight back.",
    Why.ALREADY_WAITING: "It was called, and is already waiting for its turn.",
    Why.ANOTHER_CHOSEN: "Another persona was chosen by hand for this message.",
    Why.STOPPED: "It was called, but the conversation was stopped before its turn came.",
    Why.SUPERSEDED: "It was called, but a newer message of the same person took this one's place.",
    Why.STORAGE_UNAVAILABLE: "The storage could not be reached, so nothing was decided.",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A persona that answers, and why."""

    persona: PersonaId
    reason: Reason


@dataclass(frozen=True, slots=True)
class Skipped:
    """A persona that does not answer, and why not."""

    persona: PersonaId
    why: Why


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """Who answers, in order, and why each other persona of the cast does not. `turns` may be empty."""

    turns: tuple[Chosen, ...]
    skipped: tuple[Skipped, ...]
