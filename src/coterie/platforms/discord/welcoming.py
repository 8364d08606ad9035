"""Whoever joins a server is greeted there, if its owners want that: once they have agreed to the rules, and if they are still there.

What is awaited lives in memory alone. A restart forgets it, since a greeting that comes late is worse than none.
"""

import asyncio
from dataclasses import dataclass

import aiohttp
import discord

from coterie.domain.conversation import SYSTEM, Direction, IncomingMessage
from coterie.domain.ids import MessageId
from coterie.domain.personas.persona import Persona
from coterie.domain.prompt.data import plain_label
from coterie.domain.welcome import Welcome
from coterie.platforms.discord.commands.desk import Desk
from coterie.platforms.discord.places import Spot, spot
from coterie.ports.clock import Chance
from coterie.ports.stores import NotFound

MOST_AWAITED = 50
"""Greetings of one server that are awaited at once. When a crowd breaks in, nobody wants each of them greeted."""

DEAF = (
    "Discord does not tell me who joins: on https://discord.com/developers/applications open your application, "
    "switch on “Server Members Intent” on its page “Bot”, and start me again."
)
"""Why nobody is greeted, for the owner of the application."""

_LOST = (discord.HTTPException, aiohttp.ClientError, OSError)


class CannotHear(Exception):
    """There are servers that want those who join to be greeted, and nobody tells who joins."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds: before a greeting; between two looks at whoever has not agreed to the rules, first and at most; until they are given up."""

    greeting: float = 60.0
    look: float = 5.0
    longest_look: float = 60.0
    rules: float = 3_600.0


class Welcoming:
    """The greetings of the servers that this process serves."""

    def __init__(self, desk: Desk, chance: Chance, waits: Waits) -> None:
        self._desk, self._chance, self._waits = desk, chance, waits
        self._awaited: dict[tuple[int, int], asyncio.Task[None]] = {}

    def arrived(self, member: discord.Member) -> None:
        """Somebody has joined. Never waits."""
        self.left(member.guild.id, member.id)
        if member.bot or sum(guild == member.guild.id for guild, _ in self._awaited) >= MOST_AWAITED:
            return
        key = (member.guild.id, member.id)
        task = asyncio.create_task(self._see_in(member), name=f"welcome {key}")
        self._awaited[key] = task
        task.add_done_callback(lambda done: self._awaited.pop(key) if self._awaited.get(key) is done else None)

    def left(self, guild: int, user: int) -> None:
        """Somebody has left, and is not greeted any more."""
        task = self._awaited.pop((guild, user), None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Greet nobody more."""
        tasks = tuple(self._awaited.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _see_in(self, member: discord.Member) -> None:
        workspace = spot(0, member.guild.id, None).workspace
        try:
            if await self._desk.welcomes.welcome(workspace) is None or not await self._agrees(member):
                return
            await asyncio.sleep(self._waits.greeting)
            # What is set may have changed meanwhile.
            welcome = await self._desk.welcomes.welcome(workspace)
            if welcome is not None and await self._look_at(member) is not None:
                await self._greet(member, welcome)
        except Exception as error:  # noqa: BLE001 - a platform event: what failed is reported, and the next one is greeted
            self._desk.report(f"the welcome of {member.id} in server {member.guild.id} on Discord", error)

    async def _agrees(self, member: discord.Member) -> bool:
        """Wait until somebody has agreed to the rules and been through the questions of the server; false where that does not happen."""
        pause, until = self._waits.look, self._desk.clock.monotonic() + self._waits.rules
        there: discord.Member | None = member
        while there is not None and _is_at_the_door(there):
            if self._desk.clock.monotonic() >= until:
                return False
            # Who is kept in no cache is told nothing of by the library, so it is asked.
            await asyncio.sleep(pause)
            pause = min(2 * pause, self._waits.longest_look)
            there = await self._look_at(there)
        return there is not None

    async def _look_at(self, member: discord.Member) -> discord.Member | None:
        """The member as it is now, or as it was where Discord does not say; nothing for one who is gone."""
        try:
            return await member.guild.fetch_member(member.id)
        except discord.NotFound:
            return None
        except _LOST:
            return member

    async def _greet(self, member: discord.Member, welcome: Welcome) -> None:
        channel = member.guild.get_channel(int(welcome.channel))
        if channel is None:
            raise NotFound(f"The channel {welcome.channel}, in which those who join are welcomed, is gone.")
        here = spot(channel.id, member.guild.id, None)
        cast = await self._desk.cast(here)
        greeter = welcome.greeter(cast, self._chance.between(0, max(len(cast.personas) - 1, 0)))
        if greeter is None:
            return
        await self._desk.places.know(here, channel.name)
        await self._desk.give(self._arrival(here, member, welcome, greeter))

    def _arrival(self, here: Spot, member: discord.Member, welcome: Welcome, greeter: Persona) -> IncomingMessage:
        """What asks for the greeting: nobody's message, so that nobody waits or pays for it."""
        name = member.display_name
        return IncomingMessage(
            id=MessageId(self._desk.ids.message()),
            workspace=here.workspace,
            session=here.session,
            author=SYSTEM,
            text=f"{plain_label(name)} has come to this server.",
            created_at=self._desk.clock.now(),
            persona=greeter.handle,
            # The answer begins with the mention, whatever the model makes of it.
            direction=Direction(prompt=welcome.prompt, prefill=member.mention, guest=str(member.id), guest_name=name),
        )


def _is_at_the_door(member: discord.Member) -> bool:
    return member.pending or (member.flags.started_onboarding and not member.flags.completed_onboarding)
