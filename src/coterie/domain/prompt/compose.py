"""What a model is shown for one turn: who it is, who is there, what was said, whom to answer. What does not fit is dropped in `budget`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from coterie.domain.conversation import SYSTEM, Direction, Message, Person, PersonaVoice
from coterie.domain.personas.naming import name_key
from coterie.domain.personas.persona import Persona, SampleDialogue
from coterie.domain.personas.sprites import MOST_SHOWN
from coterie.domain.prompt.data import labelled, named, plain_label, plain_name, plain_words, quoted
from coterie.domain.prompt.macros import Bindings, expand
from coterie.domain.prompt.names import Names
from coterie.domain.prompt.participants import Surroundings, listed
from coterie.domain.prompt.role import own_words, speaker_block

UTC = "UTC"
"""The time zone of a place that has none of its own; nothing is said about it."""
GUEST = "Guest"
"""Who speaks with a persona in its examples; nobody in the room."""
EARLIER = "(Earlier lines are left out.)"
"""Stands before a history whose first line is the speaker's own."""
_OPENING = "(The conversation begins.)"
_EXCERPT = 280
_MOST_DIRECTED = 2_000
"""Characters of what a person asks for with a command."""
_MOST_NAMED = 12
_OUR_HEADING = re.compile(r"##+(?=[ \t]*(?:bot persona|conversation|about|people here|sprites)\b)", re.IGNORECASE)


class Directive(StrEnum):
    """What the turn is for."""

    ANSWER = "answer"
    FOLLOW_UP = "follow-up"
    CHAIN = "chain"
    STOP = "stop"
    CONTINUE = "continue"
    """The speaker spoke last and goes on."""
    BEGIN = "begin"
    """Nothing was said yet; the trigger only tells who asked the speaker to say something."""
    WELCOME = "welcome"
    """Somebody has just come, which is what the trigger tells."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a prompt is made from.

    `identity` and `role` are the speaker's effective ones. `others` are the other personas here, `co_triggered` those of them that the
    same message called. `history` holds every line up to now, the trigger among them unless it is too old.
    `person` is the shown name of whom the turn began with; `direction` is what that person asked for beside it.
    `zone` is the time zone of the place by its IANA name.
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
    direction: Direction | None = None
    place: Surroundings = field(default_factory=Surroundings)
    zone: str = UTC

    @property
    def people(self) -> tuple[Person, ...]:
        """The persons who take part, each line's author once more."""
        return tuple(message.author for message in (*self.history, self.trigger) if isinstance(message.author, Person))


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the conversation as the model sees it. `is_own`: the speaker said it."""

    is_own: bool
    text: str


@dataclass(frozen=True, slots=True)
class Composed:
    """The parts of a prompt before anything is dropped, each oldest first; `after` was said since the trigger, `last` is said last.

    An example is what was asked and what the speaker answers. `notes` are the sentences of ours that say how to speak.
    """

    system: str
    examples: tuple[tuple[Said, Said], ...]
    before: tuple[Said, ...]
    trigger: Said
    after: tuple[Said, ...]
    last: str
    notes: tuple[str, ...] = ()


def compose(scene: Scene) -> Composed:
    """Lay out everything. The stable parts come first, so that providers can cache them."""
    names = _names(scene)
    block = speaker_block(scene.identity, scene.role, scene.speaker.content.attributes, _bindings(scene.speaker, scene, names))
    manner = _manner(scene, names)
    there = [block for block in (_participants(scene, names), _sprites(scene)) if block]
    public = [_public_block(persona, scene, names) for persona in scene.co_triggered if _has_public(persona)]
    place = next((index for index, message in enumerate(scene.history) if message.id == scene.trigger.id), -1)
    last = tuple(_last_words(scene, names))
    return Composed(
        system="\n\n".join([block, f"## Conversation\n{manner}", *there, *public]),
        examples=tuple(_examples(scene.speaker.content.sample_dialogues, scene)),
        before=tuple(_said(message, scene, names) for message in scene.history[: max(place, 0)]),
        trigger=Said(is_own=False, text=_OPENING) if scene.directive is Directive.BEGIN else _said(scene.trigger, scene, names),
        after=tuple(_said(message, scene, names) for message in scene.history[place + 1 :]),
        last="\n".join(last),
        notes=(block.split("\n")[1], manner, *last),
    )


def labels(scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The speaker's own names, and every other label that could stand before a line."""
    names = _names(scene)
    own = {scene.speaker.name.strip(), plain_name(scene.speaker.name), scene.identity, str(scene.speaker.handle)} - {""}
    others = {names.persona(persona.id, persona.handle, persona.name) for persona in scene.others}
    others |= {names.label(message.author) for message in (*scene.history, scene.trigger) if not _is_own(message, scene)}
    others |= {names.person(scene.person), GUEST}
    keys = {name_key(name) for name in own}
    return tuple(sorted(own)), tuple(sorted(name for name in others if name_key(name) not in keys))


def echoes(composed: Composed) -> tuple[str, ...]:
    """Notes and headings of ours that a model may repeat as if they were talk."""
    headings = [line for line in composed.system.splitlines() if line.startswith("## ")]
    return tuple(note for note in (composed.last, *composed.notes, EARLIER, _OPENING, *headings) if note)


def trigger_stands_last(scene: Scene) -> bool:
    """Whether nothing was said since the message that is answered."""
    return not scene.history or scene.history[-1].id == scene.trigger.id


def _names(scene: Scene) -> Names:
    voices = (message.author for message in (*scene.history, scene.trigger))
    return Names.of(scene.speaker, scene.identity, scene.others, (voice for voice in voices if isinstance(voice, PersonaVoice)))


def _bindings(persona: Persona, scene: Scene, names: Names) -> Bindings:
    return Bindings(plain_name(persona.name), names.person(scene.person), seed=str(persona.handle), turn=scene.turn)


def _manner(scene: Scene, names: Names) -> str:
    """Who is there, and how to speak."""
    name = plain_name(scene.speaker.name)
    # Those that were called with the speaker matter most; the order is that of the cast all the same.
    nearest = sorted(scene.others, key=lambda other: other not in scene.co_triggered)[:_MOST_NAMED]
    here = [names.persona(other.id, other.handle, other.name) for other in scene.others if other in nearest]
    sentences = [
        f"You are {named(name)}.",
        f"You talk with {_listed(_people(scene, names))}.",
        f"{_listed(here)} {'is' if len(here) == 1 else 'are'} here too." if here else "",
        f"The time zone here is {scene.zone}." if scene.zone != UTC else "",
        "Each line of the others begins with their name.",
        f"{GUEST} is only an example." if scene.speaker.content.sample_dialogues else "",
        f"Write what {named(name)} says next, in a few short sentences.",
    ]
    return " ".join(filter(None, sentences))


def _participants(scene: Scene, names: Names) -> str:
    """The ids of those who take part, where the place gives them any."""
    main = next((persona for persona in (scene.speaker, *scene.others) if not persona.is_alter), None)
    lines = listed(scene.speaker, main, (*scene.history, scene.trigger), names, scene.place)
    return "\n".join(["## People here", *lines]) if lines else ""


def _sprites(scene: Scene) -> str:
    """Which pictures the speaker can show, and how. Which of them are identities is not told (specification 000)."""
    sprites = scene.speaker.sprites[:MOST_SHOWN] if scene.place.can_wear else ()
    if not sprites:
        return ""
    name = plain_name(scene.speaker.name)
    how = f"To show one of your pictures, begin a line with your name and its label, such as {name} ({sprites[0].name}): and your words."
    lines = [f"- {sprite.name}: {use}" if (use := plain_words(sprite.instructions).strip()) else f"- {sprite.name}" for sprite in sprites]
    return "\n".join(["## Sprites", how, *(line.replace("\n", " ") for line in lines)])


def _people(scene: Scene, names: Names) -> list[str]:
    """The labels of the persons who take part, each once; of more than can be named, those who spoke last."""
    authors = (message.author for message in (scene.trigger, *reversed(scene.history)))
    newest = [author for author in authors if isinstance(author, Person) and author != SYSTEM]
    spoke = dict.fromkeys((names.person(scene.person), *(names.label(author) for author in newest)))
    return sorted(list(spoke)[:_MOST_NAMED], key=name_key)


def _listed(labels: Iterable[str]) -> str:
    *more, last = map(named, labels)
    return f"{', '.join(more)} and {last}" if more else last


def _has_public(persona: Persona) -> bool:
    return any(fact.is_public for fact in persona.content.attributes)


def _public_block(persona: Persona, scene: Scene, names: Names) -> str:
    """What a co-triggered persona lets others know; `{bot}` in it is its owner (specification 000)."""
    bindings = _bindings(persona, scene, names)
    facts = [f"- {own_words(fact.text, bindings)}" for fact in persona.content.attributes if fact.is_public]
    return "\n".join([f"## About {names.persona(persona.id, persona.handle, persona.name)}", *facts])


def _examples(dialogues: Sequence[SampleDialogue], scene: Scene) -> Iterator[tuple[Said, Said]]:
    """Examples carry their own names: their guest is nobody in the room."""
    bindings = Bindings(plain_name(scene.speaker.name), GUEST, seed=str(scene.speaker.handle))
    for dialogue in dialogues:
        asked = expand(dialogue.user, bindings).strip()
        yield Said(is_own=False, text=labelled(GUEST, asked) if asked else _OPENING), _own(expand(dialogue.bot, bindings))


def _said(message: Message, scene: Scene, names: Names) -> Said:
    """A line under the name its speaker was shown with; the speaker's own stand without one."""
    if _is_own(message, scene):
        label = f"{plain_name(scene.speaker.name)}{_worn(message)}: " if message.appearance else ""
        return _own(label + message.text)
    if message.author == SYSTEM:
        return Said(is_own=False, text=f"({plain_words(message.text).strip()})".replace("\n", "\n  "))
    return Said(is_own=False, text=labelled(names.label(message.author) + _worn(message), message.text))


def _worn(message: Message) -> str:
    """The label of what a line wears; always behind the name of who really spoke (specification 000)."""
    return f" ({plain_label(message.appearance.label)})" if message.appearance is not None else ""


def _own(text: str) -> Said:
    """What the speaker said, as it said it, but for headings of ours: escaping others would teach it to write them so."""
    return Said(is_own=True, text=_OUR_HEADING.sub(lambda marks: marks.group().replace("#", r"\#"), text.strip()))


def _is_own(message: Message, scene: Scene) -> bool:
    return isinstance(message.author, PersonaVoice) and message.author.id == scene.speaker.id


def _last_words(scene: Scene, names: Names) -> Iterator[str]:
    """What the turn is for, where that is not simply to answer the last line, and what was asked for beside it."""
    if purpose := _purpose(scene, names):
        yield purpose
    speaker, direction = named(plain_name(scene.speaker.name)), scene.direction or Direction()
    if direction.prompt:
        who = "This server" if scene.directive is Directive.WELCOME else names.person(scene.person)
        yield f"({who} asks of {speaker}, for this answer only: {quoted(direction.prompt, _MOST_DIRECTED)})"
    if direction.prefill:
        yield f"({speaker} has begun with {quoted(direction.prefill, _MOST_DIRECTED)}. Write only what follows.)"


def _purpose(scene: Scene, names: Names) -> str:
    """Whom to answer, or to go on or begin."""
    author, name = names.label(scene.trigger.author), plain_name(scene.speaker.name)
    match scene.directive:
        case Directive.STOP:
            return f"({author} asked you to stop. {name}, say in one short sentence that you stop.)"
        case Directive.CONTINUE:
            return f"({name}, you spoke last. Go on from there, and repeat nothing that you said.)"
        case Directive.BEGIN:
            return f"({author} asks {name} to say something.)"
        case Directive.WELCOME:
            return f"({names.person(scene.person)} has just come to this server. {name}, welcome them in a few words.)"
        case Directive.ANSWER | Directive.FOLLOW_UP | Directive.CHAIN:
            if trigger_stands_last(scene):
                return ""
            return f"({name}, answer {author}: {quoted(scene.trigger.text, _EXCERPT)})"
        case _:
            assert_never(scene.directive)
