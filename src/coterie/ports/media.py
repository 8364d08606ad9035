"""Pictures as flows see them: bytes go in, a path below `/v1/avatars/` comes out."""

from typing import Protocol

from coterie.domain.ids import WorkspaceId
from coterie.ports.stores import StorageUnavailable


class PictureRefused(Exception):
    """Bytes that are no usable picture; the text is one sentence for a person."""


class PicturesUnavailable(StorageUnavailable):
    """The place where pictures are kept cannot be written or read (full, read-only). Never to be read as "no picture"."""


class Pictures(Protocol):
    """Faces on disk. Files are named by their content, so an equal picture is stored once and a path never changes its meaning."""

    async def keep_avatar(self, workspace: WorkspaceId, picture: bytes) -> str:
        """Normalise to PNG (at most 512 pixels a side) and store; the path to serve it by.

        Raises `PictureRefused`, `PicturesUnavailable`.
        """
        ...

    async def avatar_path(self, workspace: WorkspaceId, picture: bytes) -> str:
        """The path that `keep_avatar` would return, without storing anything. Raises `PictureRefused`."""
        ...

    async def read(self, path: str) -> bytes | None:
        """The PNG behind a path, bundled ones too; nothing when it is gone. Raises `PicturesUnavailable`."""
        ...

    async def drop(self, path: str) -> None:
        """Remove a stored picture; bundled ones stay. Raises `PicturesUnavailable`."""
        ...
