"""A change that leads to others, made as one: PostgreSQL takes it as one statement, SQLite one statement after another.

Both do the same: the first change gives a row or none, and the others happen when it gave one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Row, bindparam
from sqlalchemy.sql.dml import ReturningInsert, ReturningUpdate, UpdateBase

from coterie.storage.database import Database

Others = Callable[[ColumnElement[bool]], Sequence[UpdateBase]]
"""Makes the further changes. Each bears the condition it is given, and names every column it writes, since no default is filled in."""


class Together:
    """Statements that are one change. Every value is a named parameter, and one row of parameters serves them all."""

    def __init__(self, first: ReturningInsert[Any] | ReturningUpdate[Any], others: Others) -> None:
        happened = first.cte("first")
        self._first = first
        self._others = others(sa.true())
        further = others(sa.exists(sa.select(sa.literal_column("1")).select_from(happened)))
        self._joined = sa.select(happened).add_cte(*(change.cte(f"other_{number}") for number, change in enumerate(further)))

    async def make(self, database: Database, row: Mapping[str, Any]) -> Row[Any] | None:
        """Make the change; the row that its first statement gave."""
        if database.joins_changes:
            return await database.single(lambda connection: self.within(connection, row))
        return await database.write(lambda connection: self.within(connection, row), durable=False)

    def within(self, connection: Connection, row: Mapping[str, Any]) -> Row[Any] | None:
        """Make the change as a part of what `connection` is doing."""
        if connection.dialect.name == "postgresql":
            return connection.execute(self._joined, row).one_or_none()
        found: Row[Any] | None = connection.execute(self._first, row).one_or_none()
        if found is not None:
            for change in self._others:
                connection.execute(change, row)
        return found


def rows(table: sa.Table, columns: Sequence[str], count: int, given: ColumnElement[bool]) -> sa.Select[Any] | sa.CompoundSelect[Any]:
    """`count` rows of parameters `TABLE_NUMBER_COLUMN`, in order, as something to insert from."""
    each = [
        sa.select(*(bindparam(f"{table.name}_{number}_{column}", type_=table.c[column].type) for column in columns)).where(given)
        for number in range(count)
    ]
    return each[0] if count == 1 else sa.union_all(*each)


def parameters(table: sa.Table, values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The parameters that `rows` asks for."""
    return {f"{table.name}_{number}_{column}": value for number, row in enumerate(values) for column, value in row.items()}
