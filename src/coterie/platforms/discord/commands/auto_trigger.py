"""`/server auto-trigger channels`: in which channels somebody answers without being called."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import locale_str

from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import Answer, answered
from coterie.platforms.discord.commands.choosing import named_persona, offer_personas
from coterie.platforms.discord.commands.desk import Desk, here_of
from coterie.platforms.discord.commands.listings import AUTO_TRIGGERS
from coterie.platforms.discord.commands.managing import require_server_manager
from coterie.platforms.discord.commands.menus import shown
from coterie.platforms.discord.commands.named import AnyChannel, Chosen, Names, place_of

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At


@app_commands.command(name="channels", description=locale_str("In which channels somebody answers without being called, and who."))
@app_commands.describe(
    channel=locale_str("The channel; without one, all are shown."),
    enabled=locale_str("Whether somebody answers there from now on; by default so."),
    persona=locale_str("Who answers there; by default the main persona."),
)
@app_commands.autocomplete(persona=offer_personas)
async def auto_trigger_channels(
    interaction: "At",
    channel: app_commands.Transform[Chosen, AnyChannel] | None = None,
    enabled: bool = True,
    persona: str | None = None,
) -> None:
    """Shows them, adds one, or takes one out."""

    async def work(desk: Desk, tongue: Tongue) -> str | Answer:
        require_server_manager(interaction, tongue)
        if channel is None:
            return await shown(AUTO_TRIGGERS, interaction, desk, tongue)
        here, place = here_of(interaction), place_of(channel)
        if not enabled:
            await desk.edit(here, lambda access: access.not_answering_in(place))
            return tongue.say("In {channel} nobody answers without being called.", channel=f"<#{place}>")
        cast = await desk.cast(here)
        who = named_persona(cast, tongue, persona).id if persona else None
        await desk.edit(here, lambda access: access.answering_in(place, who))
        name = Names(interaction.guild, cast, tongue).persona(who).shown if who is not None else tongue.say("the main persona")
        return tongue.say(
            "In {channel} {name} answers without being called; `/server auto-trigger threshold` says how often.",
            channel=f"<#{place}>",
            name=name,
        )

    await answered(interaction, work)
