"""Channels, roles and personas as people see them, and those that are no more said to be so."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiohttp
import discord
from discord import AppCommandOptionType, ChannelType, app_commands
from discord.utils import escape_markdown

from coterie.domain.ids import PersonaId, PlaceId, RoleId
from coterie.domain.personas.persona import Cast
from coterie.kit.tongues import Tongue

if TYPE_CHECKING:
    from coterie.platforms.discord.client import Client

_TALKED_IN = [
    ChannelType.text,
    ChannelType.news,
    ChannelType.forum,
    ChannelType.voice,
    ChannelType.stage_voice,
    ChannelType.public_thread,
    ChannelType.private_thread,
    ChannelType.news_thread,
]


class AnyChannel(app_commands.Transformer["Client"]):
    """A channel, forum or thread, also one that the bot cannot see."""

    @property
    def type(self) -> AppCommandOptionType:
        """A channel."""
        return AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        """Those in which people talk."""
        return _TALKED_IN

    async def transform(self, interaction: "discord.Interaction[Client]", value: "Chosen", /) -> "Chosen":
        """As Discord sends it."""
        return value


Chosen = app_commands.AppCommandChannel | app_commands.AppCommandThread
"""A channel as somebody chose it."""


def place_of(channel: Chosen) -> PlaceId:
    """The channel or thread."""
    return PlaceId(str(channel.id))


def channel_of(channel: Chosen) -> PlaceId:
    """The channel, also of a thread."""
    return PlaceId(str(channel.parent_id)) if isinstance(channel, app_commands.AppCommandThread) else place_of(channel)


@dataclass(frozen=True, slots=True)
class Named:
    """Something with a name: `shown` in a message, and `label` in a menu, where nothing is drawn."""

    shown: str
    label: str
    is_gone: bool = False


class Names:
    """What is called how in a server, in a person's language."""

    def __init__(self, guild: discord.Guild | None, cast: Cast, tongue: Tongue) -> None:
        self._guild, self._cast, self._tongue = guild, cast, tongue

    async def place(self, place: PlaceId) -> Named:
        """A channel or thread."""
        name = await self._channel_name(int(place))
        if name is None:
            return self._gone(self._tongue.say("deleted channel {id}", id=place))
        return Named(f"<#{place}>", f"#{name}")

    def role(self, role: RoleId) -> Named:
        """A role."""
        found = self._guild.get_role(int(role)) if self._guild is not None else None
        if found is None:
            return self._gone(self._tongue.say("deleted role {id}", id=role))
        return Named(f"<@&{role}>", f"@{found.name.removeprefix('@')}")

    def persona(self, persona: PersonaId) -> Named:
        """A persona of the cast."""
        found = self._cast.by_id(persona)
        if found is None:
            return self._gone(self._tongue.say("removed persona {id}", id=persona))
        return Named(f"**{escape_markdown(found.name)}**", found.name)

    def _gone(self, text: str) -> Named:
        return Named(f"*{text}*", text, is_gone=True)

    async def _channel_name(self, number: int) -> str | None:
        """Nothing where there is no such channel. Of one that cannot be seen only the id is known."""
        if self._guild is None:
            return None
        # Archived threads are there, and are not kept by the library.
        found = self._guild.get_channel_or_thread(number)
        if found is None:
            try:
                found = await self._guild.fetch_channel(number)
            except discord.NotFound:
                return None
            except (discord.DiscordException, aiohttp.ClientError, OSError):
                return str(number)
        return found.name
