"""From a message to turns: read the facts with one question, decide, commit as one change. Runs inside the lane of the session."""

from dataclasses import replace

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import MessageId, PersonaId, TurnId
from coterie.domain.personas.persona import Cast
from coterie.domain.settings import Settings
from coterie.domain.triggers.cascade import Cascade
from coterie.domain.turns.claims import claims_of
from coterie.domain.turns.gates import TOLD, UNFUNDED, barred_for
from coterie.domain.turns.plan import DELIBERATE, PersonaSpoke, PlanFacts, Reason, TurnPlan, Why, is_counted, plan_turns
from coterie.flows.called import Called, Words, called_by, called_by_words, calling
from coterie.flows.funded import gather_funds
from coterie.flows.work import Heard
from coterie.flows.world import World
from coterie.ports.stores import PlanCommit, PlannedTurn, Settled, Turn


async def foresee(world: World, words: Words, message: IncomingMessage) -> tuple[Cast, TurnPlan]:
    """Who would answer a message, and why each other persona would not, in the present cast. Nothing is kept."""
    called = await called_by(world, words, message)
    return called.cast, plan_turns(called.facts(world.clock.now()))


async def plan_heard(world: World, words: Words, heard: Heard) -> Settled:
    """Plan a person's message: the turns to run now, in order."""
    called = await called_by(world, words, heard.message)
    now = world.clock.now()
    plan = plan_turns(called.facts(now, occasion=heard.occasion))
    reasons = [turn.reason for turn in plan.turns]
    commit = _person_commit(world, heard, called.settings, plan)
    paid_by_server = [turn.reason for turn in plan.turns if called.pays_server(turn.persona, turn.reason, now)]
    settled = await _commit(world, replace(commit, claims=claims_of(called.caller, paid_by_server, now)), called.cast)
    if settled.refusal is not None and not DELIBERATE.isdisjoint(reasons):
        await world.platform.declined(heard.message, settled.refusal, settled.until)
    elif not settled.turns and is_meant(called.facts(now)):
        # One notice at most, however many personas could not be paid for.
        missing = next((why for _, why in settled.skipped if why in UNFUNDED), None)
        if missing is not None:
            await world.platform.declined(heard.message, missing, None)
    return settled


async def plan_nothing(world: World, heard: Heard, called: Called, why: Why | None = None) -> None:
    """Keep that nobody answers a message: for the reasons of the plan or, whoever would have answered, because of `why`."""
    facts = called.facts(world.clock.now(), occasion=heard.occasion, closed=why)
    plan = plan_turns(facts)
    await _commit(world, _person_commit(world, heard, called.settings, plan), called.cast)
    if why in TOLD and is_meant(facts):
        assert why is not None
        await world.platform.declined(heard.message, why, None)


def is_meant(facts: PlanFacts) -> bool:
    """Whether somebody was called on purpose, whatever closes the way."""
    barred = {persona: why for persona, why in facts.barred.items() if why not in UNFUNDED}
    return any(turn.reason in DELIBERATE for turn in plan_turns(replace(facts, closed=None, barred=barred)).turns)


async def plan_line(world: World, words: Words, turn: Turn, line: MessageId, *, text: str, waiting: frozenset[PersonaId]) -> Settled | None:
    """Look at a finished line once, as a whole: whom does it call? Nothing is kept of a line that calls nobody."""
    cast = await world.casts.cast(turn.workspace)
    if not words.of(cast).called(text) or turn.reason is Reason.STOP_RESPONSE:
        return None
    now = world.clock.now()
    facts = await world.conversations.facts(turn.workspace, turn.session, None, now)
    occasion = PersonaSpoke(turn.persona, facts.state.last_speaker)
    # Whoever cannot have a persona here cannot have it called by another one either, nor in another way.
    caller = await calling(world, turn.workspace, turn.origin, turn.standing)
    funds = await gather_funds(world, turn.workspace, turn.session, caller)
    calls, undeliberate = called_by_words(words.of(cast), caller, cast, text, now)
    plan = plan_turns(
        PlanFacts(
            cast=cast,
            occasion=occasion,
            settings=facts.settings,
            calls=calls,
            cascade=Cascade(facts.state.cascade_count),
            waiting=waiting,
            barred=funds.unfunded(caller, cast, turn.model, reason=Reason.CHAIN, now=now) | barred_for(caller, cast, now),
            undeliberate=undeliberate,
        )
    )
    commit = PlanCommit(
        workspace=turn.workspace,
        session=turn.session,
        message=line,
        root=turn.root,
        origin=turn.origin,
        turns=_turns(world, plan),
        skipped=tuple((skip.persona, skip.why) for skip in plan.skipped),
        cascade_limit=facts.settings.number("trigger-cascade-limit"),
        resets=False,
        at=now,
        model=turn.model,
        reasoning=turn.reasoning,
        standing=turn.standing,
    )
    return await _commit(world, commit, cast)


async def _commit(world: World, commit: PlanCommit, cast: Cast) -> Settled:
    settled = await world.conversations.commit(commit)
    handles = {persona.id: persona.handle for persona in cast.personas}
    await world.platform.planned(commit.session, commit.root, commit.message, settled, handles)
    return settled


def _person_commit(world: World, heard: Heard, settings: Settings, plan: TurnPlan) -> PlanCommit:
    message = heard.message
    return PlanCommit(
        workspace=message.workspace,
        session=message.session,
        message=message.id,
        root=message.id,
        origin=message.author.id,
        turns=_turns(world, plan),
        skipped=tuple((skip.persona, skip.why) for skip in plan.skipped),
        cascade_limit=settings.number("trigger-cascade-limit"),
        # A stop keeps the count; every other message of a person begins a new trigger session.
        resets=heard.reason is not Reason.STOP_RESPONSE,
        at=world.clock.now(),
        model=message.model,
        reasoning=message.reasoning,
        direction=message.direction,
        standing=message.standing,
    )


def _turns(world: World, plan: TurnPlan) -> tuple[PlannedTurn, ...]:
    return tuple(
        PlannedTurn(TurnId(world.ids.turn()), chosen.persona, chosen.reason, counts=is_counted(chosen.reason)) for chosen in plan.turns
    )
