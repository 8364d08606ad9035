"""How things look on the wire: one serializer for each kind of object."""

from discord_loopback.shown.accounts import application, member, role, self_user, user, whole_member
from discord_loopback.shown.messages import emoji_of, message
from discord_loopback.shown.places import channel, emoji, guild, guild_create, sticker, thread, thread_member, webhook

__all__ = [
    "application",
    "channel",
    "emoji",
    "emoji_of",
    "guild",
    "guild_create",
    "member",
    "message",
    "role",
    "self_user",
    "sticker",
    "thread",
    "thread_member",
    "user",
    "webhook",
    "whole_member",
]
