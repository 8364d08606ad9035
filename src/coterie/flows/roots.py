"""What each person's message still leads to, so that its end can be told once. Knows nothing of how turns run."""

from dataclasses import dataclass, field

from coterie.domain.ids import MessageId
from coterie.ports.stores import TurnStatus

_MOST_TAKEN_IN = 10_000
_WORST_FIRST = (TurnStatus.FAILED, TurnStatus.STOPPED, TurnStatus.SUPERSEDED)


@dataclass(slots=True)
class _Open:
    outstanding: int = 0
    has_spoken: bool = False
    ends: set[TurnStatus] = field(default_factory=set)


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

    def expect(self, root: MessageId, steps: int = 1) -> None:
        """That many more steps are to come."""
        self._open.setdefault(root, _Open()).outstanding += steps

    def spoke(self, root: MessageId) -> None:
        """Something was said."""
        self._open.setdefault(root, _Open()).has_spoken = True

    def done(self, root: MessageId, end: TurnStatus | None = None) -> str | None:
        """One step is over. When it was the last: how it all ended, best news first; else nothing."""
        book = self._open.get(root)
        if book is None:
            return None
        book.outstanding -= 1
        if end is not None:
            book.ends.add(end)
        if book.outstanding > 0:
            return None
        del self._open[root]
        if book.has_spoken:
            return TurnStatus.ANSWERED.value
        return next((worst.value for worst in _WORST_FIRST if worst in book.ends), TurnStatus.SILENT.value)
