"""The history of a channel as our own messages: who really said each of them.

The record of what we sent comes first. For what it does not know (older installations) the name decides, in the order of specification
000: webhook, bot user, person.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import aiohttp
import discord

from coterie.domain.conversation import Message, Person, PersonaVoice
from coterie.domain.ids import MessageId, UserId
from coterie.domain.personas.persona import Cast
from coterie.domain.speech.shown_names import read_name, without_bridge
from coterie.platforms.discord import door
from coterie.platforms.discord.places import Spot
from coterie.platforms.discord.rings import LENGTH
from coterie.ports.posts import PostId, Posts
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
        return [(message.id, lines.get(PostId(message.id)) or self._unrecorded(message, here, cast)) for message in reversed(found)]

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
                    found.append(OurPost(message.id, message.author.id, name, message.content))
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return ()
        recorded = await self._posts.lines([PostId(post.id) for post in found])
        return [post for post in reversed(found) if PostId(post.id) not in recorded]

    def _is_ours(self, message: discord.Message) -> bool:
        if message.webhook_id is None:
            return self._client.user is not None and message.author.id == self._client.user.id
        return message.application_id is not None and message.application_id == self._client.application_id

    def _unrecorded(self, message: discord.Message, here: Spot, cast: Cast) -> Message:
        reference = message.reference
        reply_to = MessageId(str(reference.message_id)) if reference is not None and reference.message_id else None
        author, text = self._author(message, cast), door.text_of(message)
        return Message(MessageId(str(message.id)), here.session, author, text, message.created_at, reply_to)

    def _author(self, message: discord.Message, cast: Cast) -> Person | PersonaVoice:
        us = self._client.user
        main = cast.main
        if us is not None and message.author.id == us.id and message.webhook_id is None and main is not None:
            return PersonaVoice(main.id, main.handle, message.author.display_name)
        if message.webhook_id is None:
            return door.person(message.author)
        shown = without_bridge(message.author.name)
        # A webhook of somebody else that bears a persona's name is nobody's persona.
        read = read_name(shown, [persona.name for persona in cast.personas]) if self._is_ours(message) else None
        found = next((persona for persona in cast.personas if read is not None and persona.name == read.persona), None)
        if found is None or read is None:
            return Person(UserId(str(message.author.id)), shown)
        return PersonaVoice(found.id, found.handle, read.source_first)
