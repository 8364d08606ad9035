"""One database, whichever it is: questions and atomic changes as plain functions over a connection.

SQLite runs such a function where it stands; PostgreSQL runs it through SQLAlchemy's async engine. What is asked is in the stores.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from coterie.storage.location import Location, SqliteFile, read_location
from coterie.storage.tidings import Hears

T = TypeVar("T")
Unit = Callable[[Connection], T]
"""What is done with a connection. It may run more than once (what was undone is tried again), so it changes nothing but the database."""


class Database(Protocol):
    """An open database. Every method raises `StorageUnavailable` where it fails; a broken rule raises SQLAlchemy's `IntegrityError`."""

    @property
    def location(self) -> Location:
        """Where it is."""
        ...

    @property
    def joins_changes(self) -> bool:
        """Whether one statement may hold several changes, which makes them one change without a transaction around them."""
        ...

    async def read(self, unit: Unit[T]) -> T:
        """Ask. No transaction: each statement stands for itself."""
        ...

    async def single(self, unit: Unit[T]) -> T:
        """Change with one statement, which is all or nothing by itself; not durable in the sense of `write`."""
        ...

    async def write(self, unit: Unit[T], *, durable: bool = True) -> T:
        """Change, all or nothing. A durable change is on the disk when this returns; another survives the end of this process at once.

        What an owner does is durable. What is said in between is not, since waiting for the disk would cost more than all else: a power
        cut may take the last half second of it, whole changes at a time.
        """
        ...

    async def claim(self, what: str) -> bool:
        """Become the one process on this database that does `what`, until it is closed or dies; false where another is.

        A SQLite file has one process anyway: whoever holds its home.
        """
        ...

    async def listen(self, hears: Hears) -> None:
        """Have `hears` told from now on of what changes (see `tidings`), whichever process on this database changes it."""
        ...

    async def close(self) -> None:
        """Let go of the database."""
        ...


async def open_database(url: str, home: Path, *, patience: float = 3.0) -> Database:
    """Connect to what `url` names (see `read_location`). `patience` is how many seconds a lock of another program is waited for.

    Raises `StorageUnavailable`, also for a file that another program made; such a file is never altered. Tables are `migrate`'s business.
    """
    location = read_location(url, home)
    # Each is imported only where it is used: the async engine costs as much time at the start as all the rest of SQLAlchemy.
    if isinstance(location, SqliteFile):
        from coterie.storage.sqlite import open_sqlite

        return await open_sqlite(location, patience)
    from coterie.storage.postgres import open_postgres

    return await open_postgres(location, patience)
