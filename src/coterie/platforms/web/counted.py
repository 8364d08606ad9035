"""Wrappers that count what passes through them: the conversations' store and the models. They change nothing."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from coterie.domain.conversation import IncomingMessage, Message
from coterie.domain.ids import MessageId, SessionId, TurnId, WorkspaceId
from coterie.domain.turns.funding import Route
from coterie.kit.streams import closing
from coterie.platforms.web.metrics import Metrics
from coterie.ports.clock import Clock
from coterie.ports.model import Admit, Model, ModelError, ModelEvent, ModelInfo, ModelRequest, Models, TextDelta, Usage
from coterie.ports.stores import Conversations, Decision, History, PlanCommit, Settled, Turn, TurnFacts, TurnStatus


class CountedConversations:
    """`Conversations` that counts messages heard, lines said, and turns by how they ended and how long they took."""

    def __init__(self, inner: Conversations, metrics: Metrics, clock: Clock) -> None:
        self._inner = inner
        self._metrics = metrics
        self._clock = clock
        self._begun: dict[TurnId, float] = {}

    async def hear(self, message: IncomingMessage, *, resets: bool = True) -> bool:
        """Keep and count a person's message."""
        is_new = await self._inner.hear(message, resets=resets)
        if is_new:
            self._metrics.messages_heard.inc()
        return is_new

    async def begin(self, turn: TurnId) -> None:
        """The turn runs: its time begins."""
        await self._inner.begin(turn)
        self._begun[turn] = self._clock.monotonic()

    async def say(self, turn: TurnId, lines: Sequence[Message], status: TurnStatus, at: datetime, note: str = "") -> None:
        """Keep and count lines, and the end of their turn."""
        await self._inner.say(turn, lines, status, at, note)
        self._metrics.lines_said.inc(len(lines))
        if status is not TurnStatus.RUNNING:
            self._ended(turn, status)

    async def unsay(self, turn: TurnId, lines: Sequence[MessageId]) -> None:
        """As the store does; lines stay counted as said."""
        await self._inner.unsay(turn, lines)

    async def finish(self, turn: TurnId, status: TurnStatus, note: str = "") -> None:
        """Count the end of a turn."""
        await self._inner.finish(turn, status, note)
        self._ended(turn, status)

    def _ended(self, turn: TurnId, status: TurnStatus) -> None:
        self._metrics.turns.labels(status.value).inc()
        begun = self._begun.pop(turn, None)
        if begun is not None:
            self._metrics.turn_seconds.observe(self._clock.monotonic() - begun)

    async def passed(self, session: SessionId, at: datetime) -> None:
        """As the store does; what is not kept is not counted."""
        await self._inner.passed(session, at)

    async def amend(self, message: MessageId, text: str) -> None:
        """As the store does."""
        await self._inner.amend(message, text)

    async def forget(self, messages: Sequence[MessageId]) -> None:
        """As the store does; they stay counted."""
        await self._inner.forget(messages)

    async def message(self, message: MessageId) -> Message | None:
        """As the store says."""
        return await self._inner.message(message)

    async def history(self, session: SessionId, limit: int, before: MessageId | None = None) -> History:
        """As the store says."""
        return await self._inner.history(session, limit, before)

    async def facts(self, workspace: WorkspaceId, session: SessionId, reply_to: MessageId | None, now: datetime) -> TurnFacts:
        """As the store says."""
        return await self._inner.facts(workspace, session, reply_to, now)

    async def commit(self, plan: PlanCommit) -> Settled:
        """As the store says."""
        return await self._inner.commit(plan)

    async def spoken(self, turns: Sequence[TurnId]) -> frozenset[TurnId]:
        """As the store says."""
        return await self._inner.spoken(turns)

    async def unfinished(self) -> Sequence[Turn]:
        """As the store says."""
        return await self._inner.unfinished()

    async def unplanned(self, since: datetime) -> Sequence[IncomingMessage]:
        """As the store says."""
        return await self._inner.unplanned(since)

    async def why(self, message: MessageId) -> Decision | None:
        """As the store says."""
        return await self._inner.why(message)

    async def turn(self, turn: TurnId) -> Turn | None:
        """As the store says."""
        return await self._inner.turn(turn)

    async def forget_decisions(self, before: datetime) -> int:
        """As the store says."""
        return await self._inner.forget_decisions(before)


class CountedModel:
    """A `Model` whose requests, failures, tokens and time to the first words are counted."""

    def __init__(self, inner: Model, metrics: Metrics, clock: Clock) -> None:
        self._inner = inner
        self._metrics = metrics
        self._clock = clock

    @property
    def info(self) -> ModelInfo:
        """As the model says."""
        return self._inner.info

    def count_tokens(self, text: str) -> int:
        """As the model counts."""
        return self._inner.count_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer and count."""
        name = self.info.name
        self._metrics.model_requests.labels(name).inc()
        asked = self._clock.monotonic()
        is_silent = True
        try:
            async with closing(self._inner.stream(request)) as events:
                async for event in events:
                    if isinstance(event, TextDelta) and is_silent:
                        is_silent = False
                        self._metrics.first_words_seconds.observe(self._clock.monotonic() - asked)
                    if isinstance(event, Usage):
                        self._metrics.model_tokens.labels(name, "input").inc(event.input_tokens)
                        self._metrics.model_tokens.labels(name, "output").inc(event.output_tokens)
                    yield event
        except ModelError as error:
            self._metrics.model_errors.labels(name, type(error).__name__).inc()
            raise


class CountedModels:
    """`Models` whose every model is counted."""

    def __init__(self, inner: Models, metrics: Metrics, clock: Clock) -> None:
        self._inner = inner
        self._metrics = metrics
        self._clock = clock

    async def model(self, name: str | None) -> Model:
        """The model, counted; one that cannot be had is an error of its own."""
        try:
            return CountedModel(await self._inner.model(name), self._metrics, self._clock)
        except ModelError as error:
            self._metrics.model_errors.labels("none", type(error).__name__).inc()
            raise

    async def routed(self, routes: Sequence[Route], admit: Admit) -> Model:
        """The models of these attempts, counted as one."""
        try:
            return CountedModel(await self._inner.routed(routes, admit), self._metrics, self._clock)
        except ModelError as error:
            self._metrics.model_errors.labels("none", type(error).__name__).inc()
            raise

    def default_name(self) -> str:
        """As the models say."""
        return self._inner.default_name()

    def knows(self, name: str) -> bool:
        """As the models say."""
        return self._inner.knows(name)
