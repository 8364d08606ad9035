"""Messages: sent, edited, deleted, reacted to, pinned; each with its events."""

from collections import OrderedDict
from dataclasses import dataclass

from discord_loopback import shown
from discord_loopback.acts.drafts import USERS_ONLY, Allowed, Draft, Upload
from discord_loopback.acts.mentions import pinged
from discord_loopback.acts.threads import hears_of_message
from discord_loopback.happenings import (
    DM_MESSAGES,
    DM_REACTIONS,
    DM_TYPING,
    GUILD_MESSAGES,
    GUILD_REACTIONS,
    GUILD_TYPING,
    GUILDS,
    Happening,
)
from discord_loopback.model import EPHEMERAL, POSTS, SUPPRESS_EMBEDS, Attachment, Channel, Message, User
from discord_loopback.pictures import size_of
from discord_loopback.refusals import Json, refused
from discord_loopback.snowflakes import written
from discord_loopback.world import World


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends: an account, or a webhook (by id) with what it wears. `application` is set where an application stands behind it.

    An interaction's answer comes from the bot's account through the webhook whose id is the application's.
    """

    user: User
    webhook: int = 0
    application: int = 0
    avatar_source: str | None = None


def attach(world: World, channel: Channel, uploads: tuple[Upload, ...], draft: Draft, *, ephemeral: bool = False) -> list[Attachment]:
    """Store files for the CDN."""
    made = []
    for upload in uploads:
        number = world.snowflakes.next()
        path = f"attachments/{channel.id}/{number}/{upload.filename}"
        world.keep_file(path, upload.data, upload.content_type or "application/octet-stream")
        size = size_of(upload.data)
        one = Attachment(number, upload.filename, len(upload.data), path, upload.content_type, draft.descriptions.get(upload.number))
        one.width, one.height = size or (None, None)
        one.ephemeral, one.is_spoken = ephemeral, upload.number in draft.spoken
        made.append(one)
    return made


def post(
    world: World,
    channel: Channel,
    sender: Sender,
    draft: Draft,
    *,
    type: int = 0,
    reference: Json | None = None,
    snapshot: Json | None = None,
    interaction: Json | None = None,
    visible_to: int = 0,
    flags: int = 0,
) -> Message:
    """Send a message that is allowed to be sent, and tell everyone who may see it."""
    made = world.now()
    message = Message(
        _number(world, channel),
        channel.id,
        channel.guild,
        sender.user,
        draft.content or "",
        type,
        made=made,
        flags=draft.flags | flags,
        tts=draft.tts,
        components=draft.components or [],
        stickers=draft.stickers,
        webhook=sender.webhook,
        application=sender.application,
        avatar_source=sender.avatar_source,
        reference=reference,
        snapshot=snapshot,
        interaction=interaction,
        nonce=draft.nonce,
        poll=draft.poll,
        visible_to=visible_to,
    )
    message.attachments = attach(world, channel, draft.uploads, draft, ephemeral=bool(message.flags & EPHEMERAL))
    message.embeds = embeds_with_files(world, draft.embeds or [], message)
    mention(world, channel, message, draft.allowed)
    keep(world, channel, message)
    return message


def _number(world: World, channel: Channel) -> int:
    """A new id; the first message of a forum's post has the post's own."""
    if channel.thread is not None and channel.thread.sent == 0 and world.channels[channel.parent].type in POSTS:
        return channel.id
    return world.snowflakes.next()


def keep(world: World, channel: Channel, message: Message) -> None:
    """Store a finished message as the channel's newest and tell of it."""
    stored = world.messages.setdefault(channel.id, OrderedDict())
    stored[message.id] = message
    if not message.visible_to:
        channel.last_message = message.id
        if channel.thread is not None:
            hears_of_message(world, channel, message)
    limit = world.switches.keep_messages
    while limit and len(stored) > limit:
        forget_files(world, stored.popitem(last=False)[1])
    tell(world, channel, message, "MESSAGE_CREATE")


def embeds_with_files(world: World, embeds: list[Json], message: Message) -> list[Json]:
    """Embeds whose `attachment://` addresses are those of the message's files."""
    if not embeds or message.flags & SUPPRESS_EMBEDS:
        return []
    addresses = {f"attachment://{one.filename}": world.cdn(one.path) for one in message.attachments}
    if not addresses:
        return embeds

    def replaced(value: object) -> object:
        if isinstance(value, dict):
            return {key: replaced(each) for key, each in value.items()}
        return addresses.get(value, value) if isinstance(value, str) else value

    return [{key: replaced(value) for key, value in embed.items()} for embed in embeds]


def mention(world: World, channel: Channel, message: Message, allowed: Allowed | None) -> None:
    """Set whom a message pings. Webhooks and interactions ping users only unless they say otherwise."""
    by_default = USERS_ONLY if message.webhook or message.interaction else Allowed()
    allowed = allowed or by_default
    found = None
    if "@" in message.content:
        may = world.webhook_may(channel) if message.webhook == message.author.id else world.may(message.author.id, channel)
        found = pinged(message.content, allowed, world, world.guild_of(channel), may=may)
    users = list(found.users) if found else []
    if message.type == 19 and allowed.replied_user and message.reference:
        replied = world.peek(channel.id, int(message.reference["message_id"]))
        if replied and not replied.webhook and replied.author not in users:
            users.append(replied.author)
    message.mentions = users
    message.mention_roles = found.roles if found else []
    message.mention_everyone = found.everyone if found else False


def tell(world: World, channel: Channel, message: Message, name: str) -> None:
    """MESSAGE_CREATE or MESSAGE_UPDATE with what only the gateway adds: the guild, the author's and the mentioned ones' membership."""
    data = shown.message(message, world)
    guild = world.guild_of(channel)
    if guild is not None:
        data["guild_id"] = str(guild.id)
        if not message.webhook and (member := guild.members.get(message.author.id)):
            data["member"] = shown.member(member)
        for one in data["mentions"]:
            if (member := guild.members.get(int(one["id"]))) is not None:
                one["member"] = shown.member(member)
    else:
        data["channel_type"] = channel.type
    world.tell(
        Happening(
            name,
            data,
            guild,
            channel,
            needs=GUILD_MESSAGES if guild else DM_MESSAGES,
            eyes=message.visible_to,
            author=message.application or message.author.id,
            mentioned=frozenset(one.id for one in message.mentions),
            has_content=True,
        )
    )


def edit(world: World, channel: Channel, message: Message, draft: Draft, *, is_answer: bool = False) -> Message:
    """Change what the draft names; the rest stays. `is_answer` leaves the edit unmarked, as for a deferred answer that arrives."""
    if draft.content is not None:
        message.content = draft.content
    if draft.kept is not None:
        message.attachments = [one for one in message.attachments if one.id in draft.kept]
    message.attachments = message.attachments + attach(world, channel, draft.uploads, draft)
    if draft.components is not None:
        message.components = draft.components
    message.flags = message.flags & ~SUPPRESS_EMBEDS | draft.flags
    if draft.embeds is not None or message.flags & SUPPRESS_EMBEDS:
        message.embeds = embeds_with_files(world, draft.embeds or [], message)
    if draft.content is not None or draft.allowed is not None:
        mention(world, channel, message, draft.allowed)
    if not is_answer:
        message.edited = world.now()
    tell(world, channel, message, "MESSAGE_UPDATE")
    return message


def forget_files(world: World, message: Message) -> None:
    """Drop a message's files from the CDN."""
    for one in message.attachments:
        world.files.pop(one.path, None)


def delete(world: World, channel: Channel, message: Message) -> None:
    """Remove a message and tell of it."""
    forget_files(world, world.messages[channel.id].pop(message.id))
    data: Json = {"id": str(message.id), "channel_id": str(channel.id)}
    _tell_of(world, channel, "MESSAGE_DELETE", data, eyes=message.visible_to)


def bulk_delete(world: World, channel: Channel, messages: list[int]) -> None:
    """Remove several messages with one event; those that are not there are passed over."""
    stored = world.messages.get(channel.id, OrderedDict())
    gone = [one for one in messages if one in stored]
    for one in gone:
        forget_files(world, stored.pop(one))
    if gone:
        _tell_of(world, channel, "MESSAGE_DELETE_BULK", {"ids": [str(one) for one in gone], "channel_id": str(channel.id)})


def _tell_of(world: World, channel: Channel, name: str, data: Json, *, eyes: int = 0, reactions: bool = False) -> None:
    guild = world.guild_of(channel)
    if guild is not None:
        data["guild_id"] = str(guild.id)
    in_guild, direct = (GUILD_REACTIONS, DM_REACTIONS) if reactions else (GUILD_MESSAGES, DM_MESSAGES)
    world.tell(Happening(name, data, guild, channel, needs=in_guild if guild else direct, eyes=eyes))


def react(world: World, channel: Channel, message: Message, emoji: str, user: User) -> None:
    """Add a reaction; `emoji` is a character or `name:id`."""
    given = message.reactions.setdefault(emoji, [])
    if user.id in given:
        return
    given.append(user.id)
    data = _reaction(message, emoji, user) | {"message_author_id": str(message.author.id), "type": 0, "burst": False}
    guild = world.guild_of(channel)
    if guild is not None and user.id in guild.members:
        data["member"] = shown.whole_member(guild.members[user.id])
    _tell_of(world, channel, "MESSAGE_REACTION_ADD", data, reactions=True)


def unreact(world: World, channel: Channel, message: Message, emoji: str, user: User) -> None:
    """Take a reaction back; nothing happens where there is none."""
    given = message.reactions.get(emoji, [])
    if user.id not in given:
        return
    given.remove(user.id)
    if not given:
        del message.reactions[emoji]
    _tell_of(world, channel, "MESSAGE_REACTION_REMOVE", _reaction(message, emoji, user) | {"type": 0, "burst": False}, reactions=True)


def _reaction(message: Message, emoji: str, user: User) -> Json:
    return {"user_id": str(user.id), "channel_id": str(message.channel), "message_id": str(message.id), "emoji": shown.emoji_of(emoji)}


def clear_reactions(world: World, channel: Channel, message: Message, emoji: str | None = None) -> None:
    """Take all reactions away, or all of one emoji."""
    data: Json = {"channel_id": str(channel.id), "message_id": str(message.id)}
    if emoji is None:
        message.reactions.clear()
        _tell_of(world, channel, "MESSAGE_REACTION_REMOVE_ALL", data, reactions=True)
    elif message.reactions.pop(emoji, None):
        _tell_of(world, channel, "MESSAGE_REACTION_REMOVE_EMOJI", data | {"emoji": shown.emoji_of(emoji)}, reactions=True)


def pin(world: World, channel: Channel, message: Message, *, pinned: bool) -> None:
    """Pin or unpin a message."""
    if message.pinned_at is None and sum(one.pinned_at is not None for one in world.messages[channel.id].values()) >= 250 and pinned:
        raise refused(30003)
    message.pinned_at = world.now() if pinned else None
    channel.last_pin = world.now()
    guild = world.guild_of(channel)
    data: Json = {"channel_id": str(channel.id), "last_pin_timestamp": written(channel.last_pin)}
    if guild is not None:
        data["guild_id"] = str(guild.id)
    world.tell(Happening("CHANNEL_PINS_UPDATE", data, guild, channel, needs=GUILDS if guild else DM_MESSAGES))
    tell(world, channel, message, "MESSAGE_UPDATE")


def type_in(world: World, channel: Channel, user: User) -> None:
    """TYPING_START, which lasts ten seconds."""
    guild = world.guild_of(channel)
    data: Json = {"channel_id": str(channel.id), "user_id": str(user.id), "timestamp": int(world.clock())}
    if guild is not None and user.id in guild.members:
        data |= {"guild_id": str(guild.id), "member": shown.whole_member(guild.members[user.id])}
    world.tell(Happening("TYPING_START", data, guild, channel, needs=GUILD_TYPING if guild else DM_TYPING))
