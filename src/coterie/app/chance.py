"""The real clock and real ids."""

import secrets
import time
import uuid
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present moment in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


class RandomIds:
    """Ids that no other process makes. Message ids are numbers of the kind Discord has: 42 bits of milliseconds, 22 of chance."""

    def __init__(self) -> None:
        self._newest = 0

    def message(self) -> str:
        """A message id; within a process each is greater than the one before."""
        made = (time.time_ns() // 1_000_000) << 22 | secrets.randbits(22)
        self._newest = max(made, self._newest + 1)
        return str(self._newest)

    def turn(self) -> str:
        """A turn id."""
        return str(uuid.uuid4())

    def session(self, prefix: str) -> str:
        """A session id that cannot be guessed."""
        return f"{prefix}-{uuid.uuid4()}"


class Dice:
    """Chance that nobody can foresee."""

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`, each as likely as any other."""
        return least + secrets.randbelow(most - least + 1)
