"""What every table is made of: the register of tables, and columns that read the same from both databases."""

from datetime import UTC, datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from coterie.storage.border import clean

METADATA = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""A row number; SQLite counts its rows by itself only in a plain INTEGER."""


class Words(sa.types.TypeDecorator[str]):
    """Text of any length, without what PostgreSQL and UTF-8 refuse."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        """Clean what goes in, also what is only looked for."""
        return None if value is None else clean(value)


_AWARE = "%(year)04d-%(month)02d-%(day)02dT%(hour)02d:%(minute)02d:%(second)02d.%(microsecond)06d+00:00"
# SQLAlchemy has no types for the arguments of its SQLite types.
_TEXT = cast("Any", sqlite.DATETIME)(storage_format=_AWARE)


class Moment(sa.types.TypeDecorator[datetime]):
    """An aware moment. SQLite keeps it as text in UTC, in the form of RFC 3339, which sorts and reads back aware without further work."""

    impl = sa.DateTime(timezone=True).with_variant(_TEXT, "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Whatever its zone, it goes in as UTC."""
        return None if value is None else value.astimezone(UTC)


def now() -> datetime:
    """The present moment, for the `created_at` and `updated_at` of rows whose time nobody asks about."""
    return datetime.now(UTC)


def made_at() -> sa.Column[datetime]:
    """When the row was written first."""
    return sa.Column("created_at", Moment, nullable=False, default=now)


def changed_at() -> sa.Column[datetime]:
    """When the row was written last."""
    return sa.Column("updated_at", Moment, nullable=False, default=now, onupdate=now)
