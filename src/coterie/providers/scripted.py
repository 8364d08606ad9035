"""The scripted model: answers what directives in a person's text tell it to answer, and `ok` otherwise.

For tests, trials and scripts. How directives are written is in `domain/triggers/directives.py`; what they mean for a turn is here.
It never reads persona lines: only the note of the request, which holds what a person last wrote and whose turn it is.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import assert_never

from coterie.domain.triggers.directives import FAILURES, Directive, DirectiveName, chosen, read_directives
from coterie.kit.text import head
from coterie.ports.model import (
    ModelBroken,
    ModelBusy,
    ModelError,
    ModelEvent,
    ModelInfo,
    ModelRefused,
    ModelRequest,
    TextDelta,
    ToolCall,
    Usage,
)
from coterie.providers.tokens import estimate_tokens

ANSWER = "ok"
"""What is said when nothing else is asked for."""

Sleeper = Callable[[float], Awaitable[None]]
"""Waits for some seconds; a test passes one that only takes note."""

_STEPS_A_SECOND = 20


class ScriptedModel:
    """A model whose answer is written in the question. Stateless; any number of turns may run at once."""

    def __init__(self, sleep: Sleeper = asyncio.sleep) -> None:
        self._sleep = sleep
        self._info = ModelInfo("scripted:scripted", context_window=128_000, max_output=16_000, can_call_tools=True)

    @property
    def info(self) -> ModelInfo:
        """What is known of it."""
        return self._info

    def count_tokens(self, text: str) -> int:
        """An estimate; the model itself counts nothing."""
        return estimate_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer by the directives: wait, fail, call tools (one a round), then speak.

        Waiting and failing happen before the first round only, so that a turn with tools waits once.
        """
        script = _Script(request)
        if not request.rounds:
            for pause in script.read("sleep")[:1]:
                await self._sleep(pause.number)
            for failure in script.read("fail")[:1]:
                raise failed(failure)
        call = script.next_call(len(request.rounds))
        if call is not None:
            yield call
        else:
            async for delta in self._speak(script.answer(), script.read("slow")):
                yield delta
        yield script.usage()

    async def _speak(self, text: str, slow: tuple[Directive, ...]) -> AsyncIterator[TextDelta]:
        """The answer at once, or so many characters a second in at most twenty steps a second."""
        pace = slow[0].number if slow else 0.0
        size = max(1, round(pace / _STEPS_A_SECOND)) if pace else max(1, len(text))
        for start in range(0, len(text), size):
            piece = text[start : start + size]
            if pace:
                await self._sleep(len(piece) / pace)
            yield TextDelta(piece)


def failed(directive: Directive) -> ModelError:
    """The error that `{{fail: …}}` asks for."""
    match directive.failure:
        case None:
            return ModelBroken(f"The scripted model cannot fail as {head(directive.text, 40)!r}; it can as {', '.join(FAILURES)}.")
        case "busy":
            return ModelBusy("The scripted model is busy, as it was told to be.", retry_after=1.0)
        case "refused":
            return ModelRefused("The scripted model refused, as it was told to.")
        case "broken":
            return ModelBroken("The scripted model broke, as it was told to.")
        case _:
            assert_never(directive.failure)


class _Script:
    """What one request asks of the model."""

    def __init__(self, request: ModelRequest) -> None:
        self._request = request
        self._directives = read_directives(request.note.last_user_text)

    def read(self, name: DirectiveName) -> tuple[Directive, ...]:
        return chosen(self._directives, name, self._request.note.handle)

    def next_call(self, rounds_done: int) -> ToolCall | None:
        """The call of this round: the first directive in the first round, the second in the second."""
        calls = self.read("tool")
        if rounds_done >= len(calls):
            return None
        call = calls[rounds_done]
        return ToolCall(f"call-{rounds_done + 1}", call.text, call.arguments)

    def answer(self) -> str:
        if self.read("empty"):
            return ""
        said = self.read("say")
        return said[0].text if said else ANSWER

    def usage(self) -> Usage:
        read = sum(estimate_tokens(message.text) for message in self._request.messages)
        return Usage(estimate_tokens(self._request.system) + read, estimate_tokens(self.answer()))
