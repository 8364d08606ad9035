"""How a command is answered: acknowledged at once, worked on, and answered for the eyes of who gave it alone. A failure is one sentence."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands

from coterie.domain.access import ListFull
from coterie.kit.text import head
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.crowd import Crowded
from coterie.platforms.discord.commands.desk import Declined, Desk, person_of
from coterie.platforms.discord.commands.language import tongue_of
from coterie.platforms.discord.errands import Overtaken
from coterie.ports.stores import StoreError

if TYPE_CHECKING:
    from coterie.platforms.discord.client import Client
    from coterie.platforms.discord.commands.desk import At

MOST = 2_000
"""What one message of Discord holds, in UTF-16 units."""


Command = app_commands.Command[Any, ..., None]
"""What people give."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person is told, and what can be chosen below it."""

    text: str
    view: discord.ui.View | None = None


Work = Callable[[Desk, Tongue], Awaitable[str | Answer]]
"""Does what was asked for and returns the answer. May raise `Declined`."""

_LOST = (discord.HTTPException, aiohttp.ClientError, OSError)


async def answered(interaction: "At", work: Work) -> None:
    """Acknowledge within the three seconds that Discord gives, then work and answer. What was not acknowledged is not done."""
    desk, tongue = interaction.client.desk, tongue_of(interaction.locale)
    if desk is None:
        await at_once(interaction, tongue.say("I am not awake yet; try again in a moment."))
        return
    try:
        with desk.crowd.place(interaction.user.id):
            try:
                # What is chosen below an answer changes that answer; a command, and a form, get one of their own.
                is_new = interaction.type is not discord.InteractionType.component
                await interaction.response.defer(ephemeral=is_new, thinking=is_new)
            except _LOST:
                return
            given = await _worked(interaction, desk, work)
            answer = given if isinstance(given, Answer) else Answer(given)
            with suppress(*_LOST):
                await interaction.edit_original_response(
                    content=head(answer.text, MOST), view=answer.view, allowed_mentions=discord.AllowedMentions.none()
                )
    except Crowded:
        await at_once(interaction, tongue.say("Too many commands at once; wait until the earlier ones are answered."))


async def at_once(interaction: discord.Interaction["Client"], text: str) -> None:
    """Answer without any work before it."""
    with suppress(*_LOST):
        await interaction.response.send_message(head(text, MOST), ephemeral=True, allowed_mentions=discord.AllowedMentions.none())


async def _worked(interaction: "At", desk: Desk, work: Work) -> str | Answer:
    tongue = tongue_of(interaction.locale)
    try:
        tongue = await _spoken_to(interaction, desk)
        return await work(desk, tongue)
    except Declined as declined:
        return str(declined)
    except ListFull as full:
        return str(full)
    except Overtaken:
        return tongue.say("This was stopped before its turn came.")
    except StoreError as error:
        desk.report(_named(interaction), error)
        return tongue.say("The storage could not be reached, so nothing was done; try again a little later.")
    except Exception as error:  # noqa: BLE001 - a platform event: what failed is reported, and the person told
        desk.report(_named(interaction), error)
        return tongue.say("Something went wrong inside Coterie; the log says what.")


async def _spoken_to(interaction: "At", desk: Desk) -> Tongue:
    """The language that a person chose to be told things in, else that of their Discord."""
    person = person_of(interaction)
    return tongue_of((await desk.people.several([person]))[person].text("language") or interaction.locale)


def _named(interaction: "At") -> str:
    command = interaction.command
    return f"the command {command.qualified_name if command else interaction.id} on Discord"


class Tree(app_commands.CommandTree["Client"]):
    """discord.py's register of commands, which says so where it cannot find what somebody used."""

    async def on_error(self, interaction: discord.Interaction["Client"], error: app_commands.AppCommandError, /) -> None:
        """A command that is not ours any more, or of another shape (Discord shows old ones for a while); all else is reported."""
        desk = interaction.client.desk
        if desk is not None and not isinstance(error, (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)):
            desk.report(_named(interaction), error)
        if not interaction.response.is_done() and interaction.type is discord.InteractionType.application_command:
            await at_once(interaction, tongue_of(interaction.locale).say("This command has changed; restart your Discord and try again."))
