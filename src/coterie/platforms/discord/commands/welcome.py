"""`/server welcome-channel`: where those who join are greeted, and by whom."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.utils import escape_markdown

from coterie.domain.ids import PersonaId, PlaceId
from coterie.domain.personas.persona import Cast
from coterie.domain.welcome import MOST_PROMPT, Welcome
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import answered
from coterie.platforms.discord.commands.choosing import named_persona, offer_personas
from coterie.platforms.discord.commands.desk import Declined, Desk
from coterie.platforms.discord.commands.language import tongue_of
from coterie.platforms.discord.welcoming import DEAF

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

ANYBODY = "*"
"""What stands for no certain persona; no handle can be that."""
RANDOM = "Random"

welcome_channel = app_commands.Group(name="welcome-channel", description=locale_str("Where those who join this server are welcomed."))


async def offer_greeters(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    """Anybody, and the personas that fit what was typed."""
    tongue = tongue_of(interaction.locale)
    anybody = tongue.say(RANDOM)
    offered = [app_commands.Choice(name=anybody, value=ANYBODY)] if typed.casefold().strip() in anybody.casefold() else []
    return [*offered, *await offer_personas(interaction, typed)][:25]


@welcome_channel.command(name="set", description=locale_str("Have a persona welcome those who join, in a channel."))
@app_commands.describe(
    channel=locale_str("Where they are welcomed."),
    persona=locale_str("Who welcomes them; Random draws anybody of the cast for each of them."),
    prompt=locale_str("What to keep in mind for it; nobody else sees it."),
)
@app_commands.autocomplete(persona=offer_greeters)
async def set_welcome(
    interaction: "At", channel: discord.TextChannel, persona: str, prompt: app_commands.Range[str, 1, MOST_PROMPT] | None = None
) -> None:
    """Keep it, and say where it cannot work yet."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        here = await desk.here(interaction)
        if not channel.permissions_for(channel.guild.me).send_messages:
            raise Declined(tongue.say("I may not write in {channel}.", channel=channel.mention))
        chosen, name = _greeter(await desk.cast(here), tongue, persona)
        await desk.welcomes.set(here.workspace, Welcome(PlaceId(str(channel.id)), chosen, (prompt or "").strip()))
        said = (
            tongue.say("Those who join are welcomed in {channel} by anybody of the cast.", channel=channel.mention)
            if chosen is None
            else tongue.say("Those who join are welcomed in {channel} by {name}.", channel=channel.mention, name=name)
        )
        return said if interaction.client.hears_arrivals else f"{said} {tongue.say(DEAF)}"

    await answered(interaction, work)


@welcome_channel.command(name="remove", description=locale_str("Welcome nobody any more."))
async def remove_welcome(interaction: "At") -> None:
    """Forget it."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        here = await desk.here(interaction)
        if await desk.welcomes.set(here.workspace, None):
            return tongue.say("Those who join are not welcomed any more.")
        return tongue.say("Nobody was welcomed here anyway.")

    await answered(interaction, work)


def _greeter(cast: Cast, tongue: Tongue, typed: str) -> tuple[PersonaId | None, str]:
    """Who is meant, and the name for a sentence. A persona that is called Random goes before the word. Raises `Declined`."""
    wanted = typed.strip().casefold()
    names = {persona.name.casefold() for persona in cast.personas} | {persona.handle.casefold() for persona in cast.personas}
    if wanted == ANYBODY or (wanted in {RANDOM.casefold(), tongue.say(RANDOM).casefold()} and wanted not in names):
        return None, ""
    found = named_persona(cast, tongue, typed)
    return found.id, escape_markdown(found.name)
