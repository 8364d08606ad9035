"""Puts a face on the shared webhook of a channel just before a line is sent, and leaves it alone where it is right already.

Which face a persona has is decided in `face_of`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar
from weakref import WeakValueDictionary

import discord

from coterie.platforms.discord.faces import Face, FaceAt, FacePicture, NoFace
from coterie.platforms.discord.webhook_errors import UNKNOWN_OUTCOMES, LimitedFor, WebhookGone, translated
from coterie.ports.webhooks import WebhookId

T = TypeVar("T")

_MOST_REMEMBERED = 10_000
_REST = 30.0
"""Seconds without a further try after a change that was not waited for."""


class Wearing:
    """What each webhook wears, as far as known.

    A webhook is shared by a channel and its threads, so it is locked from the change of its face until the line is sent: no line can
    appear with the face of another (specification 000). A face at an address needs no lock; Discord takes it with the message.
    """

    def __init__(self, *, patience: float = 5.0) -> None:
        """`patience`: how many seconds a change of face may take before the line goes without it."""
        self._patience = patience
        self._worn: dict[WebhookId, str | None] = {}
        self._rests_until: dict[WebhookId, float] = {}
        self._locks: WeakValueDictionary[WebhookId, asyncio.Lock] = WeakValueDictionary()

    def found(self, webhook: WebhookId, *, is_bare: bool) -> None:
        """A webhook was found or made; one that wears a picture may wear any."""
        if is_bare:
            self._remember(webhook, None)
        else:
            self._worn.pop(webhook, None)

    @asynccontextmanager
    async def put_on(self, webhook: discord.Webhook, face: Face) -> AsyncIterator[str | None]:
        """Let the webhook wear the face within the block; gives the `avatar_url` to send with, if one is needed.

        Where the face cannot be put on in time, that is the address of Discord's plain face, so that nobody else's is seen.
        Raises `WebhookGone`.
        """
        if isinstance(face, FaceAt):
            yield face.url
            return
        lock = self._locks.setdefault(WebhookId(webhook.id), asyncio.Lock())
        async with lock:
            yield None if await self._wears(webhook, face) else plain_face()

    async def _wears(self, webhook: discord.Webhook, face: FacePicture | NoFace) -> bool:
        """Whether the webhook now wears the face, or one that may be seen in its place."""
        number, key = WebhookId(webhook.id), face.key if isinstance(face, FacePicture) else None
        unknown = object()
        if self._worn.get(number, unknown) == key or await self._changes(webhook, face):
            return True
        return isinstance(face, FacePicture) and face.instead is not None and self._worn.get(number) == face.instead

    async def _changes(self, webhook: discord.Webhook, face: FacePicture | NoFace) -> bool:
        number, clock = WebhookId(webhook.id), asyncio.get_running_loop().time
        if clock() < self._rests_until.get(number, 0.0):
            return False
        before = self._worn.pop(number, "")
        try:
            await asyncio.wait_for(webhook.edit(avatar=face.png if isinstance(face, FacePicture) else None), self._patience)
        except LimitedFor as limited:
            self._rest(number, clock() + limited.seconds, before)
            return False
        except discord.HTTPException as error:
            if isinstance(translated(error), WebhookGone):
                raise WebhookGone(str(error)) from error
            self._rest(number, clock() + _REST, before)
            return False
        except UNKNOWN_OUTCOMES:
            # It may yet be changed, so nothing is known of what it wears.
            self._rest(number, clock() + _REST, "")
            return False
        self._remember(number, face.key if isinstance(face, FacePicture) else None)
        return True

    def _rest(self, webhook: WebhookId, until: float, worn: str | None) -> None:
        """Try no change before then. `worn` is what it still wears; "" where that is not known."""
        self._rests_until[webhook] = until
        _bound(self._rests_until)
        if worn != "":
            self._remember(webhook, worn)

    def _remember(self, webhook: WebhookId, worn: str | None) -> None:
        self._worn[webhook] = worn
        _bound(self._worn)


def plain_face() -> str:
    """The address of the face that Discord gives to whoever has none."""
    return f"{discord.Asset.BASE}/embed/avatars/0.png"


def _bound(remembered: dict[WebhookId, T]) -> None:
    if len(remembered) > _MOST_REMEMBERED:
        del remembered[next(iter(remembered))]
