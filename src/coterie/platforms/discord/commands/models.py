"""`/model text`: which model answers, in the whole server, in one channel, or as one persona."""

from typing import TYPE_CHECKING, Literal

from discord import app_commands
from discord.app_commands import locale_str

from coterie.domain.sessions.session import SessionChange
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import answered
from coterie.platforms.discord.commands.choosing import chosen_model, named_persona, offer_models, offer_personas
from coterie.platforms.discord.commands.desk import Declined, Desk
from coterie.platforms.discord.commands.managing import require_manager
from coterie.platforms.discord.commands.respond import shown

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

NONE = "-"
"""What stands for no model of its own."""

Scope = Literal["global", "channel", "persona"]


@app_commands.command(name="text", description=locale_str("Which model answers: everywhere here, in this channel, or as one persona."))
@app_commands.describe(
    model=locale_str("The model as provider:model; - for none of its own."),
    scope=locale_str("Where it counts: persona goes before channel, channel before global."),
    persona=locale_str("Which persona, where it is for one."),
)
@app_commands.choices(
    scope=[
        app_commands.Choice(name=locale_str("everywhere here"), value="global"),
        app_commands.Choice(name=locale_str("this channel"), value="channel"),
        app_commands.Choice(name=locale_str("one persona"), value="persona"),
    ]
)
@app_commands.autocomplete(model=offer_models, persona=offer_personas)
async def model_text(interaction: "At", model: str, scope: Scope = "global", persona: str | None = None) -> None:
    """The narrowest choice counts (specification 001): a request's own, else the persona's, the channel's, the server's."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_manager(interaction, tongue)
        name = None if model.strip() == NONE else await chosen_model(desk, tongue, model)
        if persona is not None or scope == "persona":
            return await _of_persona(interaction, desk, tongue, name, persona)
        here = await desk.here(interaction)
        if scope == "channel":
            await desk.sessions.change(here.session, SessionChange(model=name or "auto"))
            return tongue.say("In this channel answers: {model}", model=name or tongue.say("as everywhere here"))
        await desk.set(here, {"model": name or ""})
        return tongue.say("Everywhere here answers: {model}", model=name or tongue.say("the installation's own"))

    await answered(interaction, work)


async def _of_persona(interaction: "At", desk: Desk, tongue: Tongue, model: str | None, persona: str | None) -> str:
    if persona is None:
        raise Declined(tongue.say("Name the persona it is for."))
    here = await desk.here(interaction)
    who = named_persona(await desk.cast(here), tongue, persona)
    await desk.casts.play_with(here.workspace, who.handle, model, who.reasoning)
    return tongue.say("{name} answers with: {model}", name=shown(who), model=model or tongue.say("as everywhere here"))
