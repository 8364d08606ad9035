"""Lines through the one webhook of a channel: found or made once, used by all personas, found again after a restart.

Webhooks of others are never used, changed or removed. What a line looks like is decided elsewhere; whether a channel is worth a try, in
`refused`.
"""

from collections.abc import Collection
from dataclasses import dataclass

import discord

from coterie.platforms.discord.faces import Face
from coterie.platforms.discord.webhook_errors import Attempt
from coterie.ports.webhooks import ChannelId, KeptWebhooks, WebhookId

NAME = "Coterie Multi-Persona"
"""The name of the shared webhook in a channel's settings; lines wear names of their own."""


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
    def of(cls, place: "discord.abc.Snowflake") -> "Target":
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

    Only the users in `pings` are pinged, and only where the text mentions them; everyone and roles never are.
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


class Webhooks:
    """The shared webhooks of all channels. One per process: two of them would make two webhooks."""

    def __init__(self, client: discord.Client, kept: KeptWebhooks, *, answer_within: float = 15.0, settle: float = 2.0) -> None:
        """`answer_within`: seconds after which the outcome of a send is unknown. `settle`: how long a late message is waited for."""
        raise NotImplementedError

    async def of(self, channel: ChannelId) -> discord.Webhook:
        """The channel's shared webhook: from memory, from the store, from the channel's list, else made. Raises `WebhooksRefused`."""
        raise NotImplementedError

    async def send(self, target: Target, line: Line, face: Face) -> Sent:
        """Say a line. A webhook that is gone is made anew once, and the line sent once.

        Raises `WebhooksRefused` (nothing was sent), `OutcomeUnknown` (look with `find` first), `StorageUnavailable`.
        """
        raise NotImplementedError

    async def find(self, attempt: Attempt, known: Collection[int] = ()) -> Sent | None:
        """The message of an attempt whose outcome is unknown, looked for now and once more after a moment; nothing if it is not there.

        `known` are ids of messages that are accounted for: two equal lines may stand side by side. Raises `WebhooksRefused` where the
        channel's history may not be read: then it stays unknown.
        """
        raise NotImplementedError

    async def edit(self, sent: Sent, text: str, *, pings: Collection[int] = (), embeds: Collection[discord.Embed] | None = None) -> bool:
        """Change a line; false where it, or the webhook that sent it, is gone. Raises `WebhooksRefused`."""
        raise NotImplementedError

    async def delete(self, sent: Sent) -> bool:
        """Remove a line; false where it is gone already or cannot be removed. Raises `WebhooksRefused`."""
        raise NotImplementedError

    async def close(self) -> None:
        """Let go of the connections."""
        raise NotImplementedError
