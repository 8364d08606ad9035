"""Lines that the bot user says itself: main's, all lines in direct messages, and those that no webhook may carry."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import aiohttp
import discord

from coterie.kit.text import head, utf16_length
from coterie.platforms.discord.places import Spot
from coterie.platforms.discord.webhook_errors import NEVER_LEFT, UNKNOWN_OUTCOMES, Refusal, WebhooksRefused

_SLACK = timedelta(seconds=15)
"""How far the clocks of Discord and of this machine may be apart."""
_LOOKED_AT = 50
_LONGEST = 2_000
_REFUSALS = {
    50013: Refusal.MAY_NOT_WRITE,
    50001: Refusal.NO_ACCESS,
    10003: Refusal.CHANNEL_GONE,
    50007: Refusal.NO_DIRECT_MESSAGES,
}


@dataclass(frozen=True, slots=True)
class BotLine:
    """One message of the bot user. `nonce` tells the server that the same message came twice; `reply_to` is the message it answers."""

    text: str
    nonce: str
    pings: tuple[int, ...] = ()
    reply_to: int | None = None
    embed: discord.Embed | None = None
    sticker: discord.GuildSticker | None = None


def in_words(line: BotLine) -> BotLine:
    """The same line without its embed, which becomes a quotation; what one message cannot hold of it is left out."""
    if line.embed is None:
        return line
    name = f"**{discord.utils.escape_markdown(line.embed.author.name)}:**" if line.embed.author.name else ""
    title = f"**{line.embed.title}**" if line.embed.title else ""
    quoted = [f"> {one}" for one in "\n".join(filter(None, (title, line.embed.description))).splitlines()]
    text = "\n".join(filter(None, (line.text, name, *quoted)))
    return replace(line, text=text if utf16_length(text) <= _LONGEST else head(text, _LONGEST - 1) + "…", embed=None)


class BotLines:
    """The voice of the bot user."""

    def __init__(self, client: discord.Client, *, answer_within: float = 15.0, settle: float = 2.0) -> None:
        """`answer_within`: seconds after which the outcome of a send is unknown. `settle`: how long a late message is waited for."""
        self._client = client
        self._answer_within = answer_within
        self._settle = settle

    async def send(self, here: Spot, line: BotLine, known: Collection[int] = ()) -> int:
        """Say a line; the message's id. One whose outcome is unknown is looked for before it is sent once more.

        Where embeds are refused, it is said in words. `known` are ids of messages that are accounted for. Raises `WebhooksRefused`, the
        error of every send here.
        """
        try:
            return await self._send_surely(here, line, known)
        except WebhooksRefused as refused:
            # The bot may lack no right but “Embed Links”; Discord does not say which it lacks.
            if line.embed is None or refused.kind is not Refusal.MAY_NOT_WRITE:
                raise
        return await self._send_surely(here, in_words(line), known)

    async def _send_surely(self, here: Spot, line: BotLine, known: Collection[int]) -> int:
        began = discord.utils.utcnow()
        try:
            return await self._send(here, line)
        except UNKNOWN_OUTCOMES:
            pass
        for wait in (0.0, self._settle):
            await asyncio.sleep(wait)
            if (found := await self.find(here, line.text, began, known)) is not None:
                return found
        try:
            return await self._send(here, line)
        except UNKNOWN_OUTCOMES as error:
            raise WebhooksRefused(Refusal.UNREACHABLE) from error

    async def find(self, here: Spot, text: str, since: datetime, known: Collection[int] = ()) -> int | None:
        """A message of ours with this text that was sent since then; nothing where there is none, or the channel cannot be read."""
        us = self._client.user
        try:
            async for message in self._place(here).history(limit=_LOOKED_AT):
                if message.created_at < since - _SLACK:
                    return None
                if us is not None and message.author.id == us.id and message.content == text and message.id not in known:
                    return message.id
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return None
        return None

    async def delete(self, here: Spot, message: int) -> None:
        """Remove a message, if it is still there and may be removed."""
        try:
            await self._client.http.delete_message(here.channel, message)
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return

    def _place(self, here: Spot) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(here.channel, guild_id=here.guild)

    async def _send(self, here: Spot, line: BotLine) -> int:
        """Send once. Raises what leaves the outcome open as it is, and what does not as `WebhooksRefused`."""
        users = [discord.Object(user) for user in line.pings]
        pings = discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)
        answered = line.reply_to
        reply = discord.MessageReference(message_id=answered, channel_id=here.channel, fail_if_not_exists=False) if answered else None
        try:
            async with asyncio.timeout(self._answer_within):
                place = self._place(here)
                if line.sticker is not None:
                    sent = await place.send(line.text, stickers=[line.sticker], nonce=line.nonce, allowed_mentions=pings)
                elif line.embed is not None:
                    sent = await place.send(line.text, embed=line.embed, nonce=line.nonce, allowed_mentions=pings)
                elif reply is not None:
                    sent = await place.send(line.text, nonce=line.nonce, allowed_mentions=pings, reference=reply)
                else:
                    sent = await place.send(line.text, nonce=line.nonce, allowed_mentions=pings)
        except NEVER_LEFT as error:
            raise WebhooksRefused(Refusal.UNREACHABLE) from error
        except discord.DiscordServerError:
            raise ConnectionError("Discord failed while it had the message.") from None
        except discord.HTTPException as error:
            raise WebhooksRefused(_REFUSALS.get(error.code, Refusal.MESSAGE), error.code, error.text) from error
        return sent.id
