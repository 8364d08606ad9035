"""What goes through a webhook, as plain values: where to, what, and what Discord has then."""

from dataclasses import dataclass
from typing import Self

import discord

from coterie.ports.webhooks import ChannelId, WebhookId


@dataclass(frozen=True, slots=True)
class Target:
    """Where a line goes. `channel` has the webhook; `thread` is the thread or forum post within it, if it goes to one."""

    channel: ChannelId
    thread: ChannelId | None = None

    @property
    def place(self) -> ChannelId:
        """Where the line is seen."""
        return self.thread or self.channel

    @classmethod
    def of(cls, place: discord.abc.Snowflake) -> Self:
        """The target of a channel, thread or forum post."""
        if isinstance(place, discord.Thread):
            return cls(ChannelId(place.parent_id), ChannelId(place.id))
        return cls(ChannelId(place.id))


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to send along; may be sent more than once, unlike discord.py's."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Line:
    """One message. `name` is safe for Discord (`domain.speech.shown_names`); at most 2000 characters of `text`, 10 embeds, 10 files.

    Only the users in `pings` (100 at most) are pinged, and only where the text mentions them; everyone and roles never are.
    """

    name: str
    text: str = ""
    pings: tuple[int, ...] = ()
    embeds: tuple[discord.Embed, ...] = ()
    files: tuple[Upload, ...] = ()


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that Discord has. `name` is the name it shows; `webhook` its author."""

    target: Target
    message: int
    webhook: WebhookId
    name: str
