from pathlib import Path

import pytest

from coterie.ports.stores import StorageUnavailable
from coterie.storage.location import PostgresServer, SqliteFile, read_location

HOME = Path("/home/ann/coterie")


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("", SqliteFile(HOME / "coterie.db")),
        ("  ", SqliteFile(HOME / "coterie.db")),
        ("sqlite:////data/talk.db", SqliteFile(Path("/data/talk.db"))),
        ("sqlite:///talk.db", SqliteFile(Path("talk.db"))),
        ("sqlite+aiosqlite:////data/talk.db", SqliteFile(Path("/data/talk.db"))),
        ("/data/talk.db", SqliteFile(Path("/data/talk.db"))),
        ("/Data/Talk.DB", SqliteFile(Path("/Data/Talk.DB"))),
        ("postgresql://ann:pw@host:1/talk?sslmode=require", PostgresServer("postgresql://ann:pw@host:1/talk?sslmode=require")),
        ("postgres://host/talk", PostgresServer("postgresql://host/talk")),
        ("postgresql+asyncpg://host/talk", PostgresServer("postgresql://host/talk")),
    ],
)
def test_an_address_is_understood(url, location):
    assert read_location(url, HOME) == location


@pytest.mark.parametrize("url", ["mysql://host/talk", "sqlite://", "sqlite:///", "http://host"])
def test_an_address_that_is_none(url):
    with pytest.raises(StorageUnavailable, match="DATABASE_URL takes"):
        read_location(url, HOME)


@pytest.mark.parametrize(
    ("dsn", "shown"),
    [
        ("postgresql://ann:secret@host:1/talk", "PostgreSQL at host:1/talk"),
        ("postgresql://ann:secret@host/talk?sslmode=require", "PostgreSQL at host/talk"),
        ("postgresql:///talk?host=/run/pg&password=secret", "PostgreSQL at localhost/talk"),
        ("postgresql://ann:secret@[::1]/talk", "PostgreSQL at [::1]/talk"),
        ("postgresql://ann:secret@one:1,two:2/talk", "PostgreSQL at one:1,two:2/talk"),
        ("postgresql://ann:p@secret@host/talk", "PostgreSQL at host/talk"),
    ],
)
def test_a_password_is_never_shown(dsn, shown):
    assert str(PostgresServer(dsn)) == shown
