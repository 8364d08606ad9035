"""`/why`, also from a message's context menu: why each persona answered a message, or did not."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import aiohttp
import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.utils import escape_markdown

from coterie.domain.ids import MessageId, PersonaId
from coterie.domain.personas.persona import Cast
from coterie.domain.turns.plan import MEANINGS, Reason, TurnPlan, Why
from coterie.kit.tongues import Tongue
from coterie.platforms.discord import door
from coterie.platforms.discord.commands.answering import answered
from coterie.platforms.discord.commands.desk import Declined, Desk, here_of
from coterie.platforms.discord.commands.persona import as_many_as_fit
from coterie.platforms.discord.places import Spot
from coterie.ports.posts import PostId
from coterie.ports.stores import Decision

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

_LINK = re.compile(r"https?://\S+/channels/(?:\d{1,20}|@me)/(?P<channel>\d{1,20})/(?P<message>\d{1,20})/?")
_ID = re.compile(r"\d{1,20}")


@app_commands.command(name="why", description=locale_str("Why each persona answered a message, or did not."))
@app_commands.describe(message=locale_str("The message's link or id (Copy Message Link)."))
async def why(interaction: "At", message: app_commands.Range[str, 1, 200]) -> None:
    """Of a message of this channel."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        post = _read(message, interaction, tongue)
        return await _known(desk, tongue, here_of(interaction), post) or await _unknown(
            interaction, desk, tongue, await _fetch(interaction, post)
        )

    await answered(interaction, work)


@app_commands.context_menu(name=locale_str("Why?"))
async def why_menu(interaction: "At", message: discord.Message) -> None:
    """Of the message that was clicked."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        return await _known(desk, tongue, here_of(interaction), message.id) or await _unknown(interaction, desk, tongue, message)

    await answered(interaction, work)


def _read(given: str, interaction: "At", tongue: Tongue) -> int:
    """The message that is meant. Raises `Declined`."""
    bare = given.strip().strip("<>")
    link = _LINK.fullmatch(bare)
    if link is not None and int(link["channel"]) != interaction.channel_id:
        raise Declined(tongue.say("That message is in another channel; ask there."))
    if link is None and not _ID.fullmatch(bare):
        raise Declined(tongue.say("That is no message: give its link or its id."))
    return int(link["message"] if link is not None else bare)


async def _fetch(interaction: "At", post: int) -> discord.Message | None:
    assert interaction.channel_id is not None
    place = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
    try:
        return await place.fetch_message(post)
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        return None


async def _known(desk: Desk, tongue: Tongue, here: Spot, post: int) -> str | None:
    """What was decided about a message; of a persona's line, also why it was said."""
    await desk.stage.recorded(here)
    line = (await desk.posts.lines([PostId(post)])).get(PostId(post))
    asked = line.id if line is not None else MessageId(str(post))
    said = [await desk.conversations.why(asked)]
    if line is not None and line.turn is not None and (turn := await desk.conversations.turn(line.turn)) is not None:
        said.insert(0, await desk.conversations.why(turn.trigger))
    decisions = [decision for decision in said if decision is not None and decision.session == here.session]
    if not decisions:
        return None
    lines = list(_told(decisions[0], tongue))
    for further in decisions[1:]:
        lines += ["", tongue.say("What this line led to:"), *_told(further, tongue)]
    return as_many_as_fit(lines, tongue)


async def _unknown(interaction: "At", desk: Desk, tongue: Tongue, message: discord.Message | None) -> str:
    """A message that nothing is recorded for: one of a person that called nobody is judged anew."""
    us = interaction.client.user
    if message is None or us is None:
        return tongue.say("There is no such message in this channel.")
    if message.author.bot or message.webhook_id or not door.is_talk(message):
        return tongue.say("Nothing was decided about this message: only people's messages and the personas' own lines can call somebody.")
    here = here_of(interaction)
    cast, plan = await desk.talk.foresee(door.incoming(message, here, us, reply_to=await desk.listening.replied_to(message, here)))
    if plan.turns:
        return tongue.say("I did not hear this message in time, so nobody answered; or it is too long ago, and the reasons are gone.")
    return as_many_as_fit([tongue.say("It calls nobody, as the cast is now."), *_foreseen(cast, plan, tongue)], tongue)


def _told(decision: Decision, tongue: Tongue) -> Iterator[str]:
    for turn in decision.turns:
        note = f" {turn.note}" if turn.note else ""
        yield f"**{_name(decision, turn.persona)}** ({tongue.say(turn.status.value)}): {meant(turn.reason, tongue)}{note}"
    for persona, reason in decision.skipped:
        yield _silent(_name(decision, persona), reason, tongue)
    if not decision.turns and not decision.skipped:
        yield tongue.say("There is no persona here.")


def _foreseen(cast: Cast, plan: TurnPlan, tongue: Tongue) -> Iterator[str]:
    names = {persona.id: escape_markdown(persona.name) for persona in cast.personas}
    for skipped in plan.skipped:
        yield _silent(names[skipped.persona], skipped.why, tongue)


def _silent(name: str, reason: Why, tongue: Tongue) -> str:
    return tongue.say("**{name}** did not answer: {meaning}", name=name, meaning=meant(reason, tongue))


def meant(reason: Reason | Why, tongue: Tongue) -> str:
    """A reason in words, with its stable name."""
    return f"{tongue.say(MEANINGS[reason])} `{reason.value}`"


def _name(decision: Decision, persona: PersonaId) -> str:
    return escape_markdown(decision.names[persona][1]) if persona in decision.names else str(persona)
