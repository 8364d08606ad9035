"""What stands between a message and its answer, in the order of specification 001: who may call whom, where and how often. Pure.

A gate only looks. What a turn takes of a cooldown or a quota is taken when its plan is committed.
"""

from dataclasses import dataclass, field
from datetime import datetime

from coterie.domain.access import ELSEWHERE, Access, Standing
from coterie.domain.ids import PersonaId, UserId
from coterie.domain.personas.persona import Cast
from coterie.domain.settings import PERSONAL_BY_NAME, Settings
from coterie.domain.turns.plan import Chosen, Reason, Why


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, where, and under which lists and settings. `personal` are the caller's own settings."""

    person: UserId
    standing: Standing = ELSEWHERE
    access: Access = field(default_factory=Access)
    settings: Settings = field(default_factory=lambda: Settings({}))
    personal: Settings = field(default_factory=lambda: Settings({}, table=PERSONAL_BY_NAME))

    @property
    def is_private(self) -> bool:
        """Whether nobody reads or answers this person, who asked for that; alone with the cast it means nothing."""
        return self.standing.is_in_server and self.personal.text("privacy") == "full"


def closed_by(caller: Caller, *, is_command: bool = False) -> Why | None:
    """The first gate that refuses a caller for every persona; a wait comes after them all.

    Whoever gives a command wants to be answered, whatever else of theirs nobody is to read.
    """
    standing, access = caller.standing, caller.access
    if not standing.is_in_server:
        return None
    if caller.is_private and not is_command:
        return Why.PRIVATE
    if caller.person in access.blacklist:
        return Why.BLACKLISTED
    if not access.admits_place(standing):
        return Why.NOT_ALLOWED_HERE
    return None if access.admits_roles(standing) else Why.ROLE_NEEDED


def barred_for(caller: Caller, cast: Cast, now: datetime) -> dict[PersonaId, Why]:
    """The personas that this caller cannot have here, also through a chain of personas: by the server's list, then by the caller's own."""
    if not caller.standing.is_in_server or not (caller.access.persona_channels or caller.access.spotlights):
        return {}
    spotlight = caller.access.spotlight(caller.person, caller.standing, now)
    barred: dict[PersonaId, Why] = {}
    for persona in cast.personas:
        if not caller.access.hears(persona.id, caller.standing):
            barred[persona.id] = Why.PERSONA_NOT_HERE
        elif spotlight is not None and persona.id not in spotlight.personas:
            barred[persona.id] = Why.NOT_IN_SPOTLIGHT
    return barred


def must_be_deliberate(caller: Caller) -> bool:
    """Whether words of this caller count only with a sign before them; never outside of servers."""
    own = caller.personal.text("deliberate-trigger-mode")
    return caller.standing.is_in_server and (own == "on" or (own == "follow" and caller.settings.flag("deliberate-trigger-mode")))


def exempt_from_signs(caller: Caller, cast: Cast, now: datetime) -> frozenset[PersonaId]:
    """Whose plain words count all the same: those who answer in this channel, or this caller, without being called."""
    return frozenset(appointed_for(caller, cast, now))


def counts_towards_auto(caller: Caller, now: datetime) -> bool:
    """Whether a message moves the server's count towards the next answer without a call."""
    is_counted = caller.settings.number("auto-trigger-threshold") > 0 and caller.access.auto_place(caller.standing) is not None
    # Whoever has an own persona answering here is answered anyway.
    return is_counted and _own(caller, now) is None


def fallback_for(caller: Caller, cast: Cast, now: datetime, *, is_hit: bool) -> Chosen | None:
    """Who answers when nobody is called; `is_hit`: the message is the one that the channel's count waited for.

    The caller's own choice goes before the channel's, unless it may not be heard here; main answering everything everywhere is no
    appointment.
    """
    appointed = {Reason.SPOTLIGHT: _own(caller, now)}
    if caller.access.auto_place(caller.standing) is not None and (is_hit or caller.settings.number("auto-trigger-threshold") == 0):
        appointed[Reason.AUTO_TRIGGER] = _appointed(caller, cast)
    willing = [Chosen(persona, reason) for reason, persona in appointed.items() if persona is not None]
    barred = barred_for(caller, cast, now) if willing else {}
    return next((one for one in willing if one.persona not in barred), None)


def appointed_for(caller: Caller, cast: Cast, now: datetime) -> tuple[PersonaId, ...]:
    """Who is appointed to answer uncalled, best first: whom the caller chose for this channel, then whom the channel has."""
    of_channel = _appointed(caller, cast) if caller.access.auto_place(caller.standing) is not None else None
    return tuple(persona for persona in (_own(caller, now), of_channel) if persona is not None)


UNFUNDED = frozenset({Why.OWN_PROVIDER_NEEDED, Why.SUBSCRIPTION_INACTIVE, Why.NO_CREDENTIALS})
"""Why there is no account that could answer."""

TOLD = frozenset({Why.COOLDOWN, Why.BUSY_PERSON, Why.BUSY_SERVER, Why.DAILY_QUOTA, Why.SERVER_QUOTA, *UNFUNDED})
"""What people are told without asking, when they meant somebody to answer: it passes, or they can do something about it."""


def range_of_count(settings: Settings) -> tuple[int, int]:
    """How many messages the next answer without a call waits for: from the threshold to its maximum, or always the threshold."""
    least = settings.number("auto-trigger-threshold")
    return least, max(least, settings.number("auto-trigger-threshold-max"))


def _own(caller: Caller, now: datetime) -> PersonaId | None:
    spotlight = caller.access.spotlight(caller.person, caller.standing, now)
    return spotlight.auto if spotlight is not None else None


def _appointed(caller: Caller, cast: Cast) -> PersonaId | None:
    """Who answers in this auto-trigger channel: whoever is named there, if still in the cast, else main."""
    place = caller.access.auto_place(caller.standing)
    named = caller.access.auto_channels[place] if place is not None else None
    if named is not None and cast.by_id(named) is not None:
        return named
    return cast.main.id if cast.main is not None else None
