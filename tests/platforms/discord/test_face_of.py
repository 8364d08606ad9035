"""The face of a persona at the moment it speaks, with real pictures on disk, real storage and a real server for old addresses."""

import asyncio
import io
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from PIL import Image

from coterie.domain.ids import WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.media.local import LocalPictures
from coterie.media.outbound import GuardedFetch
from coterie.platforms.discord.face_of import Faces, FaceWanted
from coterie.platforms.discord.faces import FaceAt, FacePicture, NoFace
from coterie.ports.stores import PersonaDraft
from coterie.storage.opening import open_storage
from discord_loopback.control import admins
from platforms.discord.webhook_scenes import BLUE, MAKES, PERMISSIONS, RED, at, line, open_house, speaking

WORKSPACE = WorkspaceId("discord:1")
GUILD_LIST = r"/guilds/\d+/webhooks"


@dataclass
class Stranger:
    """A server that has a picture, or has not."""

    base: str = ""
    picture: bytes | None = RED
    asked: list[str] = field(default_factory=list)
    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def answer(self, request):
        self.asked.append(request.path)
        if self.meanwhile:
            await self.meanwhile()
        return web.Response(body=self.picture) if self.picture else web.Response(status=404)


@dataclass
class Clock:
    seconds: float = 0.0

    def monotonic(self):
        return self.seconds


@pytest.fixture
async def stranger():
    there = Stranger()
    application = web.Application()
    application.router.add_get("/{path:.*}", there.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    there.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield there
    await runner.cleanup()


@pytest.fixture
async def house():
    async with open_house() as opened:
        yield opened


@pytest.fixture
async def storage(sqlite_url, tmp_path):
    opened = await open_storage(sqlite_url, tmp_path, (), environment={})
    yield opened
    await opened.close()


@pytest.fixture
def pictures(tmp_path):
    return LocalPictures(tmp_path)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def faces(house, storage, pictures, clock):
    return making_faces(house, storage, pictures, clock)


def making_faces(house, storage, pictures, clock, **more):
    fetch = GuardedFetch(connects=lambda address: address == "127.0.0.1", asks=lambda url: url.scheme == "http")
    return Faces(house.client, pictures, fetch, storage.casts, clock, **more)


async def persona_with(storage, avatar, name="Wren"):
    return await storage.casts.create(WORKSPACE, PersonaDraft(PersonaContent(name, role="Watches birds."), avatar=avatar))


def wanted(house, persona, **more):
    return FaceWanted(**({"workspace": WORKSPACE, "persona": persona.id, "guild": house.guild, "reference": persona.avatar} | more))


async def avatar_now(storage, persona):
    return (await storage.casts.cast(WORKSPACE)).by_id(persona.id).avatar


@asynccontextmanager
async def old_webhook(house, persona, picture, name="TomoriBot Persona"):
    """A webhook of the predecessor, as it may survive in some channel."""
    made = admins.create_webhook(house.server, house.channel("old"), name=f"{name} {persona}")
    number, digest = int(made["id"]), "abc123"
    house.server.world.webhooks[number].avatar = digest
    house.server.world.keep_file(f"avatars/{number}/{digest}", picture, "image/png")
    admins.change_bot(house.server, house.guild, grant=["manage_webhooks"])
    yield number


def same_pixels(one, other):
    return Image.open(io.BytesIO(one)).convert("RGB").tobytes() == Image.open(io.BytesIO(other)).convert("RGB").tobytes()


async def test_a_stored_face_is_read_where_nothing_serves_it(house, storage, pictures, faces):
    path = await pictures.keep_avatar(WORKSPACE, RED)
    persona = await persona_with(storage, path)
    face = await faces.face(wanted(house, persona))
    assert (face.key, face.instead) == (path, None)
    assert same_pixels(face.png, RED)
    sprite = await pictures.keep_avatar(WORKSPACE, BLUE)
    face = await faces.face(wanted(house, persona, reference=sprite, instead=path))
    assert (face.key, face.instead) == (sprite, path)


async def test_a_stored_face_is_shown_by_its_address_where_one_serves_it(house, storage, pictures, clock):
    path = await pictures.keep_avatar(WORKSPACE, RED)
    persona = await persona_with(storage, path)
    served = making_faces(house, storage, pictures, clock, public_base="https://faces.example/below/")
    assert await served.face(wanted(house, persona)) == FaceAt(f"https://faces.example/below/{path}")
    older = wanted(house, persona, reference=f"data/avatars/{path}")
    assert await served.face(older) == FaceAt(f"https://faces.example/below/{path}")


async def test_a_bundled_face_is_copied_to_where_it_is_served(house, storage, pictures, clock, tmp_path):
    persona = await persona_with(storage, "presets/bram.png")
    served = making_faces(house, storage, pictures, clock, public_base="https://faces.example")
    face = await served.face(wanted(house, persona))
    kept = face.url.removeprefix("https://faces.example/")
    assert (tmp_path / "data" / "avatars" / kept).is_file()
    assert await served.face(wanted(house, persona)) == face
    assert await avatar_now(storage, persona) == "presets/bram.png"


@pytest.mark.parametrize("reference", [None, "", "servers/discord-1/personas/" + "0" * 64 + ".png", "../../secret"])
async def test_no_face_where_there_is_none_or_it_is_gone(house, storage, faces, reference):
    persona = await persona_with(storage, None)
    assert await faces.face(wanted(house, persona, reference=reference)) == NoFace()


async def test_an_old_address_is_copied_at_its_first_use(house, storage, pictures, faces, stranger):
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    face = await faces.face(wanted(house, persona))
    assert same_pixels(face.png, RED)
    assert await avatar_now(storage, persona) == face.key == await pictures.avatar_path(WORKSPACE, RED)
    changed = (await storage.casts.cast(WORKSPACE)).by_id(persona.id)
    assert changed.content == persona.content
    assert await faces.face(wanted(house, persona)) == face
    assert stranger.asked == ["/wren.png"]


async def test_many_lines_at_once_copy_an_old_address_once(house, storage, faces, stranger):
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    found = await asyncio.gather(*(faces.face(wanted(house, persona)) for _ in range(5)))
    assert all(isinstance(face, FacePicture) for face in found)
    assert stranger.asked == ["/wren.png"]


@pytest.mark.parametrize("name", ["TomoriBot Persona", "Somebody Persona"])
async def test_a_face_whose_address_is_broken_is_recovered_from_an_old_webhook(house, storage, faces, stranger, name):
    stranger.picture = None
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    async with old_webhook(house, persona.id, BLUE, name) as number:
        face = await faces.face(wanted(house, persona))
        assert same_pixels(face.png, BLUE)
        assert await avatar_now(storage, persona) == face.key
        assert number in house.server.world.webhooks


async def test_old_webhooks_of_other_personas_lend_no_face(house, storage, faces, stranger):
    stranger.picture = None
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    async with old_webhook(house, f"{persona.id}0", BLUE), old_webhook(house, persona.id, BLUE, "Multi-Persona"):
        assert await faces.face(wanted(house, persona)) == NoFace()
    assert await avatar_now(storage, persona) == persona.avatar


async def test_what_cannot_be_had_is_no_face_and_is_not_asked_for_at_every_line(house, storage, faces, stranger, clock):
    for name, picture in (("a", None), ("b", b"<svg/>"), ("c", b"\x89PNG\r\n\x1a\n but broken")):
        stranger.picture = picture
        persona = await persona_with(storage, f"{stranger.base}/{name}", name)
        for _ in range(3):
            assert await faces.face(wanted(house, persona)) == NoFace()
        assert stranger.asked.count(f"/{name}") == 1
        assert await avatar_now(storage, persona) == persona.avatar
        stranger.picture = RED
        clock.seconds += 15 * 60
        assert isinstance(await faces.face(wanted(house, persona)), FacePicture)


async def test_a_bot_that_may_not_see_webhooks_has_no_face_to_recover(house, storage, faces, stranger):
    stranger.picture = None
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    admins.allow_bot(house.server, house.guild, allowed=[one for one in PERMISSIONS if one != "manage_webhooks"])
    assert await faces.face(wanted(house, persona)) == NoFace()
    assert house.asked("GET", GUILD_LIST) == 1


async def test_our_own_network_is_never_asked_for_a_face(house, storage, pictures, clock, stranger):
    guarded = Faces(house.client, pictures, GuardedFetch(asks=lambda url: True), storage.casts, clock)
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    assert await guarded.face(wanted(house, persona)) == NoFace()
    assert stranger.asked == []


async def test_an_avatar_that_was_set_meanwhile_is_not_written_over(house, storage, pictures, faces, stranger):
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    new = await pictures.keep_avatar(WORKSPACE, BLUE)
    await storage.casts.change(WORKSPACE, persona.handle, persona.content, new)
    face = await faces.face(wanted(house, persona))
    assert face.key == new
    assert await avatar_now(storage, persona) == new


async def test_an_avatar_that_is_set_while_the_old_one_is_copied_stays(house, storage, pictures, faces, stranger):
    persona = await persona_with(storage, f"{stranger.base}/wren.png")
    new = await pictures.keep_avatar(WORKSPACE, BLUE)
    stranger.meanwhile = lambda: storage.casts.change(WORKSPACE, persona.handle, persona.content, new)
    await faces.face(wanted(house, persona))
    assert await avatar_now(storage, persona) == new


async def test_the_same_alter_is_seen_with_its_face_in_many_channels_without_further_webhooks(house, storage, pictures, faces):
    path = await pictures.keep_avatar(WORKSPACE, RED)
    persona = await persona_with(storage, path)
    channels = [house.channel(name) for name in ("one", "two")]
    places = [at(channels[0]), at(channels[0], house.thread(channels[0])), at(channels[1])]
    async with speaking(house, storage.webhooks) as webhooks:
        for place in places:
            await webhooks.send(place, line(persona.name), await faces.face(wanted(house, persona)))
    assert [(house.said(place.place)[-1][0], same_pixels(house.face(place.place), RED)) for place in places] == [("Wren", True)] * 3
    assert house.asked("POST", MAKES) == 2
