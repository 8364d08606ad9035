"""What has changed in a database, told to every process on it within the change itself, so that nobody goes on with what was remembered.

SQLite has one process, which knows what it does; PostgreSQL carries tidings with its NOTIFY, and only those of changes that were committed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

WORKSPACE = "workspace"
"""Cast, settings and lists of a workspace are of another version."""
PERSON = "person"
"""What a person has set is."""

CHANNEL = "coterie"
_LONGEST = 7_000
"""Bytes; PostgreSQL takes fewer than 8,000 (PostgreSQL docs, NOTIFY)."""

_TELL = sa.select(sa.func.pg_notify(CHANNEL, bindparam("tiding")))


@dataclass(frozen=True, slots=True)
class Tiding:
    """Something of this kind is in the database in this version now; without a `key`, nobody can say what."""

    kind: str
    version: int
    key: str = ""

    def __str__(self) -> str:
        """As it is told."""
        return f"{self.kind} {self.version} {self.key}"

    @classmethod
    def read(cls, told: str) -> "Tiding | None":
        """What `str` made; nothing of what another program said."""
        kind, version, key = (*told.split(" ", 2), "", "")[:3]
        return cls(kind, int(version), key) if kind in (WORKSPACE, PERSON) and version.isascii() and version.isdigit() else None


class Hears(Protocol):
    """Who is told."""

    def heard(self, tiding: Tiding) -> None:
        """Something has changed."""
        ...

    def missed(self) -> None:
        """Anything may have changed."""
        ...


def tell(connection: Connection, tiding: Tiding) -> None:
    """Tell every process, when what `connection` is doing is committed."""
    if connection.dialect.name == "postgresql":
        told = str(tiding)
        connection.execute(_TELL, {"tiding": told if len(told.encode()) <= _LONGEST else str(Tiding(tiding.kind, tiding.version))})


@dataclass(frozen=True, slots=True)
class Remembering:
    """Hands tidings to those who remember something: a workspace or a person has another version now, or everything is to be forgotten."""

    workspace: Callable[[str, int], None]
    person: Callable[[str, int], None]
    everything: Callable[[], None]

    def heard(self, tiding: Tiding) -> None:
        """See `Hears`."""
        if not tiding.key:
            self.everything()
        elif tiding.kind == WORKSPACE:
            self.workspace(tiding.key, tiding.version)
        else:
            self.person(tiding.key, tiding.version)

    def missed(self) -> None:
        """See `Hears`."""
        self.everything()
