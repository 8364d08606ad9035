"""The places where turns speak, as one: every conversation goes to the platform it belongs to."""

from collections.abc import Callable
from datetime import datetime

from coterie.domain.conversation import IncomingMessage, Message
from coterie.domain.ids import Handle, MessageId, PersonaId, SessionId, TurnId
from coterie.domain.personas.persona import Persona
from coterie.domain.prompt.participants import Surroundings
from coterie.domain.sessions.names import is_discord
from coterie.domain.turns.plan import Why
from coterie.ports.platform import Limits, Platform
from coterie.ports.stores import Settled
from coterie.ports.tools import Tool


class Stages:
    """A `Platform` made of the rooms, which hear of everything, and of Discord for what happens there."""

    def __init__(self, rooms: Platform, discord: Platform) -> None:
        self._rooms = rooms
        self._discord = discord

    def limits(self, session: SessionId) -> Limits:
        """As the place says."""
        return self._of(session).limits(session)

    async def history(self, session: SessionId, limit: int) -> tuple[Message, ...] | None:
        """As the place knows it."""
        return await self._of(session).history(session, limit)

    async def surroundings(self, session: SessionId) -> Surroundings:
        """As the place says."""
        return await self._of(session).surroundings(session)

    async def can_show(self, session: SessionId, persona: Persona, picture: str) -> bool:
        """As the place says."""
        return await self._of(session).can_show(session, persona, picture)

    async def tools(self, session: SessionId, persona: Persona, later: Callable[[str], None]) -> tuple[Tool, ...]:
        """As the place says."""
        return await self._of(session).tools(session, persona, later)

    async def prepare(self, session: SessionId, persona: Persona) -> None:
        """As the place says."""
        await self._of(session).prepare(session, persona)

    async def heard(self, message: IncomingMessage) -> None:
        """Both hear of it, so that the page can follow what happens on Discord."""
        for stage in self._all(message.session):
            await stage.heard(message)

    async def planned(
        self, session: SessionId, root: MessageId, message: MessageId, settled: Settled, handles: dict[PersonaId, Handle]
    ) -> None:
        """Both hear of it."""
        for stage in self._all(session):
            await stage.planned(session, root, message, settled, handles)

    async def declined(self, message: IncomingMessage, why: Why, until: datetime | None) -> None:
        """Whoever wrote the message is told there."""
        await self._of(message.session).declined(message, why, until)

    async def delta(self, session: SessionId, root: MessageId, turn: TurnId, text: str) -> None:
        """Both hear of it."""
        for stage in self._all(session):
            await stage.delta(session, root, turn, text)

    async def discard(self, session: SessionId, root: MessageId, turn: TurnId) -> None:
        """Both hear of it."""
        for stage in self._all(session):
            await stage.discard(session, root, turn)

    async def say(self, session: SessionId, root: MessageId, avatar: str | None, line: Message) -> None:
        """Where people are first; the rooms hear of what was said."""
        for stage in self._all(session):
            await stage.say(session, root, avatar, line)

    async def unsay(self, session: SessionId, root: MessageId, lines: tuple[MessageId, ...]) -> None:
        """Both hear of it."""
        for stage in self._all(session):
            await stage.unsay(session, root, lines)

    async def failed(self, session: SessionId, root: MessageId, turn: TurnId | None, sentence: str) -> None:
        """Both hear of it."""
        for stage in self._all(session):
            await stage.failed(session, root, turn, sentence)

    async def ended(self, session: SessionId, root: MessageId, status: str) -> None:
        """Both hear of it."""
        for stage in self._all(session):
            await stage.ended(session, root, status)

    def _of(self, session: SessionId) -> Platform:
        return self._discord if is_discord(session) else self._rooms

    def _all(self, session: SessionId) -> tuple[Platform, ...]:
        return (self._discord, self._rooms) if is_discord(session) else (self._rooms,)
