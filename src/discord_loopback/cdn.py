"""The CDN: attachments, avatars, emojis, stickers; plain faces where there is none. Fetches what a webhook names only from loopback."""

import ipaddress

import aiohttp
from aiohttp import web
from yarl import URL

from discord_loopback.pictures import COLOURS, kind_of, plain_face
from discord_loopback.world import Stored, World

LARGEST = 10 * 1024 * 1024
_HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "max-age=3600"}
_SHOWN = ("image/png", "image/jpeg", "image/gif", "image/webp", "text/plain")
"""Types that a browser may show; others are offered as files to save."""


class Cdn:
    """The files of one world."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request below `/cdn`."""
        path = request.path.removeprefix("/cdn/")
        stored = self._world.files.get(path) or self._world.files.get(path.rpartition(".")[0])
        if stored is None and path.startswith("embed/avatars/"):
            stored = self._face(path.rpartition("/")[2].partition(".")[0])
        if stored is None and path.startswith("avatars/"):
            stored = await self._named(path.rpartition("/")[2].partition(".")[0])
        if stored is None:
            return web.Response(status=404, text="There is no such file.", headers=_HEADERS)
        kind = stored.content_type.partition(";")[0]
        extra = {} if kind in _SHOWN else {"Content-Disposition": "attachment"}
        return web.Response(body=stored.data, content_type=kind, headers={**_HEADERS, **extra})

    @staticmethod
    def _face(number: str) -> Stored:
        colour = COLOURS[int(number) % len(COLOURS)] if number.isdigit() else COLOURS[0]
        return Stored(plain_face(colour), "image/png")

    async def _named(self, digest: str) -> Stored | None:
        """The picture of an `avatar_url`: fetched from loopback, else a plain face whose colour depends on the address."""
        source = self._world.avatar_sources.get(digest)
        if source is None:
            return None
        fetched = await self._fetch(URL(source)) if self._world.switches.fetch_avatars else None
        return fetched or Stored(plain_face(int(digest[:6], 16)), "image/png")

    @staticmethod
    async def _fetch(url: URL) -> Stored | None:
        if not _is_loopback(url):
            return None
        try:
            timeout = aiohttp.ClientTimeout(total=5)
            async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url, allow_redirects=False) as response:
                data = await response.content.read(LARGEST)
                kind = kind_of(data)
                return Stored(data, kind) if response.status == 200 and kind else None
        except (aiohttp.ClientError, TimeoutError):
            return None


def _is_loopback(url: URL) -> bool:
    try:
        return url.scheme == "http" and (url.host == "localhost" or ipaddress.ip_address(url.host or "").is_loopback)
    except ValueError:
        return False
