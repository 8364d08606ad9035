"""What a database says when it fails, as one sentence for a person. Broken unique rules are not failures; the stores answer for them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from coterie.ports.stores import StorageUnavailable

_SQLITE = (
    (("SQLITE_BUSY", "SQLITE_LOCKED"), "{where} is locked by another program; close that program or try again in a moment."),
    (("SQLITE_FULL",), "The disk is full, so {where} cannot be written; what was kept before is safe."),
    (("SQLITE_READONLY", "SQLITE_PERM"), "{where} may not be written; check the permissions of the file and its folder."),
    (("SQLITE_CANTOPEN",), "{where} cannot be opened; check that its folder exists and may be written."),
    (("SQLITE_IOERR",), "The disk failed while {where} was used; nothing more is written until that is repaired."),
    (("SQLITE_CORRUPT", "SQLITE_NOTADB"), "{where} is damaged; the newest good copies are in the folder backups beside it."),
)
_POSTGRES = (
    (("53100",), "The disk of {where} is full; what was kept before is safe."),
    (("25006",), "{where} takes no changes at present (it is read-only)."),
    (("28",), "{where} refuses the user or the password in DATABASE_URL."),
    (("3D000",), "{where} does not exist; create the database first."),
    (("42501",), "The user in DATABASE_URL may not do this in {where}."),
    (("53300", "57P"), "{where} takes no more connections at present."),
    (("08",), "{where} cannot be reached."),
    (("40P01", "40001", "55P03", "57014"), "{where} was too busy; try again in a moment."),
)


@contextmanager
def translated(where: object) -> Iterator[None]:
    """Raise `StorageUnavailable` in place of whatever a driver raises; a broken unique or foreign key passes as it is."""
    try:
        yield
    except exc.IntegrityError:
        raise
    except (exc.DBAPIError, sqlite3.Error, exc.TimeoutError) as error:
        sentence = _sentence(getattr(error, "orig", None) or error)
        if sentence is None:
            raise
        raise StorageUnavailable(_begin(sentence.format(where=where))) from error
    except OSError as error:
        raise StorageUnavailable(_begin(f"{where} cannot be reached ({error.strerror or error}).")) from error


def is_locked(error: BaseException) -> bool:
    """Whether another program holds a SQLite file just now."""
    cause = error.__cause__
    name = getattr(getattr(cause, "orig", None) or cause, "sqlite_errorname", None) or ""
    return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def belongs_to_nothing(error: exc.IntegrityError) -> bool:
    """Whether what a row refers to is not there."""
    return sqlstate(error) == "23503" or getattr(error.orig, "sqlite_errorname", "") == "SQLITE_CONSTRAINT_FOREIGNKEY"


def sqlstate(error: BaseException) -> str:
    """PostgreSQL's five-letter code of what went wrong, or nothing."""
    return str(getattr(getattr(error, "orig", None) or error, "sqlstate", None) or "")


def _sentence(cause: BaseException) -> str | None:
    """The sentence for a driver's error; nothing where the fault is in our own statement."""
    if isinstance(cause, sqlite3.Error):
        name = getattr(cause, "sqlite_errorname", None) or ""
        is_ours = isinstance(cause, sqlite3.ProgrammingError) or name == "SQLITE_ERROR"
        return _pick(_SQLITE, name) or (None if is_ours else "{where} failed: " + _plain(cause))
    state = sqlstate(cause)
    return _pick(_POSTGRES, state) or (None if state[:2] in {"22", "42"} else "{where} failed: " + _plain(cause))


def _pick(table: tuple[tuple[tuple[str, ...], str], ...], code: str) -> str | None:
    return next((sentence for starts, sentence in table if code.startswith(starts)), None) if code else None


def _plain(cause: BaseException) -> str:
    """A driver's own words on one line, with braces that `format` leaves alone."""
    return " ".join(str(cause).split()).rstrip(".").replace("{", "{{").replace("}", "}}") + "."


def _begin(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:] if sentence.startswith("the ") else sentence
