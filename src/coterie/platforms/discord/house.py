"""Discord put together: connection, ears and voice, and what happens when it opens and ends."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import aiohttp
import discord

from coterie.domain.ids import SessionId, WorkspaceId
from coterie.domain.sessions.names import is_discord
from coterie.flows.talk import Serves
from coterie.platforms.discord.bot_lines import BotLines
from coterie.platforms.discord.client import CannotConnect, Client, Shards, connect, reach
from coterie.platforms.discord.commands.catalogue import keep_current, register
from coterie.platforms.discord.commands.desk import Asked, Desk
from coterie.platforms.discord.declining import Declining
from coterie.platforms.discord.delivered import deliver_rest
from coterie.platforms.discord.dress import Dresses
from coterie.platforms.discord.face_of import Faces
from coterie.platforms.discord.listening import Listening, Memory, Report, Talking
from coterie.platforms.discord.main_look import MainLook
from coterie.platforms.discord.places import GUILD, Places, Spot
from coterie.platforms.discord.reading import Reading
from coterie.platforms.discord.rings import Rings
from coterie.platforms.discord.stage import DiscordStage, Voices
from coterie.platforms.discord.webhooks import Webhooks
from coterie.platforms.discord.welcoming import DEAF, CannotHear, Waits, Welcoming
from coterie.ports.access import Limited
from coterie.ports.accounts import Accounts
from coterie.ports.clock import Chance, Clock, Ids
from coterie.ports.media import Pictures
from coterie.ports.model_list import ModelList
from coterie.ports.outbound import PictureFetch
from coterie.ports.stores import Conversations, Sessions, StoreError
from coterie.ports.webhooks import KeptWebhooks
from coterie.ports.welcomes import Welcomes


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds are waited: for one more guild before all count as there, for a change of face before a line goes without it."""

    guild: float = 0.5
    face: float = 5.0
    welcome: Waits = field(default_factory=Waits)


@dataclass(frozen=True, slots=True)
class Door:
    """How Discord is reached. `server_url` names a Discord-compatible server in its place; `public_base` is where avatars are served."""

    token: str
    server_url: str = ""
    shards: Shards = field(default_factory=Shards)
    public_base: str = ""
    patience: Patience = field(default_factory=Patience)


@dataclass(frozen=True, slots=True)
class Store:
    """What Discord keeps."""

    memory: Memory
    conversations: Conversations
    sessions: Sessions
    webhooks: KeptWebhooks
    welcomes: Welcomes
    pictures: Pictures
    fetch: PictureFetch
    limited: Limited
    accounts: Accounts


class Resuming(Talking, Asked, Protocol):
    """Conversations that can be taken up after a restart."""

    async def resume(self, serves: Serves) -> int:
        """Take up what was interrupted in those sessions."""
        ...


class DiscordHouse:
    """The cast on Discord."""

    def __init__(self, door: Door, store: Store, models: ModelList, *, clock: Clock, ids: Ids, chance: Chance, report: Report) -> None:
        self._door, self._store, self._models = door, store, models
        self._clock, self._ids, self._chance, self._report = clock, ids, chance, report
        self._client = Client(door.shards, door.patience.guild)
        self._places = Places(store.sessions)
        self._reading = Reading(self._client, store.memory.posts, store.memory.casts)
        self._rings = Rings(self._reading.newest)
        self._webhooks = Webhooks(self._client, store.webhooks, worn_within=door.patience.face)
        faces = Faces(self._client, store.pictures, store.fetch, store.memory.casts, clock, public_base=door.public_base)
        voices = Voices(BotLines(self._client), self._webhooks, Dresses(faces))
        declining = Declining(self._client, store.memory.people, clock)
        posts, casts = store.memory.posts, store.memory.casts
        self.stage = DiscordStage(self._client, self._places, self._rings, posts, casts, voices, clock, report, declining)
        self._look = MainLook(self._client, store.memory.casts, store.pictures)
        self._listening: Listening | None = None
        self._task: asyncio.Task[None] | None = None
        self.opened = asyncio.Event()
        """Set when what a restart interrupted was taken up."""

    async def open(self, talk: Resuming) -> None:
        """Connect and begin to hear. Raises `CannotConnect`; after `Unreachable` it may be tried again."""
        await reach(self._door.server_url, self._door.token)
        if self._listening is None:
            await self._get_ready(talk)
        self._task = await connect(self._client, self._door.token)
        let_in = asyncio.create_task(self._client.connected.wait())
        try:
            await asyncio.wait((let_in, self._task), return_when=asyncio.FIRST_COMPLETED)
        finally:
            let_in.cancel()
        if self._task.done():
            await self._task

    async def _get_ready(self, talk: Resuming) -> None:
        began = self._clock.now()
        self._listening = Listening(
            talk,
            self._store.memory,
            self._places,
            self._rings,
            recorded=self.stage.recorded,
            source=self._reading.source,
            follow=self._look.follow,
            clock=self._clock,
            report=self._report,
        )
        desk = self._client.desk = self._desk(talk, self._listening)
        self._client.welcoming = Welcoming(desk, self._chance, self._door.patience.welcome)
        await register(self._client.tree)
        self._client.hand_to(self._listening, lambda: self._opened(talk, began))

    @property
    def name(self) -> str:
        """The name of the bot user, once it is connected."""
        return str(self._client.user or "")

    def servers(self) -> Mapping[WorkspaceId, str]:
        """The servers it is in at present, by name."""
        return {WorkspaceId(f"{GUILD}{guild.id}"): guild.name for guild in self._client.guilds}

    async def ended(self) -> None:
        """Wait until Discord has ended the connection for good. Raises `CannotConnect` with the reason."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def close(self) -> None:
        """Hear and say nothing more."""
        if self._client.welcoming is not None:
            await self._client.welcoming.close()
        if self._listening is not None:
            await self._listening.close()
        await self._look.close()
        self.stage.signs.close()
        await self._webhooks.close()
        if self._client.has_begun:
            await self._client.close()
        if self._task is not None:
            with suppress(CannotConnect, asyncio.CancelledError):
                await self._task

    def serves(self, here: Spot) -> bool:
        """Whether this process speaks there."""
        return self._door.shards.serves(here.guild)

    async def _opened(self, talk: Resuming, began: datetime) -> None:
        """All guilds are there. At the first time what a restart interrupted is taken up."""
        if self.opened.is_set():
            return
        try:
            await deliver_rest(self.stage, self._reading, self.serves, before=began)
            await talk.resume(self._serves)
        except Exception as error:  # noqa: BLE001 - a platform event: what failed is reported, and the connection goes on
            self._report("what a restart interrupted on Discord", error)
        await self._offer_commands()
        if not self._client.hears_arrivals:
            await self._regret()
        self.opened.set()

    async def _offer_commands(self) -> None:
        """Commands are the application's, not a shard's: the first shard's process sees to them."""
        if not self._door.shards.serves(None):
            return
        try:
            await keep_current(self._client.tree)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            self._report("the list of commands on Discord", error)

    async def _regret(self) -> None:
        """Say why nobody is welcomed, if anybody is to be."""
        try:
            if await self._store.welcomes.is_any():
                self._report("welcomes on Discord", CannotHear(DEAF))
        except StoreError as error:
            self._report("welcomes on Discord", error)

    def _desk(self, talk: Resuming, listening: Listening) -> Desk:
        memory = self._store.memory
        return Desk(
            talk=talk,
            listening=listening,
            stage=self.stage,
            places=self._places,
            casts=memory.casts,
            settings=memory.settings,
            access=memory.access,
            people=memory.people,
            limited=self._store.limited,
            conversations=self._store.conversations,
            posts=memory.posts,
            models=self._models,
            clock=self._clock,
            ids=self._ids,
            report=self._report,
            welcomes=self._store.welcomes,
            accounts=self._store.accounts,
            sessions=self._store.sessions,
        )

    async def _serves(self, session: SessionId) -> bool:
        here = await self._places.find(session) if is_discord(session) else None
        return here is not None and self.serves(here)
