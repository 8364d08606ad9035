"""`/kill`: stop whoever speaks in this channel, and forget what waits."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import locale_str

from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import answered
from coterie.platforms.discord.commands.desk import Desk, here_of

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At


@app_commands.command(name="kill", description=locale_str("Stop whoever speaks here and forget what waits."))
async def kill(interaction: "At") -> None:
    """Everything that was said before it is settled by it; what is said after it goes on as ever."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        session = here_of(interaction).session
        if await desk.listening.halt(session, lambda: desk.talk.stop(session)):
            return tongue.say("Stopped. Nothing waits any more.")
        return tongue.say("There was nothing to stop.")

    await answered(interaction, work)
