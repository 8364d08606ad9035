"""Where the database is: a file, or a PostgreSQL server. Reads the address only; opens nothing."""

from dataclasses import dataclass
from pathlib import Path

from coterie.ports.stores import StorageUnavailable

FILE_NAME = "coterie.db"


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A file on this machine."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A database on a server; `dsn` may hold a password and is never shown."""

    dsn: str

    def __str__(self) -> str:
        rest = self.dsn.partition("://")[2].partition("?")[0]
        host, _, name = rest.rpartition("@")[2].partition("/")
        return f"PostgreSQL at {host or 'localhost'}/{name}"


Location = SqliteFile | PostgresServer


def read_location(url: str, home: Path) -> Location:
    """Understand `postgresql://…` (or `postgres://…`), `sqlite:///PATH`, a path, or nothing: `coterie.db` in the home.

    Raises `StorageUnavailable` for anything else.
    """
    scheme, separator, rest = url.strip().partition("://")
    match scheme.lower().partition("+")[0]:
        case "":
            return SqliteFile(home / FILE_NAME)
        case "postgres" | "postgresql" if separator:
            return PostgresServer(f"postgresql://{rest}")
        case "sqlite" if separator and rest.startswith("/") and len(rest) > 1:
            return SqliteFile(Path(rest[1:]))
        case _ if not separator:
            return SqliteFile(Path(scheme).expanduser())
        case _:
            raise StorageUnavailable("DATABASE_URL takes postgresql://… or sqlite:///PATH.")
