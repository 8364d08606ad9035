"""The face of the rooms: say something and hear what comes of it, listen, stop. Turns speak through `stage`."""

from collections.abc import AsyncIterator

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import MessageId, SessionId
from coterie.flows.talk import Talk
from coterie.platforms.rooms.events import Event, end_event, error_event
from coterie.platforms.rooms.hub import Hub, Listening
from coterie.ports.stores import StoreError


class Rooms:
    """The rooms of this process."""

    def __init__(self, talk: Talk, hub: Hub) -> None:
        self._talk = talk
        self._hub = hub

    async def send(self, message: IncomingMessage) -> AsyncIterator[Event]:
        """Hear a message; its events up to and including `end`. Closing the iterator does not stop the turn."""
        ear = self._hub.listen(message.session)
        try:
            await self._talk.receive(message)
        except StoreError as error:
            return _failed(message.id, str(error))
        return _until_end(ear, message.id)

    def listen(self, session: SessionId, last_event_id: str | None) -> AsyncIterator[Event]:
        """Everything that happens in a session from now on, first what was missed or is under way."""
        return self._hub.follow(session, last_event_id)

    async def stop(self, session: SessionId) -> None:
        """Stop what runs and clear what waits."""
        await self._talk.stop(session)

    def running(self, session: SessionId) -> int:
        """How many turns run in a session: one or none."""
        return self._talk.running(session)

    def forget(self, session: SessionId) -> None:
        """The session is gone: its streams end."""
        self._hub.forget(session)


async def _until_end(ear: Listening, root: MessageId) -> AsyncIterator[Event]:
    async for event in ear:
        if event.root == root and event.name != "message":
            yield event
            if event.name == "end":
                return


async def _failed(root: MessageId, sentence: str) -> AsyncIterator[Event]:
    yield error_event(root, None, sentence)
    yield end_event(root, "failed")
