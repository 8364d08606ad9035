"""What people do with applications: slash commands, autocompletion, context menus, buttons, selects, modals."""

from typing import Any

from discord_loopback import shown
from discord_loopback.acts import interactions
from discord_loopback.acts.components import BUTTON, LINK, SELECTS, walk
from discord_loopback.control import finding
from discord_loopback.control.fields import submitted
from discord_loopback.control.finding import Unable
from discord_loopback.control.options import Filled, fill, resolve
from discord_loopback.model import Application, Channel, Interaction, Message, User
from discord_loopback.refusals import Json
from discord_loopback.server import Server
from discord_loopback.world import World


def commands(server: Server, channel: int, person: int) -> list[Json]:
    """The commands that a person can use in a channel, each once: a guild's own before a global one of the same name."""
    world, place, user = server.world, finding.channel(server.world, channel), finding.user(server.world, person)
    found: dict[tuple[str, str, int], Json] = {}
    for application in _present(world, place):
        for one in (*application.commands.values(), *_of_guild(world, place, application)):
            if interactions.may_use(world, user, place, one):
                found[one["application_id"], one["name"], one["type"]] = {**one, "application_name": application.name}
    return list(found.values())


def _present(world: World, place: Channel) -> list[Application]:
    guild = world.guild_of(place)
    people = guild.members.keys() if guild else {one.id for one in place.recipients}
    return [one for one in world.applications.values() if one.bot.id in people]


def _of_guild(world: World, place: Channel, application: Application) -> list[Json]:
    guild = world.guild_of(place)
    return [one for one in guild.commands.values() if one["application_id"] == str(application.id)] if guild else []


def _command(server: Server, channel: int, person: int, name: str, *, kind: int, application: int = 0) -> tuple[Application, Json]:
    for one in reversed(commands(server, channel, person)):
        if one["name"] == name and one["type"] == kind and str(application or one["application_id"]) == one["application_id"]:
            return server.world.applications[int(one["application_id"])], one
    raise Unable(f"There is no command “{name}” that {finding.user(server.world, person).name} could use here.")


def _began(interaction: Interaction) -> Json:
    return {"id": str(interaction.id), "channel_id": str(interaction.channel), "user_id": str(interaction.user.id)}


def _data(command: Json, options: list[Json], resolved: Json) -> Json:
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    if options:
        data["options"] = options
    return data | ({"resolved": resolved} if resolved else {})


def slash(server: Server, person: int, channel: int, *, command: str, options: dict[str, Any] | None = None, application: int = 0) -> Json:
    """A person runs a command such as `persona list`, with options by name; users, roles and channels by id, files as files."""
    world, place, user = server.world, finding.channel(server.world, channel), finding.user(server.world, person)
    words = command.removeprefix("/").split()
    app, found = _command(server, channel, person, words[0] if words else "", kind=1, application=application)
    filled = Filled(world, place)
    data = _data(found, fill(found, words[1:], options or {}, filled), filled.resolved)
    return _began(interactions.begin(world, app, interactions.COMMAND, user, channel=place, data=data))


def autocomplete(
    server: Server, person: int, channel: int, *, command: str, option: str, typed: str, options: dict[str, Any] | None = None
) -> Json:
    """A person has typed a part of an option; the others may be filled in already."""
    world, place, user = server.world, finding.channel(server.world, channel), finding.user(server.world, person)
    words = command.removeprefix("/").split()
    app, found = _command(server, channel, person, words[0] if words else "", kind=1)
    filled = Filled(world, place, focused=option)
    data = _data(found, fill(found, words[1:], {**(options or {}), option: typed}, filled), filled.resolved)
    return _began(interactions.begin(world, app, interactions.AUTOCOMPLETE, user, channel=place, data=data))


def menu(server: Server, person: int, channel: int, *, command: str, message: int = 0, user: int = 0) -> Json:
    """A person uses a context menu's command on a message, or on an account."""
    world, place, who = server.world, finding.channel(server.world, channel), finding.user(server.world, person)
    kind = 3 if message else 2
    app, found = _command(server, channel, person, command, kind=kind)
    if message:
        target = finding.message(world, place.id, message)
        resolved: Json = {"messages": {str(message): shown.message(target, world)}}
    else:
        resolved = resolve(world, place, "users", user)
    data = {**_data(found, [], resolved), "target_id": str(message or user)}
    begun = interactions.begin(world, app, interactions.COMMAND, who, channel=place, data=data, command_type=kind)
    return _began(begun)


# Components


def _component(server: Server, channel: int, message: int, custom_id: str) -> tuple[Channel, Message, Json, Application]:
    world, place = server.world, finding.channel(server.world, channel)
    found = finding.message(world, place.id, message)
    for one in walk(found.components):
        named = one.get("custom_id") == custom_id or (one.get("type") == BUTTON and one.get("label") == custom_id)
        if named and one.get("style") != LINK:
            if one.get("disabled"):
                raise Unable(f"“{custom_id}” is disabled.")
            return place, found, one, _owner(world, found)
    raise Unable(f"There is no button or select “{custom_id}” on that message.")


def _owner(world: World, message: Message) -> Application:
    number = message.application or message.author.id
    if number not in world.applications:
        raise Unable("No application stands behind that message.")
    return world.applications[number]


def press(server: Server, person: int, channel: int, message: int, *, button: str) -> Json:
    """A person presses a button, given by its custom id or label."""
    _, found, one, app = _component(server, channel, message, button)
    data: Json = {"custom_id": one["custom_id"], "component_type": one["type"], "id": one["id"]}
    return _component_used(server, finding.user(server.world, person), found, app, data)


def select(server: Server, person: int, channel: int, message: int, *, custom_id: str, values: list[str]) -> Json:
    """A person chooses in a select, given by its custom id."""
    place, found, one, app = _component(server, channel, message, custom_id)
    if one["type"] not in SELECTS:
        raise Unable(f"“{custom_id}” is no select.")
    if not one.get("min_values", 1) <= len(values) <= one.get("max_values", 1):
        raise Unable(f"“{custom_id}” takes {one.get('min_values', 1)} to {one.get('max_values', 1)} values.")
    if one["type"] == 3 and (unknown := set(values) - {each["value"] for each in one["options"]}):
        raise Unable(f"“{custom_id}” has no option “{min(unknown)}”.")
    data: Json = {"custom_id": one["custom_id"], "component_type": one["type"], "id": one["id"], "values": values}
    filled = Filled(server.world, place)
    filled.resolve_select(one["type"], values)
    return _component_used(
        server, finding.user(server.world, person), found, app, data | ({"resolved": filled.resolved} if filled.resolved else {})
    )


def _component_used(server: Server, user: User, message: Message, app: Application, data: Json) -> Json:
    place = finding.channel(server.world, message.channel)
    metadata = {"interacted_message_id": str(message.id)}
    begun = interactions.begin(
        server.world, app, interactions.COMPONENT, user, channel=place, data=data, message=message, metadata=metadata
    )
    return _began(begun)


# Modals


def _interaction(server: Server, interaction: int) -> Interaction:
    found = next((one for one in reversed(server.world.interactions.values()) if one.id == interaction), None)
    if found is None:
        raise Unable(f"There is no interaction {interaction}.")
    return found


def submit(server: Server, interaction: int, *, fields: dict[str, Any]) -> Json:
    """A person sends the modal that an interaction was answered with; fields by custom id, files as files."""
    world, before = server.world, _interaction(server, interaction)
    answer = before.answer or {}
    if answer.get("type") != 9:
        raise Unable("That interaction was not answered with a modal.")
    place, modal = finding.channel(world, before.channel), answer["data"]
    filled = Filled(world, place)
    components = submitted(modal["components"], dict(fields), filled)
    data: Json = {"custom_id": modal["custom_id"], "components": components}
    if filled.resolved:
        data["resolved"] = filled.resolved
    message = world.peek(place.id, before.message) if before.message else None
    metadata = {"triggering_interaction_metadata": before.metadata}
    begun = interactions.begin(
        world, before.application, interactions.MODAL, before.user, channel=place, data=data, message=message, metadata=metadata
    )
    return _began(begun)


def answer_of(server: Server, interaction: int) -> Json:
    """How far an interaction is: the kind of its answer, and the message, modal or choices of it."""
    found = _interaction(server, interaction)
    state: Json = {"id": str(found.id), "type": (found.answer or {}).get("type")}
    if state["type"] in (8, 9):
        state["data"] = (found.answer or {}).get("data")
    message = server.world.peek(found.channel, found.original) if found.original else None
    if message is not None:
        state["message"] = shown.message(message, server.world)
    return state
