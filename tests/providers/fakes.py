"""Models made of a list, for tests of what wraps a model."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from coterie.ports.model import ChatText, ModelEvent, ModelInfo, ModelRequest
from coterie.providers.wrappers import Progress

REQUEST = ModelRequest("You are Bob.", (ChatText("user", "Hi"),))


class Silence:
    """In a list of steps: nothing comes any more."""


class ListedModel:
    """Streams its steps in order: events are yielded, errors raised, a `Silence` lasts for ever."""

    def __init__(self, name: str, steps: Sequence[ModelEvent | Progress | Exception | Silence]) -> None:
        self.info = ModelInfo(f"test:{name}", 1000, 100, can_call_tools=True)
        self._steps = steps
        self.asked = 0
        self.closed = 0

    def count_tokens(self, text: str) -> int:
        return len(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent | Progress]:
        self.asked += 1
        try:
            for step in self._steps:
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, Silence):
                    await asyncio.Event().wait()
                else:
                    yield step
        finally:
            self.closed += 1
