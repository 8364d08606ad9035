"""Pictures as flows see them: bytes go in, a path below `/v1/avatars/` comes out."""

from typing import Protocol

from coterie.domain.ids import WorkspaceId


class PictureRefused(Exception):
    """Bytes that are no usable picture; the text is one sentence for a person."""


class Pictures(Protocol):
    """Faces on disk. Files are named by their content, so an equal picture is stored once and a path never changes its meaning."""

    async def keep_avatar(self, workspace: WorkspaceId, picture: bytes) -> str:
        """Normalise to PNG (at most 512 pixels a side) and store; the path to serve it by. Raises `PictureRefused`."""
        ...

    async def read(self, path: str) -> bytes | None:
        """The PNG behind a path, bundled ones too; nothing when it is gone."""
        ...

    async def drop(self, path: str) -> None:
        """Remove a stored picture; bundled ones stay."""
        ...
