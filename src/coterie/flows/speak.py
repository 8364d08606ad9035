"""Asks a model until it has said something as the persona it is: attempts, tool rounds, the cut where it would speak for others."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from coterie.domain.speech.lead import Lead
from coterie.domain.speech.segmenter import Label, Piece, Segmenter
from coterie.domain.turns.tool_guard import ToolGuard
from coterie.flows.tool_rounds import run_round
from coterie.kit.streams import closing
from coterie.ports.model import Model, ModelRequest, Restarted, TextDelta, ToolCall, ToolRound, Usage
from coterie.ports.tools import Tool

ATTEMPTS = 3
"""How often a model is asked that says nothing, or begins as somebody else."""


class Ended(Enum):
    """How an attempt ended."""

    SPOKEN = auto()
    EMPTY = auto()
    AS_ANOTHER = auto()


@dataclass(slots=True)
class Speech:
    """What a turn has said so far; readable at any moment, so that a stop can keep what people have seen.

    `on_text` and `on_discard` show deltas and take them back; `on_label` hears under which label what follows is said, where one of `worn`
    or any other stood there; `on_progress` tells that the model lives. `has_more`: whether something else than words is to be shown.
    """

    own_names: Sequence[str]
    other_names: Sequence[str]
    echoes: Sequence[str]
    worn: Sequence[str]
    on_text: Callable[[str], Awaitable[None]]
    on_label: Callable[[str], Awaitable[None]]
    on_discard: Callable[[], Awaitable[None]]
    on_progress: Callable[[], None]
    on_tools: Callable[[bool], None]
    has_more: Callable[[], bool] = lambda: False
    lead: Lead = field(default_factory=Lead)
    text: str = ""
    is_labelled: bool = False
    usage: list[Usage] = field(default_factory=list)

    async def hear(self, pieces: Sequence[Piece]) -> None:
        """More of what the model says, as the segmenter lets it through."""
        for piece in pieces:
            if not isinstance(piece, Label):
                await self.show(piece)
            elif piece.text or self.is_labelled:
                self.is_labelled = True
                await self.on_label(piece.text)

    async def show(self, text: str) -> None:
        """More text of the model."""
        await self._add(self.lead.feed(text))

    async def finish(self) -> None:
        """The model has said everything."""
        await self._add(self.lead.finish())

    async def take_back(self) -> None:
        """What was shown belongs to an attempt that counts no more."""
        self.lead.begin_anew()
        if self.text or self.is_labelled:
            self.text, self.is_labelled = "", False
            await self.on_discard()

    async def _add(self, text: str) -> None:
        if text:
            self.text += text
            await self.on_text(text)


async def speak(model: Model, request: ModelRequest, tools: Sequence[Tool], speech: Speech) -> Ended:
    """Let the model answer; what it said is `speech.text`. Raises a `ModelError` or `OutOfHand`."""
    ended = Ended.EMPTY
    for attempt in range(1, ATTEMPTS + 1):
        ended = await _attempt(model, request, tools, speech, is_last=attempt == ATTEMPTS)
        if ended is Ended.SPOKEN:
            break
        await speech.take_back()
    return ended


async def _attempt(model: Model, request: ModelRequest, tools: Sequence[Tool], speech: Speech, *, is_last: bool) -> Ended:
    segmenter = _segmenter(speech, is_last=is_last)
    guard, rounds = ToolGuard(), list[ToolRound]()
    while True:
        segmenter, said, calls = await _listen(model, replace(request, rounds=tuple(rounds)), segmenter, speech, is_last=is_last)
        if segmenter.begins_as_other:
            return Ended.AS_ANOTHER
        if segmenter.is_over or not calls:
            break
        speech.on_tools(True)
        rounds.append(await run_round(tools, guard, said, calls))
        speech.on_progress()
    await speech.hear(segmenter.finish())
    if segmenter.begins_as_other:
        return Ended.AS_ANOTHER
    await speech.finish()
    return Ended.SPOKEN if speech.text.strip() or speech.has_more() else Ended.EMPTY


async def _listen(
    model: Model, request: ModelRequest, segmenter: Segmenter, speech: Speech, *, is_last: bool
) -> tuple[Segmenter, str, list[ToolCall]]:
    """One request to its end, or to where it must be cut: the segmenter in use, the raw text, the calls asked for."""
    said, calls = "", list[ToolCall]()
    async with closing(model.stream(request)) as events:
        async for event in events:
            speech.on_progress()
            match event:
                case TextDelta(text):
                    said += text
                    await speech.hear(segmenter.feed(text))
                    if segmenter.is_over:
                        return segmenter, said, []
                case ToolCall():
                    calls.append(event)
                case Usage():
                    speech.usage.append(event)
                case Restarted():
                    await speech.take_back()
                    segmenter, said, calls = _segmenter(speech, is_last=is_last), "", []
    return segmenter, said, calls


def _segmenter(speech: Speech, *, is_last: bool) -> Segmenter:
    return Segmenter(speech.own_names, speech.other_names, echoes=speech.echoes, worn=speech.worn, strip_foreign_opening=is_last)
