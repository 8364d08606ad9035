"""Moving what SQLite's write-ahead log holds into the file, beside the talk and not in the middle of it."""

import sqlite3
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

EVERY = 64
"""Changes."""


class Checkpoints:
    """A thread that waits for the disk, so that no change has to.

    SQLite itself would let whoever happens to write the thousandth page wait until all of them are in the file. What fails here is
    tried again later; the log only grows meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="coterie-checkpoint")
        self._changes = 0
        self._under_way: Future[None] | None = None

    def count_change(self) -> None:
        """A change was made."""
        self._changes += 1
        if self._changes >= EVERY and (self._under_way is None or self._under_way.done()):
            self._changes = 0
            self._under_way = self._thread.submit(self._move)

    def close(self) -> None:
        """Wait for what is under way."""
        self._thread.shutdown()

    def _move(self) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            # Passive: whatever somebody still reads or writes stays where it is.
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
