"""Routes of reactions and pins."""

import re
from datetime import datetime
from urllib.parse import unquote

from discord_loopback import permissions as p
from discord_loopback import shown
from discord_loopback.acts import messages
from discord_loopback.refusals import refused
from discord_loopback.rest.call import Answer, Call
from discord_loopback.rest.messages import check_not_archived
from discord_loopback.snowflakes import written

_CUSTOM = re.compile(r"(?:a:)?(\w{1,32}:\d{1,20})")


def emoji_key(call: Call) -> str:
    """The emoji of the path: a character, or `name:id`; 10014 for a guild's emoji that is nowhere."""
    text = unquote(call.ids["emoji"])
    custom = _CUSTOM.fullmatch(text)
    if custom is None:
        if not text or text.isascii():
            raise refused(10014)
        return text
    if not any(int(custom[1].rpartition(":")[2]) in guild.emojis for guild in call.world.guilds.values()):
        raise refused(10014)
    return custom[1]


def react(call: Call) -> Answer:
    """PUT …/reactions/{emoji}/@me."""
    channel = call.channel(p.READ_HISTORY)
    message, emoji = call.message(channel), emoji_key(call)
    check_not_archived(channel)
    if emoji not in message.reactions:
        call.need(channel, p.ADD_REACTIONS)
    messages.react(call.world, channel, message, emoji, call.me.bot)
    return None


def unreact(call: Call) -> Answer:
    """DELETE …/reactions/{emoji}/@me and /{user}."""
    channel = call.channel()
    message, user = call.message(channel), call.world.user(call.id("user") if "user" in call.ids else call.me.bot.id)
    if user is not call.me.bot:
        call.need(channel, p.MANAGE_MESSAGES)
    messages.unreact(call.world, channel, message, emoji_key(call), user)
    return None


def reactors(call: Call) -> Answer:
    """GET …/reactions/{emoji}: who gave it."""
    channel = call.channel(p.READ_HISTORY)
    given = call.message(channel).reactions.get(emoji_key(call), [])
    after = call.number("after", 0, least=0, most=1 << 63)
    found = [one for one in sorted(given) if one > after][: call.number("limit", 25, least=1, most=100)]
    return [shown.user(call.world.users[one]) for one in found]


def clear_reactions(call: Call) -> Answer:
    """DELETE …/reactions and /reactions/{emoji}."""
    channel = call.channel(p.MANAGE_MESSAGES)
    messages.clear_reactions(call.world, channel, call.message(channel), emoji_key(call) if "emoji" in call.ids else None)
    return None


def pins(call: Call) -> Answer:
    """GET …/messages/pins: pinned messages with when, newest pin first."""
    channel = call.channel(p.READ_HISTORY)
    before = call.query.get("before")
    limit = call.number("limit", 50, least=1, most=50)
    pinned = sorted(
        ((one.pinned_at, one) for one in call.world.messages[channel.id].values() if one.pinned_at), key=lambda pair: pair[0], reverse=True
    )
    if before:
        pinned = [pair for pair in pinned if pair[0] < datetime.fromisoformat(before)]
    items = [{"pinned_at": written(when), "message": shown.message(one, call.world)} for when, one in pinned[:limit]]
    return {"items": items, "has_more": len(pinned) > limit}


def old_pins(call: Call) -> Answer:
    """GET /channels/{channel}/pins, the older shape."""
    channel = call.channel(p.READ_HISTORY)
    return [shown.message(one, call.world) for one in reversed(call.world.messages[channel.id].values()) if one.pinned_at]


def pin(call: Call) -> Answer:
    """PUT or DELETE of a pin."""
    channel = call.channel()
    may = call.world.may(call.me.bot.id, channel)
    if channel.guild and not may & (p.PIN_MESSAGES | p.MANAGE_MESSAGES):
        raise refused(50013)
    messages.pin(call.world, channel, call.message(channel), pinned=call.method == "PUT")
    return None
