"""Shows in a channel that somebody of the cast is about to answer, for as long as that is so."""

import asyncio

import aiohttp
import discord

from coterie.domain.ids import MessageId, SessionId
from coterie.platforms.discord.places import Spot

_AFTER_SECONDS = 0.25
"""An answer that comes sooner needs no sign, and nothing stands in its way."""
_EVERY_SECONDS = 8.0
"""Discord shows it for ten."""


class TypingSigns:
    """One sign per conversation, however many messages are being answered in it."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._answered: dict[SessionId, set[MessageId]] = {}
        self._tasks: dict[SessionId, asyncio.Task[None]] = {}

    def begin(self, here: Spot, root: MessageId) -> None:
        """Somebody will answer `root`."""
        self._answered.setdefault(here.session, set()).add(root)
        if here.session not in self._tasks:
            self._tasks[here.session] = asyncio.create_task(self._show(here))

    def end(self, session: SessionId, root: MessageId) -> None:
        """Nothing more comes of `root`."""
        roots = self._answered.get(session, set())
        roots.discard(root)
        if not roots:
            self._answered.pop(session, None)
            if (task := self._tasks.pop(session, None)) is not None:
                task.cancel()

    def close(self) -> None:
        """Take all signs down."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        self._answered.clear()

    async def _show(self, here: Spot) -> None:
        await asyncio.sleep(_AFTER_SECONDS)
        while True:
            try:
                await self._client.http.send_typing(here.channel)
            except (discord.HTTPException, aiohttp.ClientError, OSError, RuntimeError):
                # RuntimeError is aiohttp's for a session that was closed meanwhile.
                return
            await asyncio.sleep(_EVERY_SECONDS)
