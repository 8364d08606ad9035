"""What passes through the wrappers is counted and stays the same."""

from contextlib import aclosing
from datetime import UTC, datetime

import pytest

from coterie.domain.conversation import IncomingMessage, Person
from coterie.domain.ids import LOCAL, MessageId, TurnId, UserId
from coterie.domain.turns.plan import Reason, Why
from coterie.platforms.web.counted import CountedConversations, CountedModels
from coterie.platforms.web.metrics import Metrics
from coterie.ports.model import ModelBusy, ModelInfo, ModelRefused, ModelRequest, TextDelta, Usage
from coterie.ports.stores import PlanCommit, PlannedTurn, TurnStatus
from fakes.houses import DEFAULT_ROOM

NOW = datetime(2026, 1, 2, tzinfo=UTC)


class _Clock:
    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return NOW

    def monotonic(self):
        return self.seconds


def _figures(metrics):
    lines = (line for line in metrics.text().decode().splitlines() if not line.startswith(("#", "process")))
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines) if float(value) and "_created" not in name}


async def _planned(house, counted, message):
    author = Person(UserId("ann"), "Ann")
    heard = IncomingMessage(MessageId(message), LOCAL, DEFAULT_ROOM, author, "hello", NOW)
    assert await counted.hear(heard) is True
    assert await counted.hear(heard) is False
    cast = await house.casts.cast(LOCAL)
    bram, wren = cast.by_handle("bram"), cast.by_handle("wren")
    turn = PlannedTurn(TurnId(f"t-{message}"), bram.id, Reason.TRIGGER_WORD, counts=True)
    skipped = ((wren.id, Why.NOT_CALLED),)
    await counted.commit(PlanCommit(LOCAL, DEFAULT_ROOM, heard.id, heard.id, author.id, (turn,), skipped, 3, resets=True, at=NOW))
    return turn


async def test_messages_lines_and_turns_are_counted(house):
    metrics, clock = Metrics(), _Clock()
    counted = CountedConversations(house.conversations, metrics, clock)
    turn = await _planned(house, counted, "m1")
    await counted.begin(turn.id)
    clock.seconds = 2.0
    await counted.finish(turn.id, TurnStatus.SILENT)
    figures = _figures(metrics)
    assert figures["coterie_messages_heard_total"] == 1
    assert figures['coterie_turns_total{status="silent"}'] == 1
    assert figures["coterie_turn_seconds_sum"] == 2
    assert (await counted.turn(turn.id)).status is TurnStatus.SILENT
    assert list(await counted.unfinished()) == []


class _Model:
    info = ModelInfo("scripted:scripted", 4096, 800, can_call_tools=False)

    def __init__(self, clock, events):
        self.clock = clock
        self.events = events
        self.is_closed = False

    def count_tokens(self, text):
        return len(text)

    async def stream(self, request):
        try:
            for event in self.events:
                self.clock.seconds += 1
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self.is_closed = True


class _Models:
    def __init__(self, model):
        self._model = model

    async def model(self, name):
        if self._model is None:
            raise ModelRefused("Set OPENAI_API_KEY.")
        return self._model

    def default_name(self):
        return "scripted:scripted"

    def knows(self, name):
        return True


async def test_requests_first_words_tokens_and_failures_of_models_are_counted():
    metrics, clock = Metrics(), _Clock()
    inner = _Model(clock, [TextDelta("a"), TextDelta("b"), Usage(7, 2), ModelBusy("Later.")])
    model = await CountedModels(_Models(inner), metrics, clock).model(None)
    async with aclosing(model.stream(ModelRequest("", ()))) as events:
        assert [await anext(events) for _ in range(3)] == [TextDelta("a"), TextDelta("b"), Usage(7, 2)]
        with pytest.raises(ModelBusy):
            await anext(events)
    assert (model.info, model.count_tokens("abc")) == (inner.info, 3)
    figures = _figures(metrics)
    assert figures['coterie_model_requests_total{model="scripted:scripted"}'] == 1
    assert figures['coterie_model_errors_total{kind="ModelBusy",model="scripted:scripted"}'] == 1
    assert figures['coterie_model_tokens_total{direction="input",model="scripted:scripted"}'] == 7
    assert figures["coterie_model_first_words_seconds_sum"] == 1
    assert figures["coterie_model_first_words_seconds_count"] == 1


async def test_closing_a_counted_answer_stops_the_model():
    clock = _Clock()
    inner = _Model(clock, [TextDelta("a"), TextDelta("b")])
    model = await CountedModels(_Models(inner), Metrics(), clock).model(None)
    async with aclosing(model.stream(ModelRequest("", ()))) as events:
        assert await anext(events) == TextDelta("a")
    assert inner.is_closed


async def test_a_model_that_cannot_be_had_is_counted():
    metrics = Metrics()
    with pytest.raises(ModelRefused):
        await CountedModels(_Models(None), metrics, _Clock()).model("openai")
    assert _figures(metrics)['coterie_model_errors_total{kind="ModelRefused",model="none"}'] == 1
