"""Finds what an operation names, and says in a sentence when it is not there. Changes nothing."""

import base64
import binascii

from discord_loopback.acts.drafts import Upload
from discord_loopback.model import Application, Channel, Guild, Member, Message, User
from discord_loopback.refusals import Json
from discord_loopback.world import World


class Unable(Exception):
    """An operation that cannot be done; the message is one sentence for a person."""


def guild(world: World, which: int) -> Guild:
    """A guild by its id."""
    if which not in world.guilds:
        raise Unable(f"There is no guild {which}.")
    return world.guilds[which]


def channel(world: World, which: int) -> Channel:
    """A channel or thread by its id."""
    if which not in world.channels:
        raise Unable(f"There is no channel {which}.")
    return world.channels[which]


def guild_channel(world: World, which: int) -> tuple[Guild, Channel]:
    """A channel of a guild, with the guild."""
    found = channel(world, which)
    if not found.guild:
        raise Unable("That is a direct message, not a channel of a guild.")
    return world.guilds[found.guild], found


def user(world: World, which: int) -> User:
    """An account by its id."""
    if which not in world.users:
        raise Unable(f"There is no account {which}.")
    return world.users[which]


def member(world: World, in_guild: Guild, which: int) -> Member:
    """A member of a guild by the account's id."""
    if which not in in_guild.members:
        raise Unable(f"{user(world, which).name} is not in “{in_guild.name}”.")
    return in_guild.members[which]


def message(world: World, channel_id: int, which: int) -> Message:
    """A message by its id, also one for a single person's eyes."""
    found = world.peek(channel_id, which)
    if found is None:
        raise Unable(f"There is no message {which} in that channel.")
    return found


def application(world: World, which: int) -> Application:
    """An application by its id; the only one for 0."""
    if not which and len(world.applications) == 1:
        return next(iter(world.applications.values()))
    if which not in world.applications:
        raise Unable(f"There is no application {which}.")
    return world.applications[which]


def uploads(files: list[Json]) -> tuple[Upload, ...]:
    """Files of an operation: name, bytes as base64, type."""
    try:
        return tuple(
            Upload(str(one["name"]), base64.b64decode(one["data"], validate=True), one.get("type"), number)
            for number, one in enumerate(files)
        )
    except (KeyError, TypeError, binascii.Error) as error:
        raise Unable("A file needs a name and its bytes as base64.") from error
