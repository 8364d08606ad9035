"""What each person's message still leads to, so that its end can be told once. Knows nothing of how turns run."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeVar

from coterie.domain.ids import MessageId, UserId, WorkspaceId
from coterie.ports.stores import TurnStatus

K = TypeVar("K")

_MOST_TAKEN_IN = 10_000
_WORST_FIRST = (TurnStatus.FAILED, TurnStatus.STOPPED, TurnStatus.SUPERSEDED)


@dataclass(slots=True)
class _Open:
    workspace: WorkspaceId
    person: UserId
    outstanding: int = 0
    has_spoken: bool = False
    has_unit: bool = False
    ends: set[TurnStatus] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Over:
    """How everything that went back to a message ended; `has_unit`: a unit of a quota was taken for it."""

    status: TurnStatus
    has_unit: bool


class TakenIn:
    """The newest messages that this process took in: whatever goes back to them is in its hands, and nothing that an earlier one left."""

    def __init__(self) -> None:
        self._messages: dict[MessageId, None] = {}

    def __contains__(self, message: MessageId) -> bool:
        return message in self._messages

    def add(self, message: MessageId) -> None:
        """It is in our hands."""
        self._messages[message] = None
        if len(self._messages) > _MOST_TAKEN_IN:
            del self._messages[next(iter(self._messages))]

    def leave(self, message: MessageId) -> None:
        """It is not."""
        self._messages.pop(message, None)


class Roots:
    """Counts the steps that may still lead to a line: plans to be made and turns to be run."""

    def __init__(self) -> None:
        self._open: dict[MessageId, _Open] = {}
        self._of_person: Counter[UserId] = Counter()
        self._in_workspace: Counter[WorkspaceId] = Counter()

    def open(self, root: MessageId, workspace: WorkspaceId, person: UserId, steps: int = 1) -> None:
        """A message of a person arrives, or is taken up again, and that many steps are to come."""
        if root not in self._open:
            self._open[root] = _Open(workspace, person)
            self._of_person[person] += 1
        self.expect(root, steps)

    def expect(self, root: MessageId, steps: int) -> None:
        """That many more steps are to come of a message that is open."""
        book = self._open.get(root)
        if book is not None:
            book.outstanding += steps
            self._in_workspace[book.workspace] += steps

    def spoke(self, root: MessageId) -> None:
        """Something was said."""
        if (book := self._open.get(root)) is not None:
            book.has_spoken = True

    def took_unit(self, root: MessageId) -> None:
        """A unit of a quota was taken."""
        if (book := self._open.get(root)) is not None:
            book.has_unit = True

    def of_person(self, person: UserId) -> int:
        """How many messages of a person are open."""
        return self._of_person[person]

    def in_workspace(self, workspace: WorkspaceId) -> int:
        """How many steps are to come in a workspace."""
        return self._in_workspace[workspace]

    def done(self, root: MessageId, end: TurnStatus | None = None) -> Over | None:
        """One step is over. When it was the last: how it all ended, best news first; else nothing."""
        book = self._open.get(root)
        if book is None:
            return None
        book.outstanding -= 1
        self._lessen(self._in_workspace, book.workspace)
        if end is not None:
            book.ends.add(end)
        if book.outstanding > 0:
            return None
        del self._open[root]
        self._lessen(self._of_person, book.person)
        if book.has_spoken:
            return Over(TurnStatus.ANSWERED, book.has_unit)
        return Over(next((worst for worst in _WORST_FIRST if worst in book.ends), TurnStatus.SILENT), book.has_unit)

    @staticmethod
    def _lessen(counter: Counter[K], key: K) -> None:
        counter[key] -= 1
        if counter[key] <= 0:
            del counter[key]
