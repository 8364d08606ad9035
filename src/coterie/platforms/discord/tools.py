"""What a persona can do on Discord besides talking: send a sticker of the server, show a card. How they are sent is the stage's."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from coterie.kit.text import head
from coterie.platforms.discord.door import sticker_line
from coterie.platforms.discord.webhook_errors import WebhooksRefused
from coterie.ports.model import ToolSpec
from coterie.ports.tools import Tool, ToolFailed

_MOST_STICKERS = 60
"""As many as a server can have at its highest level (Discord docs, Sticker)."""
_MOST_SERVERS = 1_000
_KNOWN_FOR = 600.0
_BEGINS = "[sticker: "
_TITLE, _TEXT = 256, 4_096
"""What an embed holds (Discord docs, Embed Limits)."""


class Stickers:
    """The stickers of servers, asked for when they are needed: to hear of them would mean to keep every emoji of every server as well."""

    def __init__(self, client: discord.Client, now: Callable[[], float]) -> None:
        self._client, self._now = client, now
        self._known: dict[int, tuple[float, Sequence[discord.GuildSticker]]] = {}

    async def of(self, guild: int | None) -> Sequence[discord.GuildSticker]:
        """Those that can be used, as they were in the last ten minutes; none in direct messages, or where Discord does not tell."""
        there = self._client.get_guild(guild) if guild is not None else None
        if there is None:
            return ()
        until, known = self._known.pop(there.id, (0.0, ()))
        if until <= self._now():
            until, known = self._now() + _KNOWN_FOR, await self._asked(there)
        self._known[there.id] = until, known
        if len(self._known) > _MOST_SERVERS:
            del self._known[next(iter(self._known))]
        return known

    async def in_line(self, guild: int | None, text: str) -> discord.GuildSticker | None:
        """The sticker that a line stands for, if it is nothing but that."""
        if not text.startswith(_BEGINS):
            return None
        return next((sticker for sticker in await self.of(guild) if sticker_line(sticker.name) == text.strip()), None)

    async def _asked(self, guild: discord.Guild) -> Sequence[discord.GuildSticker]:
        try:
            return [sticker for sticker in await guild.fetch_stickers() if sticker.available][:_MOST_STICKERS]
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return ()


def tools_for(
    stickers: Sequence[discord.GuildSticker], later: Callable[[str], None], show: Callable[[discord.Embed], Awaitable[None]]
) -> tuple[Tool, ...]:
    """The tools of one turn."""
    return (*((StickerTool(stickers, later),) if stickers else ()), CardTool(show))


@dataclass(frozen=True, slots=True)
class StickerTool:
    """Sends a sticker when everything else is said."""

    stickers: Sequence[discord.GuildSticker]
    later: Callable[[str], None]

    @property
    def spec(self) -> ToolSpec:
        """With the names of all stickers, and what each shows."""
        known = "; ".join(f"{sticker.name}: {sticker.description}" if sticker.description else sticker.name for sticker in self.stickers)
        return ToolSpec(
            name="sticker",
            description=f"Send a sticker after your words, or in place of them. There are: {known}",
            parameters={
                "type": "object",
                "properties": {"name": {"type": "string", "enum": [sticker.name for sticker in self.stickers]}},
                "required": ["name"],
                "additionalProperties": False,
            },
        )

    async def call(self, arguments: Mapping[str, Any]) -> str:
        """Raises `ToolFailed` where there is no such sticker."""
        asked = str(arguments.get("name", ""))
        found = next((sticker for sticker in self.stickers if sticker.name.casefold() == asked.casefold()), None)
        if found is None:
            raise ToolFailed(f"There is no sticker {head(asked, 60)!r}. There are: {', '.join(sticker.name for sticker in self.stickers)}.")
        self.later(sticker_line(found.name))
        return "It is sent when you have said everything."


@dataclass(frozen=True, slots=True)
class CardTool:
    """Shows a card at once."""

    show: Callable[[discord.Embed], Awaitable[None]]

    @property
    def spec(self) -> ToolSpec:
        """A title and a text."""
        return ToolSpec(
            name="card",
            description="Show a card with a title and a text, for what is to stand out: a recipe, a list, a quotation. It is seen at once.",
            parameters={
                "type": "object",
                "properties": {
                    "title": {"type": "string", "description": f"At most {_TITLE} characters."},
                    "text": {"type": "string", "description": f"Markdown, at most {_TEXT} characters."},
                },
                "required": ["title", "text"],
                "additionalProperties": False,
            },
        )

    async def call(self, arguments: Mapping[str, Any]) -> str:
        """Raises `ToolFailed` where a part is missing or Discord takes no card here."""
        title, text = (str(arguments.get(name) or "").strip() for name in ("title", "text"))
        if not title or not text:
            raise ToolFailed("A card needs a title and a text.")
        if len(title) > _TITLE or len(text) > _TEXT:
            raise ToolFailed(f"A card's title has at most {_TITLE} characters, its text at most {_TEXT}.")
        try:
            await self.show(discord.Embed(title=title, description=text))
        except WebhooksRefused as error:
            raise ToolFailed(f"The card could not be shown: {error.sentence}") from error
        return "It is shown."
