"""What the bot needs of Discord, each thing once with its reason. The invite link and its explanation come from here."""

from dataclasses import dataclass

import discord


@dataclass(frozen=True, slots=True)
class Need:
    """A permission, scope or intent: the library's name for it, what Discord calls it, and why it is needed."""

    name: str
    title: str
    why: str


SCOPES = (
    Need("bot", "bot", "The bot user is in the server."),
    Need("applications.commands", "applications.commands", "Its commands can be used there."),
)
PERMISSIONS = (
    Need("view_channel", "View Channels", "It hears what is said."),
    Need("send_messages", "Send Messages", "The main persona speaks as the bot user."),
    Need("send_messages_in_threads", "Send Messages in Threads", "It does so in threads and forum posts too."),
    Need("embed_links", "Embed Links", "Notices, notes of the system and cards are embeds; without it they are said in words."),
    Need("read_message_history", "Read Message History", "A persona knows what was said before it was called."),
    Need("change_nickname", "Change Nickname", "In each server the bot user bears the name of the main persona there."),
    Need(
        "manage_webhooks", "Manage Webhooks", "The other personas speak through one webhook per channel, each with its own name and face."
    ),
)
INTENTS = (Need("message_content", "Message Content Intent", "Without it Discord shows the bot no words of people."),)

OPTIONAL_INTENTS = (
    Need("members", "Server Members Intent", "Without it Discord does not tell who joins, so nobody is welcomed; all else works."),
)


def permissions() -> discord.Permissions:
    """The permissions of the table."""
    return discord.Permissions(**{need.name: True for need in PERMISSIONS})


def invite_link(application: int) -> str:
    """The address at which an owner lets the bot into a server, with exactly what is needed."""
    return discord.utils.oauth_url(application, permissions=permissions(), scopes=[scope.name for scope in SCOPES])
