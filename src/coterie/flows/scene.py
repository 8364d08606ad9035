"""Gathers what a turn's prompt is made from: the speaker as it is now, the session, who was called with it, and what was said."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import cast

from coterie.domain.conversation import Message, Person, PersonaVoice
from coterie.domain.ids import MessageId
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.prompt.budget import Budget, fit
from coterie.domain.prompt.compose import Composed, Directive, Scene, compose
from coterie.domain.prompt.participants import Surroundings
from coterie.domain.prompt.role import effective_role
from coterie.domain.sessions.precedence import DEFAULT_LEVEL, first_choice
from coterie.domain.sessions.session import Session
from coterie.domain.speech.wardrobe import Wardrobe
from coterie.domain.turns.funding import Funding
from coterie.domain.turns.gates import Caller
from coterie.domain.turns.plan import Reason
from coterie.flows.called import calling
from coterie.flows.funded import gather_funds
from coterie.flows.history import heard_by, read_history, read_trigger
from coterie.flows.world import World
from coterie.ports.model import ChatText, Level, Model, ModelRequest, SpeakerNote
from coterie.ports.stores import Turn
from coterie.ports.tools import Tool

MOST_OUTPUT = 800
"""Tokens of one reply at most."""
_AN_EIGHTH = 8


@dataclass(frozen=True, slots=True)
class SetScene:
    """A scene with the model and level that play it."""

    scene: Scene
    composed: Composed
    funding: Funding
    caller: Caller
    level: Level
    degree: int
    """The setting `humanizer`."""
    wardrobe: Wardrobe = field(default_factory=Wardrobe)
    """What single lines can wear here."""

    @property
    def answers(self) -> MessageId | None:
        """The trigger, where persons have said something else since; a reader could not tell which of it is answered."""
        scene = self.scene
        since = takewhile(lambda message: message.id != scene.trigger.id, reversed(scene.history))
        return scene.trigger.id if any(isinstance(message.author, Person) for message in since) else None

    @property
    def persona(self) -> Persona:
        """Who speaks."""
        return self.scene.speaker

    def request(self, model: Model, tools: Sequence[Tool]) -> ModelRequest:
        """What this model is asked, within its context window. Raises `PersonaTooLarge`."""
        info = model.info
        # A small model keeps most of its window for what it is shown.
        output = min(MOST_OUTPUT, info.max_output, max(info.context_window // _AN_EIGHTH, 1))
        prompt = fit(self.composed, Budget(info.context_window, output, model.count_tokens))
        return ModelRequest(
            system=prompt.system,
            messages=tuple(ChatText("assistant" if piece.is_own else "user", piece.text) for piece in prompt.pieces),
            tools=tuple(tool.spec for tool in tools) if info.can_call_tools else (),
            max_output_tokens=output,
            level=self.level,
            note=self._note(),
        )

    def _note(self) -> SpeakerNote:
        trigger = self.scene.trigger
        said_by_person = not isinstance(trigger.author, PersonaVoice)
        asked = self.scene.direction.prompt if self.scene.direction else ""
        return SpeakerNote(str(self.persona.handle), asked or (trigger.text if said_by_person else ""))


async def set_scene(world: World, turn: Turn, queued: frozenset[MessageId]) -> SetScene | None:
    """Gather a turn's scene; nothing when its persona has left the cast. `queued` are messages that wait for a turn of their own."""
    cast_now = await world.casts.cast(turn.workspace)
    persona = cast_now.by_id(turn.persona)
    if persona is None:
        return None
    settings = await world.settings.settings(turn.workspace)
    session = await world.sessions.session(turn.session)
    history = await read_history(world, turn, settings.number("message-fetch-limit"))
    called = next((message for message in history if message.id == turn.trigger), None) or await read_trigger(world, turn)
    if called is None:
        return None
    heard = heard_by(turn, history, queued, sees_earlier=settings.flag("see-earlier-replies"))
    level = first_choice(turn.reasoning, persona.reasoning, session.reasoning) or DEFAULT_LEVEL
    place = await world.platform.surroundings(turn.session)
    caller = await calling(world, turn.workspace, turn.origin, turn.standing)
    funds = await gather_funds(world, turn.workspace, turn.session, caller, session)
    scene = replace(_scene(cast_now, persona, session, turn, heard=heard, called=called, place=place), zone=settings.text("timezone"))
    return SetScene(
        scene=scene,
        composed=compose(scene),
        funding=funds.of(caller, persona, turn.model, reason=turn.reason, now=world.clock.now()),
        caller=caller,
        level=cast(Level, level),
        degree=settings.number("humanizer"),
        wardrobe=Wardrobe.of(persona, scene.others, scene.people) if place.can_wear else Wardrobe(),
    )


def _scene(
    cast_now: Cast, persona: Persona, session: Session, turn: Turn, *, heard: tuple[Message, ...], called: Message, place: Surroundings
) -> Scene:
    """`called` is the message that the turn was planned for."""
    direction = turn.direction
    if direction is not None and direction.guest:
        # What is answered is that somebody has come, which nobody said.
        heard = (*heard, called)
    # A command is answered by answering what was said last.
    trigger = heard[-1] if direction is not None and heard else called
    asked_by = next((message.author.name for message in heard if message.id == turn.root), called.author.name)
    others = tuple(other for other in cast_now.personas if other.id != persona.id)
    # A session's own role and self_id are worn by its main speaker; alters stay themselves (specification 004, with a cast).
    is_main = not persona.is_alter
    return Scene(
        speaker=persona,
        identity=(session.self_id if is_main else "") or str(persona.handle),
        role=effective_role(session.role if is_main else "", persona),
        others=others,
        co_triggered=tuple(other for other in others if other.id in turn.co_triggered),
        history=heard,
        trigger=trigger,
        person=(direction.guest_name if direction is not None else "") or asked_by,
        directive=_directive(turn, persona, trigger),
        turn=str(turn.id),
        direction=direction,
        place=place,
    )


def _directive(turn: Turn, persona: Persona, trigger: Message) -> Directive:
    if turn.reason is Reason.STOP_RESPONSE:
        return Directive.STOP
    if turn.direction is None:
        return Directive.ANSWER
    if turn.direction.guest:
        return Directive.WELCOME
    if trigger.id == turn.trigger:
        return Directive.BEGIN
    return Directive.CONTINUE if isinstance(trigger.author, PersonaVoice) and trigger.author.id == persona.id else Directive.ANSWER
