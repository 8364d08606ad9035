"""A copy of a SQLite file that may be in use, whole or not at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

from coterie.ports.stores import StoreError

_PAGES_AT_ONCE = 1000


def copy_file(source: Path, target: Path) -> Path:
    """Copy the database `source` as it stands now to `target`; the folder is made. Raises `StoreError` when `target` is there already."""
    if target.exists():
        raise StoreError(f"{target} is there already; nothing was copied.")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    try:
        _copy(source, part)
        # A copy must not pretend to be good before all of it is there.
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target


def _copy(source: Path, part: Path) -> None:
    with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(part)) as copy:
        original.backup(copy, pages=_PAGES_AT_ONCE)
        found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreError(f"{source} is damaged, so it was not copied: {found}.")
