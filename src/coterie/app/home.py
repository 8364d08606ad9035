"""The one folder of an installation, and who owns it while it runs."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from filelock import FileLock, Timeout


class HomeUnusable(Exception):
    """The folder cannot be made or written; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Who runs on a home: its process, what it is (`serve`, `chat`, `say`, …), and where its API listens."""

    pid: int
    kind: str
    address: str
    token: str


@dataclass(frozen=True, slots=True)
class Home:
    """Where everything lies."""

    folder: Path

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / "coterie.db"

    @property
    def avatars(self) -> Path:
        """Stored pictures."""
        return self.folder / "data" / "avatars"

    @property
    def lock_file(self) -> Path:
        """Held while a process runs on this home; its owner is written beside it."""
        return self.folder / "coterie.lock"

    @property
    def owner_file(self) -> Path:
        """Readable by the user alone, since it holds a token."""
        return self.folder / "owner.json"

    @property
    def log_file(self) -> Path:
        """What went wrong, for whoever runs this."""
        return self.folder / "coterie.log"


def open_home(folder: str) -> Home:
    """Make the folder if it is missing. Raises `HomeUnusable`."""
    path = Path(folder).expanduser() if folder else Path(platformdirs.user_data_dir("coterie", appauthor=False))
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise HomeUnusable(f"The home {path} cannot be used: {error.strerror or error}.") from error
    return Home(path.resolve())


@contextmanager
def private_files(home: Home) -> Iterator[None]:
    """What lies in the home is for the user alone, also in a folder that others may look into: files that are made meanwhile, and those
    that are there. What SQLite puts beside its file later takes over that file's rights."""
    for file in home.folder.glob("coterie.*"):
        if file.is_file():
            file.chmod(0o600)
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


class HomeLock:
    """The lock of a home. Held by the operating system, so it is gone with the process, however that ends."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._lock = FileLock(home.lock_file, mode=0o600, is_singleton=False)

    def take(self) -> bool:
        """Take the lock; false when another process holds it."""
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        self._home.owner_file.unlink(missing_ok=True)
        return True

    def announce(self, owner: Owner) -> None:
        """Tell other processes where to find the API."""
        text = json.dumps({"pid": owner.pid, "kind": owner.kind, "address": owner.address, "token": owner.token})
        draft = self._home.folder / f".owner.{owner.pid}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        draft.replace(self._home.owner_file)

    def release(self) -> None:
        """Give the home free."""
        if self._lock.is_locked:
            self._home.owner_file.unlink(missing_ok=True)
            self._lock.release()


def owner_of(home: Home) -> Owner | None:
    """Who says that it runs on this home; only to be trusted while the lock is held."""
    try:
        found = json.loads(home.owner_file.read_text())
        return Owner(int(found["pid"]), str(found["kind"]), str(found["address"]), str(found["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
