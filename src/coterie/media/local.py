"""Faces in a local folder. Files are named by the hash of their content; no name or path from outside ever becomes one on disk."""

import asyncio
import errno
import hashlib
import os
import re
import secrets
from importlib import resources
from pathlib import Path

from coterie.domain.ids import WorkspaceId
from coterie.media.normalise import normalise
from coterie.ports.media import PicturesUnavailable

_KEPT = re.compile(r"servers/[a-z0-9-]{1,80}/personas/[0-9a-f]{64}\.png")
_BUNDLED = re.compile(r"presets/([a-z0-9-]{1,64}\.png)")
_PLAIN_WORKSPACE = re.compile(r"local|(?:discord|dm):[a-z0-9]{1,40}")


class LocalPictures:
    """Pictures below `home`/data/avatars, laid out as in specification 000: `servers/WORKSPACE/personas/HASH.png`."""

    def __init__(self, home: Path) -> None:
        """Nothing is made before the first picture is kept."""
        self._root = home / "data" / "avatars"
        # Decoding takes up to 100 MB for a moment; two at a time are enough for any machine.
        self._decoding = asyncio.Semaphore(2)

    async def keep_avatar(self, workspace: WorkspaceId, picture: bytes) -> str:
        """See `ports.media.Pictures`."""
        png = await self._normalised(picture)
        path = _path(workspace, png)
        await asyncio.to_thread(self._write, path, png)
        return path

    async def avatar_path(self, workspace: WorkspaceId, picture: bytes) -> str:
        """See `ports.media.Pictures`."""
        return _path(workspace, await self._normalised(picture))

    async def read(self, path: str) -> bytes | None:
        """See `ports.media.Pictures`. A path that this class would not have given is answered with nothing."""
        if bundled := _BUNDLED.fullmatch(path):
            return await asyncio.to_thread(_read_bundled, bundled[1])
        return await asyncio.to_thread(self._read, path) if _KEPT.fullmatch(path) else None

    async def drop(self, path: str) -> None:
        """See `ports.media.Pictures`."""
        if _KEPT.fullmatch(path):
            await asyncio.to_thread(self._remove, path)

    async def _normalised(self, picture: bytes) -> bytes:
        async with self._decoding:
            return await asyncio.to_thread(normalise, picture)

    def _read(self, path: str) -> bytes | None:
        try:
            return (self._root / path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unavailable(error) from error

    def _write(self, path: str, png: bytes) -> None:
        """Write whole or not at all: a reader never sees half a picture, and a full disk leaves nothing behind."""
        target = self._root / path
        part = target.with_name(f".{secrets.token_hex(8)}.part")
        try:
            if target.exists():
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with part.open("xb") as file:
                    file.write(png)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise _unavailable(error) from error

    def _remove(self, path: str) -> None:
        try:
            (self._root / path).unlink(missing_ok=True)
        except OSError as error:
            raise _unavailable(error) from error


def _path(workspace: WorkspaceId, png: bytes) -> str:
    return f"servers/{_folder(workspace)}/personas/{hashlib.sha256(png).hexdigest()}.png"


def _folder(workspace: WorkspaceId) -> str:
    """A folder name for a workspace, the same on systems that tell letter case apart and on those that do not."""
    if _PLAIN_WORKSPACE.fullmatch(workspace):
        return workspace.replace(":", "-")
    return f"other-{hashlib.sha256(workspace.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _read_bundled(name: str) -> bytes | None:
    picture = resources.files("coterie.media") / "presets" / name
    return picture.read_bytes() if picture.is_file() else None


def _unavailable(error: OSError) -> PicturesUnavailable:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return PicturesUnavailable("The picture could not be stored because the disk is full.")
    return PicturesUnavailable(f"The folder for pictures cannot be used: {error.strerror or 'unknown reason'}.")
