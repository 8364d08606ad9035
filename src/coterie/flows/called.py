"""Who is called by what was said, in the present cast: words, replies, mentions, a choice by hand."""

from collections import OrderedDict
from dataclasses import dataclass

from coterie.domain.conversation import IncomingMessage, PersonaVoice
from coterie.domain.ids import WorkspaceId
from coterie.domain.personas.persona import Cast
from coterie.domain.sessions.precedence import first_choice
from coterie.domain.settings import Settings
from coterie.domain.triggers.recognise import Call, CastWords
from coterie.domain.turns.plan import Occasion, PersonaChosen, PersonSpoke, Reason
from coterie.flows.world import World
from coterie.ports.stores import NotFound

_KEPT_CASTS = 512
_SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class Called:
    """What a message asks for, before anything is decided."""

    cast: Cast
    settings: Settings
    occasion: Occasion
    calls: tuple[Call, ...]


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
    settings = await world.settings.settings(message.workspace)
    model = first_choice(message.model, settings.text("model")) or world.models.default_name()
    # While the scripted model answers, what is written to it is not trigger text.
    calls = words.of(cast).called(message.text, message.mentions, directives=model.split(":")[0] == _SCRIPTED)
    return Called(cast, settings, await _occasion(world, cast, message), calls)


async def _occasion(world: World, cast: Cast, message: IncomingMessage) -> Occasion:
    if message.persona is not None:
        persona = cast.by_handle(message.persona)
        if persona is None:
            raise NotFound(f"There is no persona {message.persona} here.")
        is_written = message.direction is not None and bool(message.direction.words)
        return PersonaChosen(persona.id, Reason.IMPERSONATED if is_written else Reason.CHOSEN)
    replied = await world.conversations.message(message.reply_to) if message.reply_to is not None else None
    voice = replied.author if replied is not None else None
    # The record wins; what the platform can tell counts for lines that are not in it.
    replied_to = voice.id if isinstance(voice, PersonaVoice) else message.replied_to if replied is None else None
    return PersonSpoke(replied_to, any(mention.is_us for mention in message.mentions))
