"""What one turn has told so far: its lines, each kept before it is shown. When a turn ends, and how, is `answer`'s."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from coterie.domain.conversation import Appearance, Message, PersonaVoice
from coterie.domain.ids import MessageId
from coterie.domain.personas.persona import Persona
from coterie.domain.speech.parts import WHOLE, Part, Parts
from coterie.domain.speech.wardrobe import Wardrobe
from coterie.flows.world import World
from coterie.ports.platform import NotSaid
from coterie.ports.stores import Turn, TurnStatus


@dataclass(slots=True)
class Told:
    """The lines of a turn. `degree` is the setting `humanizer`, where the platform wants replies in parts; lines wear the `wardrobe`."""

    world: World
    turn: Turn
    persona: Persona
    degree: int
    answers: MessageId | None = None
    """What the first line replies to, where people would not know it otherwise."""
    wardrobe: Wardrobe = field(default_factory=Wardrobe)
    lines: list[Message] = field(default_factory=list)
    afterwards: list[str] = field(default_factory=list)
    """Lines of their own, said when everything else is: only by a turn that ends as it should."""
    parts: Parts = field(init=False)

    def __post_init__(self) -> None:
        self._begin_anew()

    async def wear(self, label: str) -> None:
        """What follows was labelled so; what came before is said, if it looks otherwise. Raises `NotSaid`, `StoreError`."""
        for part in self.parts.wear(await self._appearance(label)):
            await self._say([part], TurnStatus.RUNNING)

    async def grow(self, text: str) -> None:
        """More text: what is complete of it is said. Raises `NotSaid`, `StoreError`."""
        for part in self.parts.feed(text):
            await self._say([part], TurnStatus.RUNNING)

    async def take_back(self) -> None:
        """Nothing of it counts: what was said is removed, where it is kept and where it is seen."""
        gone, self.lines = tuple(line.id for line in self.lines), []
        self._begin_anew()
        if gone:
            await self.world.platform.unsay(self.turn.session, self.turn.root, gone)
            await self.world.conversations.unsay(self.turn.id, gone)

    def drop_rest(self) -> None:
        """What was not said yet never will be."""
        self._begin_anew()

    async def end(self, status: TurnStatus, sentence: str) -> None:
        """Say what is left and end the turn, in one change, so that a restart can say nothing twice. Raises `NotSaid`, `StoreError`."""
        rest = [*self.parts.finish(), *map(Part, self.afterwards if status is TurnStatus.ANSWERED and not sentence else ())]
        if rest:
            await self._say(rest, status, sentence)
        else:
            await self.world.conversations.finish(self.turn.id, status, sentence)

    async def _say(self, parts: Sequence[Part], status: TurnStatus, sentence: str = "") -> None:
        lines = [self._line(part, is_first=not self.lines and not place) for place, part in enumerate(parts)]
        await self.world.conversations.say(self.turn.id, lines, status, self.world.clock.now(), sentence)
        for place, line in enumerate(lines):
            try:
                await self.world.platform.say(self.turn.session, self.turn.root, self.persona.avatar, line)
            except NotSaid:
                await self.world.conversations.unsay(self.turn.id, tuple(unseen.id for unseen in lines[place:]))
                raise
            self.lines.append(line)

    async def _appearance(self, label: str) -> Appearance | None:
        """What a label asks for; nothing where that is a sprite without a picture."""
        worn = self.wardrobe.wear(label) if label else None
        if worn is None or worn.is_copied or await self.world.platform.can_show(self.turn.session, self.persona, worn.face):
            return worn
        return None

    def _line(self, part: Part, *, is_first: bool) -> Message:
        voice = PersonaVoice(self.persona.id, self.persona.handle, self.persona.name)
        identity, now = MessageId(self.world.ids.message()), self.world.clock.now()
        reply_to = self.answers if is_first else None
        return Message(identity, self.turn.session, voice, part.text, now, reply_to, self.turn.id, self.turn.root, part.appearance)

    def _begin_anew(self) -> None:
        self.afterwards.clear()
        limits = self.world.platform.limits(self.turn.session)
        self.parts = Parts(self.degree if limits.in_parts else WHOLE, limits.message_length)
