"""The one webhook of a channel that all personas share: remembered, else restored, else found in the channel's list, else made.

What is sent through it is `webhooks`' business.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

import aiohttp
import discord

from coterie.platforms.discord.wearing import Wearing
from coterie.platforms.discord.webhook_errors import (
    UNKNOWN_OUTCOMES,
    LimitedFor,
    NameRefused,
    Refusal,
    Unfinished,
    WebhookGone,
    WebhooksRefused,
    translated,
)
from coterie.ports.webhooks import ChannelId, KeptWebhook, KeptWebhooks, WebhookId

NAME = "Coterie Multi-Persona"
"""The name of the shared webhook in a channel's settings; lines wear names of their own."""

_MOST_REMEMBERED = 5_000
_LONGEST_WAIT_TO_SEND = 60.0
_LONGEST_WAIT_TO_CHANGE = 5.0


class SharedWebhooks:
    """One webhook per channel. Only one that our own application made is ever used; those of others are never touched."""

    def __init__(self, client: discord.Client, kept: KeptWebhooks, wearing: Wearing, answer_within: float) -> None:
        self._client = client
        self._kept = kept
        self._wearing = wearing
        self._answer_within = answer_within
        self._session: aiohttp.ClientSession | None = None
        self._known: dict[ChannelId, discord.Webhook] = {}
        self._locks: WeakValueDictionary[ChannelId, asyncio.Lock] = WeakValueDictionary()

    async def of(self, channel: ChannelId) -> discord.Webhook:
        """The channel's shared webhook; made once, however many ask at a time. Raises `WebhooksRefused`, `StorageUnavailable`."""
        if known := self._known.get(channel):
            return known
        async with self._locks.setdefault(channel, asyncio.Lock()):
            if known := self._known.get(channel):
                return known
            found = await self._restored(channel) or await self._listed(channel) or await self._made(channel)
            return self._remember(channel, found)

    async def sender(self, channel: ChannelId, webhook: WebhookId) -> discord.Webhook | None:
        """The channel's webhook if it still is this one. Makes none. Raises `StorageUnavailable`."""
        if (known := self._known.get(channel)) is not None:
            return known if known.id == webhook else None
        kept = await self._kept.get(channel)
        return self._with_token(kept.webhook, kept.token) if kept is not None and kept.webhook == webhook else None

    async def forget(self, channel: ChannelId, webhook: discord.Webhook) -> None:
        """This webhook is no longer good for the channel; another that was found meanwhile stays. Raises `StorageUnavailable`."""
        if self._known.get(channel) is webhook:
            del self._known[channel]
        await self._kept.forget(channel, WebhookId(webhook.id))

    async def has_moved(self, channel: ChannelId, webhook: discord.Webhook) -> bool:
        """Whether somebody gave the webhook to another channel, or removed it. Raises `WebhooksRefused`."""
        try:
            with asking():
                return (await webhook.fetch()).channel_id != channel
        except WebhookGone:
            return True

    async def close(self) -> None:
        """Let go of the connections."""
        if self._session is not None:
            await self._session.close()

    async def _restored(self, channel: ChannelId) -> discord.Webhook | None:
        """The webhook that was kept, if it is still there; what was kept is dropped only where Discord says that it is gone."""
        if (kept := await self._kept.get(channel)) is None:
            return None
        try:
            with asking():
                found = await self._with_token(kept.webhook, kept.token).fetch()
        except WebhooksRefused:
            return None
        except WebhookGone:
            found = None
        if found is None or found.channel_id != channel:
            await self._kept.forget(channel, kept.webhook)
            return None
        self._wearing.found(kept.webhook, is_bare=found.avatar is None)
        return found

    async def _listed(self, channel: ChannelId) -> discord.Webhook | None:
        """Ours in the channel's list, after what was kept of it was lost. Others' may bear the same name."""
        with asking():
            listed = await self._client.http.channel_webhooks(channel)
        for one in listed:
            is_ours = str(one.get("application_id")) == str(self._client.application_id)
            if is_ours and one.get("name") == NAME and (token := one.get("token")):
                return await self._keep(channel, WebhookId(int(one["id"])), token, is_bare=one.get("avatar") is None)
        return None

    async def _made(self, channel: ChannelId) -> discord.Webhook:
        with asking():
            made = await self._client.http.create_webhook(channel, name=NAME)
        return await self._keep(channel, WebhookId(int(made["id"])), made["token"], is_bare=True)

    async def _keep(self, channel: ChannelId, webhook: WebhookId, token: str, *, is_bare: bool) -> discord.Webhook:
        await self._kept.keep(KeptWebhook(channel, webhook, token))
        self._wearing.found(webhook, is_bare=is_bare)
        return self._with_token(webhook, token)

    def _remember(self, channel: ChannelId, webhook: discord.Webhook) -> discord.Webhook:
        self._known[channel] = webhook
        if len(self._known) > _MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        return webhook

    def _with_token(self, webhook: WebhookId, token: str) -> discord.Webhook:
        """A webhook that speaks by its token over a session of ours, which never repeats by itself what may have been done."""
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=self._answer_within)
            self._session = aiohttp.ClientSession(timeout=timeout, middlewares=(_never_twice,))
        return discord.Webhook.partial(webhook, token, session=self._session)


@contextmanager
def asking() -> Iterator[None]:
    """Raise our errors in place of the library's, for requests that may be asked again."""
    try:
        yield
    except discord.HTTPException as error:
        ours = translated(error)
        raise WebhooksRefused(Refusal.MESSAGE, error.code, error.text) if isinstance(ours, NameRefused) else ours from error
    except LimitedFor as error:
        raise WebhooksRefused(Refusal.BUSY) from error
    except UNKNOWN_OUTCOMES as error:
        raise WebhooksRefused(Refusal.UNREACHABLE) from error


async def _never_twice(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Stop the library from repeating a message after a server's failure, and from waiting for hours."""
    response = await handler(request)
    if request.method == "POST" and response.status >= 500:
        response.close()
        raise Unfinished(f"Discord answered {response.status}.")
    if response.status == 429 and (wait := _wait(response)) > _longest_wait(request):
        response.close()
        raise LimitedFor(wait)
    return response


def _wait(response: aiohttp.ClientResponse) -> float:
    """How many seconds Discord asks for; what is no number is taken for a ban."""
    try:
        return float(response.headers.get("Retry-After", "0"))
    except ValueError:
        return 3600.0


def _longest_wait(request: aiohttp.ClientRequest) -> float:
    is_change_of_face = request.method == "PATCH" and "/messages/" not in request.url.path
    return _LONGEST_WAIT_TO_CHANGE if is_change_of_face else _LONGEST_WAIT_TO_SEND
