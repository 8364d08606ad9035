"""Giving up on a silent model, and falling back from a failed one."""

import asyncio

import pytest

from coterie.kit.streams import closing
from coterie.ports.model import ModelBroken, ModelBusy, ModelRefused, Restarted, TextDelta, Usage
from coterie.providers.wrappers import Fallback, Progress, WithInactivityTimeout
from providers.fakes import REQUEST, ListedModel, Silence

HELLO, WORLD = TextDelta("Hello"), TextDelta(" world")


class Limits:
    """Makes real deadlines and keeps them, so that a test can let one pass at once."""

    def __init__(self) -> None:
        self.made: list[asyncio.Timeout] = []
        self.seconds: list[float] = []
        self.waits = asyncio.Event()

    def __call__(self, seconds: float) -> asyncio.Timeout:
        self.seconds.append(seconds)
        self.made.append(asyncio.timeout(seconds))
        self.waits.set()
        return self.made[-1]

    def pass_now(self) -> None:
        self.made[-1].reschedule(asyncio.get_running_loop().time())


async def test_a_lively_model_is_left_alone_and_its_signs_of_life_are_kept() -> None:
    limits = Limits()
    inner = ListedModel("a", [Progress(), HELLO, Progress(), Progress(), WORLD, Usage(1, 2)])
    model = WithInactivityTimeout(inner, 120, limits)
    assert [event async for event in model.stream(REQUEST)] == [HELLO, WORLD, Usage(1, 2)]
    assert limits.seconds == [120] * 7
    assert (model.info, model.count_tokens("four")) == (inner.info, 4)


async def test_a_silent_model_is_given_up_and_closed() -> None:
    limits = Limits()
    inner = ListedModel("a", [HELLO, Silence()])
    events = WithInactivityTimeout(inner, 120, limits).stream(REQUEST)
    assert await anext(events) == HELLO
    waiting = asyncio.ensure_future(anext(events))
    limits.waits.clear()
    await limits.waits.wait()
    assert (len(limits.made), inner.closed) == (2, 0)
    limits.pass_now()
    with pytest.raises(ModelBroken, match="test:a was silent for 120 seconds"):
        await waiting
    assert inner.closed == 1


async def test_a_model_that_only_thinks_is_given_up_too() -> None:
    inner = ListedModel("a", [Progress(), Progress(), HELLO, *[Progress()] * 3, WORLD])
    events = WithInactivityTimeout(inner, most_signs=2).stream(REQUEST)
    assert await anext(events) == HELLO
    with pytest.raises(ModelBroken, match="test:a thought without end"):
        await anext(events)
    assert inner.closed == 1


async def test_a_deadline_inside_the_model_is_not_taken_for_ours() -> None:
    with pytest.raises(TimeoutError):
        await anext(WithInactivityTimeout(ListedModel("a", [TimeoutError()])).stream(REQUEST))


async def test_the_first_model_that_answers_is_enough() -> None:
    spare = ListedModel("spare", [WORLD])
    main = ListedModel("main", [HELLO])
    assert [event async for event in Fallback([main, spare]).stream(REQUEST)] == [HELLO]
    assert spare.asked == 0


async def test_errors_of_all_but_the_last_are_not_shown() -> None:
    models = [ListedModel("main", [ModelBusy("busy")]), ListedModel("second", [ModelRefused("no")]), ListedModel("last", [HELLO])]
    assert [event async for event in Fallback(models).stream(REQUEST)] == [HELLO]


async def test_text_that_was_already_out_is_taken_back() -> None:
    models = [ListedModel("main", [HELLO, ModelBroken("died")]), ListedModel("second", [ModelBusy("busy")]), ListedModel("last", [WORLD])]
    assert [event async for event in Fallback(models).stream(REQUEST)] == [HELLO, Restarted("test:second"), WORLD]


async def test_the_last_error_is_shown() -> None:
    events = Fallback([ListedModel("main", [ModelBusy("busy")]), ListedModel("last", [HELLO, ModelBroken("died")])]).stream(REQUEST)
    assert await anext(events) == HELLO
    with pytest.raises(ModelBroken, match="died"):
        await anext(events)


async def test_closing_stops_the_model_that_is_speaking_and_asks_no_other() -> None:
    main, spare = ListedModel("main", [HELLO, Silence()]), ListedModel("spare", [WORLD])
    async with closing(Fallback([WithInactivityTimeout(main), spare]).stream(REQUEST)) as events:
        assert await anext(events) == HELLO
    assert (main.closed, spare.asked) == (1, 0)


async def test_a_fallback_is_known_as_its_first_model() -> None:
    main = ListedModel("main", [])
    model = Fallback([main, ListedModel("spare", [])])
    assert (model.info, model.count_tokens("four")) == (main.info, 4)
