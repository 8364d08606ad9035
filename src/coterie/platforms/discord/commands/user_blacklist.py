"""`/server user-blacklist`: who cannot call anybody in a server."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import locale_str

from coterie.domain.ids import UserId
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import Command, answered
from coterie.platforms.discord.commands.desk import Desk, here_of
from coterie.platforms.discord.commands.managing import require_server_manager
from coterie.platforms.discord.commands.persona import as_many_as_fit

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At


@app_commands.command(name="add", description=locale_str("Bar a member from calling anybody here."))
@app_commands.describe(member=locale_str("Who may not call."))
async def bar(interaction: "At", member: discord.User) -> None:
    """Nothing that they write is answered."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        await desk.edit(here_of(interaction), lambda access: access.barring(UserId(str(member.id))))
        return tongue.say("{member} cannot call anybody here any more.", member=member.mention)

    await answered(interaction, work)


@app_commands.command(name="remove", description=locale_str("Let somebody call again who was barred; their id will do where they left."))
@app_commands.describe(member=locale_str("Who may call again."))
async def free(interaction: "At", member: discord.User) -> None:
    """Also of somebody who is no member any more."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        await desk.edit(here_of(interaction), lambda access: access.without_barring(UserId(str(member.id))))
        return tongue.say("{member} can call again.", member=member.mention)

    await answered(interaction, work)


@app_commands.command(name="list", description=locale_str("Who is barred from calling here."))
async def barred(interaction: "At") -> None:
    """By mention and id; the id takes out also whoever left."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        people = sorted((await desk.lists(here_of(interaction))).blacklist)
        return as_many_as_fit([f"- <@{person}> (`{person}`)" for person in people], tongue) or tongue.say("Nobody is barred.")

    await answered(interaction, work)


BLACKLIST_COMMANDS: tuple[Command, ...] = (bar, free, barred)
