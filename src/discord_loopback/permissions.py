"""Discord's permission bits, and what a member may do in a guild or a channel. No state of its own."""

from collections.abc import Iterable

NAMES = {
    "create_instant_invite": 0,
    "kick_members": 1,
    "ban_members": 2,
    "administrator": 3,
    "manage_channels": 4,
    "manage_guild": 5,
    "add_reactions": 6,
    "view_audit_log": 7,
    "priority_speaker": 8,
    "stream": 9,
    "view_channel": 10,
    "send_messages": 11,
    "send_tts_messages": 12,
    "manage_messages": 13,
    "embed_links": 14,
    "attach_files": 15,
    "read_message_history": 16,
    "mention_everyone": 17,
    "use_external_emojis": 18,
    "view_guild_insights": 19,
    "connect": 20,
    "speak": 21,
    "mute_members": 22,
    "deafen_members": 23,
    "move_members": 24,
    "use_vad": 25,
    "change_nickname": 26,
    "manage_nicknames": 27,
    "manage_roles": 28,
    "manage_webhooks": 29,
    "manage_guild_expressions": 30,
    "use_application_commands": 31,
    "request_to_speak": 32,
    "manage_events": 33,
    "manage_threads": 34,
    "create_public_threads": 35,
    "create_private_threads": 36,
    "use_external_stickers": 37,
    "send_messages_in_threads": 38,
    "use_embedded_activities": 39,
    "moderate_members": 40,
    "view_creator_monetization_analytics": 41,
    "use_soundboard": 42,
    "create_guild_expressions": 43,
    "create_events": 44,
    "use_external_sounds": 45,
    "send_voice_messages": 46,
    "send_polls": 49,
    "use_external_apps": 50,
    "pin_messages": 51,
    "bypass_slowmode": 52,
}
"""Each permission's bit (Discord docs, Permissions)."""

ALL = sum(1 << bit for bit in NAMES.values())


def bits(names: Iterable[str]) -> int:
    """The number for some names; raises `ValueError` with a sentence for one that does not exist."""
    value = 0
    for name in names:
        if name not in NAMES:
            raise ValueError(f"There is no permission “{name}”.")
        value |= 1 << NAMES[name]
    return value


def named(value: int) -> list[str]:
    """The names in a number."""
    return [name for name, bit in NAMES.items() if value >> bit & 1]


ADMINISTRATOR = bits(["administrator"])
MANAGE_CHANNELS = bits(["manage_channels"])
MANAGE_GUILD = bits(["manage_guild"])
ADD_REACTIONS = bits(["add_reactions"])
VIEW_CHANNEL = bits(["view_channel"])
SEND_MESSAGES = bits(["send_messages"])
MANAGE_MESSAGES = bits(["manage_messages"])
EMBED_LINKS = bits(["embed_links"])
ATTACH_FILES = bits(["attach_files"])
READ_HISTORY = bits(["read_message_history"])
MENTION_EVERYONE = bits(["mention_everyone"])
CHANGE_NICKNAME = bits(["change_nickname"])
MANAGE_NICKNAMES = bits(["manage_nicknames"])
MANAGE_ROLES = bits(["manage_roles"])
MANAGE_WEBHOOKS = bits(["manage_webhooks"])
MANAGE_EXPRESSIONS = bits(["manage_guild_expressions"])
CREATE_EXPRESSIONS = bits(["create_guild_expressions"])
MANAGE_THREADS = bits(["manage_threads"])
PUBLIC_THREADS = bits(["create_public_threads"])
PRIVATE_THREADS = bits(["create_private_threads"])
SEND_IN_THREADS = bits(["send_messages_in_threads"])
KICK_MEMBERS = bits(["kick_members"])
BAN_MEMBERS = bits(["ban_members"])
MODERATE_MEMBERS = bits(["moderate_members"])
PIN_MESSAGES = bits(["pin_messages"])
EXTERNAL_STICKERS = bits(["use_external_stickers"])

EVERYONE = bits(
    [
        "create_instant_invite",
        "add_reactions",
        "stream",
        "view_channel",
        "send_messages",
        "embed_links",
        "attach_files",
        "read_message_history",
        "mention_everyone",
        "use_external_emojis",
        "connect",
        "speak",
        "use_vad",
        "change_nickname",
        "use_application_commands",
        "create_public_threads",
        "create_private_threads",
        "use_external_stickers",
        "send_messages_in_threads",
        "send_voice_messages",
        "send_polls",
    ]
)
"""What the everyone role of a new guild holds."""

TIMED_OUT = VIEW_CHANNEL | READ_HISTORY
"""All that is left of a member's permissions during a time-out (Discord docs, Permissions)."""
