"""The server's state, and where to find things in it. Tells listeners what happens; what may happen is `acts`' business."""

import secrets
from base64 import b64encode
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from discord_loopback import permissions
from discord_loopback.happenings import PRIVILEGED, Happening
from discord_loopback.model import DM, PRIVATE_THREAD, Application, Channel, Guild, Interaction, Member, Message, Overwrite, User, Webhook
from discord_loopback.refusals import refused
from discord_loopback.snowflakes import Clock, Snowflakes
from discord_loopback.switches import Fault, Switches
from discord_loopback.traffic import Traffic

PASSING, FACES = 1_000, 10_000
"""How many files of commands and modals, and how many webhooks' faces, are remembered."""
Listener = Callable[[Happening], None]
"""Hears of everything, at once; must not raise."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of the CDN."""

    data: bytes
    content_type: str


class World:
    """Everything there is. `base` is the server's address, known once it listens."""

    def __init__(self, clock: Clock, switches: Switches) -> None:
        self.clock = clock
        self.switches = switches
        self.snowflakes = Snowflakes(clock)
        self.base = "http://127.0.0.1"
        self.users: dict[int, User] = {}
        self.applications: dict[int, Application] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, OrderedDict[int, Message]] = {}
        self.webhooks: dict[int, Webhook] = {}
        self.interactions: OrderedDict[str, Interaction] = OrderedDict()
        self.files: dict[str, Stored] = {}
        self.avatar_sources: dict[str, str] = {}
        self.faults: dict[int, Fault] = {}
        self.traffic = Traffic(switches.record)
        self.listeners: list[Listener] = []
        self._passing: deque[str] = deque()
        self._tokens: dict[str, Application] = {}
        self._direct: dict[frozenset[int], Channel] = {}

    def tell(self, happening: Happening) -> None:
        """Let everyone who listens hear of it."""
        for listener in tuple(self.listeners):
            listener(happening)

    @property
    def is_watched(self) -> bool:
        """Whether anyone but the gateway listens."""
        return len(self.listeners) > 1

    def now(self) -> datetime:
        """This moment, by the server's clock."""
        return datetime.fromtimestamp(self.clock(), UTC)

    # Finding

    def application_of(self, token: str) -> Application | None:
        """Whose token this is."""
        return self._tokens.get(token)

    def guild(self, guild: int) -> Guild:
        """A guild, or 10004."""
        if guild not in self.guilds:
            raise refused(10004)
        return self.guilds[guild]

    def channel(self, channel: int) -> Channel:
        """A channel or thread, or 10003."""
        if channel not in self.channels:
            raise refused(10003)
        return self.channels[channel]

    def user(self, user: int) -> User:
        """An account, or 10013."""
        if user not in self.users:
            raise refused(10013)
        return self.users[user]

    def message(self, channel: int, message: int) -> Message:
        """A message of a channel, or 10008."""
        found = self.peek(channel, message)
        if found is None:
            raise refused(10008)
        return found

    def peek(self, channel: int, message: int) -> Message | None:
        """A message of a channel if it is there."""
        stored = self.messages.get(channel)
        return stored.get(message) if stored else None

    def guild_of(self, channel: Channel) -> Guild | None:
        """The guild a channel is in; none for direct messages."""
        return self.guilds.get(channel.guild)

    def place_of(self, channel: Channel) -> Channel:
        """The channel whose permissions and webhooks count: a thread's parent, else the channel itself."""
        return self.channels[channel.parent] if channel.thread is not None else channel

    # Permissions

    def may(self, user: int, channel: Channel) -> int:
        """The permission bits of a user in a channel (Discord docs, Permissions)."""
        guild = self.guild_of(channel)
        if guild is None:
            return permissions.ALL if any(one.id == user for one in channel.recipients) else 0
        member = guild.members.get(user)
        if member is None:
            return 0
        value = self.may_in_guild(member, guild)
        if value & permissions.ADMINISTRATOR:
            return permissions.ALL
        value = _with_overwrites(value, member, guild, self.place_of(channel))
        if not value & permissions.VIEW_CHANNEL:
            return 0
        if channel.type == PRIVATE_THREAD and not self._is_in(user, channel) and not value & permissions.MANAGE_THREADS:
            return 0
        return value & permissions.TIMED_OUT if self._is_timed_out(member) else value

    def webhook_may(self, channel: Channel) -> int:
        """The permission bits of a channel's webhooks: those of everyone."""
        guild, place = self.guilds[channel.guild], self.place_of(channel)
        everyone = place.overwrites.get(guild.id, Overwrite(0, 0))
        return guild.roles[guild.id].permissions & ~everyone.deny | everyone.allow

    def may_in_guild(self, member: Member, guild: Guild) -> int:
        """The permission bits of a member before any channel's overwrites."""
        if member.user.id == guild.owner:
            return permissions.ALL
        value = guild.roles[guild.id].permissions
        for role in member.roles:
            value |= guild.roles[role].permissions
        return permissions.ALL if value & permissions.ADMINISTRATOR else value

    def _is_timed_out(self, member: Member) -> bool:
        return member.timed_out_until is not None and member.timed_out_until > self.now()

    @staticmethod
    def _is_in(user: int, channel: Channel) -> bool:
        return channel.thread is not None and user in channel.thread.members

    # Making

    def add_user(self, name: str, *, global_name: str | None = None, bot: bool = False, id: int = 0) -> User:
        """A new account."""
        user = User(id or self.snowflakes.next(), name, global_name, bot=bot, discriminator="1234" if bot else "0")
        self.users[user.id] = user
        return user

    def add_application(self, name: str, owner: User, *, token: str = "", privileged: int = PRIVILEGED, id: int = 0) -> Application:
        """A new application with its bot; the token is made where none is given, in the shape that libraries check."""
        bot = self.add_user(name, bot=True, id=id)
        token = token or f"{b64encode(str(bot.id).encode()).decode().rstrip('=')}.loopback.{secrets.token_urlsafe(24)}"
        application = Application(bot.id, name, bot, token, owner, privileged)
        self.applications[application.id] = application
        self._tokens[token] = application
        return application

    def direct(self, first: User, second: User) -> Channel:
        """The direct messages between two accounts, made when first needed."""
        pair = frozenset((first.id, second.id))
        if pair not in self._direct:
            channel = Channel(self.snowflakes.next(), DM, recipients=[first, second])
            self._direct[pair] = self.channels[channel.id] = channel
            self.messages[channel.id] = OrderedDict()
        return self._direct[pair]

    def keep_file(self, path: str, data: bytes, content_type: str) -> None:
        """Let the CDN serve a file under a path such as `attachments/1/2/a.png`."""
        self.files[path] = Stored(data, content_type)

    def keep_passing_file(self, path: str, data: bytes, content_type: str) -> None:
        """Let the CDN serve a file for a while: until `PASSING` more have come."""
        self.keep_file(path, data, content_type)
        self._passing.append(path)
        if len(self._passing) > PASSING:
            self.files.pop(self._passing.popleft(), None)

    def name_avatar(self, digest: str, source: str) -> None:
        """Remember which address stands behind the hash of a face that a webhook wore; the oldest are forgotten."""
        self.avatar_sources[digest] = source
        if len(self.avatar_sources) > FACES:
            del self.avatar_sources[next(iter(self.avatar_sources))]

    def cdn(self, path: str) -> str:
        """The address of a file."""
        return f"{self.base}/cdn/{path}"


def _with_overwrites(value: int, member: Member, guild: Guild, channel: Channel) -> int:
    overwrites = channel.overwrites
    if not overwrites:
        return value
    if everyone := overwrites.get(guild.id):
        value = value & ~everyone.deny | everyone.allow
    allow = deny = 0
    for role in member.roles:
        if role in overwrites:
            allow |= overwrites[role].allow
            deny |= overwrites[role].deny
    value = value & ~deny | allow
    if own := overwrites.get(member.user.id):
        value = value & ~own.deny | own.allow
    return value
