"""A persona becomes a character card that can be taken elsewhere."""

import asyncio
from functools import partial

from coterie.domain.ids import WorkspaceId
from coterie.domain.personas.cards import CardFormat, read_card, write_card
from coterie.domain.personas.persona import Cast, Persona
from coterie.ports.media import PictureRefused, Pictures
from coterie.ports.stores import CardOriginal, Casts, NotFound


async def export_persona(casts: Casts, pictures: Pictures, workspace: WorkspaceId, handle: str, card_format: CardFormat) -> bytes:
    """The persona as a file. One that was imported takes along everything it came with; one without a face has main's.

    Raises `NotFound`, `StorageUnavailable`.
    """
    cast = await casts.cast(workspace)
    persona = cast.by_handle(handle)
    if persona is None:
        raise NotFound(f"There is no persona {handle!r} here.")
    original = await casts.original(persona.id)
    face = await _face(pictures, cast, persona)
    write = partial(
        write_card,
        persona.content,
        card_format,
        original=original.data if original is not None else None,
        picture=face,
        is_new_picture=await _is_new(pictures, workspace, persona, original),
        base_words=cast.base_words,
    )
    return await asyncio.to_thread(write)


async def _face(pictures: Pictures, cast: Cast, persona: Persona) -> bytes | None:
    """The persona's picture, or main's when it has none."""
    main = cast.main.avatar if cast.main is not None else None
    for path in (persona.avatar, main):
        if path is not None and (picture := await pictures.read(path)) is not None:
            return picture
    return None


async def _is_new(pictures: Pictures, workspace: WorkspaceId, persona: Persona, original: CardOriginal | None) -> bool:
    """Whether the persona's picture is another one than its card's."""
    if original is None or persona.avatar is None:
        return original is None
    picture = (await asyncio.to_thread(read_card, original.data)).picture
    if picture is None:
        # It came without one and wears main's, or it was given one later; neither is the card's.
        return True
    try:
        return await pictures.avatar_path(workspace, picture) != persona.avatar
    except PictureRefused:
        return True
