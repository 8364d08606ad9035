"""`/bot`: answer on demand, speak as a persona, leave a note of the system."""

from dataclasses import replace
from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import locale_str

from coterie.domain.conversation import SYSTEM, Direction, IncomingMessage
from coterie.domain.ids import MessageId
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import answered
from coterie.platforms.discord.commands.choosing import named_persona, offer_personas
from coterie.platforms.discord.commands.desk import Declined, Desk
from coterie.platforms.discord.commands.notes import show_note
from coterie.platforms.discord.commands.respond import ALIAS_DESCRIPTION, command_by, require_admitted, require_voice, respond, shown
from coterie.platforms.discord.stage import LIMITS
from coterie.platforms.discord.webhook_errors import WebhooksRefused

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

MOST_NOTED = 4_000
"""Characters of a note; an embed holds 4,096."""

bot = app_commands.Group(name="bot", description=locale_str("What the bot does for you here."))
bot.add_command(respond(ALIAS_DESCRIPTION))


@bot.command(name="impersonate", description=locale_str("Say something as a persona, once (for those who manage messages)."))
@app_commands.describe(persona=locale_str("Who says it."), text=locale_str("What is said, word for word."))
@app_commands.autocomplete(persona=offer_personas)
async def impersonate(interaction: "At", persona: str, text: app_commands.Range[str, 1, LIMITS.message_length]) -> None:
    """The words are a line of the persona like any other: kept once, sent once, and looked at for whom they call."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        _require_manager(interaction, tongue)
        words = _words(text, tongue)
        here = await desk.here(interaction)
        who = named_persona(await desk.cast(here), tongue, persona)
        command = command_by(interaction, desk, here, "/bot impersonate")
        command = replace(command, persona=who.handle, direction=Direction(words=words))
        await require_admitted(desk, tongue, command)
        await require_voice(interaction, desk, tongue, here, who)
        await desk.give(command)
        return tongue.say("{name} says it.", name=shown(who))

    await answered(interaction, work)


@bot.command(
    name="impersonate-system", description=locale_str("Leave a note that every persona takes into account (for those who manage messages).")
)
@app_commands.describe(text=locale_str("What the note says."))
async def impersonate_system(interaction: "At", text: app_commands.Range[str, 1, MOST_NOTED]) -> None:
    """The note is kept, then shown; a persona that speaks later reads it as nobody's line."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        _require_manager(interaction, tongue)
        words = _words(text, tongue)
        here = await desk.here(interaction)
        note = IncomingMessage(MessageId(desk.ids.message()), here.workspace, here.session, SYSTEM, words, desk.clock.now())
        await desk.listening.in_turn(here.session, lambda: desk.talk.narrate(note))
        try:
            await show_note(desk.stage, here, note)
        except WebhooksRefused as error:
            raise Declined(tongue.say("The note could not be shown: {reason}", reason=error.sentence)) from error
        return tongue.say("The note is there for everybody.")

    await answered(interaction, work)


def _require_manager(interaction: "At", tongue: Tongue) -> None:
    """Discord asks for permissions of whole groups only, and `/bot respond` is for everybody; so this is asked here."""
    if interaction.guild_id is not None and not interaction.permissions.manage_messages:
        raise Declined(tongue.say("Only those who may manage messages here can do this."))


def _words(text: str, tongue: Tongue) -> str:
    if not text.strip():
        raise Declined(tongue.say("There is nothing to say in that."))
    return text.strip()
