"""What a model is shown for one turn: who it is, who is there, what was said, whom to answer. What does not fit is dropped in `budget`."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from coterie.domain.conversation import Message, PersonaVoice
from coterie.domain.ids import PersonaId
from coterie.domain.personas.persona import Persona, SampleDialogue
from coterie.domain.prompt.data import labelled, plain_name
from coterie.domain.prompt.macros import Bindings, expand
from coterie.domain.prompt.role import own_words, speaker_block

GUEST = "Guest"
"""Who speaks with a persona in its examples; nobody in the room."""
_EXAMPLES_OVER = "(The examples of how you speak end here. The real conversation begins.)"
_OPENING = "(The conversation begins.)"
_EXCERPT = 280


class Directive(StrEnum):
    """What the turn is for."""

    ANSWER = "answer"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a prompt is made from.

    `identity` and `role` are the speaker's effective ones. `others` are the other personas here, `co_triggered` those of them that the
    same message called. `history` holds every line up to now, the trigger among them unless it is too old.
    `person` is the shown name of whom the turn began with.
    """

    speaker: Persona
    identity: str
    role: str
    others: tuple[Persona, ...]
    co_triggered: tuple[Persona, ...]
    history: tuple[Message, ...]
    trigger: Message
    person: str
    directive: Directive = Directive.ANSWER
    turn: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the conversation as the model sees it. `is_own`: the speaker said it."""

    is_own: bool
    text: str


@dataclass(frozen=True, slots=True)
class Composed:
    """The parts of a prompt before anything is dropped, each oldest first; `after` was said since the trigger, `last` is said last."""

    system: str
    examples: tuple[Said, ...]
    before: tuple[Said, ...]
    trigger: Said
    after: tuple[Said, ...]
    last: str


def compose(scene: Scene) -> Composed:
    """Lay out everything. The stable parts come first, so that providers can cache them."""
    bindings = _bindings(scene.speaker, scene)
    attributes = scene.speaker.content.attributes
    system = [
        speaker_block(scene.identity, scene.role, attributes, bindings),
        _manner(scene),
        *(_public_block(persona, scene) for persona in scene.co_triggered if any(fact.is_public for fact in persona.content.attributes)),
    ]
    place = next((index for index, message in enumerate(scene.history) if message.id == scene.trigger.id), -1)
    return Composed(
        system="\n\n".join(system),
        examples=tuple(_examples(scene.speaker.content.sample_dialogues, scene)),
        before=tuple(_said(message, scene) for message in scene.history[: max(place, 0)]),
        trigger=_said(scene.trigger, scene),
        after=tuple(_said(message, scene) for message in scene.history[place + 1 :]),
        last=_last_words(scene),
    )


def labels(scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The speaker's own names, and every other name that could stand before a line."""
    own = {plain_name(scene.speaker.name), scene.identity, str(scene.speaker.handle)} - {""}
    spoken = {plain_name(message.author.name) for message in (*scene.history, scene.trigger) if not _is_own(message, scene.speaker.id)}
    others = {plain_name(persona.name) for persona in scene.others} | spoken | {plain_name(scene.person)}
    folded = {name.casefold() for name in own}
    return tuple(sorted(own)), tuple(sorted(name for name in others if name.casefold() not in folded))


def echoes(composed: Composed) -> tuple[str, ...]:
    """Notes of ours that a model may repeat as if they were talk."""
    return tuple(note for note in (composed.last, _EXAMPLES_OVER, _OPENING) if note)


def trigger_stands_last(scene: Scene) -> bool:
    """Whether nothing was said since the message that is answered."""
    return not scene.history or scene.history[-1].id == scene.trigger.id


def _bindings(persona: Persona, scene: Scene) -> Bindings:
    return Bindings(plain_name(persona.name), plain_name(scene.person), seed=str(persona.handle), turn=scene.turn)


def _manner(scene: Scene) -> str:
    name = plain_name(scene.speaker.name)
    here = [plain_name(persona.name) for persona in scene.others]
    company = f" {_listed(here)} {'is' if len(here) == 1 else 'are'} here too." if here else ""
    return (
        f"## Conversation\nYou are shown to the others as {name}.{company} Lines of others begin with their name. "
        f"Write only what {name} says next, without a name in front, and never write lines for anybody else."
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _public_block(persona: Persona, scene: Scene) -> str:
    """What a co-triggered persona lets others know; `{bot}` in it is its owner (specification 000)."""
    bindings = _bindings(persona, scene)
    facts = [f"- {own_words(fact.text, bindings)}" for fact in persona.content.attributes if fact.is_public]
    return "\n".join([f"## About {plain_name(persona.name)}", *facts])


def _examples(dialogues: Sequence[SampleDialogue], scene: Scene) -> list[Said]:
    """Examples carry their own names: their guest is nobody in the room."""
    bindings = Bindings(plain_name(scene.speaker.name), GUEST, seed=str(scene.speaker.handle))
    pieces = []
    for dialogue in dialogues:
        asked = expand(dialogue.user, bindings).strip()
        pieces.append(Said(is_own=False, text=labelled(GUEST, asked) if asked else _OPENING))
        pieces.append(Said(is_own=True, text=expand(dialogue.bot, bindings).strip()))
    return [*pieces, Said(is_own=False, text=_EXAMPLES_OVER)] if pieces else []


def _said(message: Message, scene: Scene) -> Said:
    """A line under the name its speaker was shown with; the speaker's own stand without one."""
    if _is_own(message, scene.speaker.id):
        return Said(is_own=True, text=message.text.strip())
    return Said(is_own=False, text=labelled(message.author.name, message.text))


def _is_own(message: Message, speaker: PersonaId) -> bool:
    return isinstance(message.author, PersonaVoice) and message.author.id == speaker


def _last_words(scene: Scene) -> str:
    """Whom to answer, where that is not simply the last line."""
    author, name = plain_name(scene.trigger.author.name), plain_name(scene.speaker.name)
    if scene.directive is Directive.STOP:
        return f"({author} asked you to stop. {name}, say in one short sentence that you stop.)"
    if trigger_stands_last(scene):
        return ""
    words = " ".join(scene.trigger.text.split())
    excerpt = words if len(words) <= _EXCERPT else words[: _EXCERPT - 1].rstrip() + "…"
    return f"({name}, now answer {author}, who said: “{excerpt}”)"
