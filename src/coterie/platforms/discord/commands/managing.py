"""Who may change what others notice, and where there is anything to change: asked whenever a command or a menu is used.

Discord asks too, before it shows a command; but a server can let anybody see it, and a menu outlives the right to use it.
"""

from typing import TYPE_CHECKING

import discord

from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.desk import Declined

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

MANAGERS = discord.Permissions(manage_guild=True)
"""What Discord asks for before it shows a command."""


def require_manager(interaction: "At", tongue: Tongue) -> None:
    """Only those who manage a server; direct messages are the person's own. Raises `Declined`."""
    if interaction.guild_id is not None and not interaction.permissions.manage_guild:
        raise Declined(tongue.say("Only those who may manage this server can do this."))


def require_server(interaction: "At", tongue: Tongue) -> None:
    """Some things there are only where many people talk. Raises `Declined`."""
    if interaction.guild_id is None:
        raise Declined(tongue.say("This is there in servers only, not in direct messages."))


def require_server_manager(interaction: "At", tongue: Tongue) -> None:
    """Both. Raises `Declined`."""
    require_server(interaction, tongue)
    require_manager(interaction, tongue)
