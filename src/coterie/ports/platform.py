"""What a turn may ask of the place where people talk."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from coterie.domain.conversation import IncomingMessage, Message
from coterie.domain.ids import Handle, MessageId, PersonaId, SessionId, TurnId
from coterie.domain.personas.persona import Persona
from coterie.domain.prompt.participants import Surroundings
from coterie.domain.turns.plan import Why
from coterie.ports.stores import Settled
from coterie.ports.tools import Tool


@dataclass(frozen=True, slots=True)
class Limits:
    """What one message of this platform holds, in characters and (the same figure) in UTF-16 units.

    `in_parts`: a reply is said while it grows, cut into messages as the setting `humanizer` wants it.
    """

    message_length: int = 2000
    in_parts: bool = False


class NotSaid(Exception):
    """A line cannot be shown where it belongs; the text is one sentence for a person. Nobody saw anything of it."""


class Platform(Protocol):
    """A place that shows what happens in a conversation. No method may raise but those that say so."""

    def limits(self, session: SessionId) -> Limits:
        """What a message may hold in this conversation."""
        ...

    async def history(self, session: SessionId, limit: int) -> tuple[Message, ...] | None:
        """What was said here, oldest first, where the platform knows more of it than is kept; else nothing."""
        ...

    async def surroundings(self, session: SessionId) -> Surroundings:
        """What this place offers: looks for single lines, ids of people."""
        ...

    async def can_show(self, session: SessionId, persona: Persona, picture: str) -> bool:
        """Whether a sprite of a persona can be shown here: its picture is there and can be read."""
        ...

    async def tools(self, session: SessionId, persona: Persona, later: Callable[[str], None]) -> tuple[Tool, ...]:
        """What a persona can do here besides talking, for one turn; `later` takes a line that is said after all others of the turn."""
        ...

    async def prepare(self, session: SessionId, persona: Persona) -> None:
        """A turn of a persona is about to ask its model. Raises `NotSaid` where nothing of it could be shown anyway."""
        ...

    async def heard(self, message: IncomingMessage) -> None:
        """A person's message was kept (rooms show it; a platform that had it first does nothing)."""
        ...

    async def planned(
        self, session: SessionId, root: MessageId, message: MessageId, settled: Settled, handles: dict[PersonaId, Handle]
    ) -> None:
        """A plan was made for `message`, which belongs to what began with `root`; `handles` names everyone in it."""
        ...

    async def declined(self, message: IncomingMessage, why: Why, until: datetime | None) -> None:
        """Somebody was meant to answer a person's message, and nobody does; `until` is when that ends, where it ends by itself."""
        ...

    async def delta(self, session: SessionId, root: MessageId, turn: TurnId, text: str) -> None:
        """More text of a turn that is still speaking."""
        ...

    async def discard(self, session: SessionId, root: MessageId, turn: TurnId) -> None:
        """Take back the deltas of a turn: the attempt is made again, or was superseded."""
        ...

    async def say(self, session: SessionId, root: MessageId, avatar: str | None, line: Message) -> None:
        """Show a finished line (already kept) in its appearance, where the place has looks. Raises `NotSaid`."""
        ...

    async def unsay(self, session: SessionId, root: MessageId, lines: tuple[MessageId, ...]) -> None:
        """Remove lines that were shown: the attempt they belong to counts no more."""
        ...

    async def failed(self, session: SessionId, root: MessageId, turn: TurnId | None, sentence: str) -> None:
        """A turn, or the whole message, failed; the sentence is for people."""
        ...

    async def ended(self, session: SessionId, root: MessageId, status: str) -> None:
        """Nothing more comes of `root`: answered, silent, stopped, superseded or failed."""
        ...
