"""Name and face of the bot user in each guild follow the main persona (specification 000: the member is renamed with main).

Alters need nothing of it: their lines wear names and faces of their own.
"""

import asyncio

import aiohttp
import discord

from coterie.domain.personas.persona import Cast, Persona
from coterie.kit.text import head
from coterie.ports.media import Pictures
from coterie.ports.stores import Casts, StoreError

MOST = 32
"""The longest nickname (Discord docs, User)."""
_KEPT = 5_000


class MainLook:
    """What the bot user looks like, guild by guild. What Discord refuses is tried again with the next change of the cast, or start."""

    def __init__(self, client: discord.Client, casts: Casts, pictures: Pictures) -> None:
        self._client, self._casts, self._pictures = client, casts, pictures
        self._followed: dict[int, int] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def follow(self, guild: int, cast: Cast) -> None:
        """A guild's cast as it is now; never waits. A cast that was followed already costs nothing."""
        if self._followed.get(guild) == cast.version or guild in self._tasks or cast.main is None:
            return
        if len(self._followed) >= _KEPT:
            self._followed.clear()
        self._followed[guild] = cast.version
        self._tasks[guild] = task = asyncio.create_task(self._dress(guild, cast.main))
        task.add_done_callback(lambda _: self._tasks.pop(guild, None))

    async def close(self) -> None:
        """Change nothing more."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _dress(self, guild_id: int, main: Persona) -> None:
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.me is None:
            return
        try:
            await self._name(guild.me, main)
            await self._face(guild.me, main)
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError):
            # The name may be forbidden and faces are changed rarely; neither keeps anybody from speaking.
            return

    async def _name(self, us: discord.Member, main: Persona) -> None:
        name = head(main.name, MOST).strip()
        if us.display_name == name:
            return
        try:
            await us.edit(nick=name)
        except discord.Forbidden:
            return

    async def _face(self, us: discord.Member, main: Persona) -> None:
        """The guild's own avatar. Which picture it was made from is kept, since Discord lets it be changed only now and then."""
        worn = main.avatar or ""
        if await self._casts.applied_avatar(main.id) == worn:
            return
        png = await self._pictures.read(main.avatar) if main.avatar else None
        await us.edit(avatar=png)
        await self._casts.apply_avatar(main.id, worn)
