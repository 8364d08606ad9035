"""The connection to Discord. What arrives is handed to `listening`; nothing is decided here."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
from discord.app_commands import AppCommandContext, AppInstallationType

from coterie.platforms.discord.address import ServerUnreachable, TokenRefused, point_at
from coterie.platforms.discord.commands.answering import Tree
from coterie.platforms.discord.commands.desk import Desk
from coterie.platforms.discord.listening import Listening
from coterie.platforms.discord.welcoming import Welcoming

WHERE = AppCommandContext(guild=True, dm_channel=True, private_channel=False)
"""Where commands are offered: in servers, and in direct messages with the bot."""

REFUSED_TOKEN = (
    "Discord refuses the token in DISCORD_TOKEN. On https://discord.com/developers/applications open your application, "
    "press “Reset Token” on its page “Bot”, and set DISCORD_TOKEN to what it shows."
)
MISSING_INTENT = (
    "Discord lets the bot read no messages. On https://discord.com/developers/applications open your application, "
    "and on its page “Bot” switch on “Message Content Intent”; then start again."
)


class CannotConnect(Exception):
    """Discord does not let the bot in; the text is one sentence, or two, for the owner."""


class Unreachable(CannotConnect):
    """Nobody is there to let it in; later somebody may be."""


def intents() -> discord.Intents:
    """What the bot asks to hear at least: guilds, messages and what they say."""
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=True)


@dataclass(frozen=True, slots=True)
class Shards:
    """Which part of the guilds this process serves: shards `ids` of `count`; all guilds where `count` is nothing."""

    count: int | None = None
    ids: tuple[int, ...] = ()

    def arguments(self) -> dict[str, Any]:
        """As discord.py takes them."""
        return {} if self.count is None else {"shard_count": self.count, "shard_ids": list(self.ids or range(self.count))}

    def serves(self, guild: int | None) -> bool:
        """Whether a guild is served here; direct messages belong to the first shard (Discord docs, Sharding)."""
        if self.count is None or not self.ids:
            return True
        return ((guild >> 22) % self.count if guild else 0) in self.ids


class Client(discord.AutoShardedClient):
    """discord.py without its caches of messages and members: what is needed of them is kept elsewhere, bounded."""

    def __init__(self, shards: Shards, guilds_within: float) -> None:
        """Nothing is heard before `hand_to`. After so many seconds without a further guild all count as there."""
        self._asked = intents()
        super().__init__(
            intents=self._asked,
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=guilds_within,
            **shards.arguments(),
        )
        self.tree = Tree(self, allowed_contexts=WHERE, allowed_installs=AppInstallationType(guild=True, user=False))
        self.desk: Desk | None = None
        """What commands stand on; nothing until somebody serves them."""
        self.welcoming: Welcoming | None = None
        """Who greets those who join."""
        self.connected = asyncio.Event()
        """Set when Discord has let the bot in."""
        self._listening: Listening | None = None
        self._on_open: Callable[[], Awaitable[None]] | None = None

    @property
    def has_begun(self) -> bool:
        """Whether it logged in; the library cannot close what never did."""
        return self.application_id is not None or self.user is not None

    @property
    def hears_arrivals(self) -> bool:
        """Whether Discord tells who joins."""
        return self._asked.members

    def ask_for_arrivals(self) -> None:
        """Ask to hear who joins, if the owner of the application has allowed that; Discord ends the connection of whoever asks without."""
        allowed = self.application.flags if self.application is not None else discord.ApplicationFlags()
        self._asked.members = allowed.gateway_guild_members or allowed.gateway_guild_members_limited

    def hand_to(self, listening: Listening, on_open: Callable[[], Awaitable[None]]) -> None:
        """Who hears from now on. `on_open` is awaited each time all guilds of this process are there."""
        self._listening, self._on_open = listening, on_open

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Messages are most of what arrives; a task for each of them would cost more than to look at it."""
        if event == "message" and self._listening is not None:
            self._listening.hear(args[0])
            return
        if event == "connect" and self._listening is not None and self.user is not None:
            # From here on messages may come, long before all guilds are there.
            self._listening.are(self.user, self.application_id)
            self.connected.set()
        super().dispatch(event, *args, **kwargs)

    async def on_ready(self) -> None:
        """All guilds are there, for the first time or after events were lost."""
        if self._listening is not None and self._on_open is not None:
            self._listening.missed()
            await self._on_open()

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A message was changed."""
        if payload.message.content and self._listening is not None:
            self._listening.edited(payload.channel_id, payload.message_id, payload.message.content)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message was deleted."""
        if self._listening is not None:
            self._listening.removed(payload.channel_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many were."""
        if self._listening is not None:
            self._listening.removed(payload.channel_id, payload.message_ids)

    async def on_member_join(self, member: discord.Member) -> None:
        """Somebody has joined a server."""
        if self.welcoming is not None:
            self.welcoming.arrived(member)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Somebody has left one."""
        if self.welcoming is not None:
            self.welcoming.left(payload.guild_id, payload.user.id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        """A new thread: be in it, so that what is said there arrives."""
        try:
            await thread.join()
        except (discord.HTTPException, OSError):
            return


async def application_of(token: str, server_url: str = "") -> int:
    """The id of the application that a token belongs to, as Discord says it. Raises `CannotConnect`."""
    await reach(server_url, token)
    async with discord.Client(intents=discord.Intents.none()) as client:
        await _log_in(client, token)
        if client.application_id is None:
            raise CannotConnect("Discord does not say which application the token belongs to.")
        return client.application_id


async def reach(server_url: str, token: str) -> None:
    """Have everything here talk to the server at this address instead of Discord, if there is one. Raises `CannotConnect`."""
    if not server_url:
        return
    try:
        await point_at(server_url, token)
    except ServerUnreachable as error:
        raise Unreachable(str(error)) from error
    except TokenRefused as error:
        raise CannotConnect(str(error)) from error


async def connect(client: Client, token: str) -> "asyncio.Task[None]":
    """Log in and begin to listen; the task ends with the connection. Raises `CannotConnect`; after `Unreachable` it may be done again."""
    await _log_in(client, token)
    client.ask_for_arrivals()
    return asyncio.create_task(_listen(client), name="discord")


async def _log_in(client: discord.Client, token: str) -> None:
    try:
        await client.login(token)
    except BaseException as error:
        await _let_go(client)
        if isinstance(error, discord.LoginFailure):
            raise CannotConnect(REFUSED_TOKEN) from error
        if isinstance(error, _NOT_THERE):
            raise Unreachable(f"Discord cannot be reached: {error}.") from error
        raise


async def _let_go(client: discord.Client) -> None:
    """Close what a failed login leaves open, so that the next one begins anew."""
    await client.http.close()
    client.http.clear()
    client.http.connector = discord.utils.MISSING


async def _listen(client: Client) -> None:
    try:
        await client.connect()
    except discord.PrivilegedIntentsRequired as error:
        raise CannotConnect(MISSING_INTENT) from error
    except discord.ConnectionClosed as error:
        raise CannotConnect(f"Discord closed the connection for good (code {error.code}).") from error
    except _NOT_THERE as error:
        await _let_go(client)
        raise Unreachable("Discord let the bot in and does not say where to listen.") from error


_NOT_THERE = (discord.GatewayNotFound, discord.HTTPException, aiohttp.ClientError, OSError)
"""What the library raises where Discord, or the way to it, is out of order."""
