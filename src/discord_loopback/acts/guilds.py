"""Guilds, their channels, roles and members: made, changed, removed; each with its events."""

from collections import OrderedDict
from datetime import datetime

from discord_loopback import permissions, shown
from discord_loopback.happenings import EXPRESSIONS, GUILDS, MEMBERS, MODERATION, Happening
from discord_loopback.model import TEXT, Application, Channel, Emoji, Guild, Member, Overwrite, Role, Sticker, User
from discord_loopback.refusals import Json
from discord_loopback.snowflakes import written
from discord_loopback.world import World


def create_guild(world: World, name: str, owner: User, *, id: int = 0) -> Guild:
    """A guild with its owner and the role of everyone."""
    guild = Guild(id or world.snowflakes.next(), name, owner.id)
    guild.roles[guild.id] = Role(guild.id, "@everyone", permissions.EVERYONE)
    world.guilds[guild.id] = guild
    guild.members[owner.id] = Member(owner, written(world.now()))
    return guild


def join(world: World, guild: Guild, user: User, *, roles: list[int] | None = None, pending: bool = False) -> Member:
    """Let a user into a guild; a pending one has still to agree to its rules."""
    member = Member(user, written(world.now()), roles or [], pending=pending)
    guild.members[user.id] = member
    world.tell(Happening("GUILD_MEMBER_ADD", {**shown.whole_member(member), "guild_id": str(guild.id)}, guild, needs=MEMBERS))
    return member


def install(world: World, guild: Guild, application: Application, allowed: int) -> Member:
    """Let a bot into a guild, with a managed role of its own that holds `allowed`."""
    role = Role(world.snowflakes.next(), application.name, allowed, position=1, managed=True, bot=application.bot.id)
    guild.roles[role.id] = role
    member = join(world, guild, application.bot, roles=[role.id])
    data = shown.guild_create(guild, world, viewer=application.bot.id, everybody=False)
    world.tell(Happening("GUILD_CREATE", data, guild, needs=0, only=application))
    return member


def remove_member(world: World, guild: Guild, user: User) -> None:
    """Let a member be gone: by leaving, a kick or a ban. A bot itself hears that the guild is gone."""
    for channel in guild.channels.values():
        if channel.thread is not None:
            channel.thread.members.pop(user.id, None)
    bot = next((one for one in world.applications.values() if one.bot.id == user.id), None)
    if bot is not None:
        # While it is still a member, so that its sessions hear of it.
        world.tell(Happening("GUILD_DELETE", {"id": str(guild.id)}, guild, needs=0, only=bot))
    del guild.members[user.id]
    world.tell(Happening("GUILD_MEMBER_REMOVE", {"guild_id": str(guild.id), "user": shown.user(user)}, guild, needs=MEMBERS))


def ban(world: World, guild: Guild, user: User) -> None:
    """Ban a user, member or not."""
    if user.id in guild.members:
        remove_member(world, guild, user)
    guild.bans[user.id] = user
    world.tell(Happening("GUILD_BAN_ADD", {"guild_id": str(guild.id), "user": shown.user(user)}, guild, needs=MODERATION))


def unban(world: World, guild: Guild, user: User) -> None:
    """Lift a ban."""
    del guild.bans[user.id]
    world.tell(Happening("GUILD_BAN_REMOVE", {"guild_id": str(guild.id), "user": shown.user(user)}, guild, needs=MODERATION))


def member_changed(world: World, guild: Guild, member: Member) -> None:
    """Tell of a member's new state; a bot hears of its own without the members intent."""
    data = {**shown.whole_member(member), "guild_id": str(guild.id)}
    for application in world.applications.values():
        own = 0 if application.bot.id == member.user.id else MEMBERS
        world.tell(Happening("GUILD_MEMBER_UPDATE", data, guild, needs=own, only=application))


def admit(world: World, guild: Guild, member: Member) -> None:
    """A pending member agrees to the guild's rules."""
    member.pending = False
    member_changed(world, guild, member)


def time_out(world: World, guild: Guild, member: Member, until: datetime | None) -> None:
    """Time a member out until a moment, or end it."""
    member.timed_out_until = until
    member_changed(world, guild, member)


def create_channel(
    world: World,
    guild: Guild,
    name: str,
    *,
    type: int = TEXT,
    parent: int = 0,
    topic: str | None = None,
    nsfw: bool = False,
    slowmode: int = 0,
    overwrites: list[Overwrite] | None = None,
    tags: list[Json] | None = None,
    id: int = 0,
) -> Channel:
    """A channel in a guild, behind the others."""
    channel = Channel(id or world.snowflakes.next(), type, name, guild.id, len(guild.channels), parent, topic, nsfw, slowmode)
    channel.overwrites = {one.id: one for one in overwrites or []}
    channel.tags = tags or []
    guild.channels[channel.id] = world.channels[channel.id] = channel
    world.messages[channel.id] = OrderedDict()
    world.tell(Happening("CHANNEL_CREATE", shown.channel(channel), guild, channel, needs=GUILDS))
    return channel


def channel_changed(world: World, channel: Channel) -> None:
    """Tell of a channel's new state, or that it is gone for a bot that no longer sees it."""
    guild = world.guild(channel.guild)
    world.tell(Happening("CHANNEL_UPDATE", shown.channel(channel), guild, channel, needs=GUILDS))


def delete_channel(world: World, channel: Channel) -> None:
    """Remove a channel with its threads, messages and webhooks."""
    guild = world.guild(channel.guild)
    happening = Happening("CHANNEL_DELETE", shown.channel(channel), guild, needs=GUILDS)
    for one in [one for one in guild.channels.values() if one.id == channel.id or (one.thread and one.parent == channel.id)]:
        del guild.channels[one.id], world.channels[one.id]
        world.messages.pop(one.id, None)
    for child in guild.channels.values():
        child.parent = 0 if child.parent == channel.id else child.parent
    for webhook in [one for one in world.webhooks.values() if one.channel == channel.id]:
        del world.webhooks[webhook.id]
    world.tell(happening)


def create_role(world: World, guild: Guild, name: str, *, allowed: int = 0, color: int = 0, id: int = 0, mentionable: bool = False) -> Role:
    """A role above everyone's."""
    role = Role(id or world.snowflakes.next(), name, allowed, position=1, color=color, mentionable=mentionable)
    guild.roles[role.id] = role
    world.tell(Happening("GUILD_ROLE_CREATE", {"guild_id": str(guild.id), "role": shown.role(role)}, guild, needs=GUILDS))
    return role


def role_changed(world: World, guild: Guild, role: Role) -> None:
    """Tell of a role's new state."""
    world.tell(Happening("GUILD_ROLE_UPDATE", {"guild_id": str(guild.id), "role": shown.role(role)}, guild, needs=GUILDS))


def delete_role(world: World, guild: Guild, role: Role) -> None:
    """Remove a role, from its members too."""
    del guild.roles[role.id]
    for member in guild.members.values():
        if role.id in member.roles:
            member.roles.remove(role.id)
            member_changed(world, guild, member)
    world.tell(Happening("GUILD_ROLE_DELETE", {"guild_id": str(guild.id), "role_id": str(role.id)}, guild, needs=GUILDS))


def guild_changed(world: World, guild: Guild) -> None:
    """Tell of a guild's new state."""
    world.tell(Happening("GUILD_UPDATE", shown.guild(guild), guild, needs=GUILDS))


def set_available(world: World, guild: Guild, *, available: bool) -> None:
    """Begin or end an outage of a guild."""
    for application in [one for one in world.applications.values() if one.bot.id in guild.members]:
        if available:
            data = shown.guild_create(guild, world, viewer=application.bot.id, everybody=False)
            world.tell(Happening("GUILD_CREATE", data, guild, needs=0, only=application))
        else:
            world.tell(Happening("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, guild, needs=0, only=application))


def delete_guild(world: World, guild: Guild) -> None:
    """Remove a guild with everything in it."""
    world.tell(Happening("GUILD_DELETE", {"id": str(guild.id)}, guild, needs=0))
    for channel in guild.channels:
        world.channels.pop(channel, None)
        world.messages.pop(channel, None)
    for webhook in [one.id for one in world.webhooks.values() if one.guild == guild.id]:
        del world.webhooks[webhook]
    del world.guilds[guild.id]


def add_emoji(world: World, guild: Guild, name: str, picture: bytes, content_type: str, *, user: User | None = None) -> Emoji:
    """An emoji of a guild."""
    animated = content_type == "image/gif"
    emoji = Emoji(world.snowflakes.next(), name, animated, user)
    guild.emojis[emoji.id] = emoji
    world.keep_file(f"emojis/{emoji.id}", picture, content_type)
    emojis_changed(world, guild)
    return emoji


def emojis_changed(world: World, guild: Guild) -> None:
    """Tell of a guild's emojis."""
    data = {"guild_id": str(guild.id), "emojis": [shown.emoji(one) for one in guild.emojis.values()]}
    world.tell(Happening("GUILD_EMOJIS_UPDATE", data, guild, needs=EXPRESSIONS))


def add_sticker(
    world: World,
    guild: Guild,
    name: str,
    picture: bytes,
    content_type: str,
    *,
    description: str = "",
    tags: str = "🙂",
    user: User | None = None,
) -> Sticker:
    """A sticker of a guild."""
    kind = 4 if content_type == "image/gif" else 3 if content_type == "application/json" else 1
    sticker = Sticker(world.snowflakes.next(), name, guild.id, description, tags, kind, user)
    guild.stickers[sticker.id] = sticker
    world.keep_file(f"stickers/{sticker.id}", picture, content_type)
    stickers_changed(world, guild)
    return sticker


def stickers_changed(world: World, guild: Guild) -> None:
    """Tell of a guild's stickers."""
    data = {"guild_id": str(guild.id), "stickers": [shown.sticker(one) for one in guild.stickers.values()]}
    world.tell(Happening("GUILD_STICKERS_UPDATE", data, guild, needs=EXPRESSIONS))
