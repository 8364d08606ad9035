"""`/persona`: who is in the cast."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import locale_str
from discord.utils import escape_markdown

from coterie.domain.personas.persona import Persona
from coterie.kit.text import utf16_length
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import MOST, answered
from coterie.platforms.discord.commands.desk import Desk, here_of

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

_FOR_THE_REST = 200
_MOST_WORDS = 8

persona = app_commands.Group(name="persona", description=locale_str("The cast of this server."))


@persona.command(name="list", description=locale_str("Who is in the cast, and which words call them."))
async def persona_list(interaction: "At") -> None:
    """Name, handle and the trigger words that really are each persona's, main first."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        cast = await desk.cast(here_of(interaction))
        return as_many_as_fit([_line(one, tongue) for one in cast.personas], tongue) or tongue.say("There is no persona here.")

    await answered(interaction, work)


def as_many_as_fit(lines: list[str], tongue: Tongue) -> str:
    """The lines of one message, and how many more there are."""
    shown, length = list[str](), 0
    for line in lines:
        length += utf16_length(line) + 1
        if length > MOST - _FOR_THE_REST:
            break
        shown.append(line)
    left = len(lines) - len(shown)
    rest = [tongue.count("… and {number} more.", "… and {number} more.", left)] if left else []
    return "\n".join([*shown, *rest])


def _line(one: Persona, tongue: Tongue) -> str:
    words = [escape_markdown(word) for word in one.effective_trigger_words]
    called = ", ".join([*words[:_MOST_WORDS], *(["…"] if len(words) > _MOST_WORDS else [])]) or tongue.say("no trigger word of its own")
    main = tongue.say("main")
    kind = "" if one.is_alter else f" – {main}"
    return f"**{escape_markdown(one.name)}** (`{one.handle}`){kind}: {called}"
