"""What is added to a model by wrapping it: giving up on a silent one, taking the next when one fails, asking to be let in first."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from coterie.kit.streams import closing
from coterie.ports.model import (
    Model,
    ModelBroken,
    ModelBusy,
    ModelError,
    ModelEvent,
    ModelInfo,
    ModelRequest,
    Restarted,
    TextDelta,
    ToolCall,
)

PATIENCE = 120.0
"""Seconds without any sign of life after which a provider has failed. Text, thinking and the arguments of a tool are signs."""

MOST_SIGNS = 200_000
"""Signs of life in a row without a word after which a provider has failed too; the longest thinking that we ask for has 65,536 tokens."""

BUSY_REST, OTHER_REST = 60.0, 300.0
"""Seconds for which a key is not asked that was told to come back later, and one that failed otherwise."""

MOST_KEYS = 3
"""How many keys are tried for one request."""

Limit = Callable[[float], asyncio.Timeout]
"""Makes the deadline of one wait, in seconds from now; a test keeps what it made and lets it pass."""


Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life that is of no use to a turn. It never leaves this folder."""


class LivelyModel(Protocol):
    """A model that also tells that it is still at work; otherwise a `Model`."""

    @property
    def info(self) -> ModelInfo:
        """What is known of it."""
        ...

    def count_tokens(self, text: str) -> int:
        """The number of tokens of `text`."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent | Progress]:
        """Answer, or show that an answer is on its way."""
        ...


class WithInactivityTimeout:
    """Gives a model up that shows no sign of life for too long, or nothing else without end; keeps those signs to itself."""

    def __init__(
        self, inner: LivelyModel, patience: float = PATIENCE, limit: Limit = asyncio.timeout, most_signs: int = MOST_SIGNS
    ) -> None:
        self._inner = inner
        self._patience = patience
        self._limit = limit
        self._most_signs = most_signs

    @property
    def info(self) -> ModelInfo:
        """What is known of the model within."""
        return self._inner.info

    def count_tokens(self, text: str) -> int:
        """Counts as the model within does."""
        return self._inner.count_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer as the model within does. Raises `ModelBroken` after too long a silence."""
        signs = 0
        async with closing(self._inner.stream(request)) as events:
            while (event := await self._next(events)) is not None:
                if not isinstance(event, Progress):
                    signs = 0
                    yield event
                    continue
                signs += 1
                if signs > self._most_signs:
                    raise ModelBroken(f"{self.info.name} thought without end.")

    async def _next(self, events: AsyncIterator[ModelEvent | Progress]) -> ModelEvent | Progress | None:
        """The next event in time; nothing at the end."""
        limit = self._limit(self._patience)
        try:
            async with limit:
                return await anext(events, None)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise ModelBroken(f"{self.info.name} was silent for {self._patience:g} seconds.") from error


class Fallback:
    """Several models in order: when one fails, the next is asked, and only the last one's error is shown.

    Known as the first of them: prompts are composed for it, and a smaller model behind it cuts for itself.
    """

    def __init__(self, models: Sequence[Model]) -> None:
        self._models = tuple(models)

    @property
    def info(self) -> ModelInfo:
        """What is known of the first model."""
        return self._models[0].info

    def count_tokens(self, text: str) -> int:
        """Counts as the first model does."""
        return self._models[0].count_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The first answer that comes to its end. `Restarted` precedes an attempt made after part of an answer was already out."""
        async with closing(in_turn(self._models, request)) as events:
            async for event in events:
                yield event


class Rotation:
    """One model behind several keys: the one that rested longest is asked, and one that failed rests for a while."""

    def __init__(self, models: Sequence[Model], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._models = tuple(models)
        self._monotonic = monotonic
        self._used: dict[int, float] = {}
        self._rests: dict[int, float] = {}

    @property
    def info(self) -> ModelInfo:
        """What is known of the model."""
        return self._models[0].info

    def count_tokens(self, text: str) -> int:
        """Counts as the model does."""
        return self._models[0].count_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer with one key after the other, three at most. Raises the last one's error."""
        order = self._order()

        def failed(place: int, error: ModelError) -> None:
            pause = (error.retry_after or BUSY_REST) if isinstance(error, ModelBusy) else OTHER_REST
            self._rests[order[place]] = self._monotonic() + pause
            # The next one of them is asked now.
            self._used.update((used, self._monotonic()) for used in order[place + 1 : place + 2])

        self._used[order[0]] = self._monotonic()
        async with closing(in_turn([self._models[place] for place in order], request, failed)) as events:
            async for event in events:
                yield event

    def _order(self) -> list[int]:
        """The keys that do not rest, those used longest ago first; then those whose rest ends first."""
        now = self._monotonic()

        def standing(place: int) -> tuple[float, float]:
            rest = self._rests.get(place, 0.0)
            return (rest if rest > now else 0.0, self._used.get(place, 0.0))

        return sorted(range(len(self._models)), key=standing)[:MOST_KEYS]


class Admitting:
    """A model that asks to be let in before it is asked anything: `admit` raises a `ModelError` where it may not be."""

    def __init__(self, inner: Model, admit: Callable[[], Awaitable[None]]) -> None:
        self._inner = inner
        self._admit = admit

    @property
    def info(self) -> ModelInfo:
        """What is known of the model within."""
        return self._inner.info

    def count_tokens(self, text: str) -> int:
        """Counts as the model within does."""
        return self._inner.count_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer as the model within does."""
        await self._admit()
        async with closing(self._inner.stream(request)) as events:
            async for event in events:
                yield event


async def in_turn(
    models: Sequence[Model], request: ModelRequest, failed: Callable[[int, ModelError], None] = lambda place, error: None
) -> AsyncIterator[ModelEvent]:
    """The first answer that comes to its end; `failed` hears of every other. Raises the last one's error."""
    for place, model in enumerate(models):
        spoke = False
        try:
            async with closing(model.stream(request)) as events:
                async for event in events:
                    spoke = spoke or isinstance(event, TextDelta | ToolCall)
                    yield event
        except ModelError as error:
            failed(place, error)
            if place == len(models) - 1:
                raise
            if spoke:
                yield Restarted(models[place + 1].info.name)
        else:
            return
