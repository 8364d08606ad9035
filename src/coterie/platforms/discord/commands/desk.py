"""All that commands may ask of the house, in one value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import discord

from coterie.domain.access import Access, Standing
from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import SessionId, UserId
from coterie.domain.personas.persona import Cast
from coterie.domain.settings import Settings, Value
from coterie.domain.turns.gates import Caller
from coterie.domain.turns.plan import TurnPlan
from coterie.flows.called import calling
from coterie.platforms.discord import door
from coterie.platforms.discord.commands.crowd import Crowd
from coterie.platforms.discord.listening import Listening
from coterie.platforms.discord.places import Places, Spot, spot
from coterie.platforms.discord.stage import DiscordStage
from coterie.ports.access import AccessLists, Edit, Limited, People
from coterie.ports.accounts import Accounts
from coterie.ports.clock import Clock, Ids
from coterie.ports.model_list import ModelList
from coterie.ports.posts import Posts
from coterie.ports.stores import Casts, Conversations, Sessions, WorkspaceSettings
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
    settings: WorkspaceSettings
    access: AccessLists
    people: People
    limited: Limited
    conversations: Conversations
    posts: Posts
    models: ModelList
    clock: Clock
    ids: Ids
    report: Callable[[str, Exception], None]
    welcomes: Welcomes
    accounts: Accounts
    sessions: Sessions
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

    async def settings_of(self, here: Spot) -> Settings:
        """What is set here now. Raises a `StoreError`."""
        await self.casts.check(here.workspace)
        return await self.settings.settings(here.workspace)

    async def lists(self, here: Spot) -> Access:
        """Who may call whom here, as it is now. Raises a `StoreError`."""
        await self.casts.check(here.workspace)
        return await self.access.access(here.workspace)

    async def caller(self, interaction: "At") -> Caller:
        """Who gives a command, under the lists and settings of the place as they are now. Raises a `StoreError`."""
        workspace = here_of(interaction).workspace
        await self.casts.check(workspace)
        return await calling(self, workspace, person_of(interaction), standing_of(interaction))

    async def set(self, here: Spot, values: Mapping[str, Value]) -> Settings:
        """Change what is set here, and hear by it from the next message on. Raises a `StoreError`."""
        changed = await self.settings.change(here.workspace, values)
        self.listening.changed(here.workspace)
        return changed

    async def edit(self, here: Spot, edit: Edit) -> Access:
        """Change who may call whom here, and hear by it from the next message on. Raises a `StoreError`, also `NotFound`."""
        changed = await self.access.change(here.workspace, edit)
        self.listening.changed(here.workspace)
        return changed


def here_of(interaction: "At") -> Spot:
    """The place of a command."""
    assert interaction.channel_id is not None
    guild = interaction.guild_id
    return spot(interaction.channel_id, guild, None if guild else interaction.user.id)


def standing_of(interaction: "At") -> Standing:
    """Where in a server a command was given, and what the person is there."""
    return door.standing(interaction.guild, interaction.channel, interaction.user)


def person_of(interaction: "At") -> UserId:
    """Who gave a command."""
    return UserId(str(interaction.user.id))
