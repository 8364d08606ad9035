"""What can go wrong with webhooks, as our errors: refused (nothing was shown), or unknown (it may have been). Sends nothing itself."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import aiohttp
import discord

from coterie.platforms.discord.lines import Target
from coterie.ports.webhooks import WebhookId


class Refusal(StrEnum):
    """Why nothing was sent; the key of what people are told, and of what `refused` remembers."""

    MISSING_PERMISSION = "missing-permission"
    MAY_NOT_WRITE = "may-not-write"
    NO_ACCESS = "no-access"
    CHANNEL_GONE = "channel-gone"
    NO_DIRECT_MESSAGES = "no-direct-messages"
    TOO_MANY_HERE = "too-many-webhooks-in-channel"
    TOO_MANY_IN_SERVER = "too-many-webhooks-in-server"
    NO_WEBHOOKS_HERE = "no-webhooks-here"
    WEBHOOK_VANISHES = "webhook-vanishes"
    THREAD_CLOSED = "thread-closed"
    FILTERED = "filtered"
    BUSY = "busy"
    UNREACHABLE = "unreachable"
    MESSAGE = "message-refused"


SENTENCES = {
    Refusal.MISSING_PERMISSION: (
        "I may not use webhooks here. In the channel's settings, under Permissions, allow my role “Manage Webhooks” and “View Channel”."
    ),
    Refusal.MAY_NOT_WRITE: (
        "I may not write here. In the channel's settings, under Permissions, allow my role “Send Messages” and “Embed Links”."
    ),
    Refusal.NO_ACCESS: "I cannot see this channel. In its settings, under Permissions, allow my role “View Channel”.",
    Refusal.CHANNEL_GONE: "This channel or thread is gone.",
    Refusal.NO_DIRECT_MESSAGES: (
        "Discord lets me write no direct messages to you. Share a server with me, and allow direct messages from its members."
    ),
    Refusal.TOO_MANY_HERE: (
        "This channel has as many webhooks as Discord allows (15). In its settings, under Integrations, Webhooks, remove one."
    ),
    Refusal.TOO_MANY_IN_SERVER: (
        "This server has as many webhooks as Discord allows (1000). In the server's settings, under Integrations, Webhooks, remove some."
    ),
    Refusal.NO_WEBHOOKS_HERE: "Discord has no webhooks in conversations of this kind.",
    Refusal.WEBHOOK_VANISHES: "The webhook in this channel is removed as soon as it is made; see what another bot does with webhooks.",
    Refusal.THREAD_CLOSED: "This thread is closed; whoever may manage threads can open it again.",
    Refusal.FILTERED: "The server's AutoMod does not let this message through; see the server's settings, under Safety Setup, AutoMod.",
    Refusal.BUSY: "Discord takes no more messages here for the moment; try again a little later.",
    Refusal.UNREACHABLE: "Discord does not answer at present; try again a little later.",
    Refusal.MESSAGE: "Discord refused this message.",
}

_BY_CODE = {
    50013: Refusal.MISSING_PERMISSION,
    50001: Refusal.NO_ACCESS,
    10003: Refusal.CHANNEL_GONE,
    30007: Refusal.TOO_MANY_HERE,
    30058: Refusal.TOO_MANY_IN_SERVER,
    50003: Refusal.NO_WEBHOOKS_HERE,
    50024: Refusal.NO_WEBHOOKS_HERE,
    50083: Refusal.THREAD_CLOSED,
    160005: Refusal.THREAD_CLOSED,
    200000: Refusal.FILTERED,
    200001: Refusal.FILTERED,
}


class WebhooksRefused(Exception):
    """Nothing was sent and nothing will come of trying again at once. `sentence` tells a person what to do; `code` is Discord's, or 0."""

    def __init__(self, kind: Refusal, code: int = 0, detail: str = "") -> None:
        self.kind = kind
        self.code = code
        self.sentence = SENTENCES[kind]
        super().__init__(f"{self.sentence} {detail}".rstrip())


@dataclass(frozen=True, slots=True)
class Attempt:
    """A send that may have succeeded: all that is needed to look for it in the channel, also after a restart.

    `name` is the name it was sent under, `at` when it began. `webhook` is not known where the attempt was written down before it was made.
    """

    target: Target
    name: str
    text: str
    at: datetime
    files: int = 0
    webhook: WebhookId | None = None


class OutcomeUnknown(Exception):
    """Discord may or may not have the message. `Webhooks.find` looks for it; never send again before that."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        super().__init__("It is not known whether Discord has the message.")


class WebhookGone(Exception):
    """The webhook or its token is no longer good for this channel; another has to be found or made."""


class NameRefused(Exception):
    """Discord does not take the name that a line wears."""


class Unfinished(Exception):
    """A server failed after it had a message; it may have kept it."""


class LimitedFor(Exception):
    """Discord asks to wait longer than anybody would."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"Discord asks to wait {seconds} seconds.")


UNKNOWN_OUTCOMES = (Unfinished, asyncio.TimeoutError, aiohttp.ClientError, OSError)
"""What leaves open whether a message arrived. What is certain to have happened before it left is caught first."""

NEVER_LEFT = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
"""The connection was never made."""


def translated(error: discord.HTTPException) -> WebhooksRefused | WebhookGone | NameRefused:
    """Discord's no as one of ours."""
    if error.code in (10015, 50027):
        return WebhookGone(str(error))
    if error.code == 50035 and "In username:" in error.text:
        return NameRefused(error.text)
    if error.code in _BY_CODE:
        return WebhooksRefused(_BY_CODE[error.code], error.code)
    if error.status == 429:
        return WebhooksRefused(Refusal.BUSY, error.code)
    if error.status >= 500:
        return WebhooksRefused(Refusal.UNREACHABLE, error.code)
    return WebhooksRefused(Refusal.MESSAGE, error.code, error.text)
