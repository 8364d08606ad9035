"""One turn: gather the scene, ask the model, keep what was said, show it. Ends the same way whether it finished, failed or was stopped."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from coterie.domain.ids import MessageId
from coterie.domain.prompt.budget import PersonaTooLarge
from coterie.domain.prompt.compose import echoes, labels
from coterie.domain.speech.lead import Lead
from coterie.domain.speech.parts import WHOLE
from coterie.domain.turns.plan import MEANINGS
from coterie.flows.funded import Noted, admission
from coterie.flows.scene import SetScene, set_scene
from coterie.flows.speak import ATTEMPTS, Ended, Speech, speak
from coterie.flows.told import Told
from coterie.flows.tool_rounds import OutOfHand
from coterie.flows.work import EndedBy, WorkLanes, WorkTicket
from coterie.flows.world import World
from coterie.kit.shelter import sheltered
from coterie.ports.model import Model, ModelError, ModelRefused
from coterie.ports.platform import NotSaid
from coterie.ports.stores import Turn, TurnStatus

T = TypeVar("T")

_NOTHING_SAID = f"The model returned nothing, {ATTEMPTS} times in a row."
_PERSONA_GONE = "The persona was removed before its turn came."
CUT_SHORT = "Coterie was stopped amid this answer."
_STALE = "The turn showed no sign of life and was given up."


@dataclass(slots=True)
class Answering:
    """What is known of a turn while it runs."""

    is_using_tools: bool = False
    noted: Noted = field(default_factory=Noted)


@dataclass(frozen=True, slots=True)
class Answered:
    """How a turn ended: `end` is nothing where it stays unfinished, to be taken up again; `lines` are those it said, `text` all of them."""

    end: TurnStatus | None
    lines: tuple[MessageId, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class _End:
    """How a turn ends, and the sentence for people where something was wrong."""

    status: TurnStatus
    sentence: str


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn with what its steps need."""

    world: World
    lanes: WorkLanes
    ticket: WorkTicket
    turn: Turn


async def answer(
    world: World, lanes: WorkLanes, ticket: WorkTicket, turn: Turn, *, answering: Answering, queued: Callable[[], frozenset[MessageId]]
) -> Answered:
    """Run a turn. Raises a `StoreError` where nothing could be read or kept; the turn is then unfinished."""
    this = _Turn(world, lanes, ticket, turn)
    scene = await sheltered(set_scene(world, turn, queued()))
    # That the turn runs is written while the model thinks; a turn whose beginning cannot be kept says nothing.
    begun = asyncio.create_task(world.conversations.begin(turn.id))
    if scene is None:
        await sheltered(_after(begun, world.conversations.finish(turn.id, TurnStatus.SILENT, _PERSONA_GONE)))
        return Answered(TurnStatus.SILENT)
    told = Told(world, turn, scene.persona, WHOLE if _words(turn) else scene.degree, scene.answers, scene.wardrobe)
    speech = _speech(this, scene, told, answering)
    failure = await _listen_to_model(this, scene, told, speech, answering)
    return await sheltered(_after(begun, _conclude(this, told, speech, failure)))


async def _after(begun: "asyncio.Task[None]", work: Coroutine[Any, Any, T]) -> T:
    """Do the work when the beginning is kept."""
    try:
        await begun
    except BaseException:
        work.close()
        raise
    return await work


def _speech(this: _Turn, scene: SetScene, told: Told, answering: Answering) -> Speech:
    turn, platform = this.turn, this.world.platform
    own, others = labels(scene.scene)

    async def wear(label: str) -> None:
        await sheltered(told.wear(label))

    async def show(text: str) -> None:
        await platform.delta(turn.session, turn.root, turn.id, text)
        await sheltered(told.grow(text))
        if this.ticket.ended_by is not None:
            # The cancellation was kept from what is kept and shown; the model need not go on.
            raise asyncio.CancelledError

    async def discard() -> None:
        await platform.discard(turn.session, turn.root, turn.id)
        await sheltered(told.take_back())

    def use_tools(is_using: bool) -> None:
        answering.is_using_tools = is_using

    return Speech(
        own_names=own,
        other_names=others,
        echoes=echoes(scene.composed),
        worn=scene.wardrobe.labels,
        on_text=show,
        on_label=wear,
        on_discard=discard,
        on_progress=lambda: this.lanes.progress(this.ticket),
        on_tools=use_tools,
        has_more=lambda: bool(told.afterwards),
        lead=Lead(turn.direction.prefill if turn.direction else ""),
    )


def _words(turn: Turn) -> str:
    """What the persona says without being asked."""
    return turn.direction.words.strip() if turn.direction else ""


async def _listen_to_model(this: _Turn, scene: SetScene, told: Told, speech: Speech, answering: Answering) -> _End | None:
    """Let the model speak; how it failed, if it did. This alone can be cancelled."""
    if this.ticket.ended_by is not None:
        return None
    try:
        # The model has a timeout of its own, so a long answer is not a stale one.
        with this.lanes.phase(this.ticket):
            await this.world.platform.prepare(this.turn.session, scene.persona)
            if words := _words(this.turn):
                await speech.show(words)
                return None
            model = await _model(this, scene, answering)
            here = await this.world.platform.tools(this.turn.session, scene.persona, told.afterwards.append)
            tools = (*this.world.tools(scene.scene.zone), *here)
            ended = await speak(model, scene.request(model, tools), tools, speech)
    except asyncio.CancelledError:
        return None
    except NotSaid as error:
        # Where one line cannot be shown, the next could not either.
        told.drop_rest()
        return _End(TurnStatus.FAILED, str(error))
    except (ModelError, OutOfHand, PersonaTooLarge) as error:
        return _End(TurnStatus.FAILED, str(error))
    return None if ended is Ended.SPOKEN else _End(TurnStatus.FAILED, _NOTHING_SAID)


async def _model(this: _Turn, scene: SetScene, answering: Answering) -> Model:
    """The model of the turn with everything behind it. Raises a `ModelError`."""
    if scene.funding.refusal is not None:
        raise ModelRefused(MEANINGS[scene.funding.refusal])
    admit = admission(this.world, this.turn, scene.caller, answering.noted)
    return await this.world.models.routed(scene.funding.routes, admit)


async def _conclude(this: _Turn, told: Told, speech: Speech, failure: _End | None) -> Answered:
    """Keep and show what was said, as the way in which the turn ended wants it."""
    match this.ticket.ended_by:
        case None:
            return await _finish(this, told, speech, failure or _End(TurnStatus.ANSWERED, ""))
        case EndedBy.STOPPED:
            return await _finish(this, told, speech, _End(TurnStatus.STOPPED, ""))
        case EndedBy.CLOSING:
            if not told.lines:
                await speech.take_back()
                return Answered(None)
            return await _finish_early(this, told, speech, _End(TurnStatus.ANSWERED, CUT_SHORT))
        case EndedBy.SUPERSEDED:
            return await _finish_early(this, told, speech, _End(TurnStatus.SUPERSEDED, ""))
        case _:
            return await _finish_early(this, told, speech, _End(TurnStatus.FAILED, _STALE))


async def _finish_early(this: _Turn, told: Told, speech: Speech, end: _End) -> Answered:
    """What people may have read stays, as far as it was a line; all else is taken back."""
    if told.lines:
        told.drop_rest()
    else:
        await speech.take_back()
    return await _finish(this, told, speech, end)


async def _finish(this: _Turn, told: Told, speech: Speech, end: _End) -> Answered:
    """Say the rest and end the turn. A rest that cannot be shown ends it as failed."""
    turn = this.turn
    try:
        await told.end(end.status, end.sentence)
    except NotSaid as error:
        end = _End(TurnStatus.FAILED, str(error))
        await this.world.conversations.finish(turn.id, end.status, end.sentence)
    if end.sentence:
        await this.world.platform.failed(turn.session, turn.root, turn.id, end.sentence)
    return Answered(end.status, tuple(line.id for line in told.lines), speech.text.strip())
