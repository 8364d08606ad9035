"""`/server whitelist`: in which channels and by whom the cast can be called, and where a persona is heard."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import locale_str

from coterie.domain.access import Access, Cooldown, CooldownKind
from coterie.domain.ids import PlaceId, RoleId
from coterie.domain.settings import BY_NAME, LONGEST_COOLDOWN
from coterie.kit.text import head
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import Answer, Command, answered
from coterie.platforms.discord.commands.choosing import named_persona, offer_personas
from coterie.platforms.discord.commands.desk import Declined, Desk, here_of
from coterie.platforms.discord.commands.language import tongue_of
from coterie.platforms.discord.commands.listings import WHITELIST, own_cooldown
from coterie.platforms.discord.commands.managing import require_server_manager
from coterie.platforms.discord.commands.menus import shown
from coterie.platforms.discord.commands.named import AnyChannel, Chosen, Names, place_of
from coterie.platforms.discord.commands.settings import choices_of
from coterie.ports.stores import StoreError

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

_MOST_OFFERED = 25
_LONGEST = 100


@app_commands.command(
    name="add", description=locale_str("List a channel; where any is listed, the cast can be called in listed ones only.")
)
@app_commands.describe(
    channel=locale_str("The channel; its threads count too."),
    cooldown_type=locale_str("Who has to wait there after calling; by default as in the whole server."),
    cooldown_length=locale_str("How many seconds have to be waited there."),
)
@app_commands.choices(cooldown_type=choices_of(BY_NAME["cooldown-type"]))
async def add(
    interaction: "At",
    channel: app_commands.Transform[Chosen, AnyChannel],
    cooldown_type: str | None = None,
    cooldown_length: app_commands.Range[int, 1, LONGEST_COOLDOWN] | None = None,
) -> None:
    """With a cooldown of its own, or with the usual one."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        here, place = here_of(interaction), place_of(channel)
        own = _own((await desk.settings_of(here)).cooldown, cooldown_type, cooldown_length, tongue)
        await desk.edit(here, lambda access: access.listing_channel(place, own))
        said = tongue.say("{channel} is listed: the cast can be called in listed channels only.", channel=f"<#{place}>")
        return said if own is None else f"{said} ({own_cooldown(own, tongue)})"

    await answered(interaction, work)


def _own(usual: Cooldown, kind: str | None, seconds: int | None, tongue: Tongue) -> Cooldown | None:
    """What is not named of a cooldown is as usual. Raises `Declined`."""
    if kind is None and seconds is None:
        return None
    cooldown = Cooldown(CooldownKind(kind) if kind else usual.kind, timedelta(seconds=seconds) if seconds else usual.length)
    if kind is None and cooldown.kind is CooldownKind.OFF:
        raise Declined(tongue.say("Nobody has to wait in this server; say with `cooldown_type` who has to here."))
    return cooldown


async def _offer_listed(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    desk = interaction.client.desk
    if desk is None or not interaction.permissions.manage_guild:
        return []
    try:
        labels = await _labels(desk, interaction, tongue_of(interaction.locale))
    except StoreError:
        return []
    wanted = typed.casefold().strip().lstrip("#")
    fitting = [(place, label) for place, label in labels.items() if wanted in label.casefold() or wanted == place]
    return [app_commands.Choice(name=head(label, _LONGEST), value=str(place)) for place, label in fitting[:_MOST_OFFERED]]


async def _labels(desk: Desk, interaction: "At", tongue: Tongue) -> Mapping[PlaceId, str]:
    here = here_of(interaction)
    names = Names(interaction.guild, await desk.casts.cast(here.workspace), tongue)
    return {place: (await names.place(place)).label for place in (await desk.access.access(here.workspace)).channels}


@app_commands.command(
    name="remove", description=locale_str("Take a channel out of the list; with none listed, the cast can be called in all.")
)
@app_commands.describe(channel=locale_str("A listed channel, also one that is deleted."))
@app_commands.autocomplete(channel=_offer_listed)
async def remove(interaction: "At", channel: app_commands.Range[str, 1, 100]) -> None:
    """By what is offered, or by its id, mention or name."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        labels = await _labels(desk, interaction, tongue)
        bare = channel.strip().strip("<#>")
        found = next((place for place, label in labels.items() if bare in (place, label, label.removeprefix("#"))), None)
        if found is None:
            raise Declined(tongue.say("That channel is not listed."))
        access = await desk.edit(here_of(interaction), lambda access: access.without_channel(found))
        said = tongue.say("{channel} is not listed any more.", channel=f"<#{found}>")
        return said if access.channels else said + " " + tongue.say("The cast can be called in all channels.")

    await answered(interaction, work)


@app_commands.command(name="role", description=locale_str("List a role; where any is listed, only members with a listed one can call."))
@app_commands.describe(role=locale_str("The role."), listed=locale_str("Whether it is listed from now on; by default it is."))
async def role(interaction: "At", role: discord.Role, listed: bool = True) -> None:
    """Also takes it out again."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        which = RoleId(str(role.id))
        access = await desk.edit(here_of(interaction), lambda access: access.listing_role(which) if listed else access.without_role(which))
        if listed:
            return tongue.say("{role} is listed: only members with a listed role can call the cast.", role=role.mention)
        said = tongue.say("{role} is not listed any more.", role=role.mention)
        return said if access.roles else said + " " + tongue.say("Members can call the cast without any role.")

    await answered(interaction, work)


@app_commands.command(name="persona", description=locale_str("Let a persona be heard in some channels only, each named once."))
@app_commands.describe(
    persona=locale_str("Who is heard there only."),
    channel=locale_str("The channel; its threads count too."),
    listed=locale_str("Whether it is listed from now on; by default it is."),
)
@app_commands.autocomplete(persona=offer_personas)
async def persona(
    interaction: "At",
    persona: str,
    channel: app_commands.Transform[Chosen, AnyChannel],
    listed: bool = True,
) -> None:
    """A persona without any channel of its own is heard in all."""

    async def work(desk: Desk, tongue: Tongue) -> str:
        require_server_manager(interaction, tongue)
        here, place = here_of(interaction), place_of(channel)
        cast = await desk.cast(here)
        who = named_persona(cast, tongue, persona)

        def edit(access: Access) -> Access:
            places = access.persona_channels.get(who.id, frozenset())
            return access.keeping_persona_to(who.id, places | {place} if listed else places - {place})

        places = (await desk.edit(here, edit)).persona_channels.get(who.id, frozenset())
        name, where = Names(interaction.guild, cast, tongue).persona(who.id).shown, ", ".join(f"<#{one}>" for one in sorted(places))
        if not places:
            return tongue.say("{name} is heard in all channels.", name=name)
        return tongue.say("{name} is heard in these channels only: {channels}", name=name, channels=where)

    await answered(interaction, work)


@app_commands.command(name="list", description=locale_str("What is listed: channels, roles, and where personas are heard."))
async def list_(interaction: "At") -> None:
    """With a menu that takes entries out, also those whose channel or role is deleted."""

    async def work(desk: Desk, tongue: Tongue) -> Answer:
        return await shown(WHITELIST, interaction, desk, tongue)

    await answered(interaction, work)


WHITELIST_COMMANDS: tuple[Command, ...] = (add, remove, role, persona, list_)
