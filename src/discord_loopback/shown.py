"""How things look on the wire: one serializer for each kind of object. What does not apply is left out, never null."""

from discord_loopback.model import (
    THREADS,
    Application,
    Attachment,
    Channel,
    Emoji,
    Guild,
    Member,
    Message,
    Overwrite,
    Role,
    Sticker,
    User,
    Webhook,
)
from discord_loopback.refusals import Json
from discord_loopback.snowflakes import written
from discord_loopback.world import World


def user(one: User) -> Json:
    """An account as others see it."""
    shown: Json = {
        "id": str(one.id),
        "username": one.name,
        "discriminator": one.discriminator,
        "avatar": one.avatar,
        "global_name": one.global_name,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }
    if one.bot:
        shown["bot"] = True
    return shown


def self_user(one: User) -> Json:
    """An account as it sees itself."""
    return {
        **user(one),
        "mfa_enabled": False,
        "locale": "en-US",
        "verified": True,
        "email": None,
        "banner": one.banner,
        "accent_color": None,
    }


def application(one: Application, world: World) -> Json:
    """An application as its own bot sees it; flags tell which privileged intents are switched on."""
    flags = sum(1 << bit for bit, intent in ((13, 1 << 8), (15, 1 << 1), (19, 1 << 15)) if one.privileged & intent)
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": None,
        "description": one.description,
        "type": None,
        "bot": user(one.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": flags,
        "flags_new": str(flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(one.owner),
        "team": None,
        "tags": [],
        "approximate_guild_count": sum(one.bot.id in guild.members for guild in world.guilds.values()),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {"0": {}},
    }


def role(one: Role) -> Json:
    """A role."""
    shown: Json = {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(one.permissions),
        "position": one.position,
        "color": one.color,
        "colors": {"primary_color": one.color, "secondary_color": None, "tertiary_color": None},
        "hoist": one.hoist,
        "managed": one.managed,
        "mentionable": one.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if one.bot:
        shown["tags"] = {"bot_id": str(one.bot)}
    return shown


def member(one: Member) -> Json:
    """A member without its user, as in message events."""
    return {
        "avatar": one.avatar,
        "banner": one.banner,
        "communication_disabled_until": written(one.timed_out_until) if one.timed_out_until else None,
        "flags": 0,
        "joined_at": one.joined_text,
        "nick": one.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(role) for role in one.roles],
        "mute": False,
        "deaf": False,
    }


def whole_member(one: Member) -> Json:
    """A member with its user."""
    return {**member(one), "user": user(one.user)}


def overwrite(one: Overwrite) -> Json:
    """Permissions of a role or member in a channel."""
    return {"id": str(one.id), "type": one.kind, "allow": str(one.allow), "deny": str(one.deny)}


def emoji(one: Emoji) -> Json:
    """A guild's emoji."""
    shown: Json = {
        "id": str(one.id),
        "name": one.name,
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": one.animated,
        "available": True,
    }
    if one.user:
        shown["user"] = user(one.user)
    return shown


def sticker(one: Sticker) -> Json:
    """A guild's sticker."""
    shown: Json = {
        "id": str(one.id),
        "name": one.name,
        "tags": one.tags,
        "type": 2,
        "format_type": one.format,
        "description": one.description,
        "available": True,
        "guild_id": str(one.guild),
    }
    if one.user:
        shown["user"] = user(one.user)
    return shown


def channel(one: Channel, *, viewer: int = 0) -> Json:
    """A channel, thread or direct message; `viewer` is left out of a direct message's recipients."""
    if one.thread is not None:
        return thread(one, viewer=viewer)
    last = str(one.last_message) if one.last_message else None
    if not one.guild:
        people = [user(person) for person in one.recipients if person.id != viewer]
        return {"id": str(one.id), "type": one.type, "flags": 0, "recipients": people, "last_message_id": last}
    shown: Json = {
        "id": str(one.id),
        "type": one.type,
        "guild_id": str(one.guild),
        "name": one.name,
        "position": one.position,
        "flags": one.flags,
        "parent_id": str(one.parent) if one.parent else None,
        "permission_overwrites": [overwrite(each) for each in one.overwrites.values()],
        "nsfw": one.nsfw,
    }
    if one.type != 4:
        shown |= {"topic": one.topic, "last_message_id": last, "rate_limit_per_user": one.slowmode}
    if one.type in (2, 13):
        shown |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if one.type in (15, 16):
        shown |= {"available_tags": one.tags, "default_reaction_emoji": None, "default_sort_order": None, "default_forum_layout": 0}
    if one.last_pin:
        shown["last_pin_timestamp"] = written(one.last_pin)
    return shown


def thread(one: Channel, *, viewer: int = 0) -> Json:
    """A thread; with the viewer's own membership if there is one."""
    state = one.thread
    assert state is not None
    shown: Json = {
        "id": str(one.id),
        "type": one.type,
        "guild_id": str(one.guild),
        "parent_id": str(one.parent),
        "owner_id": str(state.owner),
        "name": one.name,
        "flags": one.flags,
        "last_message_id": str(one.last_message) if one.last_message else None,
        "rate_limit_per_user": one.slowmode,
        "message_count": state.sent,
        "member_count": min(50, len(state.members)),
        "total_message_sent": state.sent,
        "thread_metadata": {
            "archived": state.archived,
            "archive_timestamp": written(state.archived_at),
            "auto_archive_duration": state.archive_after,
            "locked": state.locked,
            "create_timestamp": written(state.archived_at),
        },
    }
    if one.type == 12:
        shown["thread_metadata"]["invitable"] = state.invitable
    if state.applied_tags:
        shown["applied_tags"] = [str(tag) for tag in state.applied_tags]
    if viewer in state.members:
        shown["member"] = thread_member(one, viewer)
    return shown


def thread_member(one: Channel, who: int) -> Json:
    """A user's membership of a thread."""
    assert one.thread is not None
    return {"id": str(one.id), "user_id": str(who), "join_timestamp": written(one.thread.members[who]), "flags": 0}


def attachment(one: Attachment, world: World) -> Json:
    """A file of a message."""
    address = world.cdn(one.path)
    shown: Json = {"id": str(one.id), "filename": one.filename, "size": one.size, "url": address, "proxy_url": address}
    if one.content_type:
        shown["content_type"] = one.content_type
    if one.description:
        shown["description"] = one.description
    if one.width and one.height:
        shown |= {"width": one.width, "height": one.height}
    if one.ephemeral:
        shown["ephemeral"] = True
    if one.is_spoken:
        shown |= {"duration_secs": 1.0, "waveform": "AAAA"}
    return shown


def message(one: Message, world: World, *, viewer: int = 0, nested: bool = False) -> Json:
    """A message as the REST API shows it; `viewer` decides which reactions are one's own, `nested` leaves out what it answers."""
    shown: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel),
        "type": one.type,
        "content": one.content,
        "author": user(one.author),
        "timestamp": written(one.made),
        "edited_timestamp": written(one.edited) if one.edited else None,
        "tts": one.tts,
        "mention_everyone": one.mention_everyone,
        "mentions": [user(each) for each in one.mentions],
        "mention_roles": [str(each) for each in one.mention_roles],
        "attachments": [attachment(each, world) for each in one.attachments],
        "embeds": one.embeds,
        "components": one.components,
        "pinned": one.pinned_at is not None,
        "flags": one.flags,
    }
    if one.webhook:
        shown["webhook_id"] = str(one.webhook)
    if one.application:
        shown["application_id"] = str(one.application)
    if one.nonce is not None:
        shown["nonce"] = one.nonce
    if one.stickers:
        shown["sticker_items"] = [{"id": str(each.id), "name": each.name, "format_type": each.format} for each in one.stickers]
    if one.interaction:
        shown["interaction_metadata"] = one.interaction
    if one.poll:
        shown["poll"] = one.poll
    if one.reactions and not nested:
        shown["reactions"] = [reaction(key, who, viewer) for key, who in one.reactions.items()]
    _add_references(shown, one, world, nested=nested)
    return shown


def _add_references(shown: Json, one: Message, world: World, *, nested: bool) -> None:
    if one.reference:
        shown["message_reference"] = one.reference
    if one.snapshot:
        shown["message_snapshots"] = [{"message": one.snapshot}]
    if one.type in (19, 21, 23) and one.reference and not nested:
        there = world.peek(int(one.reference["channel_id"]), int(one.reference["message_id"]))
        shown["referenced_message"] = message(there, world, nested=True) if there else None
    begun = world.channels.get(one.id)
    if begun is not None and begun.type in THREADS and not nested:
        shown["thread"] = thread(begun)


def reaction(key: str, who: list[int], viewer: int) -> Json:
    """How often an emoji was given."""
    return {
        "emoji": emoji_of(key),
        "count": len(who),
        "count_details": {"burst": 0, "normal": len(who)},
        "burst_colors": [],
        "me_burst": False,
        "burst_me": False,
        "me": viewer in who,
        "burst_count": 0,
    }


def emoji_of(key: str) -> Json:
    """An emoji from its key in a reaction: `name:id` for a guild's own, else the character."""
    name, _, number = key.rpartition(":")
    return {"id": number, "name": name, "animated": False} if name and number.isdigit() else {"id": None, "name": key}


def webhook(one: Webhook, world: World, *, owner: bool) -> Json:
    """A webhook: with its token for `owner` (a login, or someone who has the token), without its maker otherwise."""
    shown: Json = {
        "id": str(one.id),
        "type": 1,
        "application_id": str(one.application) if one.application else None,
        "guild_id": str(one.guild),
        "channel_id": str(one.channel),
        "name": one.name,
        "avatar": one.avatar,
    }
    if owner:
        shown |= {"token": one.token, "url": f"{world.base}/api/webhooks/{one.id}/{one.token}"}
    return shown


def guild(one: Guild) -> Json:
    """A guild as the REST API shows it; the gateway adds channels, members and threads."""
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": one.icon,
        "description": one.description,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(one.owner),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": str(one.system_channel) if one.system_channel else None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(each) for each in one.roles.values()],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": one.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [emoji(each) for each in one.emojis.values()],
        "stickers": [sticker(each) for each in one.stickers.values()],
        "incidents_data": None,
    }


def guild_create(one: Guild, world: World, *, viewer: int, everybody: bool) -> Json:
    """A guild as GUILD_CREATE carries it: with what `viewer` sees, and `everybody` or only the bot itself as members."""
    mine = [each for each in one.channels.values() if each.thread is None]
    threads = [each for each in one.channels.values() if each.thread is not None and not each.thread.archived]
    people = one.members.values() if everybody else [each for each in one.members.values() if each.user.id == viewer]
    me = one.members[viewer]
    return {
        **guild(one),
        "joined_at": me.joined_text,
        "large": len(one.members) > 250,
        "unavailable": False,
        "member_count": len(one.members),
        "voice_states": [],
        "members": [whole_member(each) for each in people],
        "channels": [channel(each) for each in mine],
        "threads": [thread(each, viewer=viewer) for each in threads if world.may(viewer, each)],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }
