"""Changing the sprites of a persona. Those that there are belong to the persona in its cast."""

from dataclasses import dataclass
from typing import Protocol

from coterie.domain.ids import Handle, WorkspaceId
from coterie.domain.personas.sprites import Sprite
from coterie.ports.stores import StoreError


class SpritesFull(StoreError):
    """The persona has as many sprites as it may have."""


class SpriteTaken(StoreError):
    """Another sprite of the persona has this name (compared by its key)."""


@dataclass(frozen=True, slots=True)
class SpriteChange:
    """What to change of a sprite; nothing stays what it is."""

    name: str | None = None
    picture: str | None = None
    instructions: str | None = None
    is_identity: bool | None = None


@dataclass(frozen=True, slots=True)
class SpriteChanged:
    """A sprite as it is now, nothing where it was removed; and as it was, nothing where it is new."""

    now: Sprite | None
    before: Sprite | None


class Sprites(Protocol):
    """The sprites of all personas. Each method is one change, after which every process sees the cast anew. All raise `NotFound`."""

    async def put(self, workspace: WorkspaceId, handle: Handle, sprite: Sprite) -> SpriteChanged:
        """Add a sprite, or put it in the place of the one with its key, whose number in the order it takes. Raises `SpritesFull`."""
        ...

    async def edit(self, workspace: WorkspaceId, handle: Handle, name: str, change: SpriteChange) -> SpriteChanged:
        """Change the sprite of this name in place. Raises `SpriteTaken` where it would take the name of another one."""
        ...

    async def remove(self, workspace: WorkspaceId, handle: Handle, name: str) -> SpriteChanged:
        """Remove the sprite of this name."""
        ...
