"""`/respond`, also as `/bot respond`: one persona answers the newest message of the channel, as it was told to."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.utils import escape_markdown

from coterie.domain.conversation import Direction, IncomingMessage
from coterie.domain.ids import MessageId
from coterie.domain.personas.persona import Persona
from coterie.domain.turns.plan import Why
from coterie.kit.tongues import Tongue
from coterie.platforms.discord import door
from coterie.platforms.discord.commands.answering import answered
from coterie.platforms.discord.commands.choosing import chosen_model, meant_persona, offer_models, offer_personas
from coterie.platforms.discord.commands.desk import Declined, Desk, standing_of
from coterie.platforms.discord.commands.why import meant
from coterie.platforms.discord.places import Spot
from coterie.platforms.discord.refused import Way
from coterie.ports.platform import NotSaid

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

MOST_ASKED = 1_000
"""Characters of an instruction or a beginning."""

Text = app_commands.Range[str, 1, MOST_ASKED]


DESCRIPTION = locale_str("Let a persona answer the newest message here.")
ALIAS_DESCRIPTION = locale_str("The same as /respond: let a persona answer the newest message here.")


def respond(description: locale_str = DESCRIPTION) -> app_commands.Command[Any, ..., None]:
    """The command; each place that offers it needs one of its own."""

    @app_commands.command(name="respond", description=description)
    @app_commands.describe(
        persona=locale_str("Who answers; by default whoever of the cast spoke last here."),
        prompt=locale_str("What to keep in mind for this answer; nobody else sees it."),
        prefill=locale_str("How the answer begins."),
        model=locale_str("The model that answers this once."),
    )
    @app_commands.autocomplete(persona=offer_personas, model=offer_models)
    async def respond(
        interaction: "At", persona: str | None = None, prompt: Text | None = None, prefill: Text | None = None, model: str | None = None
    ) -> None:
        async def work(desk: Desk, tongue: Tongue) -> str:
            here = await desk.here(interaction)
            who = await meant_persona(desk, tongue, here, await desk.caller(interaction), persona)
            direction = Direction(prompt=(prompt or "").strip(), prefill=(prefill or "").strip())
            command = replace(command_by(interaction, desk, here, "/respond"), persona=who.handle, direction=direction)
            await require_admitted(desk, tongue, command)
            await require_voice(interaction, desk, tongue, here, who)
            await desk.give(replace(command, model=await chosen_model(desk, tongue, model)))
            return tongue.say("{name} will answer.", name=shown(who))

        await answered(interaction, work)

    return respond


def command_by(interaction: "At", desk: Desk, here: Spot, shown_as: str) -> IncomingMessage:
    """A command as a message of ours: history shows `shown_as` of it and nothing more."""
    author, standing = door.person(interaction.user), standing_of(interaction)
    return IncomingMessage(
        MessageId(desk.ids.message()), here.workspace, here.session, author, shown_as, desk.clock.now(), standing=standing
    )


async def require_admitted(desk: Desk, tongue: Tongue, command: IncomingMessage) -> None:
    """Whoever may not call this persona here is told so at once, and nothing is kept. Raises `Declined`."""
    _, plan = await desk.talk.foresee(command)
    refused = [skipped.why for skipped in plan.skipped if skipped.why is not Why.ANOTHER_CHOSEN]
    if refused and not plan.turns:
        raise Declined(meant(refused[0], tongue))


async def require_voice(interaction: "At", desk: Desk, tongue: Tongue, here: Spot, who: Persona) -> None:
    """Whoever asks for a line that nobody could see is told so at once. Raises `Declined`."""
    if interaction.guild_id is not None and not any(_is_open(interaction, way) for way in desk.stage.ways(here, who)):
        raise Declined(tongue.say("I may not write in this channel."))
    try:
        await desk.stage.prepare(here.session, who)
    except NotSaid as error:
        raise Declined(tongue.say(str(error))) from error


def _is_open(interaction: "At", way: Way) -> bool:
    allowed = interaction.app_permissions
    if way is Way.WEBHOOK:
        return allowed.manage_webhooks
    return allowed.send_messages_in_threads if isinstance(interaction.channel, discord.Thread) else allowed.send_messages


def shown(persona: Persona) -> str:
    """A persona's name in a sentence of ours."""
    return escape_markdown(persona.name)
