"""Which message of Discord carries which line: the record that says for good who said what there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Protocol

from coterie.domain.conversation import Message
from coterie.domain.ids import MessageId
from coterie.ports.webhooks import ChannelId, WebhookId

PostId = NewType("PostId", int)
"""A message of Discord."""


@dataclass(frozen=True, slots=True)
class Post:
    """A line as it was sent, in a channel or thread. `webhook` is nothing where the bot user sent it."""

    id: PostId
    line: MessageId
    channel: ChannelId
    webhook: WebhookId | None = None


class Posts(Protocol):
    """Every line that was sent to Discord. A line that is kept and has no post was on its way when the process ended."""

    async def keep(self, post: Post) -> None:
        """The line was sent; a post seen twice is one."""
        ...

    async def of_lines(self, lines: Sequence[MessageId]) -> Sequence[Post]:
        """The posts of these lines, in no order."""
        ...

    async def lines(self, posts: Sequence[PostId]) -> Mapping[PostId, Message]:
        """The lines that these posts carry; those that are not ours are left out."""
        ...

    async def unsent(self, since: datetime) -> Sequence[Message]:
        """Lines of channels since then that have no post, oldest first."""
        ...
