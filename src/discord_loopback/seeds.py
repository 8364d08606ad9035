"""Fills a world from a description in JSON: applications, people, guilds. The example in the package has one of everything.

A seed is an object with `applications` (name, token, intents), `people` (name, shown) and `guilds` (name, owner, members, applications
with permissions, roles, emojis, stickers, channels with type, topic, overwrites, tags and first messages). Every object may carry an `id`.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from discord_loopback import happenings, permissions
from discord_loopback.acts import guilds, messages
from discord_loopback.acts.drafts import Draft
from discord_loopback.model import KINDS, Application, Channel, Guild, Overwrite, User
from discord_loopback.pictures import COLOURS, plain_face
from discord_loopback.refusals import Json
from discord_loopback.world import World

EXAMPLE = Path(__file__).parent / "examples" / "guild.json"
INTENTS = {"members": happenings.MEMBERS, "presences": happenings.PRESENCES, "message_content": happenings.MESSAGE_CONTENT}
_KEYS = {
    "seed": {"applications", "people", "guilds"},
    "application": {"id", "name", "token", "intents", "owner"},
    "person": {"id", "name", "shown"},
    "guild": {"id", "name", "owner", "members", "applications", "roles", "emojis", "stickers", "channels"},
    "role": {"id", "name", "permissions", "color", "mentionable", "members"},
    "channel": {"id", "name", "type", "topic", "category", "nsfw", "slowmode", "overwrites", "tags", "messages"},
}


class BadSeed(ValueError):
    """A seed that cannot be used; the message is one sentence for a person."""


def example() -> Json:
    """The seed that is used when none is given."""
    return read_seed(EXAMPLE)


def read_seed(path: Path) -> Json:
    """A seed from a file. Raises `BadSeed`."""
    try:
        seed = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSeed(f"The seed {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise BadSeed(f"The seed {path} is not JSON: {error}.") from error
    if not isinstance(seed, dict):
        raise BadSeed(f"The seed {path} must be an object.")
    return seed


def plant(world: World, seed: Json) -> None:
    """Make everything that a seed describes. Raises `BadSeed`."""
    _check(seed, "seed", "The seed")
    try:
        _Planting(world).plant(seed)
    except BadSeed:
        raise
    except ValueError as error:
        raise BadSeed(str(error)) from error
    except (TypeError, AttributeError) as error:
        raise BadSeed("The seed has a value of the wrong kind: see the example for the form.") from error


def _check(value: Any, kind: str, named: str) -> None:
    if not isinstance(value, dict):
        raise BadSeed(f"{named} must be an object.")
    if surplus := sorted(set(value) - _KEYS[kind]):
        raise BadSeed(f"{named} has an unknown key “{surplus[0]}”; it may have {', '.join(sorted(_KEYS[kind]))}.")
    if kind != "seed" and not (isinstance(value.get("name"), str) and value["name"]):
        raise BadSeed(f"{named} needs a name.")


def _id(value: Json) -> int:
    text = str(value.get("id", 0))
    if not text.isdigit():
        raise BadSeed(f"The id “{text}” of “{value.get('name')}” is not a number.")
    return int(text)


def forum_tags(world: World, names: Iterable[str]) -> list[Json]:
    """Tags of a forum with new ids."""
    return [{"id": str(world.snowflakes.next()), "name": one, "moderated": False, "emoji_id": None, "emoji_name": None} for one in names]


class _Planting:
    def __init__(self, world: World) -> None:
        self._world = world
        self._people: dict[str, User] = {}
        self._applications: dict[str, Application] = {}

    def plant(self, seed: Json) -> None:
        for number, one in enumerate(seed.get("people", ()), 1):
            _check(one, "person", f"Person {number}")
            self._people[one["name"]] = self._world.add_user(one["name"], global_name=one.get("shown"), id=_id(one))
        for number, one in enumerate(seed.get("applications", ()), 1):
            _check(one, "application", f"Application {number}")
            self._application(one)
        for number, one in enumerate(seed.get("guilds", ()), 1):
            _check(one, "guild", f"Guild {number}")
            self._guild(one)

    def _person(self, name: Any) -> User:
        if name not in self._people:
            raise BadSeed(f"There is no person “{name}” in the seed.")
        return self._people[name]

    def _application(self, one: Json) -> None:
        unknown = [name for name in one.get("intents", ()) if name not in INTENTS]
        if unknown:
            raise BadSeed(f"There is no privileged intent “{unknown[0]}”; there are {', '.join(INTENTS)}.")
        owner = self._person(one["owner"]) if "owner" in one else next(iter(self._people.values()), None)
        owner = owner or self._world.add_user("owner")
        privileged = sum(INTENTS[name] for name in one.get("intents", INTENTS))
        made = self._world.add_application(one["name"], owner, token=one.get("token", ""), privileged=privileged, id=_id(one))
        self._applications[one["name"]] = made

    def _guild(self, one: Json) -> None:
        owner = self._person(one["owner"]) if "owner" in one else next(iter(self._people.values()), None)
        guild = guilds.create_guild(self._world, one["name"], owner or self._world.add_user("owner"), id=_id(one))
        for name in one.get("members", ()):
            guilds.join(self._world, guild, self._person(name))
        for number, each in enumerate(one.get("roles", ()), 1):
            _check(each, "role", f"Role {number} of “{guild.name}”")
            self._role(guild, each)
        for each in one.get("applications", ()):
            self._install(guild, each)
        for number, each in enumerate(one.get("emojis", ()), 1):
            guilds.add_emoji(self._world, guild, each["name"], plain_face(COLOURS[number % 6], 32), "image/png")
        for number, each in enumerate(one.get("stickers", ()), 1):
            face, about = plain_face(COLOURS[number % 6], 160), each.get("description", "")
            guilds.add_sticker(self._world, guild, each["name"], face, "image/png", description=about, tags=each.get("tags", "🙂"))
        for number, each in enumerate(one.get("channels", ()), 1):
            _check(each, "channel", f"Channel {number} of “{guild.name}”")
            self._channel(guild, each)

    def _install(self, guild: Guild, one: Any) -> None:
        one = {"name": one} if isinstance(one, str) else one
        if one["name"] not in self._applications:
            raise BadSeed(f"There is no application “{one['name']}” in the seed.")
        allowed = permissions.bits(one["permissions"]) if "permissions" in one else permissions.ADMINISTRATOR
        guilds.install(self._world, guild, self._applications[one["name"]], allowed)

    def _role(self, guild: Guild, one: Json) -> None:
        allowed = permissions.bits(one.get("permissions", ()))
        color, mentionable = one.get("color", 0), bool(one.get("mentionable"))
        role = guilds.create_role(self._world, guild, one["name"], allowed=allowed, color=color, mentionable=mentionable, id=_id(one))
        for name in one.get("members", ()):
            guild.members[self._person(name).id].roles.append(role.id)

    def _channel(self, guild: Guild, one: Json) -> None:
        kind = one.get("type", "text")
        if kind not in KINDS or kind == "dm":
            raise BadSeed(f"There is no channel type “{kind}”; there are {', '.join(name for name in KINDS if name != 'dm')}.")
        parent = next((each.id for each in guild.channels.values() if each.type == 4 and each.name == one.get("category")), 0)
        channel = guilds.create_channel(
            self._world,
            guild,
            one["name"],
            type=KINDS[kind],
            parent=parent,
            topic=one.get("topic"),
            nsfw=bool(one.get("nsfw")),
            slowmode=int(one.get("slowmode", 0)),
            overwrites=[self._overwrite(guild, each) for each in one.get("overwrites", ())],
            tags=forum_tags(self._world, one.get("tags", ())),
            id=_id(one),
        )
        for each in one.get("messages", ()):
            self._message(channel, each)

    def _message(self, channel: Channel, one: Json) -> None:
        messages.post(self._world, channel, messages.Sender(self._person(one["from"])), Draft(content=one["content"]))

    def _overwrite(self, guild: Guild, one: Json) -> Overwrite:
        allow, deny = permissions.bits(one.get("allow", ())), permissions.bits(one.get("deny", ()))
        if "member" in one:
            return Overwrite(self._account(one["member"]).id, 1, allow, deny)
        name = one.get("role", "@everyone")
        role = next((each for each in guild.roles.values() if each.name == name), None)
        if role is None:
            raise BadSeed(f"There is no role “{name}” in “{guild.name}”.")
        return Overwrite(role.id, 0, allow, deny)

    def _account(self, name: str) -> User:
        return self._applications[name].bot if name in self._applications else self._person(name)
