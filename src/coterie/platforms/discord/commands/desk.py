"""All that commands may ask of the house, in one value."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import discord

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import SessionId
from coterie.domain.personas.persona import Cast
from coterie.domain.turns.plan import TurnPlan
from coterie.platforms.discord.commands.crowd import Crowd
from coterie.platforms.discord.listening import Listening
from coterie.platforms.discord.places import Places, Spot, spot
from coterie.platforms.discord.stage import DiscordStage
from coterie.ports.clock import Clock, Ids
from coterie.ports.model_list import ModelList
from coterie.ports.posts import Posts
from coterie.ports.stores import Casts, Conversations
from coterie.ports.welcomes import Welcomes

if TYPE_CHECKING:
    from coterie.platforms.discord.client import Client

    At = discord.Interaction[Client]
    """What a person did, and where."""


class Asked(Protocol):
    """The conversations, as far as commands speak to them."""

    async def receive(self, message: IncomingMessage) -> bool:
        """A command that asks for a turn arrives."""
        ...

    async def narrate(self, note: IncomingMessage) -> None:
        """Keep a note of the system."""
        ...

    async def foresee(self, message: IncomingMessage) -> tuple[Cast, TurnPlan]:
        """Who would answer a message."""
        ...

    async def stop(self, session: SessionId) -> bool:
        """Stop what runs and clear what waits."""
        ...


class Declined(Exception):
    """A command asks for what is not possible; the text is one sentence in the person's language."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The collaborators of every command."""

    talk: Asked
    listening: Listening
    stage: DiscordStage
    places: Places
    casts: Casts
    conversations: Conversations
    posts: Posts
    models: ModelList
    clock: Clock
    ids: Ids
    report: Callable[[str, Exception], None]
    welcomes: Welcomes
    crowd: Crowd = field(default_factory=Crowd)

    async def here(self, interaction: "At") -> Spot:
        """Where a command was given, known from now on. A thread is a conversation of its own in the workspace of its guild."""
        here = here_of(interaction)
        await self.places.know(here, getattr(interaction.channel, "name", None) or interaction.user.display_name)
        return here

    async def give(self, command: IncomingMessage) -> None:
        """Give a command to the conversation, behind what arrived there before."""
        await self.listening.in_turn(command.session, lambda: self.talk.receive(command))

    async def cast(self, here: Spot) -> Cast:
        """The cast as it is now: another process may have changed it. Raises a `StoreError`."""
        await self.casts.check(here.workspace)
        return await self.casts.cast(here.workspace)


def here_of(interaction: "At") -> Spot:
    """The place of a command."""
    assert interaction.channel_id is not None
    guild = interaction.guild_id
    return spot(interaction.channel_id, guild, None if guild else interaction.user.id)
