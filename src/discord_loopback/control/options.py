"""Fills in a command's options as Discord's client would: kinds, bounds, choices, and what ids stand for."""

from dataclasses import dataclass, field
from typing import Any

from discord_loopback import shown
from discord_loopback.control import finding
from discord_loopback.control.finding import Unable
from discord_loopback.model import Channel
from discord_loopback.refusals import Json
from discord_loopback.world import World

SUB, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = range(1, 12)

_OF_A_CHANNEL = frozenset(
    {"id", "name", "type", "parent_id", "nsfw", "position", "topic", "last_message_id", "flags", "rate_limit_per_user"}
    | {"thread_metadata", "owner_id", "guild_id", "message_count", "member_count", "total_message_sent"}
)
"""What is told of a channel or thread that somebody chose."""


def resolve(world: World, place: Channel, kind: str, number: int) -> Json:
    """What an id stands for, as `resolved` carries it; kind is users, roles or channels."""
    guild = world.guild_of(place)
    if kind == "users":
        found: Json = {"users": {str(number): shown.user(finding.user(world, number))}}
        if guild and number in guild.members:
            member = {key: value for key, value in shown.member(guild.members[number]).items() if key not in ("mute", "deaf")}
            found["members"] = {str(number): {**member, "permissions": str(world.may(number, place))}}
        return found
    if kind == "roles" and guild and number in guild.roles:
        return {"roles": {str(number): shown.role(guild.roles[number])}}
    if kind == "channels" and number in world.channels:
        whole = shown.channel(world.channels[number])
        kept = {key: value for key, value in whole.items() if key in _OF_A_CHANNEL}
        return {"channels": {str(number): {**kept, "permissions": "0"}}}
    raise Unable(f"There is nothing with the id {number} here.")


@dataclass(slots=True)
class Filled:
    """What filling in has found out: the resolved objects. `focused` is the option that a person is typing."""

    world: World
    place: Channel
    focused: str = ""
    resolved: Json = field(default_factory=dict)

    def add(self, found: Json) -> None:
        """Take resolved objects in."""
        for kind, objects in found.items():
            self.resolved.setdefault(kind, {}).update(objects)

    def upload(self, value: Any) -> str:
        """Store a file as an attachment for the application alone; returns its id."""
        (one,) = finding.uploads([value] if isinstance(value, dict) else [])[:1] or (None,)
        if one is None:
            raise Unable("A file is needed here.")
        number = self.world.snowflakes.next()
        path = f"ephemeral-attachments/{number}/{one.filename}"
        self.world.keep_passing_file(path, one.data, one.content_type or "application/octet-stream")
        address = self.world.cdn(path)
        attachment: Json = {"id": str(number), "filename": one.filename, "size": len(one.data), "url": address, "proxy_url": address}
        attachment["ephemeral"] = True
        if one.content_type:
            attachment["content_type"] = one.content_type
        self.add({"attachments": {str(number): attachment}})
        return str(number)

    def resolve_select(self, kind: int, values: list[str]) -> None:
        """Resolve what is chosen in a select of users (5), roles (6), mentionables (7) or channels (8)."""
        for value in values if kind in (5, 6, 7, 8) else ():
            guild = self.world.guild_of(self.place)
            is_role = kind == 6 or (kind == 7 and guild is not None and int(value) in guild.roles)
            self.add(resolve(self.world, self.place, "channels" if kind == 8 else "roles" if is_role else "users", int(value)))


def fill(command: Json, words: list[str], values: dict[str, Any], filled: Filled) -> list[Json]:
    """The options of a command's data; `words` lead to a subcommand."""
    options: list[Json] = command.get("options") or []
    if words:
        inner = next((one for one in options if one["name"] == words[0] and one["type"] in (SUB, GROUP)), None)
        if inner is None:
            raise Unable(f"“{command['name']}” has no subcommand “{words[0]}”.")
        return [{"name": inner["name"], "type": inner["type"], "options": fill(inner, words[1:], values, filled)}]
    if options and options[0]["type"] in (SUB, GROUP):
        raise Unable(f"“{command['name']}” needs one of its subcommands: {', '.join(one['name'] for one in options)}.")
    if unknown := set(values) - {one["name"] for one in options}:
        raise Unable(f"“{command['name']}” has no option “{min(unknown)}”.")
    if not filled.focused:
        missing = [one["name"] for one in options if one.get("required") and one["name"] not in values]
        if missing:
            raise Unable(f"“{command['name']}” needs the option “{missing[0]}”.")
    return [_option(one, values[one["name"]], filled) for one in options if one["name"] in values]


def _option(option: Json, value: Any, filled: Filled) -> Json:
    shape: Json = {"name": option["name"], "type": option["type"]}
    if option["name"] == filled.focused:
        return {**shape, "value": value, "focused": True}
    if option.get("choices") and value not in (allowed := [one["value"] for one in option["choices"]]):
        raise Unable(f"“{option['name']}” must be one of {', '.join(map(str, allowed))}.")
    return {**shape, "value": _value(option, value, filled)}


def _value(option: Json, value: Any, filled: Filled) -> Any:
    kind, name = option["type"], option["name"]
    if kind in (INTEGER, NUMBER):
        _check_number(option, value)
    elif kind == BOOLEAN and not isinstance(value, bool):
        raise Unable(f"“{name}” must be true or false.")
    elif kind == STRING:
        _check_length(option, str(value))
    elif kind == FILE:
        return filled.upload(value)
    elif kind in (USER, ROLE, CHANNEL, MENTIONABLE):
        guild = filled.world.guild_of(filled.place)
        is_role = kind == ROLE or (kind == MENTIONABLE and guild is not None and int(value) in guild.roles)
        filled.add(resolve(filled.world, filled.place, "channels" if kind == CHANNEL else "roles" if is_role else "users", int(value)))
        return str(value)
    return value


def _check_number(option: Json, value: Any) -> None:
    right = isinstance(value, int if option["type"] == INTEGER else int | float) and not isinstance(value, bool)
    if not right:
        raise Unable(f"“{option['name']}” must be a number.")
    least, most = option.get("min_value"), option.get("max_value")
    if (least is not None and value < least) or (most is not None and value > most):
        raise Unable(f"“{option['name']}” must lie between {least} and {most}.")


def _check_length(option: Json, value: str) -> None:
    if not option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000):
        raise Unable(f"“{option['name']}” has the wrong length.")
