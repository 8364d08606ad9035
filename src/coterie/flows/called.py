"""Who is called by what was said, in the present cast: words, replies, mentions, a choice by hand."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from coterie.domain.access import Standing
from coterie.domain.conversation import Direction, IncomingMessage, Mention, PersonaVoice
from coterie.domain.ids import LOCAL, PersonaId, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast
from coterie.domain.sessions.precedence import first_choice
from coterie.domain.settings import Settings
from coterie.domain.triggers.recognise import Call, CastWords
from coterie.domain.turns.claims import FREE
from coterie.domain.turns.gates import Caller, barred_for, closed_by, exempt_from_signs, fallback_for, must_be_deliberate
from coterie.domain.turns.plan import BY_HAND, Occasion, PersonaChosen, PersonSpoke, PlanFacts, Reason, Why
from coterie.flows.funded import Funds, gather_funds
from coterie.flows.world import World
from coterie.ports.access import AccessLists, People
from coterie.ports.stores import NotFound, WorkspaceSettings

_KEPT_CASTS = 512
_SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class Called:
    """What a message asks for, and what stands in its way, before anything is decided."""

    cast: Cast
    caller: Caller
    occasion: Occasion
    calls: tuple[Call, ...]
    funds: Funds
    asked_model: str | None = None
    undeliberate: tuple[Call, ...] = ()
    is_auto_hit: bool = False

    @property
    def settings(self) -> Settings:
        """What is set where it was said."""
        return self.caller.settings

    def facts(self, now: datetime, *, occasion: Occasion | None = None, closed: Why | None = None) -> PlanFacts:
        """What its plan is made from. `occasion` in place of its own, and `closed` before its own gates, where something else decides."""
        meant = occasion or self.occasion
        reason = meant.reason if isinstance(meant, PersonaChosen) else None
        return PlanFacts(
            cast=self.cast,
            occasion=meant,
            settings=self.settings,
            calls=self.calls,
            barred=self._unfunded(now, reason) | barred_for(self.caller, self.cast, now),
            # Whoever is being answered may have it stopped, whatever has changed since.
            closed=closed or (None if reason is Reason.STOP_RESPONSE else closed_by(self.caller, is_command=reason in BY_HAND)),
            fallback=fallback_for(self.caller, self.cast, now, is_hit=self.is_auto_hit),
            undeliberate=self.undeliberate,
        )

    def pays_server(self, persona: PersonaId, reason: Reason, now: datetime) -> bool:
        """Whether the server pays for the first attempt of a persona's turn."""
        who = self.cast.by_id(persona)
        return who is None or self.funds.of(self.caller, who, self.asked_model, reason=reason, now=now).begins_server_funded

    def _unfunded(self, now: datetime, reason: Reason | None) -> dict[PersonaId, Why]:
        """Whom nobody could pay for; where no model is asked, nobody need."""
        if reason in FREE:
            return {}
        return self.funds.unfunded(self.caller, self.cast, self.asked_model, reason=reason or Reason.TRIGGER_WORD, now=now)


class Registers(Protocol):
    """Where it is written what is set in a workspace, who may call whom there, and what people have set for themselves."""

    @property
    def settings(self) -> WorkspaceSettings:
        """What workspaces have set."""
        ...

    @property
    def access(self) -> AccessLists:
        """Their lists."""
        ...

    @property
    def people(self) -> People:
        """What people have set."""
        ...


class Words:
    """The compiled trigger words of the casts used last, each for as long as its version stands."""

    def __init__(self) -> None:
        self._compiled: OrderedDict[WorkspaceId, tuple[Cast, CastWords]] = OrderedDict()

    def of(self, cast: Cast) -> CastWords:
        """The matcher of a cast."""
        found = self._compiled.get(cast.workspace)
        if found is None or found[0].version != cast.version:
            found = (cast, CastWords.build(cast))
        self._compiled[cast.workspace] = found
        self._compiled.move_to_end(cast.workspace)
        if len(self._compiled) > _KEPT_CASTS:
            self._compiled.popitem(last=False)
        return found[1]


async def called_by(world: World, words: Words, message: IncomingMessage) -> Called:
    """Read a person's message. Raises `NotFound` for a persona that was chosen by hand and is not in the cast."""
    cast = await world.casts.cast(message.workspace)
    caller = await calling(world, message.workspace, message.author.id, message.standing)
    model = first_choice(message.model, caller.settings.text("model")) or world.models.default_name()
    # While the scripted model answers, what is written to it is not trigger text.
    directives = model.split(":")[0] == _SCRIPTED
    matcher, now = words.of(cast), world.clock.now()
    calls, undeliberate = called_by_words(matcher, caller, cast, message.text, now, mentions=message.mentions, directives=directives)
    funds = await gather_funds(world, message.workspace, message.session, caller)
    occasion = await _occasion(world, cast, message)
    return Called(cast, caller, occasion, calls, funds, message.model, undeliberate, message.is_auto_hit)


async def calling(registers: Registers, workspace: WorkspaceId, person: UserId, standing: Standing) -> Caller:
    """Who calls. On the owner's own machine nothing is asked about anybody, and lists are only kept in servers."""
    settings = await registers.settings.settings(workspace)
    if workspace == LOCAL:
        return Caller(person, settings=settings)
    personal = await registers.people.personal(person, standing.locale)
    if not standing.is_in_server:
        return Caller(person, settings=settings, personal=personal)
    return Caller(person, standing, await registers.access.access(workspace), settings, personal)


def called_by_words(
    words: CastWords, caller: Caller, cast: Cast, text: str, now: datetime, *, mentions: Sequence[Mention] = (), directives: bool = False
) -> tuple[tuple[Call, ...], tuple[Call, ...]]:
    """Who is called by a text, in order of position, and who only would be if words needed no sign here."""
    plain = words.called(text, mentions, directives=directives)
    if not plain or not must_be_deliberate(caller):
        return plain, ()
    meant = words.called_deliberately(text, mentions, directives=directives)
    return _parted(plain, meant, exempt_from_signs(caller, cast, now))


def _parted(
    plain: tuple[Call, ...], deliberate: tuple[Call, ...], exempt: frozenset[PersonaId]
) -> tuple[tuple[Call, ...], tuple[Call, ...]]:
    """The calls that count where words need a sign, in order of position, and those that do not."""
    with_sign = {call.persona for call in deliberate}
    counted = [*deliberate, *(call for call in plain if call.persona in exempt - with_sign)]
    left = tuple(call for call in plain if call.persona not in with_sign | exempt)
    return tuple(sorted(counted, key=lambda call: call.position)), left


def _asked_for(direction: Direction | None) -> Reason:
    """Why one persona speaks that was chosen."""
    if direction is not None and direction.guest:
        return Reason.WELCOME
    return Reason.IMPERSONATED if direction is not None and direction.words else Reason.CHOSEN


async def _occasion(world: World, cast: Cast, message: IncomingMessage) -> Occasion:
    if message.persona is not None:
        persona = cast.by_handle(message.persona)
        if persona is None:
            raise NotFound(f"There is no persona {message.persona} here.")
        return PersonaChosen(persona.id, _asked_for(message.direction))
    replied = await world.conversations.message(message.reply_to) if message.reply_to is not None else None
    voice = replied.author if replied is not None else None
    # The record wins; what the platform can tell counts for lines that are not in it.
    replied_to = voice.id if isinstance(voice, PersonaVoice) else message.replied_to if replied is None else None
    return PersonSpoke(replied_to, any(mention.is_us for mention in message.mentions))
