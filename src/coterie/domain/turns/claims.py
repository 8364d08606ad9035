"""What the turns of one message take of what is limited: a wait for whoever comes next, a unit of a quota. Pure; taken by storage."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from coterie.domain.access import CooldownKey
from coterie.domain.ids import UserId
from coterie.domain.settings import Settings
from coterie.domain.turns.gates import Caller
from coterie.domain.turns.plan import EXEMPT, Reason, Why

FREE = frozenset({Reason.IMPERSONATED, Reason.STOP_RESPONSE})
"""Reasons that take nothing of a quota: no model is asked, or only to say that it stops."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Whoever calls by this key again has to wait until then."""

    key: CooldownKey
    until: datetime


@dataclass(frozen=True, slots=True)
class Quota:
    """How many messages are answered: of one member a day (UTC), of all in a period of so many days; 0 means any number."""

    person: UserId
    daily: int
    server: int
    period: timedelta


@dataclass(frozen=True, slots=True)
class Claims:
    """What has to be free for the turns of a plan to run, and is taken by them."""

    wait: Wait | None = None
    quota: Quota | None = None

    def __bool__(self) -> bool:
        """Whether there is anything to be taken."""
        return self.wait is not None or self.quota is not None


NO_CLAIMS = Claims()

REFUSALS = frozenset({Why.COOLDOWN, Why.DAILY_QUOTA, Why.SERVER_QUOTA})
"""What taking them can be refused for."""


def claims_of(caller: Caller, reasons: Iterable[Reason], now: datetime) -> Claims:
    """What a person's message takes when somebody answers it for these reasons. A persona's line takes nothing: its root did."""
    given = frozenset(reasons)
    if not given or not caller.standing.is_in_server:
        return NO_CLAIMS
    return Claims(None if given <= EXEMPT else _wait(caller, now), None if given <= FREE else _quota(caller.person, caller.settings))


def _wait(caller: Caller, now: datetime) -> Wait | None:
    cooldown = caller.access.cooldown(caller.standing, caller.settings.cooldown)
    key = cooldown.key(caller.person, caller.standing)
    return Wait(key, now + cooldown.length) if key is not None else None


def _quota(person: UserId, settings: Settings) -> Quota | None:
    daily, server = settings.number("text-quota-daily"), settings.number("text-quota-server")
    return Quota(person, daily, server, timedelta(days=settings.number("text-quota-period"))) if daily or server else None
