"""The newest messages of every channel that is in use, as they stand now: what a persona is shown of the talk there.

Everything is in memory and bounded. A channel is read once, when its history is first asked for; from then on events keep it current.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from coterie.domain.conversation import Message
from coterie.domain.ids import MessageId
from coterie.platforms.discord.places import Spot
from coterie.ports.webhooks import ChannelId

LENGTH = 100
"""Messages of one channel; the setting `message-fetch-limit` goes no further."""
_KEPT_CHANNELS = 2_000

Load = Callable[[Spot], Awaitable[Sequence[tuple[int, Message]]]]
"""Reads the newest messages of a channel from Discord, oldest first, each with its snowflake. Failures are the caller's."""


@dataclass(slots=True)
class _Ring:
    """Snowflake to message. `is_whole`: what was said before the first event is in it too."""

    said: dict[int, Message] = field(default_factory=dict)
    is_whole: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def trim(self) -> None:
        while len(self.said) > LENGTH:
            del self.said[min(self.said)]


class Rings:
    """One ring per channel; the channels used last are kept."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._rings: OrderedDict[ChannelId, _Ring] = OrderedDict()

    def holds(self, channel: ChannelId) -> bool:
        """Whether anybody asked for this channel's history, so that it has to be kept current."""
        return channel in self._rings

    def add(self, channel: ChannelId, post: int, message: Message) -> None:
        """Something was said. A channel that nobody asked about yet keeps nothing: its history is read when it is needed."""
        ring = self._rings.get(channel)
        if ring is not None:
            ring.said[post] = message
            ring.trim()

    def edit(self, channel: ChannelId, post: int, text: str) -> None:
        """A message reads otherwise now."""
        ring = self._rings.get(channel)
        if ring is not None and post in ring.said:
            ring.said[post] = replace(ring.said[post], text=text)

    def remove(self, channel: ChannelId, posts: Sequence[int]) -> None:
        """Messages are gone."""
        ring = self._rings.get(channel)
        if ring is not None:
            for post in posts:
                ring.said.pop(post, None)

    def forget(self, channel: ChannelId) -> None:
        """Nothing is known of a channel any more, so that it is read again: events of it may have been missed."""
        self._rings.pop(channel, None)

    def forget_all(self) -> None:
        """The same for every channel."""
        self._rings.clear()

    def find(self, channel: ChannelId, message: MessageId) -> Message | None:
        """A message by our own id."""
        ring = self._rings.get(channel)
        return next((said for said in ring.said.values() if said.id == message), None) if ring else None

    def known(self, channel: ChannelId) -> tuple[Message, ...]:
        """What is remembered of a channel without asking, in no order."""
        ring = self._rings.get(channel)
        return tuple(ring.said.values()) if ring else ()

    async def newest(self, here: Spot, limit: int) -> tuple[Message, ...]:
        """The newest messages, oldest first."""
        ring = self._rings.setdefault(here.channel, _Ring())
        self._rings.move_to_end(here.channel)
        if len(self._rings) > _KEPT_CHANNELS:
            self._rings.popitem(last=False)
        async with ring.lock:
            if not ring.is_whole:
                # What came in while the history was read is newer than what the history says of it.
                ring.said = dict(await self._load(here)) | ring.said
                ring.is_whole = True
                ring.trim()
        return tuple(ring.said[post] for post in sorted(ring.said)[-limit:])
