"""How a line of a persona looks on Discord: the names that it may bear, and its face, from what it wears (specification 000).

Which of the names is borne next to other lines is decided in `name_groups`; how a face is put on, in `wearing`.
"""

from dataclasses import dataclass

from coterie.domain.conversation import Appearance, Message, Worn
from coterie.domain.ids import PersonaId
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.speech.name_groups import Look
from coterie.domain.speech.shown_names import decorated
from coterie.platforms.discord.face_of import Faces, FaceWanted
from coterie.platforms.discord.faces import Face, NoFace
from coterie.ports.posts import ShownSprite
from coterie.ports.stores import StoreError


@dataclass(frozen=True, slots=True)
class Dress:
    """What a line is sent in."""

    look: Look
    face: Face


class Dresses:
    """Dresses of the personas of a guild."""

    def __init__(self, faces: Faces) -> None:
        self._faces = faces

    async def plain(self, guild: int, cast: Cast, persona: Persona) -> Dress:
        """The usual look."""
        face = await self._faces.face(FaceWanted(cast.workspace, persona.id, guild, persona.avatar))
        return Dress(Look.of((persona.id, "plain", persona.avatar), persona.name, str(persona.handle)), face)

    async def worn(self, guild: int, cast: Cast, persona: Persona, appearance: Appearance) -> Dress | None:
        """What an appearance says; nothing where it cannot be shown any more, so that the line stays plain."""
        face = await self._face(guild, cast, persona, appearance)
        if face is None:
            return None
        label, of = appearance.label, (persona.id, appearance.kind, appearance.label, appearance.face)
        if appearance.kind is Worn.SPRITE:
            return Dress(Look.of(of, persona.name, label), face)
        # The label leads, so that the disguise reads naturally. The older form, source first, is read back as well.
        return Dress(Look(of, decorated(label, persona.name), decorated(persona.name, label)), face)

    async def can_show(self, guild: int, cast: Cast, persona: Persona, picture: str) -> bool:
        """Whether a sprite's picture is there."""
        try:
            return await self._faces.is_there(_sprite(guild, cast, persona, picture))
        except StoreError:
            return False

    async def _face(self, guild: int, cast: Cast, persona: Persona, appearance: Appearance) -> Face | None:
        if appearance.kind is Worn.PERSON:
            return await self._faces.of_user(guild, int(appearance.face)) if appearance.face.isdecimal() else None
        if appearance.kind is Worn.PERSONA:
            copied = cast.by_id(PersonaId(int(appearance.face))) if appearance.face.isdecimal() else None
            return None if copied is None else await self._faces.face(FaceWanted(cast.workspace, copied.id, guild, copied.avatar))
        face = await self._faces.face(_sprite(guild, cast, persona, appearance.face))
        return None if isinstance(face, NoFace) else face


def shown_sprite(line: Message) -> ShownSprite | None:
    """What is to be remembered of a line that a webhook sent: the sprite that its name does not tell."""
    worn = line.appearance
    return None if worn is None or worn.is_copied else ShownSprite(PersonaId(int(line.author.id)), worn.label)


def _sprite(guild: int, cast: Cast, persona: Persona, picture: str) -> FaceWanted:
    return FaceWanted(cast.workspace, persona.id, guild, picture, instead=persona.avatar or "")
