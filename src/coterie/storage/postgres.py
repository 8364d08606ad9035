"""PostgreSQL, through asyncpg. What was surely undone is tried again; a commit whose outcome is unknown never is.

A whole unit runs in one greenlet, in which every wait of the driver gives way to the event loop. `AsyncConnection` would make one for each
step (connect, begin, run, commit), which costs more than what most units do.
"""

from collections.abc import Callable
from typing import TypeVar

import asyncpg
import orjson
from sqlalchemy import Connection, event, exc
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import greenlet_spawn

from coterie.storage.border import to_json
from coterie.storage.database import Unit
from coterie.storage.errors import sqlstate, translated
from coterie.storage.listener import Connect, Listener
from coterie.storage.location import PostgresServer
from coterie.storage.tidings import Hears

T = TypeVar("T")

_CONNECT_WITHIN = 10.0
"""Seconds."""
_AGAIN = 2
"""How often a change that was undone is tried again."""
_LOST_A_RACE = frozenset({"40P01", "40001"})
"""Deadlock, and a conflict of two transactions: the database undid the loser as a whole."""


class PostgresDatabase:
    """A pool of connections."""

    def __init__(self, location: PostgresServer, engine: AsyncEngine, connect: Connect) -> None:
        self._location = location
        self._connect = connect
        self._claims: list[asyncpg.Connection] = []
        self._listeners: list[Listener] = []
        self._async_engine = engine
        self._engine = engine.sync_engine
        self._plain = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    @property
    def location(self) -> PostgresServer:
        """Where it is."""
        return self._location

    @property
    def joins_changes(self) -> bool:
        """PostgreSQL's WITH holds changes too, which saves three of four round trips."""
        return True

    async def read(self, unit: Unit[T]) -> T:
        """Ask, outside of any transaction, which saves two round trips."""
        return await self._tried(self._ask, unit)

    async def single(self, unit: Unit[T]) -> T:
        """Change with one statement. When the connection is lost meanwhile, nobody knows what became of it, so it is not tried again."""
        return await self._tried(self._ask_once, unit)

    async def write(self, unit: Unit[T], *, durable: bool = True) -> T:
        """Change, all or nothing."""
        return await self._tried(self._change_durably if durable else self._change, unit)

    async def claim(self, what: str) -> bool:
        """Hold an advisory lock in a connection of its own, so that the server frees it with this process."""
        with translated(self._location):
            connection = await self._connect()
            if not await connection.fetchval("SELECT pg_try_advisory_lock(hashtext($1))", f"coterie {what}"):
                await connection.close()
                return False
        self._claims.append(connection)
        return True

    async def listen(self, hears: Hears) -> None:
        """Listen in a connection of its own, which is made anew whenever it ends."""
        listener = Listener(self._connect, hears)
        self._listeners.append(listener)
        await listener.begun()

    async def close(self) -> None:
        """Close every connection."""
        for listener in self._listeners:
            await listener.close()
        self._listeners.clear()
        for connection in self._claims:
            await connection.close()
        self._claims.clear()
        await self._async_engine.dispose()

    def _ask(self, unit: Unit[T]) -> T:
        with self._plain.connect() as connection:
            return _marked(unit, connection)

    def _ask_once(self, unit: Unit[T]) -> T:
        with self._plain.connect() as connection:
            return _marked(unit, connection, once=True)

    def _change(self, unit: Unit[T]) -> T:
        with self._engine.begin() as connection:
            return _marked(unit, connection)

    def _change_durably(self, unit: Unit[T]) -> T:
        def on_the_disk(connection: Connection) -> T:
            connection.exec_driver_sql("SET LOCAL synchronous_commit = on")
            return unit(connection)

        return self._change(on_the_disk)

    async def _tried(self, attempt: Callable[[Unit[T]], T], unit: Unit[T]) -> T:
        with translated(self._location):
            for _ in range(_AGAIN):
                try:
                    return await greenlet_spawn(attempt, unit)
                except _Undone:
                    continue
            try:
                return await greenlet_spawn(attempt, unit)
            except _Undone as undone:
                raise undone.cause from None


class _Undone(Exception):
    """A unit failed before its commit in a way that is worth another try."""

    def __init__(self, cause: exc.DBAPIError) -> None:
        super().__init__(str(cause))
        self.cause = cause


def _marked(unit: Unit[T], connection: Connection, *, once: bool = False) -> T:
    """Run the unit; raise `_Undone` where it surely changed nothing: a race was lost, or the server hung up before a commit.

    With `once` each statement is its own commit, so that only what was never sent is sure.
    """
    try:
        return unit(connection)
    except exc.DBAPIError as error:
        was_never_sent = isinstance(getattr(error.orig, "__cause__", None), asyncpg.InterfaceError | asyncpg.InternalClientError)
        if was_never_sent and not connection.invalidated:
            connection.invalidate()
        if was_never_sent or sqlstate(error) in _LOST_A_RACE or (error.connection_invalidated and not once):
            raise _Undone(error) from error
        raise


def _refuse_closed(_connection: object, record: ConnectionPoolEntry, _proxy: object) -> None:
    """Let the pool connect anew where the server has hung up meanwhile; what is known already costs no round trip."""
    if record.driver_connection is None or record.driver_connection.is_closed():
        raise exc.DisconnectionError


async def open_postgres(location: PostgresServer, patience: float) -> PostgresDatabase:
    """Connect. Raises `StorageUnavailable` when the server cannot be reached or refuses us."""
    settings = {
        "application_name": "coterie",
        "lock_timeout": f"{round(patience * 1000)}ms",
        # See `Database.write`.
        "synchronous_commit": "off",
        # Every question here goes by a key; to plan it anew each time costs the server more than to answer it.
        "plan_cache_mode": "force_generic_plan",
    }

    async def connect() -> asyncpg.Connection:
        # asyncpg reads the address itself, so that every option of PostgreSQL's own clients holds (sslmode, a socket's folder, a service).
        return await asyncpg.connect(location.dsn, timeout=_CONNECT_WITHIN, command_timeout=60, server_settings=settings)

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_size=5,
        max_overflow=5,
        pool_timeout=_CONNECT_WITHIN,
        json_serializer=to_json,
        json_deserializer=orjson.loads,
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    database = PostgresDatabase(location, engine, connect)
    try:
        await database.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar_one())
    except BaseException:
        await database.close()
        raise
    return database
