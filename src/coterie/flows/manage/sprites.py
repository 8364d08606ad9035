"""Sprites from outside: the picture is kept, then the sprite; what no persona shows any more is removed. Used by every place that edits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from coterie.domain.ids import Handle, WorkspaceId
from coterie.domain.personas.limits import judge_sprite, tidy_name, tidy_text
from coterie.domain.personas.sprites import Sprite
from coterie.flows.manage.pictures import drop_unused
from coterie.ports.media import Pictures
from coterie.ports.sprites import SpriteChange, SpriteChanged, Sprites
from coterie.ports.stores import Casts


@dataclass(frozen=True, slots=True)
class SpriteShelf:
    """Where sprites of one workspace and their pictures are kept."""

    casts: Casts
    sprites: Sprites
    pictures: Pictures
    workspace: WorkspaceId


async def put_sprite(shelf: SpriteShelf, handle: Handle, wanted: Sprite, picture: bytes) -> SpriteChanged:
    """Add a sprite, or replace the one of its name whole, identity flag too (specification 000); `wanted.picture` is left out of account.

    Raises `ContentRefused`, `PictureRefused`, `NotFound`, `SpritesFull`, `StorageUnavailable`; then nothing has changed.
    """
    sprite = replace(wanted, name=tidy_name(wanted.name), instructions=tidy_text(wanted.instructions))
    judge_sprite(sprite.name, sprite.instructions)
    async with _kept(shelf, picture) as path:
        changed = await shelf.sprites.put(shelf.workspace, handle, replace(sprite, picture=path))
    await _drop_replaced(shelf, changed)
    return changed


async def edit_sprite(shelf: SpriteShelf, handle: Handle, name: str, change: SpriteChange, picture: bytes | None = None) -> SpriteChanged:
    """Change a sprite in place; its picture only where one is given. Raises as `put_sprite` does, and `SpriteTaken`."""
    tidy = replace(
        change,
        name=None if change.name is None else tidy_name(change.name),
        instructions=None if change.instructions is None else tidy_text(change.instructions),
    )
    judge_sprite(tidy.name, tidy.instructions)
    if picture is None:
        return await shelf.sprites.edit(shelf.workspace, handle, name, tidy)
    async with _kept(shelf, picture) as path:
        changed = await shelf.sprites.edit(shelf.workspace, handle, name, replace(tidy, picture=path))
    await _drop_replaced(shelf, changed)
    return changed


async def remove_sprite(shelf: SpriteShelf, handle: Handle, name: str) -> SpriteChanged:
    """Remove a sprite and its picture. Raises `NotFound`, `StorageUnavailable`."""
    changed = await shelf.sprites.remove(shelf.workspace, handle, name)
    await _drop_replaced(shelf, changed)
    return changed


async def _drop_replaced(shelf: SpriteShelf, changed: SpriteChanged) -> None:
    if changed.before is not None:
        await drop_unused(shelf.casts, shelf.pictures, shelf.workspace, [changed.before.picture])


@asynccontextmanager
async def _kept(shelf: SpriteShelf, picture: bytes) -> AsyncIterator[str]:
    """Keep a picture for as long as the block succeeds."""
    path = await shelf.pictures.keep_avatar(shelf.workspace, picture)
    is_kept = False
    try:
        yield path
        is_kept = True
    finally:
        if not is_kept:
            await drop_unused(shelf.casts, shelf.pictures, shelf.workspace, [path])
