"""Rooms that answer by heart, for tests of what stands above them: a real hub, no flows behind it."""

import asyncio
from collections.abc import AsyncIterator

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import MessageId, SessionId
from coterie.platforms.rooms import events
from coterie.platforms.rooms.events import Event
from coterie.platforms.rooms.hub import Hub
from coterie.ports.stores import Conversations


class PlayedRooms:
    """Every message is heard, planned, and answered by `bram` with `ok`; `may_answer` holds the answer back while it is not set."""

    def __init__(self, conversations: Conversations) -> None:
        self.hub = Hub("boot")
        self.heard: list[IncomingMessage] = []
        self.stopped: list[SessionId] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self._conversations = conversations
        self._running: dict[SessionId, set[asyncio.Task[None]]] = {}

    async def send(self, message: IncomingMessage) -> AsyncIterator[Event]:
        ear = self.hub.listen(message.session)
        await self._conversations.hear(message)
        self.heard.append(message)
        turn = asyncio.create_task(self._answer(message))
        running = self._running.setdefault(message.session, set())
        running.add(turn)
        turn.add_done_callback(running.discard)
        return _until_end(ear, message.id)

    def listen(self, session: SessionId, last_event_id: str | None) -> AsyncIterator[Event]:
        return self.hub.follow(session, last_event_id)

    async def stop(self, session: SessionId) -> None:
        self.stopped.append(session)

    def running(self, session: SessionId) -> int:
        return len(self._running.get(session, ()))

    def forget(self, session: SessionId) -> None:
        self.hub.forget(session)

    async def _answer(self, message: IncomingMessage) -> None:
        def tell(event: Event) -> None:
            self.hub.publish(message.session, event)

        root, turn = message.id, f"turn-{message.id}"
        tell(events.plan_event(root, root, [{"persona": "bram", "reason": "chosen", "turn_id": turn}], []))
        tell(events.delta_event(root, turn, "o"))
        await self.may_answer.wait()
        tell(events.line_event(root, turn, persona="bram", name="Bram", avatar=None, text="ok", message=f"line-{root}"))
        tell(events.end_event(root, "answered"))


async def _until_end(ear: AsyncIterator[Event], root: MessageId) -> AsyncIterator[Event]:
    async for event in ear:
        if event.root == root and event.name != "message":
            yield event
            if event.name == "end":
                return
