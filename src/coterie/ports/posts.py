"""Which message of Discord carries which line: the record that says for good who said what there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Protocol

from coterie.domain.conversation import Message
from coterie.domain.ids import MessageId, PersonaId
from coterie.ports.webhooks import ChannelId, WebhookId

PostId = NewType("PostId", int)
"""A message of Discord."""


@dataclass(frozen=True, slots=True)
class Post:
    """A line as it was sent, in a channel or thread. `webhook` is nothing where the bot user sent it.

    `sprite` is what it showed of a persona where that is no part of its shown name.
    """

    id: PostId
    line: MessageId
    channel: ChannelId
    webhook: WebhookId | None = None
    sprite: "ShownSprite | None" = None


@dataclass(frozen=True, slots=True)
class ShownSprite:
    """A sprite by its label, as it was when a message showed it."""

    persona: PersonaId
    label: str


class Posts(Protocol):
    """Every line that was sent to Discord. A line that is kept and has no post was on its way when the process ended."""

    async def keep(self, post: Post) -> None:
        """The line was sent; a post seen twice is one. Which sprite it showed is kept for 30 days."""
        ...

    async def of_lines(self, lines: Sequence[MessageId]) -> Sequence[Post]:
        """The posts of these lines, in no order."""
        ...

    async def lines(self, posts: Sequence[PostId]) -> Mapping[PostId, Message]:
        """The lines that these posts carry; those that are not ours are left out. What the bot user sent wears nothing."""
        ...

    async def sprites(self, posts: Sequence[PostId]) -> Mapping[PostId, ShownSprite]:
        """Which of these posts showed a sprite, as far as that is still known."""
        ...

    async def unsent(self, since: datetime) -> Sequence[Message]:
        """Lines of channels since then that have no post, oldest first."""
        ...
