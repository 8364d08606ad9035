"""Pictures that nobody shows any more. Equal ones are one file, so the whole cast is asked first."""

from collections.abc import Iterable

from coterie.domain.ids import WorkspaceId
from coterie.ports.media import Pictures
from coterie.ports.stores import Casts


async def drop_unused(casts: Casts, pictures: Pictures, workspace: WorkspaceId, paths: Iterable[str]) -> None:
    """Remove those of the pictures that no persona of the workspace has, as face or sprite. Raises `StorageUnavailable`."""
    cast = await casts.cast(workspace)
    for path in dict.fromkeys(paths):
        if not cast.shows(path):
            await pictures.drop(path)
