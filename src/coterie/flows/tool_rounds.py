"""Runs the tools that a model asks for, one after the other, and stops a turn that is out of hand."""

from collections.abc import Sequence

from coterie.domain.turns.tool_guard import FinishedCall, ToolGuard
from coterie.ports.model import ToolCall, ToolRound
from coterie.ports.tools import Tool, ToolFailed


class OutOfHand(Exception):
    """The turn calls tools without end; the text is one sentence for a person."""


async def run_round(tools: Sequence[Tool], guard: ToolGuard, text: str, calls: Sequence[ToolCall]) -> ToolRound:
    """Make every call of a round and return it with its results. Raises `OutOfHand`."""
    refuse(guard.round_begins())
    results = []
    for call in calls:
        finished = await make_call(tools, call)
        results.append(finished.result)
        refuse(guard.finished(finished))
    return ToolRound(text, tuple(calls), tuple(results))


async def make_call(tools: Sequence[Tool], call: ToolCall) -> FinishedCall:
    """Make one call; a failure is a result that the model can read."""
    tool = next((tool for tool in tools if tool.spec.name == call.name), None)
    if tool is None:
        known = ", ".join(tool.spec.name for tool in tools) or "none"
        return FinishedCall(call.name, call.arguments, f"There is no tool {call.name}. There are: {known}.", is_error=True, is_unknown=True)
    try:
        return FinishedCall(call.name, call.arguments, await tool.call(call.arguments))
    except ToolFailed as failure:
        return FinishedCall(call.name, call.arguments, str(failure), is_error=True)


def refuse(sentence: str | None) -> None:
    """End the turn with this sentence, if there is one."""
    if sentence is not None:
        raise OutOfHand(sentence)
