"""What is being said in a room at this moment, gathered from its events, so that whoever comes in the middle hears it from the start."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from coterie.platforms.rooms.events import Event, delta_event, discard_event, plan_event


@dataclass(slots=True)
class _Turn:
    """`row` is the turn's row in the plan of `message`; without one the plan was made by a process that has ended."""

    root: str
    message: str = ""
    row: Mapping[str, str] | None = None
    written: list[str] = field(default_factory=list)
    has_spoken: bool = False


class Underway:
    """The turns of one room that have not ended, and what each has written and not yet said."""

    def __init__(self) -> None:
        self._turns: dict[str, _Turn] = {}

    def __bool__(self) -> bool:
        return bool(self._turns)

    def take(self, event: Event) -> None:
        """Something happened."""
        data = event.data
        match event.name:
            case "plan":
                for row in data["turns"]:
                    self._turns[row["turn_id"]] = _Turn(event.root, data["message_id"], row)
            case "delta":
                self._turn(event).written.append(data["text"])
            case "discard":
                self._turn(event).written.clear()
            case "line":
                _say(self._turn(event), data["text"])
            case "error":
                self._turns.pop(data.get("turn_id", ""), None)
            case "end":
                self._turns = {turn: kept for turn, kept in self._turns.items() if kept.root != event.root}
            case _:
                pass

    def _turn(self, event: Event) -> _Turn:
        return self._turns.setdefault(event.data["turn_id"], _Turn(event.root))

    def beyond(self, line: Event) -> list[Event]:
        """What the turn of a line has written beyond it, for those who have not heard what the line was made of."""
        turn = line.data["turn_id"]
        return _rewritten(turn, self._turns[turn]) if turn in self._turns else []

    def retold(self) -> list[Event]:
        """Plans with the turns that have not ended, and what these have written. Hearing it twice is the same as hearing it once."""
        silent_again = {turn for turn, kept in self._turns.items() if kept.has_spoken and not kept.written}
        left = {turn: kept for turn, kept in self._turns.items() if turn not in silent_again}
        plans: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for kept in left.values():
            if kept.row is not None:
                plans.setdefault((kept.root, kept.message), []).append(kept.row)
        told = [plan_event(root, message, rows, []) for (root, message), rows in plans.items()]
        for turn, kept in left.items():
            told += _rewritten(turn, kept)
        return told


def _rewritten(turn: str, kept: _Turn) -> list[Event]:
    """All that a turn has written and not yet said, whatever was heard of it before."""
    return [discard_event(kept.root, turn), delta_event(kept.root, turn, "".join(kept.written))] if kept.written else []


def _say(turn: _Turn, text: str) -> None:
    """A long answer comes as several lines: what was written beyond this one is still being written."""
    written = "".join(turn.written).lstrip()
    rest = written.removeprefix(text).strip() if written.startswith(text) else ""
    turn.written = [rest] if rest else []
    turn.has_spoken = True
