"""One request to the REST API, read and ready for its route; and the checks that many routes share."""

from dataclasses import dataclass, field
from typing import Any

from discord_loopback import permissions
from discord_loopback.acts.drafts import Upload
from discord_loopback.forms import Form
from discord_loopback.model import Application, Channel, Guild, Member, Message
from discord_loopback.refusals import Json, Refused, refused, unauthorized
from discord_loopback.world import World

Answer = Json | list[Any] | None
"""What a route answers: JSON, or nothing with 204."""


@dataclass(slots=True)
class Call:
    """A request: the ids of its path, its query, its body and files, and whose login it carries.

    `status` is set by a route that answers another one than 200 or 204; `is_broken` when it could not be answered at all.
    """

    world: World
    method: str
    path: str
    ids: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None
    uploads: tuple[Upload, ...] = ()
    fields: Json = field(default_factory=dict)
    login: Application | None = None
    status: int = 0
    is_broken: bool = False

    @property
    def me(self) -> Application:
        """The application that is logged in, or 401."""
        if self.login is None:
            raise unauthorized()
        return self.login

    @property
    def form(self) -> Json:
        """The body as an object; an absent one is empty."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise Refused(400, 50035, "Invalid Form Body", {"_errors": [{"code": "DICT_TYPE_CONVERT", "message": "Must be an object."}]})
        return self.body

    def id(self, name: str) -> int:
        """An id of the path; 50035 if it is none."""
        text = self.ids[name]
        if text == "@me" and self.login is not None:
            return self.login.bot.id
        if not text.isascii() or not text.isdigit() or int(text) >= 1 << 63:
            errors = {name + "_id": {"_errors": [{"code": "NUMBER_TYPE_COERCE", "message": f'Value "{text[:40]}" is not snowflake.'}]}}
            raise Refused(400, 50035, "Invalid Form Body", errors)
        return int(text)

    def is_on(self, name: str) -> bool:
        """A switch of the query: 1, true, True."""
        return self.query.get(name, "").lower() in ("1", "true")

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """A number of the query between two bounds; 50035 if it is none."""
        text = self.query.get(name)
        if text is None:
            return default
        form = Form({})
        value = form.whole(name, int(text) if text.lstrip("-").isdigit() and text.isascii() else text, least=least, most=most)
        form.done()
        return value or default

    # Finding with the login's eyes

    def member(self, guild: Guild) -> Member:
        """The login's own membership; 50001 without one."""
        member = guild.members.get(self.me.bot.id)
        if member is None:
            raise refused(50001)
        return member

    def guild(self, needed: int = 0) -> Guild:
        """The guild of the path, of which the login is a member that holds `needed` (10004, 50013)."""
        guild = self.world.guild(self.id("guild"))
        if self.me.bot.id not in guild.members:
            raise refused(10004)
        if needed & ~self.world.may_in_guild(self.member(guild), guild):
            raise refused(50013)
        return guild

    def channel(self, needed: int = 0) -> Channel:
        """The channel of the path, which the login can see (10003, 50001) and where it holds `needed` (50013)."""
        channel = self.world.channel(self.id("channel"))
        self.need(channel, needed)
        return channel

    def need(self, channel: Channel, needed: int) -> None:
        """Refuse unless the login sees the channel and holds `needed` there."""
        may = self.world.may(self.me.bot.id, channel)
        if not may & permissions.VIEW_CHANNEL:
            raise refused(50001)
        if needed & ~may:
            raise refused(50013)

    def message(self, channel: Channel, *, may_be_hidden: bool = False) -> Message:
        """The message of the path; one that is for a person's eyes alone is not there."""
        message = self.world.message(channel.id, self.id("message"))
        if message.visible_to and not may_be_hidden:
            raise refused(10008)
        return message
