"""Finds the face of a persona at the moment it speaks: at a public address, or as the stored picture, or nothing.

An address that an older installation kept is copied into the store at its first use; where that fails, the face is taken from an old
webhook of the persona, if one survives in the guild (specification 000). How a face is put on is in `wearing`.
"""

import asyncio
import re
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote
from weakref import WeakValueDictionary

import aiohttp
import discord

from coterie.domain.ids import PersonaId, WorkspaceId
from coterie.platforms.discord.faces import Face, FaceAt, FacePicture, NoFace
from coterie.ports.clock import Clock
from coterie.ports.media import PictureRefused, Pictures
from coterie.ports.outbound import FetchRefused, PictureFetch
from coterie.ports.stores import Casts, NotFound

K = TypeVar("K")
V = TypeVar("V")

_KEPT_BELOW = "data/avatars/"
_BUNDLED = "presets/"
_TRY_AGAIN = 15 * 60.0
_MOST_REMEMBERED = 2_000
_OLD_WEBHOOK = re.compile(r"\S.* Persona (\d{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class FaceWanted:
    """Whose face: `reference` is what is kept for the persona or its sprite, `guild` where it speaks.

    `instead` is the reference of the persona's ordinary face, where `reference` is that of a sprite.
    """

    workspace: WorkspaceId
    persona: PersonaId
    guild: int
    reference: str | None
    instead: str | None = None


class Faces:
    """Faces of personas in Discord."""

    def __init__(
        self, client: discord.Client, pictures: Pictures, fetch: PictureFetch, casts: Casts, clock: Clock, *, public_base: str = ""
    ) -> None:
        """`public_base` is the address below which the stored pictures are served to the world; nothing where they are not."""
        self._client = client
        self._pictures = pictures
        self._fetch = fetch
        self._casts = casts
        self._clock = clock
        self._public_base = public_base.rstrip("/")
        self._published: dict[tuple[WorkspaceId, str], str] = {}
        self._not_before: dict[str, float] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def face(self, wanted: FaceWanted) -> Face:
        """The face to speak with; none where there is none, or what is kept is gone. Raises `PicturesUnavailable`, `StorageUnavailable`."""
        path = await self._path(wanted)
        if path is None:
            return NoFace()
        if self._public_base:
            return FaceAt(f"{self._public_base}/{quote(await self._public_path(wanted.workspace, path))}")
        png = await self._pictures.read(path)
        return NoFace() if png is None else FacePicture(path, png, _path_of(wanted.instead))

    async def is_there(self, wanted: FaceWanted) -> bool:
        """Whether there is a picture to show. Raises `PicturesUnavailable`, `StorageUnavailable`."""
        path = await self._path(wanted)
        return path is not None and await self._pictures.read(path) is not None

    async def of_user(self, guild: int, user: int) -> Face | None:
        """The face of a member, as the guild sees it; nothing where Discord does not tell."""
        there = self._client.get_guild(guild)
        try:
            member = await there.fetch_member(user) if there is not None else None
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return None
        return None if member is None else FaceAt(member.display_avatar.with_size(512).with_static_format("png").url)

    async def _path(self, wanted: FaceWanted) -> str | None:
        """The path in the store; an address is copied there first."""
        if not wanted.reference:
            return None
        if not _is_address(wanted.reference):
            return _path_of(wanted.reference)
        async with self._locks.setdefault(wanted.reference, asyncio.Lock()):
            return await self._copied(wanted, wanted.reference)

    async def _copied(self, wanted: FaceWanted, address: str) -> str | None:
        """The path of the copy of an old address, made at its first use. What failed is not tried again for a while."""
        if (now_kept := await self._kept_now(wanted)) is not None and not _is_address(now_kept):
            return _path_of(now_kept)
        if self._clock.monotonic() < self._not_before.get(address, 0.0):
            return None
        picture = await self._downloaded(address) or await self._survivor(wanted)
        path = await self._stored(wanted.workspace, picture) if picture else None
        if path is None:
            self._not_before[address] = self._clock.monotonic() + _TRY_AGAIN
            _bound(self._not_before)
            return None
        await self._adopt(wanted, address, path)
        return path

    async def _kept_now(self, wanted: FaceWanted) -> str | None:
        """What is kept for the persona at this moment; a line before may have copied the address meanwhile."""
        persona = (await self._casts.cast(wanted.workspace)).by_id(wanted.persona)
        return persona.avatar if persona is not None and wanted.instead is None else None

    async def _downloaded(self, address: str) -> bytes | None:
        try:
            return await self._fetch.fetch(address)
        except FetchRefused:
            return None

    async def _survivor(self, wanted: FaceWanted) -> bytes | None:
        """The face of an old webhook of this persona in the guild. Such webhooks are looked at and left as they are."""
        try:
            for one in await self._client.http.guild_webhooks(wanted.guild):
                named = _OLD_WEBHOOK.fullmatch(one.get("name") or "")
                if named and int(named[1]) == wanted.persona and (avatar := one.get("avatar")):
                    return await self._client.http.get_from_cdn(f"{discord.Asset.BASE}/avatars/{one['id']}/{avatar}.png?size=512")
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return None
        return None

    async def _stored(self, workspace: WorkspaceId, picture: bytes) -> str | None:
        try:
            return await self._pictures.keep_avatar(workspace, picture)
        except PictureRefused:
            return None

    async def _adopt(self, wanted: FaceWanted, address: str, path: str) -> None:
        """Let the persona have the copy from now on, if it still has the address."""
        persona = (await self._casts.cast(wanted.workspace)).by_id(wanted.persona)
        if persona is None or persona.avatar != address:
            return
        try:
            await self._casts.change(wanted.workspace, persona.handle, persona.content, path)
        except NotFound:
            return

    async def _public_path(self, workspace: WorkspaceId, path: str) -> str:
        """The path as it is served. A bundled face is no file in the folder that is served until it is copied there."""
        if not path.startswith(_BUNDLED):
            return path
        if (found := self._published.get((workspace, path))) is not None:
            return found
        png = await self._pictures.read(path)
        kept = await self._pictures.keep_avatar(workspace, png) if png is not None else path
        self._published[workspace, path] = kept
        _bound(self._published)
        return kept


def _is_address(reference: str) -> bool:
    return reference.lower().startswith(("http://", "https://"))


def _path_of(reference: str | None) -> str | None:
    """The path within the store; older installations wrote the folder in front of it."""
    return reference.removeprefix(_KEPT_BELOW) if reference and not _is_address(reference) else None


def _bound(remembered: dict[K, V]) -> None:
    if len(remembered) > _MOST_REMEMBERED:
        del remembered[next(iter(remembered))]
