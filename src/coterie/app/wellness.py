"""Whether anything new can be kept, tried out: what a look at what is there cannot tell."""

import asyncio
import errno
import os
from datetime import UTC, datetime
from pathlib import Path

from coterie.app.home import Home
from coterie.ports.stores import StoreError
from coterie.storage.opening import Storage

PATIENCE_SECONDS = 1.0
"""A change takes a millisecond; one that has to wait for longer than this waits for somebody else."""
_TRIAL_BYTES = 64 * 1024
_BEFORE_EVERYTHING = datetime(1970, 1, 1, tzinfo=UTC)


async def troubles(storage: Storage, home: Home) -> tuple[str, ...]:
    """Sentences about what keeps changes from being kept: the disk, where the database lies in the home, or the database itself."""
    found = await asyncio.to_thread(_trouble_of_disk, home.folder) if home.database.exists() else ""
    return (found,) if found else await _troubles_of_database(storage)


async def _troubles_of_database(storage: Storage) -> tuple[str, ...]:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            # A change like any other, for which there is nothing to do.
            await storage.conversations.forget_decisions(_BEFORE_EVERYTHING)
    except TimeoutError:
        return ("The database is locked by another program, or too busy; nothing can be kept at present.",)
    except StoreError as error:
        return (str(error),)
    return ()


def _trouble_of_disk(folder: Path) -> str:
    """Why nothing can be written into a folder; empty when it can. An empty change would not notice."""
    trial = folder / f".trial.{os.getpid()}"
    try:
        trial.write_bytes(bytes(_TRIAL_BYTES))
    except OSError as error:
        is_full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        return f"The disk of {folder} is full; nothing new can be kept." if is_full else f"{folder} cannot be written: {error.strerror}."
    finally:
        trial.unlink(missing_ok=True)
    return ""
