"""From who is called to who answers: an ordered plan, and a named reason for everyone else. Pure; spends nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar, assert_never

from coterie.domain.ids import PersonaId
from coterie.domain.personas.persona import Cast
from coterie.domain.settings import Settings
from coterie.domain.triggers.cascade import Cascade
from coterie.domain.triggers.recognise import Call


class Reason(StrEnum):
    """Why a persona answers."""

    CHOSEN = "chosen"
    IMPERSONATED = "impersonated"
    REPLIED_TO = "replied-to"
    MENTIONED = "mentioned"
    TRIGGER_WORD = "trigger-word"
    SPOTLIGHT = "spotlight"
    AUTO_TRIGGER = "auto-trigger"
    ALWAYS_REPLY = "always-reply"
    WELCOME = "welcome"
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
    SYSTEM_NOTE = "system-note"
    STORAGE_UNAVAILABLE = "storage-unavailable"
    TOO_LATE = "too-late"
    NOT_DELIBERATE = "not-deliberate"
    PRIVATE = "private"
    BLACKLISTED = "blacklisted"
    NOT_ALLOWED_HERE = "not-allowed-here"
    ROLE_NEEDED = "role-needed"
    PERSONA_NOT_HERE = "persona-not-here"
    NOT_IN_SPOTLIGHT = "not-in-spotlight"
    COOLDOWN = "cooldown"
    BUSY_PERSON = "busy-person"
    BUSY_SERVER = "busy-server"
    DAILY_QUOTA = "daily-quota"
    SERVER_QUOTA = "server-quota"
    OWN_PROVIDER_NEEDED = "own-provider-needed"
    SUBSCRIPTION_INACTIVE = "subscription-inactive"
    NO_CREDENTIALS = "no-credentials"


MEANINGS: dict[Reason | Why, str] = {
    Reason.CHOSEN: "It was chosen by hand.",
    Reason.IMPERSONATED: "A person wrote this line in its name.",
    Reason.REPLIED_TO: "The message replies to one of its lines.",
    Reason.MENTIONED: "The message mentions it.",
    Reason.TRIGGER_WORD: "The message holds one of its trigger words.",
    Reason.SPOTLIGHT: "Nobody was called, and you have chosen it to answer you in this channel then.",
    Reason.AUTO_TRIGGER: "Nobody was called, and it answers in this channel without being called.",
    Reason.ALWAYS_REPLY: "Nobody was called, and here the main persona answers then.",
    Reason.WELCOME: "Somebody has come to this server, and it welcomes them here.",
    Reason.CHAIN: "Another persona called it.",
    Reason.FOLLOW_UP: "The message continues what was being said with it.",
    Reason.STOP_RESPONSE: "It was speaking when it was asked to stop.",
    Why.NOT_CALLED: "The message holds none of its trigger words and does not address it in another way.",
    Why.MATCH_LIMIT: "It was called, but one message may call only so many personas (trigger-match-limit).",
    Why.CASCADE_LIMIT: "It was called, but the further calls are used up (trigger-cascade-limit); any message of yours resets them.",
    Why.SPEAKER_ITSELF: "It said this line itself; a persona does not answer itself.",
    Why.SPOKE_LAST: "It was called, but it is the one that spoke last here; a persona's line does not call that one again.",
    Why.ALREADY_WAITING: "It was called, and is already waiting for its turn.",
    Why.ANOTHER_CHOSEN: "Another persona was chosen by hand for this message.",
    Why.STOPPED: "It was called, but the conversation was stopped before its turn came.",
    Why.SUPERSEDED: "It was called, but a newer message of the same person took this one's place.",
    Why.SYSTEM_NOTE: "A note of the system is read by everybody and calls nobody.",
    Why.STORAGE_UNAVAILABLE: "The storage could not be reached, so nothing was decided.",
    Why.TOO_LATE: "It was called shortly before Coterie was stopped, which started again too late to answer.",
    Why.NOT_DELIBERATE: "The message holds one of its trigger words, but here only with @ before it (deliberate-trigger-mode).",
    Why.PRIVATE: "It was called by somebody whose privacy is set to full; nobody reads or answers them in a server.",
    Why.BLACKLISTED: "It was called by somebody whom the owners of this server have barred from calling.",
    Why.NOT_ALLOWED_HERE: "It was called, but nobody may be called in this channel (channel whitelist).",
    Why.ROLE_NEEDED: "It was called by somebody who has none of the roles that may call (role whitelist).",
    Why.PERSONA_NOT_HERE: "It was called, but it may be heard in other channels only (persona whitelist).",
    Why.NOT_IN_SPOTLIGHT: "It was called by somebody who wants to hear other personas only in this channel (spotlight).",
    Why.COOLDOWN: "It was called too soon after the last call (cooldown).",
    Why.BUSY_PERSON: "It was called by somebody for whom too much is under way already (active-per-user).",
    Why.BUSY_SERVER: "It was called while too much is under way in this server already (active-per-server).",
    Why.DAILY_QUOTA: "It was called by somebody whose answers for today are used up (text-quota-daily).",
    Why.SERVER_QUOTA: "It was called, but the answers of this server are used up for this period (text-quota-server).",
    Why.OWN_PROVIDER_NEEDED: "It was called, but in this server everybody brings a model provider of their own (user-byok).",
    Why.SUBSCRIPTION_INACTIVE: "It was called, but the subscription that was to pay for its answer is not active.",
    Why.NO_CREDENTIALS: "It was called, but nobody has saved a key for its model's provider.",
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


@dataclass(frozen=True, slots=True)
class PersonSpoke:
    """A person's message. `replied_to` is the persona whose line it replies to; `mentions_us` stands for main."""

    replied_to: PersonaId | None = None
    mentions_us: bool = False


@dataclass(frozen=True, slots=True)
class PersonaSpoke:
    """A persona's finished line, looked at once as a whole. `last_speaker` is the persona that spoke last in the channel by now."""

    speaker: PersonaId
    last_speaker: PersonaId | None = None


@dataclass(frozen=True, slots=True)
class PersonaChosen:
    """One persona answers whatever is said: it was chosen by hand, or goes on with what it was saying.

    `reason` is `CHOSEN`, `IMPERSONATED`, `WELCOME`, `FOLLOW_UP` or `STOP_RESPONSE`.
    """

    persona: PersonaId
    reason: Reason = Reason.CHOSEN


BY_HAND = frozenset({Reason.CHOSEN, Reason.IMPERSONATED})
"""Reasons that a person gave on purpose."""

MANUAL = BY_HAND | {Reason.WELCOME}
"""Reasons for which one persona speaks whatever is said, and no message called it."""

Occasion = PersonSpoke | PersonaSpoke | PersonaChosen

Activation = TypeVar("Activation")
"""A turn in whatever shape it is written in."""


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """All that the choice depends on. `calls` are in order of position; `cascade` is as it stands now.

    `waiting` are the personas with a turn that has not begun; `barred` those that may not answer here, whoever calls them, and why;
    `closed` why nobody may. `fallback` answers when nobody is called.
    """

    cast: Cast
    occasion: Occasion
    settings: Settings
    calls: tuple[Call, ...] = ()
    cascade: Cascade = field(default_factory=Cascade)
    waiting: frozenset[PersonaId] = frozenset()
    barred: Mapping[PersonaId, Why] = field(default_factory=dict)
    closed: Why | None = None
    fallback: Chosen | None = None
    undeliberate: tuple[Call, ...] = ()
    """Calls by words that count only with a sign before them, and have none."""


def plan_turns(facts: PlanFacts) -> TurnPlan:
    """Choose who answers, in order, and give each other persona of the cast one reason (specification 000, "Triggering and Routing")."""
    plan = _plan_open(facts)
    if facts.closed is None:
        return plan
    # Whoever would have answered learns why nobody does; for all others nothing changes.
    return TurnPlan((), (*(Skipped(turn.persona, facts.closed) for turn in plan.turns), *plan.skipped))


def _plan_open(facts: PlanFacts) -> TurnPlan:
    match facts.occasion:
        case PersonaChosen(persona, reason):
            return _plan_one(facts, persona, reason)
        case PersonSpoke() as spoke:
            # A person's message starts a new trigger session, so nothing is counted yet.
            chosen = addressed(facts, spoke)
            barred = {one.persona: facts.barred[one.persona] for one in chosen if one.persona in facts.barred}
            allowed = [one for one in chosen if one.persona not in barred] or _uncalled(facts)
            return _trimmed(facts, allowed, _undeliberate(facts) | barred, Cascade())
        case PersonaSpoke() as spoke:
            barred = _undeliberate(facts) | _barred(facts, spoke)
            chosen = [Chosen(call.persona, Reason.CHAIN) for call in facts.calls if call.persona not in barred]
            return _trimmed(facts, chosen, barred, facts.cascade)
        case _:
            assert_never(facts.occasion)


def is_counted(reason: Reason) -> bool:
    """Whether a turn for this reason counts towards the cascade limit: every automatic activation does."""
    return reason not in MANUAL and reason is not Reason.STOP_RESPONSE


DELIBERATE = frozenset(
    {Reason.CHOSEN, Reason.IMPERSONATED, Reason.REPLIED_TO, Reason.MENTIONED, Reason.TRIGGER_WORD, Reason.FOLLOW_UP, Reason.STOP_RESPONSE}
)
"""Reasons for which somebody meant a persona to answer, and is told when it does not (specification 001, error visibility)."""

EXEMPT = frozenset({Reason.IMPERSONATED, Reason.FOLLOW_UP, Reason.STOP_RESPONSE})
"""Reasons that no cooldown asks about: no model is asked, or what was called for before goes on."""


def settle_turns(
    turns: Sequence[Activation], counts: Callable[[Activation], bool], cascade: Cascade, cascade_limit: int
) -> tuple[tuple[Activation, ...], tuple[Activation, ...]]:
    """Part a plan's turns, when it is committed, into those that run and those for which the count, moved meanwhile, leaves no room.

    The second are skipped as `cascade-limit`. Turns that are not counted always run.
    """
    run: list[Activation] = []
    beyond: list[Activation] = []
    room = cascade.room(cascade_limit)
    for turn in turns:
        if counts(turn) and room == 0:
            beyond.append(turn)
        else:
            run.append(turn)
            room -= counts(turn)
    return tuple(run), tuple(beyond)


def _plan_one(facts: PlanFacts, wanted: PersonaId, reason: Reason) -> TurnPlan:
    """The wanted persona alone; main, or else the first, when it has been removed meanwhile, but not to say what was written for it."""
    cast = facts.cast
    persona = cast.by_id(wanted)
    if persona is None and reason is not Reason.IMPERSONATED:
        persona = cast.main or next(iter(cast.personas), None)
    why = Why.ANOTHER_CHOSEN if reason in MANUAL else Why.NOT_CALLED
    skipped = tuple(Skipped(other.id, why) for other in cast.personas if other != persona)
    if persona is None:
        return TurnPlan((), skipped)
    # Who is asked to stop answers that it does, wherever that is.
    if persona.id in facts.barred and reason is not Reason.STOP_RESPONSE:
        return TurnPlan((), (Skipped(persona.id, facts.barred[persona.id]), *skipped))
    return TurnPlan((Chosen(persona.id, reason),), skipped)


def addressed(facts: PlanFacts, spoke: PersonSpoke) -> list[Chosen]:
    """Direct targets, then those called by words in order of position."""
    main = facts.cast.main
    reasons: dict[PersonaId, Reason] = {}
    if spoke.replied_to is not None and facts.cast.by_id(spoke.replied_to):
        reasons[spoke.replied_to] = Reason.REPLIED_TO
    if main and spoke.mentions_us:
        reasons.setdefault(main.id, Reason.MENTIONED)
    for call in facts.calls:
        reasons.setdefault(call.persona, Reason.TRIGGER_WORD)
    return [Chosen(persona, reason) for persona, reason in reasons.items()]


def _undeliberate(facts: PlanFacts) -> dict[PersonaId, Why]:
    return {call.persona: Why.NOT_DELIBERATE for call in facts.undeliberate}


def _uncalled(facts: PlanFacts) -> list[Chosen]:
    """Who answers when nobody is called: whoever is appointed to, else main where it always replies."""
    main = facts.cast.main
    fallback = facts.fallback
    if fallback is None and main and facts.settings.flag("always-reply"):
        fallback = Chosen(main.id, Reason.ALWAYS_REPLY)
    return [fallback] if fallback is not None and fallback.persona not in facts.barred else []


def _barred(facts: PlanFacts, spoke: PersonaSpoke) -> dict[PersonaId, Why]:
    """Who cannot be called by this line, though a word of theirs may stand in it."""
    called = {call.persona for call in facts.calls}
    barred = dict.fromkeys(facts.waiting & called, Why.ALREADY_WAITING)
    if spoke.last_speaker in called:
        barred[spoke.last_speaker] = Why.SPOKE_LAST
    # Whoever may not answer at all is not looked at any further.
    barred |= {persona: why for persona, why in facts.barred.items() if persona in called}
    return barred | {spoke.speaker: Why.SPEAKER_ITSELF}


def _trimmed(facts: PlanFacts, chosen: list[Chosen], barred: Mapping[PersonaId, Why], cascade: Cascade) -> TurnPlan:
    """Keep `min(match limit, cascade limit + 1 - count)` of the chosen, and say of everyone else why not."""
    matches = facts.settings.number("trigger-match-limit")
    room = cascade.room(facts.settings.number("trigger-cascade-limit"))
    why = dict(barred)
    for place, beyond in enumerate(chosen):
        if place >= min(matches, room):
            why[beyond.persona] = Why.MATCH_LIMIT if place >= matches else Why.CASCADE_LIMIT
    turns = tuple(chosen[: min(matches, room)])
    answering = {turn.persona for turn in turns}
    skipped = (Skipped(one.id, why.get(one.id, Why.NOT_CALLED)) for one in facts.cast.personas if one.id not in answering)
    return TurnPlan(turns, tuple(skipped))
