"""Who may call whom, and where: the lists that the owners and members of a server keep, and what they mean for one message. Pure.

Lists only ever narrow: what one of them refuses, no other one allows (specification 001, access gating).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from coterie.domain.ids import PersonaId, PlaceId, RoleId, UserId

K = TypeVar("K")
V = TypeVar("V")

NOWHERE = PlaceId("")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a message was written in a server, and what its author is there. Outside of servers there is no place, and nothing is asked.

    `parent` is the channel that a thread belongs to; `roles` is nothing where the platform did not tell; `locale` is the server's language.
    """

    place: PlaceId = NOWHERE
    parent: PlaceId = NOWHERE
    roles: tuple[RoleId, ...] | None = ()
    manages: bool = False
    locale: str = ""

    @property
    def is_in_server(self) -> bool:
        """Whether gates are asked at all."""
        return self.place != NOWHERE

    @property
    def places(self) -> tuple[PlaceId, ...]:
        """The thread and its channel, or the channel: what is said of the first of them counts first."""
        return (self.place, self.parent) if self.parent else (self.place,)

    @property
    def channel(self) -> PlaceId:
        """The channel, also of a thread."""
        return self.parent or self.place


ELSEWHERE = Standing()
"""A message of no server."""


class CooldownKind(StrEnum):
    """Who has to wait after a turn was called for."""

    OFF = "off"
    PER_USER = "per-user"
    PER_CHANNEL = "per-channel"
    SERVER = "server"
    STRICT = "server-strict"
    """As `server`, and those who manage the server wait too."""


@dataclass(frozen=True, slots=True)
class Cooldown:
    """How long has to be waited, and by whom."""

    kind: CooldownKind = CooldownKind.OFF
    length: timedelta = timedelta(seconds=5)

    def key(self, author: UserId, standing: Standing) -> "CooldownKey | None":
        """What waits because of a message; nothing where nobody has to wait."""
        if self.kind is CooldownKind.OFF or not standing.is_in_server:
            return None
        if standing.manages and self.kind is not CooldownKind.STRICT:
            return None
        user = author if self.kind is CooldownKind.PER_USER else UserId("")
        return CooldownKey(self.kind, user, standing.place if self.kind is CooldownKind.PER_CHANNEL else NOWHERE)


@dataclass(frozen=True, slots=True)
class CooldownKey:
    """What a cooldown is counted for within a server; blank where user or place do not matter."""

    kind: CooldownKind
    user: UserId
    place: PlaceId


@dataclass(frozen=True, slots=True)
class Spotlight:
    """The personas that one person wants to hear in one channel; `auto`, one of them, answers them there without being called."""

    personas: frozenset[PersonaId]
    auto: PersonaId | None = None
    expires_at: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Whether it has not run out, and somebody of it is still in the cast."""
        return bool(self.personas) and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class Access:
    """The lists of one workspace. An empty list asks nothing of anybody.

    `channels` are those that may be talked in, each with a cooldown of its own where it has one; `persona_channels` where a persona
    that has any may be heard; `auto_channels` those in which somebody answers without being called: the persona named there, or main.
    """

    channels: Mapping[PlaceId, Cooldown | None] = field(default_factory=dict)
    roles: frozenset[RoleId] = frozenset()
    persona_channels: Mapping[PersonaId, frozenset[PlaceId]] = field(default_factory=dict)
    blacklist: frozenset[UserId] = frozenset()
    auto_channels: Mapping[PlaceId, PersonaId | None] = field(default_factory=dict)
    spotlights: Mapping[tuple[UserId, PlaceId], Spotlight] = field(default_factory=dict)

    def admits_place(self, standing: Standing) -> bool:
        """Whether the cast may be talked to there: a thread where it or its channel is listed."""
        return not standing.is_in_server or not self.channels or any(place in self.channels for place in standing.places)

    def admits_roles(self, standing: Standing) -> bool:
        """Whether the author has a role that is asked for. Roles that are not known are no reason to refuse."""
        return not standing.is_in_server or not self.roles or standing.roles is None or not self.roles.isdisjoint(standing.roles)

    def cooldown(self, standing: Standing, usual: Cooldown) -> Cooldown:
        """The cooldown of a place: its own, else that of its channel, else the usual one."""
        own = (self.channels[place] for place in standing.places if place in self.channels)
        return next((cooldown for cooldown in own if cooldown is not None), usual)

    def spotlight(self, person: UserId, standing: Standing, now: datetime) -> Spotlight | None:
        """What a person narrowed this channel to; a thread has that of its channel."""
        found = self.spotlights.get((person, standing.channel)) if standing.is_in_server else None
        return found if found is not None and found.holds(now) else None

    def hears(self, persona: PersonaId, standing: Standing) -> bool:
        """Whether a persona may be heard there: where it has no channels of its own, everywhere; in a thread of one of them too."""
        own = self.persona_channels.get(persona)
        return not standing.is_in_server or not own or not own.isdisjoint(standing.places)

    def auto_place(self, standing: Standing) -> PlaceId | None:
        """The thread or channel in which somebody answers without being called."""
        return next((place for place in standing.places if place in self.auto_channels), None) if standing.is_in_server else None

    def listing_channel(self, place: PlaceId, cooldown: Cooldown | None) -> "Access":
        """With this channel among those that may be talked in."""
        return replace(self, channels={**self.channels, place: cooldown})

    def without_channel(self, place: PlaceId) -> "Access":
        """Without it."""
        return replace(self, channels=_without(self.channels, place))

    def listing_role(self, role: RoleId) -> "Access":
        """With this role among those that may call."""
        return replace(self, roles=self.roles | {role})

    def without_role(self, role: RoleId) -> "Access":
        """Without it."""
        return replace(self, roles=self.roles - {role})

    def barring(self, user: UserId) -> "Access":
        """With this person barred from calling."""
        return replace(self, blacklist=self.blacklist | {user})

    def without_barring(self, user: UserId) -> "Access":
        """With this person free to call again."""
        return replace(self, blacklist=self.blacklist - {user})

    def keeping_persona_to(self, persona: PersonaId, places: frozenset[PlaceId]) -> "Access":
        """With a persona heard in these channels only; in all, where there are none."""
        kept = {**self.persona_channels, persona: places} if places else _without(self.persona_channels, persona)
        return replace(self, persona_channels=kept)

    def answering_in(self, place: PlaceId, persona: PersonaId | None) -> "Access":
        """With somebody answering in this channel without being called."""
        return replace(self, auto_channels={**self.auto_channels, place: persona})

    def not_answering_in(self, place: PlaceId) -> "Access":
        """With nobody doing so there."""
        return replace(self, auto_channels=_without(self.auto_channels, place))

    def shining(self, person: UserId, place: PlaceId, spotlight: Spotlight | None) -> "Access":
        """With what a person wants to hear in a channel; everybody, where that is nothing or holds no persona."""
        rest = _without(self.spotlights, (person, place))
        return replace(self, spotlights={**rest, (person, place): spotlight} if spotlight is not None and spotlight.personas else rest)


MAX_ROWS = 500
"""How many rows a list of a workspace may have: of spotlights, how many each person may have."""


class ListFull(Exception):
    """A list has as many rows as it may; the text says which."""


def judge_growth(before: Access, after: Access) -> None:
    """Raise `ListFull` where a change makes a list longer than it may be."""
    old = _lengths(before)
    for name, length in _lengths(after).items():
        if length > max(MAX_ROWS, old.get(name, 0)):
            raise ListFull(f"The list of {name} holds {MAX_ROWS} rows, which is the most; remove one first.")


def _lengths(access: Access) -> Mapping[str, int]:
    people = Counter(person for person, _ in access.spotlights)
    return {
        "channels": len(access.channels),
        "roles": len(access.roles),
        "people who are barred": len(access.blacklist),
        "channels of one persona": max((len(places) for places in access.persona_channels.values()), default=0),
        "auto-trigger channels": len(access.auto_channels),
        "spotlights of one person": max(people.values(), default=0),
    }


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {other: value for other, value in mapping.items() if other != key}
