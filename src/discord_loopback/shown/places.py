"""Guilds, channels, threads and webhooks on the wire. What does not apply is left out, never null."""

from discord_loopback.model import Channel, Emoji, Guild, Sticker, Webhook
from discord_loopback.refusals import Json
from discord_loopback.shown.accounts import overwrite, role, user, whole_member
from discord_loopback.snowflakes import written
from discord_loopback.world import World


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
