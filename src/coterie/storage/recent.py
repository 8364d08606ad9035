"""What was read lately, bounded, and never older than what is known to be in the database."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True)
class _Entry(Generic[V]):
    newest: int
    version: int = -1
    value: V | None = None


class Recent(Generic[K, V]):
    """The values of the `bound` keys used last, each with the version it was read at.

    A version that is heard of (`seen`) makes every older value unknown, also one that a slow reader brings in afterwards.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._entries: OrderedDict[K, _Entry[V]] = OrderedDict()
        self._heard: OrderedDict[K, int] = OrderedDict()
        """Versions of what is not known: somebody may be reading it just now."""

    def get(self, key: K) -> V | None:
        """The value, if it is the newest that is known of."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry.value if entry.version >= entry.newest else None

    def keep(self, key: K, value: V, version: int) -> None:
        """Remember a value as it was at `version`; an older one than is there changes nothing."""
        entry = self._entries.setdefault(key, _Entry(self._heard.pop(key, version)))
        if version >= entry.version:
            entry.version, entry.value = version, value
        self.seen(key, version)
        self._entries.move_to_end(key)
        while len(self._entries) > self._bound:
            self._entries.popitem(last=False)

    def drop(self, key: K) -> None:
        """What is remembered of this is not right any more, whatever its version."""
        self._entries.pop(key, None)

    def seen(self, key: K, version: int) -> None:
        """The database holds this version."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.newest = max(entry.newest, version)
            return
        self._heard[key] = max(self._heard.get(key, version), version)
        if len(self._heard) > self._bound:
            self._heard.popitem(last=False)

    def forget(self) -> None:
        """Nothing is known any more, but for the versions that were heard of."""
        for key, entry in self._entries.items():
            self._heard[key] = entry.newest
        self._entries.clear()
        while len(self._heard) > self._bound:
            self._heard.popitem(last=False)
