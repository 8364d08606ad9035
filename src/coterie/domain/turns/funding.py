"""Whose account answers a turn, with which model, in which order: one function for admission, prompt and generation. Pure; holds no key.

Specification 001, "Model and credential admission".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

from coterie.domain.ids import LOCAL, UserId, WorkspaceId
from coterie.domain.turns.plan import Why

Holder = NewType("Holder", str)
"""Whose saved provider entries are meant: this installation's, a workspace's, or a person's."""

INSTALLATION = Holder("installation")


def workspace_holder(workspace: WorkspaceId) -> Holder:
    """The holder of a workspace's entries; `local` is the installation itself."""
    return INSTALLATION if workspace == LOCAL else Holder(f"workspace:{workspace}")


def person_holder(person: UserId) -> Holder:
    """The holder of a person's entries."""
    return Holder(f"person:{person}")


def workspace_of(holder: Holder) -> WorkspaceId | None:
    """The workspace whose entries these are; nothing for others."""
    kind, _, name = holder.partition(":")
    return WorkspaceId(name) if kind == "workspace" else None


def person_of(holder: Holder) -> UserId | None:
    """The person whose entries these are; nothing for others."""
    kind, _, name = holder.partition(":")
    return UserId(name) if kind == "person" else None


class Source(StrEnum):
    """Who pays for an answer."""

    SERVER = "server"
    PERSONAL = "personal"
    SUPPORTER = "supporter"
    """The operator of this installation, who granted a subscription."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A saved provider entry. With `is_subscription` it has no key of its own, and answers on the operator's account while that is granted.

    `model` is the one that it answers with; blank: the provider's usual one.
    """

    provider: str
    model: str = ""
    is_subscription: bool = False

    @property
    def name(self) -> str:
        """Its model as `provider:model`, or the bare provider."""
        return f"{self.provider}:{self.model}" if self.model else self.provider


@dataclass(frozen=True, slots=True)
class Grant:
    """A subscription; `until` nothing: until it is revoked."""

    until: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Whether it has not run out."""
        return self.until is None or now < self.until


@dataclass(frozen=True, slots=True)
class ServerFunding:
    """What a workspace has saved. `version` rises with each change."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    grant: Grant | None = None
    version: int = 0


@dataclass(frozen=True, slots=True)
class PersonalFunding:
    """What a person has saved: the entry that answers their messages, if it is switched on, and the providers they have keys for."""

    entry: Entry | None = None
    keys: frozenset[str] = frozenset()
    grant: Grant | None = None
    version: int = 0


NOTHING_SAVED = PersonalFunding()


@dataclass(frozen=True, slots=True)
class Terms:
    """What is set about who pays. `is_open`: this installation's models answer everybody; else only where a subscription was granted.

    `brings_own`: members have to bring a provider of their own. `fallbacks` and `own_fallbacks` are further models, in order.
    """

    is_open: bool = True
    brings_own: bool = False
    falls_back_to_server: bool = True
    fallbacks: tuple[str, ...] = ()
    own_fallbacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """One attempt: who pays, whose entries hold the key, and which model is asked (nothing: the installation's usual one).

    `version` is that of the holder's entries. An attempt that is `server_funded` asks for the server's cooldown and quota.
    """

    source: Source
    holder: Holder
    model: str | None
    version: int = 0
    server_funded: bool = True


@dataclass(frozen=True, slots=True)
class Funding:
    """The attempts of a turn, in order; without any, why there is none."""

    routes: tuple[Route, ...]
    refusal: Why | None = None

    @property
    def begins_server_funded(self) -> bool:
        """Whether the first attempt asks for the server's cooldown and quota."""
        return bool(self.routes) and self.routes[0].server_funded


def fund(
    workspace: WorkspaceId,
    person: UserId | None,
    wanted: str | None,
    *,
    server: ServerFunding,
    personal: PersonalFunding,
    terms: Terms,
    now: datetime,
) -> Funding:
    """The attempts of one turn. `wanted` is the model that request, persona, channel and workspace agree on; `person` is nobody where
    no person's own provider may answer (a persona's line that calls another, what the server began by itself).
    """
    own = _own_routes(person, personal, terms, now) if person is not None else ()
    brought = person is not None and personal.entry is not None
    if workspace != LOCAL and (terms.brings_own or (brought and not terms.falls_back_to_server)):
        return Funding(own, None if own else _withheld(brought, personal))
    served = tuple(_server_routes(workspace, wanted, server, terms, now))
    if own or served:
        return Funding((*own, *served))
    entry = _chosen(wanted, server)
    is_inactive = (entry is not None and entry.is_subscription) or _is_inactive(personal, brought)
    return Funding((), Why.SUBSCRIPTION_INACTIVE if is_inactive else Why.NO_CREDENTIALS)


def _own_routes(person: UserId, personal: PersonalFunding, terms: Terms, now: datetime) -> tuple[Route, ...]:
    """A person's own entry, then their own fallbacks, which an inactive subscription leaves as they are."""
    entry, holder = personal.entry, person_holder(person)
    if entry is None:
        return ()
    first: list[Route] = []
    if not entry.is_subscription:
        first.append(Route(Source.PERSONAL, holder, entry.name, personal.version, server_funded=False))
    elif personal.grant is not None and personal.grant.holds(now):
        first.append(Route(Source.SUPPORTER, INSTALLATION, entry.name, server_funded=False))
    spare = (name for name in terms.own_fallbacks if provider_of(name) in personal.keys)
    further = [Route(Source.PERSONAL, holder, name, personal.version, server_funded=False) for name in spare]
    return tuple(dict.fromkeys([*first, *further]))


def _server_routes(workspace: WorkspaceId, wanted: str | None, server: ServerFunding, terms: Terms, now: datetime) -> Iterable[Route]:
    """The wanted model, then the workspace's fallbacks, each by the entry that was saved for its provider."""
    for name in dict.fromkeys([wanted, *terms.fallbacks]):
        entry = _chosen(name, server)
        if entry is None:
            if terms.is_open or workspace == LOCAL:
                yield Route(Source.SERVER, INSTALLATION, name)
        elif not entry.is_subscription:
            yield Route(Source.SERVER, workspace_holder(workspace), name or entry.name, server.version)
        elif server.grant is not None and server.grant.holds(now):
            yield Route(Source.SUPPORTER, INSTALLATION, name or entry.name)


def _chosen(name: str | None, server: ServerFunding) -> Entry | None:
    """The entry that answers for a model: that of its provider; where no model is named, the first that was saved."""
    if name:
        return server.entries.get(provider_of(name))
    return next(iter(server.entries.values()), None)


def _withheld(brought: bool, personal: PersonalFunding) -> Why:
    return Why.SUBSCRIPTION_INACTIVE if _is_inactive(personal, brought) else Why.OWN_PROVIDER_NEEDED


def _is_inactive(personal: PersonalFunding, brought: bool) -> bool:
    """Whether a person's own subscription is why nothing answers; asked only where none of their own routes is there."""
    return brought and personal.entry is not None and personal.entry.is_subscription


def provider_of(name: str) -> str:
    """The provider of `provider:model`, or of a bare provider."""
    return name.partition(":")[0]


def model_names(text: str) -> tuple[str, ...]:
    """The models of a comma list."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
