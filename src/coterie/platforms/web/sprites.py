"""Sprites of a persona over HTTP: list, put, change, remove. What they do in a talk is specification 000's copied rendering."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Query, UploadFile

from coterie.domain.ids import WorkspaceId
from coterie.domain.personas.sprites import MOST_INSTRUCTIONS, MOST_NAME, Sprite
from coterie.flows.manage.sprites import SpriteShelf, edit_sprite, put_sprite, remove_sprite
from coterie.platforms.web.asked import AskedHouse, AskedWorkspace, persona_in
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import refusals
from coterie.platforms.web.shapes import Done
from coterie.platforms.web.shapes_setup import SpriteBody, SpriteList
from coterie.ports.sprites import SpriteChange

router = APIRouter(tags=["personas"])

_Name = Annotated[str, Query(description="The sprite's name, whatever its case and blanks.", min_length=1, max_length=200)]
_Picture = File(description="The picture: PNG, JPEG, WebP or GIF; it is kept as PNG of at most 512 pixels a side.")
_NEW_NAME = f"The label: at most {MOST_NAME} characters, without parentheses and colons."
_WHEN = f"When it is meant to be used; the model reads it. At most {MOST_INSTRUCTIONS} characters."
_IDENTITY = "Whether its name is shown in front of the persona's."


@router.get("/v1/personas/{handle}/sprites", responses=refusals(404))
async def list_sprites(house: AskedHouse, workspace: AskedWorkspace, handle: str) -> SpriteList:
    """The sprites of a persona in the order in which they were made; a prompt names the first twenty."""
    persona = persona_in(await house.casts.cast(workspace), handle)
    return SpriteList(sprites=[_body(sprite) for sprite in persona.sprites])


@router.put("/v1/personas/{handle}/sprites", responses=refusals(404, 409, 422))
async def put_a_sprite(
    *,
    house: AskedHouse,
    workspace: AskedWorkspace,
    handle: str,
    file: Annotated[UploadFile, _Picture],
    name: Annotated[str, Form(max_length=200, description=_NEW_NAME)],
    usage_instructions: Annotated[str, Form(max_length=2000, description=_WHEN)] = "",
    is_identity: Annotated[bool, Form(description=_IDENTITY)] = False,
) -> SpriteBody:
    """Add a sprite, or replace the one of this name whole, its picture and flag too. A persona can have 50."""
    persona = persona_in(await house.casts.cast(workspace), handle)
    wanted = Sprite(name, "", usage_instructions, is_identity)
    changed = await put_sprite(_shelf(house, workspace), persona.handle, wanted, await file.read())
    assert changed.now is not None
    return _body(changed.now)


@router.patch("/v1/personas/{handle}/sprites", responses=refusals(404, 409, 422))
async def change_a_sprite(
    *,
    house: AskedHouse,
    workspace: AskedWorkspace,
    handle: str,
    name: _Name,
    file: Annotated[UploadFile | None, _Picture] = None,
    new_name: Annotated[str | None, Form(max_length=200, description=_NEW_NAME)] = None,
    usage_instructions: Annotated[str | None, Form(max_length=2000, description=_WHEN)] = None,
    is_identity: Annotated[bool | None, Form(description=_IDENTITY)] = None,
) -> SpriteBody:
    """Change what is sent of a sprite. A name that another sprite of the persona has is refused (409)."""
    persona = persona_in(await house.casts.cast(workspace), handle)
    change = SpriteChange(new_name, None, usage_instructions, is_identity)
    picture = None if file is None else await file.read()
    changed = await edit_sprite(_shelf(house, workspace), persona.handle, name, change, picture)
    assert changed.now is not None
    return _body(changed.now)


@router.delete("/v1/personas/{handle}/sprites", responses=refusals(404))
async def remove_a_sprite(house: AskedHouse, workspace: AskedWorkspace, handle: str, name: _Name) -> Done:
    """Remove a sprite and its picture."""
    persona = persona_in(await house.casts.cast(workspace), handle)
    await remove_sprite(_shelf(house, workspace), persona.handle, name)
    return Done()


def _shelf(house: House, workspace: WorkspaceId) -> SpriteShelf:
    return SpriteShelf(house.casts, house.sprites, house.pictures, workspace)


def _body(sprite: Sprite) -> SpriteBody:
    return SpriteBody(name=sprite.name, avatar=sprite.picture, usage_instructions=sprite.instructions, is_identity=sprite.is_identity)
