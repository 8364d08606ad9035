"""Discord's ids: milliseconds since 2015 in the upper bits, a counter in the lower 22. Knows no state but the last id."""

from collections.abc import Callable
from datetime import UTC, datetime

EPOCH_MS = 1_420_070_400_000
"""The first second of 2015, where Discord's ids begin."""

Clock = Callable[[], float]
"""Seconds since 1970."""


class Snowflakes:
    """Makes ids that only ever grow, also when the clock stands still or goes back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """A new id of this moment."""
        now = int(self._clock() * 1000) - EPOCH_MS
        self._last = max(now << 22, self._last + 1)
        return self._last


def time_of(snowflake: int) -> datetime:
    """When an id was made."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, UTC)


def snowflake_at(seconds: float) -> int:
    """The smallest id of a moment, given in seconds since 1970."""
    return max(0, int(seconds * 1000) - EPOCH_MS) << 22


def shard_of(guild: int, shards: int) -> int:
    """Which of `shards` hears of a guild; direct messages (guild 0) are shard 0's."""
    return (guild >> 22) % shards


def written(moment: datetime) -> str:
    """A moment as Discord writes it: ISO 8601 with microseconds and a zone."""
    return (moment if moment.tzinfo is UTC else moment.astimezone(UTC)).isoformat(timespec="microseconds")
