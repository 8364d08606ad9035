"""`/personal spotlight`: whom a person wants to hear in a channel, and who answers them there without being called."""

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import locale_str

from coterie.domain.access import Spotlight
from coterie.domain.ids import PlaceId
from coterie.domain.personas.persona import Cast, Persona
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import Answer, Command, answered
from coterie.platforms.discord.commands.choosing import named_persona, offer_personas
from coterie.platforms.discord.commands.desk import Declined, Desk, here_of, person_of, standing_of
from coterie.platforms.discord.commands.listings import SPOTLIGHTS, moment
from coterie.platforms.discord.commands.managing import require_server
from coterie.platforms.discord.commands.menus import shown
from coterie.platforms.discord.commands.named import AnyChannel, Chosen, Names, channel_of

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

LONGEST = 87_600
"""Hours: ten years."""
_MOST_TYPED = 1_000
_LONGEST_CHOICE = 100


async def _offer_several(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    """The personas that could stand behind those that were typed already."""
    before, comma, last = typed.rpartition(",")
    said = f"{before}{comma} ".lstrip()
    offered = [(said + choice.name, said + choice.value) for choice in await offer_personas(interaction, last)]
    return [app_commands.Choice(name=name, value=value) for name, value in offered if len(name) <= _LONGEST_CHOICE]


@app_commands.command(name="set", description=locale_str("Hear some personas only in a channel; for others nothing changes."))
@app_commands.describe(
    hours=locale_str("For how many hours; 0 means for good."),
    personas=locale_str("Whom you want to hear, with commas between them."),
    channel=locale_str("Where; by default here. Its threads count too."),
    auto_persona=locale_str("Who of them answers you there without being called."),
)
@app_commands.autocomplete(personas=_offer_several, auto_persona=offer_personas)
async def set_(
    interaction: "At",
    hours: app_commands.Range[int, 0, LONGEST],
    personas: app_commands.Range[str, 1, _MOST_TYPED],
    channel: app_commands.Transform[Chosen, AnyChannel] | None = None,
    auto_persona: str | None = None,
) -> None:
    """In place of what was wanted there before."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server(interaction, tongue)
        here, place = here_of(interaction), channel_of(channel) if channel is not None else standing_of(interaction).channel
        cast = await desk.cast(here)
        wanted = _named(cast, tongue, personas)
        auto = named_persona(cast, tongue, auto_persona) if auto_persona else None
        if auto is not None and auto not in wanted:
            raise Declined(tongue.say("Who answers you without being called has to be one of those that you want to hear."))
        until = desk.clock.now() + timedelta(hours=hours) if hours else None
        light = Spotlight(frozenset(one.id for one in wanted), auto.id if auto is not None else None, until)
        await desk.edit(here, lambda access: access.shining(person_of(interaction), place, light))
        return _told(light, place, Names(interaction.guild, cast, tongue), tongue)

    await answered(interaction, work)


def _named(cast: Cast, tongue: Tongue, typed: str) -> list[Persona]:
    """The personas that are meant, each once. Raises `Declined`."""
    names: Iterable[str] = filter(None, (name.strip() for name in typed.replace("、", ",").split(",")))
    if (found := list(dict.fromkeys(named_persona(cast, tongue, name) for name in names))) == []:
        raise Declined(tongue.say("Name at least one persona."))
    return found


def _told(light: Spotlight, place: PlaceId, names: Names, tongue: Tongue) -> str:
    who = ", ".join(names.persona(persona).shown for persona in sorted(light.personas))
    said = tongue.say("In {channel} you hear these only: {names}", channel=f"<#{place}>", names=who)
    notes = [tongue.say("until {when}", when=moment(light.expires_at))] if light.expires_at is not None else []
    notes += [tongue.say("uncalled: {name}", name=names.persona(light.auto).shown)] if light.auto is not None else []
    return " – ".join([said, *notes])


@app_commands.command(name="manage", description=locale_str("Where you hear some personas only, and a menu to hear everybody again."))
async def manage(interaction: "At") -> None:
    """Each channel of this server in which something is narrowed."""

    async def work(desk: Desk, tongue: Tongue) -> Answer:
        return await shown(SPOTLIGHTS, interaction, desk, tongue)

    await answered(interaction, work)


SPOTLIGHT_COMMANDS: tuple[Command, ...] = (set_, manage)
