"""The shared webhook of each channel, as it is kept over restarts. Its token lets anybody speak in the channel, so it rests sealed."""

from dataclasses import dataclass, field
from typing import NewType, Protocol

ChannelId = NewType("ChannelId", int)
"""A channel or thread of Discord."""

WebhookId = NewType("WebhookId", int)
"""A webhook of Discord; also the author of what it sends."""


@dataclass(frozen=True, slots=True)
class KeptWebhook:
    """The one webhook that all personas share in a channel; threads use their parent's."""

    channel: ChannelId
    webhook: WebhookId
    token: str = field(repr=False)


class KeptWebhooks(Protocol):
    """One row per channel. Every method raises `StorageUnavailable` where the database fails."""

    async def get(self, channel: ChannelId) -> KeptWebhook | None:
        """The channel's webhook. One whose token does not open with the secrets that are here counts as gone."""
        ...

    async def keep(self, webhook: KeptWebhook) -> None:
        """Add or replace the channel's webhook; a webhook that was kept for another channel has moved here."""
        ...

    async def forget(self, channel: ChannelId, webhook: WebhookId) -> bool:
        """Remove a channel's webhook if it still is this one; false if it was not."""
        ...
