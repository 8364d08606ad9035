"""SQLite: one connection, in this process. Knows whose file it is before it touches it."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event

from coterie.ports.stores import StorageUnavailable
from coterie.storage.border import to_json
from coterie.storage.checkpoints import Checkpoints
from coterie.storage.database import Unit
from coterie.storage.errors import is_locked, translated
from coterie.storage.location import SqliteFile
from coterie.storage.tidings import Hears

T = TypeVar("T")

APPLICATION_ID = 0x436F7465
"""`Cote`; at byte 68 of every file of ours."""

_STEP_SECONDS = 0.01
"""Between two attempts at what another program has locked."""

_MAGIC = b"SQLite format 3\0"
_OLDEST = (3, 35)
"""The first SQLite that gives back what it wrote (RETURNING)."""


class SqliteDatabase:
    """One connection, used by one coroutine at a time, so writers of this process wait for each other and never for a lock.

    What it does is done in the loop's own thread: a statement takes some ten microseconds, and handing it to another thread, whose every
    step then has to win the interpreter's lock back, ten times that. Only changes that wait for the disk go to a thread.
    """

    def __init__(self, location: SqliteFile, engine: Engine, connection: Connection, patience: float) -> None:
        self._location = location
        self._engine = engine
        self._connection = connection
        self._patience = patience
        self._free = asyncio.Lock()
        self._checkpoints = Checkpoints(location.path)

    @property
    def location(self) -> SqliteFile:
        """Where it is."""
        return self._location

    @property
    def joins_changes(self) -> bool:
        """SQLite knows no changes within a WITH."""
        return False

    async def read(self, unit: Unit[T]) -> T:
        """Ask, outside of any transaction."""
        return await self._in_loop(self._ask, unit)

    async def single(self, unit: Unit[T]) -> T:
        """Change with one statement."""
        return await self.read(unit)

    async def write(self, unit: Unit[T], *, durable: bool = True) -> T:
        """Change, all or nothing. A caller that is cancelled meanwhile does not undo a change that is under way."""
        if not durable:
            return await self._in_loop(self._change, unit)
        return await asyncio.shield(self._in_thread(self._change_durably, unit))

    async def claim(self, what: str) -> bool:
        """The file has no other process."""
        return True

    async def listen(self, hears: Hears) -> None:
        """So nobody else changes anything."""

    async def close(self) -> None:
        """Close the file."""
        async with self._free:
            self._checkpoints.close()
            self._connection.close()
            self._engine.dispose()

    async def _in_loop(self, work: Callable[[Unit[T]], T], unit: Unit[T]) -> T:
        # Whoever does much in a row lets the others have their turn.
        await asyncio.sleep(0)

        async def done() -> T:
            return work(unit)

        async with self._free:
            return await self._patiently(done)

    async def _in_thread(self, work: Callable[[Unit[T]], T], unit: Unit[T]) -> T:
        async with self._free:
            return await self._patiently(lambda: asyncio.to_thread(work, unit))

    async def _patiently(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Try again while another program holds a lock. SQLite's own way of waiting would keep the whole loop waiting."""
        give_up = asyncio.get_running_loop().time() + self._patience
        while True:
            try:
                return await attempt()
            except StorageUnavailable as error:
                if not is_locked(error) or asyncio.get_running_loop().time() >= give_up:
                    raise
            await asyncio.sleep(_STEP_SECONDS)

    def _ask(self, unit: Unit[T]) -> T:
        with translated(self._location), self._connection.begin():
            return unit(self._connection)

    def _change(self, unit: Unit[T]) -> T:
        with translated(self._location):
            # The driver begins nothing by itself (see `_connect`); what is begun here, SQLAlchemy commits or rolls back.
            _raw(self._connection).execute("BEGIN IMMEDIATE")
            with self._connection.begin():
                result = unit(self._connection)
        self._checkpoints.count_change()
        return result

    def _change_durably(self, unit: Unit[T]) -> T:
        with translated(self._location):
            _raw(self._connection).execute("PRAGMA synchronous = FULL")
        try:
            return self._change(unit)
        finally:
            _raw(self._connection).execute("PRAGMA synchronous = NORMAL")


async def open_sqlite(location: SqliteFile, patience: float) -> SqliteDatabase:
    """Open the file, or make it. Raises `StorageUnavailable` for a file of another program, which stays as it is."""
    engine, connection = await asyncio.to_thread(_connect, location, patience)
    return SqliteDatabase(location, engine, connection, patience)


def _connect(location: SqliteFile, patience: float) -> tuple[Engine, Connection]:
    if sqlite3.sqlite_version_info < _OLDEST:
        raise StorageUnavailable(f"This Python comes with SQLite {sqlite3.sqlite_version}; 3.35 or newer is needed.")
    with translated(location):
        location.path.parent.mkdir(parents=True, exist_ok=True)
        refuse_foreign(location.path)
        engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(location.path)),
            connect_args={"timeout": patience, "isolation_level": None, "cached_statements": 256, "check_same_thread": False},
            json_serializer=to_json,
            json_deserializer=orjson.loads,
        )
        event.listen(engine, "connect", _prepare)
        connection = engine.connect()
        _raw(connection).execute("PRAGMA busy_timeout = 0")
        return engine, connection


def refuse_foreign(path: Path) -> None:
    """Raise `StorageUnavailable` when there is a file that is not ours. Reads its head only."""
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.read(100)
    if head and not head.startswith(_MAGIC):
        raise StorageUnavailable(f"{path} is not a database; it was left as it is. Move it away or choose another home.")
    if head and int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise StorageUnavailable(f"{path} is a database of another program; it was left as it is. Move it away or choose another home.")


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    # The mark comes first, while the journal is still SQLite's own, so that it is in the file itself before anything else is.
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    # With a write-ahead log, NORMAL loses nothing when the process dies; after a power cut the last changes may be gone, never half there.
    # The log is moved into the file by `checkpoints`; the limit here is for the case that this cannot keep up.
    for pragma in ("journal_mode = WAL", "wal_autocheckpoint = 16000", "synchronous = NORMAL", "foreign_keys = ON", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


def _raw(connection: Connection) -> sqlite3.Connection:
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw
