"""From the events of a room to what changes on the screen: who has what to say, what is being written. Draws nothing, asks nobody."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from coterie.platforms.terminal.plain import shown_name, shown_text
from coterie.platforms.terminal.shapes import Json, Line, Member, objects, read_line, read_message, text_of
from coterie.platforms.terminal.streams import StreamEvent

Activity = Literal["writing", "waiting"]


@dataclass(frozen=True, slots=True)
class Said:
    """A line is finished."""

    line: Line


@dataclass(frozen=True, slots=True)
class Growing:
    """A turn has written more; `Happenings.written` has its text."""

    turn: str
    handle: str
    name: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What a turn has written so far is not, or no longer, to be seen."""

    turn: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that people should read between the lines."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class CastDiffers:
    """Somebody is or is not in the cast whom we knew differently."""


@dataclass(frozen=True, slots=True)
class Missed:
    """More happened than is kept: the messages must be read again."""


@dataclass(frozen=True, slots=True)
class Unplanned:
    """Somebody writes whose plan was not heard, since a restart took the turn up: who it is must be asked, see `Happenings.found`."""


Change = Said | Growing | Withdrawn | Noted | CastDiffers | Missed | Unplanned

_ENDINGS = {"stopped": "Stopped.", "superseded": "A newer message took this one's place."}


@dataclass(slots=True)
class _Turn:
    """`root` is empty where it is not known at whose end the turn ends."""

    handle: str
    root: str
    text: str = ""
    has_spoken: bool = False


class Happenings:
    """The state of one room, moved by its events. `lines` are those shown, oldest first."""

    def __init__(self, members: Sequence[Member] = ()) -> None:
        self.members: dict[str, Member] = {}
        self.lines: dict[str, Line] = {}
        self._turns: dict[str, _Turn] = {}
        self._unplanned: dict[str, str] = {}
        self._open: dict[str, bool] = {}
        self._roots: dict[str, str] = {}
        self.know(members)

    def know(self, members: Iterable[Member]) -> None:
        """The cast is this."""
        self.members = {member.handle: member for member in members}

    def start(self, lines: Iterable[Line]) -> None:
        """Begin anew with these lines; nothing is under way."""
        self.lines = {line.message_id: line for line in lines}
        self._turns.clear()
        self._unplanned.clear()
        self._open.clear()
        self._roots.clear()

    def older(self, lines: Iterable[Line]) -> list[Line]:
        """Put earlier lines in front; those that were not there yet."""
        new = [line for line in lines if line.message_id not in self.lines]
        self.lines = {line.message_id: line for line in new} | self.lines
        return new

    def forget_oldest(self, count: int) -> None:
        """Let go of the first lines; they can be read again."""
        for message in list(self.lines)[:count]:
            del self.lines[message]

    @property
    def is_working(self) -> bool:
        """Whether a message still waits for its end."""
        return bool(self._open)

    def activities(self) -> dict[str, Activity]:
        """What each persona with an open turn does: the first in line writes, the others wait."""
        found: dict[str, Activity] = {}
        open_turns = [turn for turn in self._turns.values() if turn.text or not turn.has_spoken]
        for turn in open_turns:
            found.setdefault(turn.handle, "writing" if turn is open_turns[0] else "waiting")
        return found

    def name_of(self, handle: str) -> str:
        """The shown name behind a handle."""
        return self.members[handle].name if handle in self.members else shown_name(handle)

    def written(self, turn_id: str) -> str:
        """What a turn has written and not yet said."""
        turn = self._turns.get(turn_id)
        return shown_text(turn.text) if turn else ""

    def found(self, message: str, turns: Iterable[tuple[str, str]]) -> list[Change]:
        """These turns, with the handles of their personas, run or wait because of a message; what they have written since counts."""
        changes: list[Change] = []
        asker = self.lines.get(message)
        # At whose end a chain ends, only its beginning tells.
        root = message if asker is not None and asker.persona is None else ""
        for turn_id, handle in turns:
            if turn_id in self._turns:
                continue
            self._turns[turn_id] = turn = _Turn(handle, root, self._unplanned.pop(turn_id, ""))
            self._open[root] = True
            if turn.text:
                changes.append(Growing(turn_id, handle, self.name_of(handle)))
        return changes

    def apply(self, event: StreamEvent, now: datetime) -> list[Change]:
        """Take in one event. Unknown events and broken data change nothing."""
        match event.name:
            case "message":
                return self._said_by_person(read_message(event.data, now))
            case "plan":
                return self._planned(event.data)
            case "delta":
                return self._grown(text_of(event.data, "turn_id"), text_of(event.data, "text"))
            case "discard":
                return self._taken_back(text_of(event.data, "turn_id"))
            case "line":
                return self._said(text_of(event.data, "turn_id"), read_line(event.data, now))
            case "error":
                return self._failed(text_of(event.data, "turn_id"), shown_text(text_of(event.data, "error")))
            case "end":
                return self._ended(text_of(event.data, "message_id"), text_of(event.data, "status"))
            case "resync":
                return [Missed()]
            case _:
                return []

    def _said_by_person(self, line: Line) -> list[Change]:
        if line.message_id in self.lines:
            return []
        self.lines[line.message_id] = line
        self._open[line.message_id] = False
        return [Said(line)]

    def _planned(self, data: Json) -> list[Change]:
        message = text_of(data, "message_id")
        root = text_of(data, "root") or self._roots.get(message, message)
        self._open.setdefault(root, False)
        turns = objects(data, "turns")
        for row in turns:
            self._turns[text_of(row, "turn_id")] = _Turn(text_of(row, "persona"), root)
            self._open[root] = True
        heard_of = {text_of(row, "persona") for row in (*turns, *objects(data, "skipped"))}
        return [CastDiffers()] if heard_of != set(self.members) else []

    def _grown(self, turn_id: str, text: str) -> list[Change]:
        turn = self._turns.get(turn_id)
        if turn is None:
            is_first = turn_id not in self._unplanned
            self._unplanned[turn_id] = self._unplanned.get(turn_id, "") + text
            return [Unplanned()] if is_first else []
        taken = self._overtaken_by(turn_id)
        turn.text += text
        return [*taken, Growing(turn_id, turn.handle, self.name_of(turn.handle))]

    def _taken_back(self, turn_id: str) -> list[Change]:
        turn = self._turns.get(turn_id)
        if turn_id in self._unplanned:
            self._unplanned[turn_id] = ""
        if turn is None or not turn.text:
            return []
        turn.text = ""
        return [Withdrawn(turn_id)]

    def _said(self, turn_id: str, line: Line) -> list[Change]:
        changes: list[Change] = self._overtaken_by(turn_id)
        turn = self._turns.get(turn_id)
        self._unplanned.pop(turn_id, None)
        if turn is not None:
            changes += self._rest_of(turn_id, turn, line.text)
            self._roots[line.message_id] = turn.root
        if line.message_id not in self.lines:
            self.lines[line.message_id] = line
            changes.append(Said(line))
        if line.persona not in self.members:
            changes.append(CastDiffers())
        return changes

    def _rest_of(self, turn_id: str, turn: _Turn, said: str) -> list[Change]:
        """A long answer comes in several lines: what was written beyond this one is still being written."""
        written = shown_text(turn.text)
        turn.text = written.removeprefix(said).lstrip() if said and written.startswith(said) else ""
        turn.has_spoken = True
        if turn.text:
            return [Growing(turn_id, turn.handle, self.name_of(turn.handle))]
        return [Withdrawn(turn_id)] if written else []

    def _failed(self, turn_id: str, sentence: str) -> list[Change]:
        turn = self._turns.pop(turn_id, None)
        self._unplanned.pop(turn_id, None)
        if turn is None:
            return [Noted(sentence, is_error=True)]
        taken: list[Change] = [Withdrawn(turn_id)] if turn.text else []
        return [*taken, Noted(f"{self.name_of(turn.handle)}: {sentence}", is_error=True)]

    def _ended(self, root: str, status: str) -> list[Change]:
        ended = [turn_id for turn_id, turn in self._turns.items() if turn.root == root or not root]
        changes = [*self._drop(ended), *self._doubt_chains()]
        had_turns = self._open.pop(root, False)
        if not root:
            self._open.clear()
        self._roots = {message: its_root for message, its_root in self._roots.items() if its_root != root}
        if status == "silent":
            changes.append(Noted("Nobody said anything." if had_turns else "Nobody was called; /why says more."))
        elif status in _ENDINGS:
            changes.append(Noted(_ENDINGS[status]))
        return changes

    def _doubt_chains(self) -> list[Change]:
        """Something ended, perhaps a chain whose beginning was not heard: whether it goes on must be asked."""
        doubtful = {turn_id: turn.text for turn_id, turn in self._turns.items() if not turn.root}
        self._unplanned |= doubtful
        self._open.pop("", None)
        return [*self._drop(doubtful), Unplanned()] if doubtful else []

    def _overtaken_by(self, turn_id: str) -> list[Change]:
        """Turns are taken one after the other: when one speaks, those planned before it have ended, perhaps without a word."""
        if turn_id not in self._turns:
            return []
        root = self._turns[turn_id].root
        before = []
        for other, turn in self._turns.items():
            if other == turn_id:
                break
            if turn.root == root:
                before.append(other)
        return self._drop(before)

    def _drop(self, turn_ids: Iterable[str]) -> list[Change]:
        dropped = [(turn_id, self._turns.pop(turn_id)) for turn_id in turn_ids]
        return [Withdrawn(turn_id) for turn_id, turn in dropped if turn.text]
