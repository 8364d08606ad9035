"""What the server keeps: people, guilds, channels, messages. Plain data; how it is shown is `shown`'s, what happens to it is `acts`'."""

from dataclasses import dataclass, field
from datetime import datetime

from discord_loopback.refusals import Json

TEXT, DM, VOICE, CATEGORY, ANNOUNCEMENT = 0, 1, 2, 4, 5
ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM, MEDIA = 10, 11, 12, 13, 15, 16
THREADS = frozenset({ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD})
POSTS = frozenset({FORUM, MEDIA})
"""Channel types whose messages live in posts only."""
KINDS = {
    "text": TEXT,
    "dm": DM,
    "voice": VOICE,
    "category": CATEGORY,
    "announcement": ANNOUNCEMENT,
    "stage": STAGE,
    "forum": FORUM,
    "media": MEDIA,
}
"""Names of channel types in seeds and in the client."""

CROSSPOSTED, SUPPRESS_EMBEDS, HAS_THREAD, EPHEMERAL, LOADING = 1 << 0, 1 << 2, 1 << 5, 1 << 6, 1 << 7
SUPPRESS_NOTIFICATIONS, VOICE_MESSAGE, HAS_SNAPSHOT, COMPONENTS_V2 = 1 << 12, 1 << 13, 1 << 14, 1 << 15
"""Message flags."""


@dataclass(slots=True)
class User:
    """An account; `discriminator` is 0 for people, `locale` the language of a person's Discord."""

    id: int
    name: str
    global_name: str | None = None
    bot: bool = False
    avatar: str | None = None
    discriminator: str = "0"
    banner: str | None = None
    locale: str = "en-US"


@dataclass(slots=True)
class Application:
    """A bot's application; `privileged` are the intents switched on in its settings."""

    id: int
    name: str
    bot: User
    token: str
    owner: User
    privileged: int
    description: str = ""
    commands: dict[int, Json] = field(default_factory=dict)


@dataclass(slots=True)
class Role:
    """A role; the one whose id is the guild's is everyone's."""

    id: int
    name: str
    permissions: int = 0
    position: int = 0
    color: int = 0
    hoist: bool = False
    mentionable: bool = False
    managed: bool = False
    bot: int = 0


@dataclass(slots=True)
class Overwrite:
    """Permissions of one role (`kind` 0) or member (1) in one channel."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class Member:
    """A user in a guild; `joined_text` is the moment of joining as Discord writes it."""

    user: User
    joined_text: str
    roles: list[int] = field(default_factory=list)
    nick: str | None = None
    avatar: str | None = None
    banner: str | None = None
    bio: str | None = None
    timed_out_until: datetime | None = None
    pending: bool = False
    """Whether the member has not agreed to the guild's rules yet (Discord docs, Membership Screening Object)."""


@dataclass(slots=True)
class Emoji:
    """A guild's own emoji."""

    id: int
    name: str
    animated: bool = False
    user: User | None = None


@dataclass(slots=True)
class Sticker:
    """A guild's sticker; format 1 is PNG, 2 APNG, 3 Lottie, 4 GIF."""

    id: int
    name: str
    guild: int
    description: str = ""
    tags: str = "🙂"
    format: int = 1
    user: User | None = None


@dataclass(slots=True)
class ThreadState:
    """What a thread has beyond a channel; `members` maps a user to the moment of joining."""

    owner: int
    archived_at: datetime
    archived: bool = False
    locked: bool = False
    archive_after: int = 4320
    invitable: bool = True
    members: dict[int, datetime] = field(default_factory=dict)
    applied_tags: list[int] = field(default_factory=list)
    sent: int = 0


@dataclass(slots=True)
class Channel:
    """A channel of any type: `guild` is 0 and `recipients` filled in a direct message, `thread` is there in threads."""

    id: int
    type: int
    name: str = ""
    guild: int = 0
    position: int = 0
    parent: int = 0
    topic: str | None = None
    nsfw: bool = False
    slowmode: int = 0
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    tags: list[Json] = field(default_factory=list)
    recipients: list[User] = field(default_factory=list)
    thread: ThreadState | None = None
    last_message: int = 0
    last_pin: datetime | None = None
    flags: int = 0


@dataclass(slots=True)
class Guild:
    """A guild with everything in it; `gone` is true during an outage."""

    id: int
    name: str
    owner: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    emojis: dict[int, Emoji] = field(default_factory=dict)
    stickers: dict[int, Sticker] = field(default_factory=dict)
    commands: dict[int, Json] = field(default_factory=dict)
    bans: dict[int, User] = field(default_factory=dict)
    icon: str | None = None
    description: str | None = None
    locale: str = "en-US"
    system_channel: int = 0


@dataclass(slots=True)
class Attachment:
    """A file of a message; its bytes are in the world's files under `path`."""

    id: int
    filename: str
    size: int
    path: str
    content_type: str | None = None
    description: str | None = None
    width: int | None = None
    height: int | None = None
    ephemeral: bool = False
    is_spoken: bool = False


@dataclass(slots=True)
class Message:
    """A message; of a webhook's, `shown_name` and `shown_avatar` are what it wore, `avatar_source` the URL it gave."""

    id: int
    channel: int
    guild: int
    author: User
    content: str = ""
    type: int = 0
    made: datetime = field(kw_only=True)
    edited: datetime | None = None
    flags: int = 0
    tts: bool = False
    embeds: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    stickers: list[Sticker] = field(default_factory=list)
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    pinned_at: datetime | None = None
    webhook: int = 0
    application: int = 0
    avatar_source: str | None = None
    reference: Json | None = None
    snapshot: Json | None = None
    interaction: Json | None = None
    nonce: str | int | None = None
    poll: Json | None = None
    reactions: dict[str, list[int]] = field(default_factory=dict)
    visible_to: int = 0


@dataclass(slots=True)
class Webhook:
    """An incoming webhook of a channel; `application` owns it, if one made it."""

    id: int
    token: str
    guild: int
    channel: int
    name: str
    avatar: str | None = None
    user: User | None = None
    application: int = 0


@dataclass(slots=True)
class Interaction:
    """Something a person did with a bot, and how far its answer is.

    `kind` is Discord's type: 2 command, 3 component, 4 autocomplete, 5 modal. `answer` is the callback's body once there is one;
    `original` the message it made or changed.
    """

    id: int
    token: str
    kind: int
    application: Application
    user: User
    channel: int
    guild: int
    made: float
    data: Json
    message: int = 0
    answer: Json | None = None
    original: int = 0
    metadata: Json = field(default_factory=dict)
    command_type: int = 1
