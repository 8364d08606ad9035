"""Time and chance as things that are asked for, so that a test can answer."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""
        ...


class Ids(Protocol):
    """New, unguessable or at least unused ids."""

    def message(self) -> str:
        """A message id; later ids sort behind earlier ones."""
        ...

    def turn(self) -> str:
        """A turn id."""
        ...

    def session(self, prefix: str) -> str:
        """A session id: the prefix and a random UUID."""
        ...


class Chance(Protocol):
    """What nobody can foresee."""

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`, each as likely as any other."""
        ...
