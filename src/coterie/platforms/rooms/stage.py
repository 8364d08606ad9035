"""A room as the place where turns speak: everything becomes an event of its session. Keeps and decides nothing."""

from collections.abc import Callable
from datetime import datetime

from coterie.domain.conversation import IncomingMessage, Message, PersonaVoice
from coterie.domain.ids import Handle, MessageId, PersonaId, SessionId, TurnId
from coterie.domain.personas.persona import Persona
from coterie.domain.prompt.participants import Surroundings
from coterie.domain.turns.plan import Why
from coterie.platforms.rooms import events
from coterie.platforms.rooms.hub import Hub
from coterie.ports.platform import Limits
from coterie.ports.stores import Settled
from coterie.ports.tools import Tool


class RoomStage:
    """The `Platform` of a room."""

    def __init__(self, hub: Hub, limits: Limits | None = None) -> None:
        self._hub = hub
        self._limits = limits or Limits()

    def limits(self, session: SessionId) -> Limits:
        """What one line may hold."""
        return self._limits

    async def history(self, session: SessionId, limit: int) -> tuple[Message, ...] | None:
        """Everything said in a room is kept."""
        return None

    async def surroundings(self, session: SessionId) -> Surroundings:
        """In a room everybody looks as usual."""
        return Surroundings()

    async def can_show(self, session: SessionId, persona: Persona, picture: str) -> bool:
        """So no sprite is shown."""
        return False

    async def tools(self, session: SessionId, persona: Persona, later: Callable[[str], None]) -> tuple[Tool, ...]:
        """In a room one talks."""
        return ()

    async def prepare(self, session: SessionId, persona: Persona) -> None:
        """A room can always be written to."""

    async def heard(self, message: IncomingMessage) -> None:
        """A person said something."""
        kept = Message(message.id, message.session, message.author, message.text, message.created_at, message.reply_to)
        self._hub.publish(message.session, events.message_event(kept))

    async def planned(
        self, session: SessionId, root: MessageId, message: MessageId, settled: Settled, handles: dict[PersonaId, Handle]
    ) -> None:
        """A plan was made."""
        turns = [{"persona": handles[turn.persona], "reason": turn.reason.value, "turn_id": turn.id} for turn in settled.turns]
        skipped = [{"persona": handles[persona], "why": why.value} for persona, why in settled.skipped]
        self._hub.publish(session, events.plan_event(root, message, turns, skipped))

    async def declined(self, message: IncomingMessage, why: Why, until: datetime | None) -> None:
        """Nothing is limited in a room; the plan says why nobody answers."""

    async def delta(self, session: SessionId, root: MessageId, turn: TurnId, text: str) -> None:
        """More text."""
        self._hub.publish(session, events.delta_event(root, turn, text))

    async def discard(self, session: SessionId, root: MessageId, turn: TurnId) -> None:
        """The text so far is taken back."""
        self._hub.publish(session, events.discard_event(root, turn))

    async def say(self, session: SessionId, root: MessageId, avatar: str | None, line: Message) -> None:
        """A finished line."""
        assert isinstance(line.author, PersonaVoice)
        assert line.turn is not None
        said = events.line_event(
            root, line.turn, persona=line.author.handle, name=line.author.name, avatar=avatar, text=line.text, message=line.id
        )
        self._hub.publish(session, said)

    async def unsay(self, session: SessionId, root: MessageId, lines: tuple[MessageId, ...]) -> None:
        """Lines are taken back: who listens has to read the messages again."""
        self._hub.publish(session, events.resync_event())

    async def failed(self, session: SessionId, root: MessageId, turn: TurnId | None, sentence: str) -> None:
        """A turn or the whole message failed."""
        self._hub.publish(session, events.error_event(root, turn, sentence))

    async def ended(self, session: SessionId, root: MessageId, status: str) -> None:
        """Nothing more comes of a message."""
        self._hub.publish(session, events.end_event(root, status))
