"""Which persona and which model a command means: what is offered while somebody types, and what it comes to."""

from collections.abc import AsyncIterator
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from discord import app_commands
from discord.utils import escape_markdown

from coterie.domain.conversation import PersonaVoice
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.turns.gates import Caller, appointed_for, barred_for
from coterie.kit.text import head
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.desk import Declined, Desk, here_of
from coterie.platforms.discord.places import Spot
from coterie.platforms.discord.rings import LENGTH
from coterie.ports.stores import StoreError

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

_MOST_OFFERED = 25
_LONGEST = 100
"""Of a choice's name and value (Discord docs, Application command option choice)."""


async def offer_personas(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    """The personas whose name or handle holds what was typed."""
    desk = interaction.client.desk
    if desk is None:
        return []
    try:
        cast = await desk.casts.cast(here_of(interaction).workspace)
    except StoreError:
        return []
    wanted = typed.casefold().strip()
    fitting = [one for one in cast.personas if wanted in one.name.casefold() or wanted in one.handle.casefold()]
    return [app_commands.Choice(name=_shown(one), value=str(one.handle)) for one in fitting[:_MOST_OFFERED] if len(one.handle) <= _LONGEST]


def _shown(persona: Persona) -> str:
    handle = f" ({persona.handle})" if persona.handle.casefold() != persona.name.casefold() else ""
    return head(persona.name, _LONGEST - len(handle)) + handle


async def offer_models(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    """The models that can answer at once and hold what was typed."""
    desk = interaction.client.desk
    if desk is None:
        return []
    wanted = typed.casefold().strip()
    ready = [model.name for model in await desk.models.list() if not model.needs and len(model.name) <= _LONGEST]
    return [app_commands.Choice(name=name, value=name) for name in ready if wanted in name.casefold()][:_MOST_OFFERED]


async def offer_zones(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    """The time zones whose name holds what was typed, blanks for underscores."""
    wanted = typed.casefold().strip().replace(" ", "_")
    return [app_commands.Choice(name=name, value=name) for name in _zones() if wanted in name.casefold()][:_MOST_OFFERED]


@lru_cache(maxsize=1)
def _zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))


async def chosen_model(desk: Desk, tongue: Tongue, name: str | None) -> str | None:
    """The model by this name; nothing where none was named. Raises `Declined`."""
    name = (name or "").strip()
    if not name:
        return None
    listed = next((model for model in await desk.models.list() if model.name == name), None)
    if not name.isprintable() or not desk.models.knows(name):
        raise Declined(tongue.say("There is no model {name}; choose one of those that are offered.", name=_quoted(name)))
    if listed is not None and listed.needs:
        raise Declined(tongue.say("The model {name} cannot be used yet: {needs}", name=_quoted(name), needs=listed.needs))
    return name


def named_persona(cast: Cast, tongue: Tongue, named: str) -> Persona:
    """The persona that is meant by a handle or a name. Raises `Declined`."""
    wanted = named.strip().casefold()
    found = cast.by_handle(wanted) or next((one for one in cast.personas if one.name.casefold() == wanted), None)
    if found is None:
        raise Declined(tongue.say("There is no persona {name} here; `/persona list` shows who is.", name=_quoted(named)))
    return found


def _quoted(typed: str) -> str:
    """What somebody typed, within a sentence of ours."""
    return escape_markdown(head(typed.strip(), _LONGEST))


async def meant_persona(desk: Desk, tongue: Tongue, here: Spot, caller: Caller, named: str | None) -> Persona:
    """The persona that is named, else the first of those that a place suggests and the caller may have there. Raises `Declined`."""
    cast = await desk.cast(here)
    if named and named.strip():
        return named_persona(cast, tongue, named)
    barred = barred_for(caller, cast, desk.clock.now())
    async for persona in _suggested(desk, here, caller, cast):
        if persona.id not in barred:
            return persona
    # Nobody may be had here; whoever stands for the cast is refused with the reason.
    if (anybody := cast.main or next(iter(cast.personas), None)) is not None:
        return anybody
    raise Declined(tongue.say("There is no persona here."))


async def _suggested(desk: Desk, here: Spot, caller: Caller, cast: Cast) -> AsyncIterator[Persona]:
    """Who answers when nobody is named, in the order of specification 000, "Manual triggers".

    Who spoke last; whoever answers this caller, or in this channel, without being called; main.
    """
    for message in reversed(await desk.stage.history(here.session, LENGTH) or ()):
        voice = message.author
        # A notice of the bot has no text and is nobody's line.
        if isinstance(voice, PersonaVoice) and message.text and (persona := cast.by_id(voice.id)) is not None:
            yield persona
            break
    else:
        state = (await desk.conversations.facts(here.workspace, here.session, None, desk.clock.now())).state
        if state.last_speaker is not None and (persona := cast.by_id(state.last_speaker)) is not None:
            yield persona
    for appointed in appointed_for(caller, cast, desk.clock.now()):
        if (persona := cast.by_id(appointed)) is not None:
            yield persona
    for one in (cast.main, *cast.personas):
        if one is not None:
            yield one
