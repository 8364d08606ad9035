"""How many commands are at work at once, so that a flood of them takes nothing from anybody else."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

OF_ONE_PERSON = 3
OF_ALL = 200


class Crowded(Exception):
    """There is no room for one more."""


class Crowd:
    """Counts commands at work, by person."""

    def __init__(self) -> None:
        self._working: Counter[int] = Counter()

    @contextmanager
    def place(self, person: int) -> Iterator[None]:
        """Room for one command of a person. Raises `Crowded`."""
        if self._working[person] >= OF_ONE_PERSON or self._working.total() >= OF_ALL:
            raise Crowded
        self._working[person] += 1
        try:
            yield
        finally:
            self._working[person] -= 1
            if not self._working[person]:
                del self._working[person]
