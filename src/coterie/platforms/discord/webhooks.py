"""Lines through the one webhook of a channel: sent once, looked for where it is not known whether they arrived, changed, removed.

How the webhook is found or made is in `shared_webhook`. What a line looks like is decided elsewhere; whether a channel is worth a try, in
`refused`.
"""

import asyncio
import io
import re
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import discord

from coterie.domain.speech.shown_names import fold, last_resort
from coterie.platforms.discord.faces import Face
from coterie.platforms.discord.lines import Line, Sent, Target
from coterie.platforms.discord.shared_webhook import SharedWebhooks, asking
from coterie.platforms.discord.wearing import Wearing
from coterie.platforms.discord.webhook_errors import (
    NEVER_LEFT,
    UNKNOWN_OUTCOMES,
    Attempt,
    LimitedFor,
    NameRefused,
    OutcomeUnknown,
    Refusal,
    WebhookGone,
    WebhooksRefused,
    translated,
)
from coterie.ports.webhooks import ChannelId, KeptWebhooks, WebhookId

_CLOCKS_DIFFER = timedelta(minutes=2)
_MOST_LOOKED_AT = 500
_MOST_NAMES = 1_000
_EMOJI = re.compile(r"<a?(:\w{2,32}:)\d{15,25}>", re.ASCII)


class Webhooks:
    """The shared webhooks of all channels. One per process: two of them would make two webhooks."""

    def __init__(
        self, client: discord.Client, kept: KeptWebhooks, *, answer_within: float = 15.0, settle: float = 2.0, worn_within: float = 5.0
    ) -> None:
        """`answer_within`: seconds after which the outcome of a send is unknown. `settle`: how long a late message is waited for.

        `worn_within`: how long a change of face may take before the line goes without it.
        """
        self._client = client
        self._settle = settle
        self._wearing = Wearing(patience=worn_within)
        self._shared = SharedWebhooks(client, kept, self._wearing, answer_within)
        self._stand_ins: dict[str, str] = {}

    async def of(self, channel: ChannelId) -> WebhookId:
        """The id of the channel's shared webhook, made where there is none. Raises `WebhooksRefused`, `StorageUnavailable`."""
        return WebhookId((await self._shared.of(channel)).id)

    async def send(self, target: Target, line: Line, face: Face) -> Sent:
        """Say a line. A webhook that is gone is made anew once, and the line sent once; a name that Discord refuses is worn otherwise.

        Raises `WebhooksRefused` (nothing was sent), `OutcomeUnknown` (look with `find` first), `StorageUnavailable`. A caller that is
        cancelled in here does not know the outcome either.
        """
        webhook = await self._shared.of(target.channel)
        try:
            return await self._say(webhook, target, line, face)
        except WebhookGone:
            await self._shared.forget(target.channel, webhook)
        webhook = await self._shared.of(target.channel)
        try:
            return await self._say(webhook, target, line, face)
        except WebhookGone as gone:
            await self._shared.forget(target.channel, webhook)
            raise WebhooksRefused(Refusal.WEBHOOK_VANISHES) from gone

    async def find(self, attempt: Attempt, known: Collection[int] = ()) -> Sent | None:
        """The message of an attempt whose outcome is unknown, looked for now and once more after a moment; nothing if it is not there.

        `known` are ids of messages that are accounted for: two equal lines may stand side by side. Raises `WebhooksRefused` where the
        channel's history cannot be read: then it stays unknown.
        """
        if found := await self._look(attempt, known):
            return found
        await asyncio.sleep(self._settle)
        return await self._look(attempt, known)

    async def edit(self, sent: Sent, text: str, *, pings: Collection[int] = (), embeds: Collection[discord.Embed] | None = None) -> bool:
        """Change a line, and its embeds where they are given; false where it, or the webhook that sent it, is gone.

        Raises `WebhooksRefused`, `StorageUnavailable`.
        """
        webhook = await self._shared.sender(sent.target.channel, sent.webhook)
        if webhook is None:
            return False
        try:
            with asking():
                await webhook.edit_message(
                    sent.message,
                    content=text,
                    embeds=discord.utils.MISSING if embeds is None else list(embeds),
                    allowed_mentions=only(pings),
                    thread=_thread(sent.target),
                )
        except WebhookGone:
            return False
        except WebhooksRefused as refused:
            return _is_there(refused)
        return True

    async def delete(self, sent: Sent) -> bool:
        """Remove a line, as the bot where the webhook that sent it is gone; false where the line is gone, or may not be removed.

        Raises `WebhooksRefused`, `StorageUnavailable`.
        """
        webhook = await self._shared.sender(sent.target.channel, sent.webhook)
        try:
            with asking():
                if webhook is not None:
                    await webhook.delete_message(sent.message, thread=_thread(sent.target))
                    return True
        except WebhookGone:
            pass
        except WebhooksRefused as refused:
            return _is_there(refused)
        try:
            with asking():
                await self._client.http.delete_message(sent.target.place, sent.message)
        except WebhooksRefused as refused:
            return refused.kind is not Refusal.MISSING_PERMISSION and _is_there(refused)
        return True

    async def close(self) -> None:
        """Let go of the connections."""
        await self._shared.close()

    async def _say(self, webhook: discord.Webhook, target: Target, line: Line, face: Face) -> Sent:
        async with self._wearing.put_on(webhook, face) as address:
            message = await self._named(webhook, target, line, address)
        if message.channel.id != target.place:
            # Somebody gave our webhook to another channel since we found it; the line is taken back from there.
            with asking():
                await webhook.delete_message(message.id)
            raise WebhookGone("The webhook belongs to another channel now.")
        return Sent(target, message.id, WebhookId(webhook.id), message.author.name)

    async def _named(self, webhook: discord.Webhook, target: Target, line: Line, address: str | None) -> discord.WebhookMessage:
        """Send under the line's name; under another form of it where Discord refuses that, which is remembered."""
        name = self._stand_ins.get(line.name, line.name)
        try:
            return await self._post(webhook, target, line, name, address)
        except NameRefused:
            name = last_resort(line.name)
        try:
            message = await self._post(webhook, target, line, name, address)
        except NameRefused as refused:
            raise WebhooksRefused(Refusal.MESSAGE, 50035, str(refused)) from refused
        self._stand_ins[line.name] = name
        if len(self._stand_ins) > _MOST_NAMES:
            del self._stand_ins[next(iter(self._stand_ins))]
        return message

    async def _post(self, webhook: discord.Webhook, target: Target, line: Line, name: str, address: str | None) -> discord.WebhookMessage:
        """Send once. Raises `WebhooksRefused`, `WebhookGone`, `NameRefused`, `OutcomeUnknown`."""
        attempt = Attempt(target, name, line.text, datetime.now(UTC), len(line.files), WebhookId(webhook.id))
        missing = discord.utils.MISSING
        try:
            return await webhook.send(
                line.text or missing,
                username=name,
                avatar_url=address or missing,
                allowed_mentions=only(line.pings),
                embeds=line.embeds or missing,
                files=[discord.File(io.BytesIO(file.data), file.name) for file in line.files] or missing,
                thread=_thread(target),
                wait=True,
            )
        except discord.HTTPException as error:
            refused = translated(error)
            if error.code == 10003 and target.thread and await self._shared.has_moved(target.channel, webhook):
                raise WebhookGone(str(error)) from error
            raise refused from error
        except LimitedFor as error:
            raise WebhooksRefused(Refusal.BUSY) from error
        except NEVER_LEFT as error:
            raise WebhooksRefused(Refusal.UNREACHABLE) from error
        except UNKNOWN_OUTCOMES as error:
            raise OutcomeUnknown(attempt) from error

    async def _look(self, attempt: Attempt, known: Collection[int]) -> Sent | None:
        after = discord.Object(discord.utils.time_snowflake(attempt.at - _CLOCKS_DIFFER))
        place = self._client.get_partial_messageable(attempt.target.place)
        with asking():
            async for message in place.history(limit=_MOST_LOOKED_AT, after=after, oldest_first=True):
                if message.id not in known and self._is_ours(attempt, message) and _is_of(attempt, message):
                    return Sent(attempt.target, message.id, WebhookId(message.author.id), message.author.name)
        return None

    def _is_ours(self, attempt: Attempt, message: discord.Message) -> bool:
        """Whether a webhook of ours said it: that of the attempt, or another one that took its place."""
        by_us = message.application_id is not None and message.application_id == self._client.application_id
        return message.webhook_id is not None and (message.webhook_id == attempt.webhook or by_us)


def only(users: Collection[int]) -> discord.AllowedMentions:
    """Let a message ping these users and nobody else; Discord takes 100 at most."""
    some = [discord.Object(user) for user in list(users)[:100]]
    return discord.AllowedMentions(everyone=False, roles=False, users=some, replied_user=False)


def _thread(target: Target) -> discord.abc.Snowflake:
    return discord.Object(target.thread) if target.thread else discord.utils.MISSING


def _is_of(attempt: Attempt, message: discord.Message) -> bool:
    return (
        fold(message.author.name) == fold(attempt.name)
        and _plain(message.content) == _plain(attempt.text)
        and len(message.attachments) == attempt.files
    )


def _plain(text: str) -> str:
    """A text as it may come back: Discord trims, and writes emoji that it does not know without their number."""
    return _EMOJI.sub(r"\1", text).strip()


def _is_there(refused: WebhooksRefused) -> bool:
    """False where it was refused because the message is gone. Raises any other refusal."""
    if refused.code in (10008, 10003):
        return False
    raise refused
