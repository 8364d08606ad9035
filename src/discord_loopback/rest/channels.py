"""Routes of channels: read, made, changed, removed, their overwrites and invites; and direct messages."""

import secrets

from discord_loopback import permissions as p
from discord_loopback import shown
from discord_loopback.acts import guilds, threads
from discord_loopback.forms import Form, snowflake
from discord_loopback.model import Channel, Guild, Overwrite
from discord_loopback.refusals import Json, refused
from discord_loopback.rest.call import Answer, Call

KINDS = (0, 2, 4, 5, 13, 15, 16)
ARCHIVE_AFTER = (60, 1440, 4320, 10080)


def read(call: Call) -> Answer:
    """GET /channels/{channel}."""
    return shown.channel(call.channel(), viewer=call.me.bot.id)


def of_guild(call: Call) -> Answer:
    """GET /guilds/{guild}/channels."""
    return [shown.channel(one) for one in call.guild().channels.values() if one.thread is None]


def _overwrites(form: Form, value: object) -> list[Overwrite]:
    items = form.items("permission_overwrites", value, most=1000)
    return [
        _overwrite(form, snowflake(form, ("permission_overwrites", place, "id"), one.get("id")), one) for place, one in enumerate(items)
    ]


def _overwrite(form: Form, who: int, one: Json) -> Overwrite:
    kind = 1 if one.get("type") in (1, "1", "member") else 0
    return Overwrite(who, kind, int(one.get("allow") or 0), int(one.get("deny") or 0))


def create(call: Call) -> Answer:
    """POST /guilds/{guild}/channels."""
    guild = call.guild(p.MANAGE_CHANNELS)
    body, form = call.form, Form(call.form)
    name = form.text("name", body.get("name"), least=1, most=100, needed=True)
    kind = form.choice("type", body.get("type") or 0, KINDS)
    topic = form.text("topic", body.get("topic"), most=4096 if kind in (15, 16) else 1024)
    slowmode = form.whole("rate_limit_per_user", body.get("rate_limit_per_user"), least=0, most=21600)
    parent = snowflake(form, "parent_id", body.get("parent_id"))
    overwrites = _overwrites(form, body.get("permission_overwrites"))
    form.done()
    channel = guilds.create_channel(
        call.world,
        guild,
        name or "",
        type=kind,
        parent=parent,
        topic=topic,
        nsfw=bool(body.get("nsfw")),
        slowmode=slowmode or 0,
        overwrites=overwrites,
        tags=[_tag(call, tag) for tag in body.get("available_tags") or []],
    )
    call.status = 201
    return shown.channel(channel)


def _tag(call: Call, tag: Json) -> Json:
    return {
        "id": str(tag.get("id") or call.world.snowflakes.next()),
        "name": str(tag.get("name", ""))[:50],
        "moderated": bool(tag.get("moderated")),
        "emoji_id": tag.get("emoji_id"),
        "emoji_name": tag.get("emoji_name"),
    }


def modify(call: Call) -> Answer:
    """PATCH /channels/{channel}, threads too."""
    channel = call.channel()
    if channel.thread is not None:
        return _modify_thread(call, channel)
    if not channel.guild:
        raise refused(50003)
    call.need(channel, p.MANAGE_CHANNELS)
    body, form = call.form, Form(call.form)
    name = form.text("name", body.get("name"), least=1, most=100)
    form.text("topic", body.get("topic"), most=4096)
    slowmode = form.whole("rate_limit_per_user", body.get("rate_limit_per_user"), least=0, most=21600)
    parent = snowflake(form, "parent_id", body.get("parent_id"))
    overwrites = _overwrites(form, body.get("permission_overwrites"))
    form.done()
    channel.name = name or channel.name
    channel.topic = body.get("topic", channel.topic)
    channel.slowmode = channel.slowmode if slowmode is None else slowmode
    channel.nsfw = bool(body.get("nsfw", channel.nsfw))
    channel.parent = parent if "parent_id" in body else channel.parent
    if "permission_overwrites" in body:
        channel.overwrites = {one.id: one for one in overwrites}
    if "available_tags" in body:
        channel.tags = [_tag(call, tag) for tag in body["available_tags"] or []]
    guilds.channel_changed(call.world, channel)
    return shown.channel(channel)


def _modify_thread(call: Call, thread: Channel) -> Answer:
    state = thread.thread
    assert state is not None
    body, form = call.form, Form(call.form)
    only_unarchives = set(body) <= {"archived"} and body.get("archived") is False
    is_own = state.owner == call.me.bot.id
    if state.locked or not (only_unarchives or is_own):
        call.need(thread, p.MANAGE_THREADS)
    if state.archived and body.get("archived") is not False:
        raise refused(50083)
    name = form.text("name", body.get("name"), least=1, most=100)
    slowmode = form.whole("rate_limit_per_user", body.get("rate_limit_per_user"), least=0, most=21600)
    archive_after = form.choice("auto_archive_duration", body.get("auto_archive_duration"), ARCHIVE_AFTER)
    form.done()
    tags = [int(one) for one in body["applied_tags"]] if "applied_tags" in body else None
    threads.update(
        call.world,
        thread,
        name=name,
        archived=body.get("archived"),
        locked=body.get("locked"),
        archive_after=archive_after,
        slowmode=slowmode,
        tags=tags,
    )
    return shown.thread(thread, viewer=call.me.bot.id)


def delete(call: Call) -> Answer:
    """DELETE /channels/{channel}; a direct message is only closed."""
    channel = call.channel()
    if channel.thread is not None:
        call.need(channel, p.MANAGE_THREADS)
        gone = shown.thread(channel)
        threads.delete(call.world, channel)
        return gone
    if channel.guild:
        call.need(channel, p.MANAGE_CHANNELS)
        guilds.delete_channel(call.world, channel)
    return shown.channel(channel, viewer=call.me.bot.id)


def overwrite(call: Call) -> Answer:
    """PUT and DELETE /channels/{channel}/permissions/{overwrite}."""
    channel = call.channel(p.MANAGE_ROLES)
    who = call.id("overwrite")
    if call.method == "DELETE":
        if channel.overwrites.pop(who, None) is None:
            raise refused(10009)
    else:
        channel.overwrites[who] = _overwrite(Form(call.form), who, call.form)
    guilds.channel_changed(call.world, channel)
    return None


def move(call: Call) -> Answer:
    """PATCH /guilds/{guild}/channels: positions."""
    guild = call.guild(p.MANAGE_CHANNELS)
    for one in call.body if isinstance(call.body, list) else []:
        channel = guild.channels.get(int(one.get("id", 0)))
        if channel is not None and one.get("position") is not None:
            channel.position = int(one["position"])
            guilds.channel_changed(call.world, channel)
    return None


def invite(call: Call) -> Answer:
    """POST /channels/{channel}/invites."""
    channel = call.channel(p.bits(["create_instant_invite"]))
    guild = call.world.guild(channel.guild)
    return _invite(call, guild, channel)


def _invite(call: Call, guild: Guild, channel: Channel) -> Json:
    small = {key: value for key, value in shown.guild(guild).items() if key in _INVITED}
    return {
        "type": 0,
        "code": secrets.token_urlsafe(6),
        "guild": small | {"premium_subscription_count": 0},
        "guild_id": str(guild.id),
        "channel": {"id": str(channel.id), "type": channel.type, "name": channel.name},
        "inviter": shown.user(call.me.bot),
        "uses": 0,
        "max_uses": 0,
        "max_age": 86400,
        "temporary": False,
        "created_at": call.world.now().isoformat(),
        "expires_at": None,
    }


_INVITED = frozenset(
    ("id", "name", "splash", "banner", "description", "icon", "features", "verification_level", "vanity_url_code", "nsfw_level", "nsfw")
)


def direct(call: Call) -> Answer:
    """POST /users/@me/channels."""
    form = Form(call.form)
    who = snowflake(form, "recipient_id", call.form.get("recipient_id"))
    form.done()
    if who == call.me.bot.id:
        raise refused(50007)
    return shown.channel(call.world.direct(call.me.bot, call.world.user(who)), viewer=call.me.bot.id)
