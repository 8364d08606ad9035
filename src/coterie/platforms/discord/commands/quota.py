"""`/server quota reset`: what was answered until now counts no more."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import locale_str

from coterie.domain.ids import UserId
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import answered
from coterie.platforms.discord.commands.desk import Desk, here_of
from coterie.platforms.discord.commands.managing import require_server_manager

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At


@app_commands.command(name="reset", description=locale_str("Begin the quota of a member, or of the whole server, anew."))
@app_commands.describe(member=locale_str("Whose; without one, everybody's."))
async def reset_quota(interaction: "At", member: discord.User | None = None) -> None:
    """What was answered until now counts no more."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        await desk.limited.reset(here_of(interaction).workspace, UserId(str(member.id)) if member is not None else None)
        if member is None:
            return tongue.say("All quotas of this server begin anew.")
        return tongue.say("The quota of {member} begins anew.", member=member.mention)

    await answered(interaction, work)
