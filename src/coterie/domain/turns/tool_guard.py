"""When a turn that calls tools is out of hand. A machine fed with finished calls; it calls nothing itself."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_ROUNDS = 8
MOST_EQUAL = 3
MOST_ERRORS = 3
MOST_UNKNOWN = 2


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """A call with its result; `is_error` for a tool that failed, `is_unknown` for a name that no tool has."""

    name: str
    arguments: Mapping[str, Any]
    result: str
    is_error: bool = False
    is_unknown: bool = False


class ToolGuard:
    """Caps that are always on: rounds in a turn, equal calls with equal results, equal errors, unknown tools."""

    def __init__(self) -> None:
        self._rounds = 0
        self._unknown = 0
        self._newest: deque[FinishedCall] = deque(maxlen=max(MOST_EQUAL, MOST_ERRORS))

    def round_begins(self) -> str | None:
        """A round of calls is about to be made; the sentence that ends the turn instead, if it is one too many."""
        self._rounds += 1
        if self._rounds > MOST_ROUNDS:
            return f"It called tools in {MOST_ROUNDS} rounds without coming to an answer."
        return None

    def finished(self, call: FinishedCall) -> str | None:
        """A call has ended; the sentence that ends the turn, if this is the last straw."""
        self._newest.append(call)
        self._unknown += call.is_unknown
        if self._unknown >= MOST_UNKNOWN:
            return f"It called {call.name!r} and there is no such tool."
        if self._streak(MOST_EQUAL, lambda one, other: one == other):
            return f"It called {call.name} {MOST_EQUAL} times with the same arguments and the same result."
        if call.is_error and self._streak(MOST_ERRORS, lambda one, other: other.is_error and one.result == other.result):
            return f"{call.name} failed {MOST_ERRORS} times in the same way."
        return None

    def _streak(self, length: int, alike: Any) -> bool:
        tail = list(self._newest)[-length:]
        return len(tail) == length and all(alike(tail[-1], other) for other in tail)
