"""The history of a channel as our own messages: who really said each of them.

The record of what we sent comes first. For what it does not know (older installations) the name decides, in the order of specification
000: webhook, bot user, person.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import aiohttp
import discord

from coterie.domain.conversation import Appearance, Message, Person, PersonaVoice, Worn
from coterie.domain.ids import MessageId, PersonaId
from coterie.domain.personas.naming import name_key
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.personas.sprites import sprite_key
from coterie.domain.speech.shown_names import read_name, shown_key
from coterie.platforms.discord import door
from coterie.platforms.discord.places import Spot
from coterie.platforms.discord.rings import LENGTH
from coterie.ports.posts import PostId, Posts, ShownSprite
from coterie.ports.stores import Casts

_SLACK = timedelta(seconds=15)
"""How far the clocks of Discord and of this machine may be apart."""


@dataclass(frozen=True, slots=True)
class OurPost:
    """A message of ours that no line is recorded for. `name` is the name it was shown under, nothing where the bot user wrote it."""

    id: int
    author: int
    name: str | None
    text: str


class Reading:
    """Reads what was said in a channel."""

    def __init__(self, client: discord.Client, posts: Posts, casts: Casts) -> None:
        self._client, self._posts, self._casts = client, posts, casts

    async def newest(self, here: Spot) -> Sequence[tuple[int, Message]]:
        """The newest messages with their snowflakes, oldest first; none where the channel cannot be read."""
        place = self._client.get_partial_messageable(here.channel, guild_id=here.guild)
        try:
            shown = [door.begun_from(message) async for message in place.history(limit=LENGTH)]
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return ()
        found = [message for message in shown if door.is_talk(message)]
        cast = await self._casts.cast(here.workspace)
        lines = await self._posts.lines([PostId(message.id) for message in found])
        unknown = [PostId(message.id) for message in found if PostId(message.id) not in lines and self._is_ours(message)]
        sprites = await self._posts.sprites(unknown)
        said = ((PostId(message.id), message) for message in reversed(found))
        return [(post, lines.get(post) or self._unrecorded(message, here, cast, sprites.get(post))) for post, message in said]

    async def ours_since(self, here: Spot, since: datetime) -> Sequence[OurPost]:
        """What was sent by us since then and is not recorded, oldest first."""
        place = self._client.get_partial_messageable(here.channel, guild_id=here.guild)
        found = []
        try:
            async for message in place.history(limit=LENGTH):
                if message.created_at < since - _SLACK:
                    break
                if self._is_ours(message):
                    name = message.author.name if message.webhook_id else None
                    found.append(OurPost(message.id, message.author.id, name, door.text_of(message)))
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return ()
        recorded = await self._posts.lines([PostId(post.id) for post in found])
        return [post for post in reversed(found) if PostId(post.id) not in recorded]

    def _is_ours(self, message: discord.Message) -> bool:
        if message.webhook_id is None:
            return self._client.user is not None and message.author.id == self._client.user.id
        return message.application_id is not None and message.application_id == self._client.application_id

    def source(self, message: discord.Message, cast: Cast) -> PersonaId | None:
        """Which persona said a message that is not recorded, by the name it was shown under."""
        author, _ = self._said_by(message, cast, None)
        return author.id if isinstance(author, PersonaVoice) else None

    def _unrecorded(self, message: discord.Message, here: Spot, cast: Cast, sprite: ShownSprite | None) -> Message:
        reference = message.reference
        reply_to = MessageId(str(reference.message_id)) if reference is not None and reference.message_id else None
        author, appearance = self._said_by(message, cast, sprite)
        identity, text = MessageId(str(message.id)), door.text_of(message)
        return Message(identity, here.session, author, text, message.created_at, reply_to, appearance=appearance)

    def _said_by(self, message: discord.Message, cast: Cast, sprite: ShownSprite | None) -> tuple[Person | PersonaVoice, Appearance | None]:
        """In the order of specification 000: a webhook by its name, the bot user as main under the name it had, else a person.

        A webhook of somebody else that bears a persona's name is nobody's persona.
        """
        if not self._is_ours(message):
            return door.speaker(message), None
        if message.webhook_id is None:
            main = cast.main
            said = door.person(message.author)
            return (said if main is None else PersonaVoice(main.id, main.handle, said.name)), None
        shown = cast.by_id(sprite.persona) if sprite is not None else None
        if sprite is not None and shown is not None:
            return PersonaVoice(shown.id, shown.handle, shown.name), _appearance(sprite.label, shown, cast)
        found, label = _borne_by(message.author.name, cast)
        if found is None:
            return door.speaker(message), None
        return PersonaVoice(found.id, found.handle, found.name), _appearance(label, found, cast) if label else None


def _borne_by(shown: str, cast: Cast) -> tuple[Persona | None, str | None]:
    """Whose name a webhook of ours bore, and the label beside it. A handle beside a name only keeps equal names apart."""
    read = read_name(shown, [persona.name for persona in cast.personas])
    if read is None:
        return None, None
    named = [persona for persona in cast.personas if shown_key(persona.name) == shown_key(read.persona)]
    by_handle = next((persona for persona in named if read.label and persona.handle == name_key(read.label)), None)
    return (by_handle, None) if by_handle is not None else (named[0], read.label)


def _appearance(label: str, persona: Persona, cast: Cast) -> Appearance:
    """What a label beside a persona's name says."""
    sprite = next((sprite for sprite in persona.sprites if sprite.key == sprite_key(label)), None)
    if sprite is not None:
        return Appearance(Worn.IDENTITY if sprite.is_identity else Worn.SPRITE, label, sprite.picture)
    is_persona = any(name_key(label) == name_key(other.name) for other in cast.personas)
    return Appearance(Worn.PERSONA if is_persona else Worn.PERSON, label)
