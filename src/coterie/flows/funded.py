"""Who pays for an answer: gathered once for a message, asked for each persona, and asked again when its turn comes."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from coterie.domain.ids import LOCAL, PersonaId, SessionId, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.sessions.precedence import first_choice
from coterie.domain.sessions.session import Session
from coterie.domain.turns.claims import claims_of
from coterie.domain.turns.funding import NOTHING_SAVED, Funding, PersonalFunding, ServerFunding, Terms, fund, model_names
from coterie.domain.turns.gates import Caller
from coterie.domain.turns.plan import MEANINGS, Reason, Why
from coterie.flows.world import World
from coterie.ports.model import Admit, ModelRefused
from coterie.ports.stores import Turn

UNOWNED = frozenset({Reason.CHAIN, Reason.WELCOME})
"""Reasons for which no person's own provider answers: a persona's line calls another, or the server speaks first (specification 001)."""


@dataclass(frozen=True, slots=True)
class Funds:
    """What is known of who could pay in a workspace, and for whom."""

    workspace: WorkspaceId
    person: UserId
    server: ServerFunding
    personal: PersonalFunding
    terms: Terms
    channel_model: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the server pays for everything, whatever model is asked."""
        bare = self.personal.entry is None and not self.terms.brings_own
        answers_all = self.terms.is_open and not any(entry.is_subscription for entry in self.server.entries.values())
        return self.workspace == LOCAL or (bare and answers_all)

    def of(self, caller: Caller, persona: Persona, asked: str | None, *, reason: Reason, now: datetime) -> Funding:
        """The attempts of one persona's turn, by the model that request, persona, channel and workspace agree on."""
        wanted = first_choice(asked, persona.model, self.channel_model, caller.settings.text("model"))
        person = None if reason in UNOWNED else self.person
        return fund(self.workspace, person, wanted, server=self.server, personal=self.personal, terms=self.terms, now=now)

    def unfunded(self, caller: Caller, cast: Cast, asked: str | None, *, reason: Reason, now: datetime) -> dict[PersonaId, Why]:
        """Those of the cast that nobody could pay for, and why; the others can answer all the same (specification 001)."""
        if self.is_plain:
            return {}
        found = {persona.id: self.of(caller, persona, asked, reason=reason, now=now) for persona in cast.personas}
        return {persona: funding.refusal for persona, funding in found.items() if funding.refusal is not None}


async def gather_funds(world: World, workspace: WorkspaceId, session: SessionId, caller: Caller, there: Session | None = None) -> Funds:
    """What is to go by. The channel's own model is read only where it matters for who pays, or its session is `there` already."""
    terms = _terms(world, caller)
    if workspace == LOCAL:
        return Funds(workspace, caller.person, ServerFunding(), NOTHING_SAVED, terms, first_choice(there.model) if there else None)
    server, personal = await world.fundings.server(workspace), await world.fundings.personal(caller.person)
    funds = Funds(workspace, caller.person, server, personal, terms)
    if funds.is_plain and there is None:
        return funds
    own = first_choice((there or await world.sessions.session(session)).model)
    return replace(funds, channel_model=own or await _parents_model(world, workspace, caller))


async def _parents_model(world: World, workspace: WorkspaceId, caller: Caller) -> str | None:
    """A thread without a model of its own has its channel's."""
    parent = caller.standing.parent
    above = await world.sessions.of_channel(workspace, parent) if parent else None
    return first_choice(above.model) if above is not None else None


def admission(world: World, turn: Turn, caller: Caller, note: "Noted") -> Admit:
    """Asks for the server's cooldown and quota when a turn falls back to what the server pays for; once for all turns of a message."""
    return partial(_admit, world, turn, caller, note)


@dataclass(slots=True)
class Noted:
    """What a turn took while it ran."""

    has_unit: bool = False


async def _admit(world: World, turn: Turn, caller: Caller, note: Noted) -> None:
    now = world.clock.now()
    claims = claims_of(caller, [turn.reason], now)
    if not claims:
        return
    taken = await world.limited.take(turn.workspace, turn.root, claims, now)
    if taken.refusal is not None:
        raise ModelRefused(MEANINGS[taken.refusal])
    note.has_unit = note.has_unit or taken.has_unit


def _terms(world: World, caller: Caller) -> Terms:
    return Terms(
        is_open=world.is_open,
        brings_own=caller.settings.flag("user-byok"),
        falls_back_to_server=caller.personal.flag("server-fallback"),
        fallbacks=model_names(caller.settings.text("model-fallbacks")),
        own_fallbacks=model_names(caller.personal.text("model-fallbacks")),
    )
