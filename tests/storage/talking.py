"""Words for scenes: a room with the cast, people who speak, and plans."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from coterie.domain.conversation import IncomingMessage, Message, Person, PersonaVoice
from coterie.domain.ids import LOCAL, MessageId, PersonaId, SessionId, TurnId, UserId
from coterie.domain.personas.persona import Persona
from coterie.domain.turns.plan import Reason, Why
from coterie.ports.stores import PlanCommit, PlannedTurn, Settled, TurnFacts, TurnStatus
from coterie.storage.opening import Storage

ROOM = SessionId("chat-00000000-0000-4000-8000-000000000001")
ANN, BEN = Person(UserId("ann"), "Ann"), Person(UserId("ben"), "Ben")
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def said(message: str, author: Person = ANN, *, session: SessionId = ROOM, at: datetime = NOON, text: str = "hello") -> IncomingMessage:
    return IncomingMessage(MessageId(message), LOCAL, session, author, text, at)


@dataclass
class Scene:
    """One room. Turn ids are made from the message and the handle: `m1.bram`."""

    storage: Storage
    at: datetime = NOON
    limit: int = 3

    async def persona(self, handle: str) -> Persona:
        found = (await self.storage.casts.cast(LOCAL)).by_handle(handle)
        assert found is not None
        return found

    async def id_of(self, handle: str) -> PersonaId:
        return (await self.persona(handle)).id

    async def hears(self, message: str, author: Person = ANN, *, resets: bool = True, text: str = "hello") -> bool:
        return await self.storage.conversations.hear(said(message, author, at=self.at, text=text), resets=resets)

    async def plans(
        self, message: str, *handles: str, root: str = "", resets: bool = False, counts: bool = True, skipped: dict[str, Why] | None = None
    ) -> Settled:
        turns = [
            PlannedTurn(TurnId(f"{message}.{handle}"), await self.id_of(handle), Reason.TRIGGER_WORD if counts else Reason.CHOSEN, counts)
            for handle in handles
        ]
        left_out = [(await self.id_of(handle), why) for handle, why in (skipped or {}).items()]
        plan = PlanCommit(
            workspace=LOCAL,
            session=ROOM,
            message=MessageId(message),
            root=MessageId(root or message),
            origin=ANN.id,
            turns=tuple(turns),
            skipped=tuple(left_out),
            cascade_limit=self.limit,
            resets=resets,
            at=self.at,
        )
        return await self.storage.conversations.commit(plan)

    async def line(self, turn: str, number: int = 1, text: str = "Yes.") -> Message:
        message, _, handle = turn.rpartition(".")
        who = await self.persona(handle)
        voice = PersonaVoice(who.id, who.handle, who.name)
        return Message(
            MessageId(f"{turn}.{number}"),
            ROOM,
            voice,
            text,
            self.at,
            MessageId(message),
            TurnId(turn),
            MessageId(message.partition(".")[0]),
        )

    async def says(self, turn: str, *texts: str, status: TurnStatus = TurnStatus.ANSWERED, note: str = "") -> None:
        lines = [await self.line(turn, number, text) for number, text in enumerate(texts, start=1)]
        await self.storage.conversations.say(TurnId(turn), lines, status, self.at, note)

    async def facts(self, reply_to: str | None = None) -> TurnFacts:
        return await self.storage.conversations.facts(LOCAL, ROOM, None if reply_to is None else MessageId(reply_to), self.at)

    async def count(self) -> int:
        return (await self.facts()).state.cascade_count

    async def history(self, limit: int = 50, before: str | None = None) -> list[str]:
        found = await self.storage.conversations.history(ROOM, limit, None if before is None else MessageId(before))
        return [message.id for message in found.messages]

    def waits(self, minutes: float) -> None:
        self.at += timedelta(minutes=minutes)


def handles_of(settled: Settled) -> list[str]:
    return [turn.id.rpartition(".")[2] for turn in settled.turns]


async def comes_true(claim: Callable[[], bool]) -> bool:
    """Whether something becomes true before long."""
    for _ in range(1_000):
        if claim():
            return True
        await asyncio.sleep(0.01)
    return False
