"""How many activations a channel has had since a person last spoke, and how many may follow (specification 000).

All personas of a channel share the count. Choosing who is activated belongs to `turns.plan`; keeping the count, to storage.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

IDLE = timedelta(minutes=30)
"""After longer than this without an activation the count starts anew."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """The count of one channel: activations planned or queued, by whichever way, and when the last one was."""

    count: int = 0
    last: datetime | None = None

    def at(self, now: datetime) -> "Cascade":
        """The count as it stands now: none once the channel was idle for too long."""
        return Cascade() if self.last is not None and now - self.last > IDLE else self

    def activated(self, now: datetime, personas: int = 1) -> "Cascade":
        """So many personas more were activated. Manual turns, reminders and stop responses are not counted."""
        return Cascade(self.at(now).count + personas, now)

    def spoken_to(self) -> "Cascade":
        """A person said something: a new trigger session. A stop from the running turn's owner is no such message and keeps the count."""
        return Cascade()

    def room(self, limit: int) -> int:
        """How many more may be activated: the first is free, and `limit` (0 to 10) more may follow it."""
        return max(0, limit + 1 - self.count)
