"""Faces in a folder: named by content, written whole or not at all, and no path from outside reaches the disk."""

import asyncio
import io
import re

import pytest
from PIL import Image

from coterie.domain.ids import LOCAL, WorkspaceId
from coterie.media.local import LocalPictures
from coterie.ports.media import PictureRefused, PicturesUnavailable
from coterie.ports.stores import StorageUnavailable
from fakes.card_files import png, text_chunk

resource = pytest.importorskip("resource", reason="limits on file sizes are a thing of POSIX")


def a_picture(colour="red"):
    target = io.BytesIO()
    Image.effect_noise((64, 64), 90).convert("RGB").point(lambda value: value if colour == "red" else 255 - value).save(target, "PNG")
    return target.getvalue()


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


async def test_an_equal_picture_is_stored_once_and_read_back(tmp_path):
    pictures = LocalPictures(tmp_path)
    path = await pictures.keep_avatar(LOCAL, png())
    assert re.fullmatch(r"servers/local/personas/[0-9a-f]{64}\.png", path)
    assert await pictures.keep_avatar(LOCAL, png(text_chunk("Comment", b"the same pixels"))) == path
    assert await pictures.avatar_path(LOCAL, png()) == path
    assert files_in(tmp_path) == [f"data/avatars/{path}"]
    with Image.open(io.BytesIO(await pictures.read(path))) as image:
        assert image.size == (2, 2)


async def test_asking_for_a_path_stores_nothing(tmp_path):
    assert (await LocalPictures(tmp_path).avatar_path(LOCAL, png())).startswith("servers/local/")
    assert files_in(tmp_path) == []


async def test_what_is_no_picture_stores_nothing(tmp_path):
    with pytest.raises(PictureRefused):
        await LocalPictures(tmp_path).keep_avatar(LOCAL, b"no picture")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    ("workspace", "folder"),
    [
        ("local", "local"),
        ("discord:123456789012345678", "discord-123456789012345678"),
        ("dm:42", "dm-42"),
        ("dm:../../etc", None),
        ("dm:A", None),
        ("dm:a/b", None),
        ("CON", None),
        ("", None),
        ("dm:" + "9" * 500, None),
        ("discord:\ud83d", None),
    ],
)
async def test_every_workspace_has_a_safe_folder_of_its_own(tmp_path, workspace, folder):
    path = await LocalPictures(tmp_path).keep_avatar(WorkspaceId(workspace), png())
    name = path.split("/")[1]
    assert name == folder or (folder is None and re.fullmatch("other-[0-9a-f]{32}", name))
    assert files_in(tmp_path) == [f"data/avatars/{path}"]


async def test_what_is_dropped_is_gone_and_may_be_dropped_again(tmp_path):
    pictures = LocalPictures(tmp_path)
    path = await pictures.keep_avatar(LOCAL, png())
    await pictures.drop(path)
    await pictures.drop(path)
    assert await pictures.read(path) is None
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("name", ["odile", "bram", "wren"])
async def test_bundled_faces_are_served_and_stay(tmp_path, name):
    pictures = LocalPictures(tmp_path)
    await pictures.drop(f"presets/{name}.png")
    with Image.open(io.BytesIO(await pictures.read(f"presets/{name}.png"))) as image:
        assert image.format == "PNG"


HASH = "0" * 64


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "..", "/", "/etc/passwd", "../secret.png", "presets/../secret.png", "presets/nobody.png", "presets/odile.png/",
        "presets\\odile.png", "PRESETS/odile.png", f"servers/../personas/{HASH}.png", f"servers/local/personas/../{HASH}.png",
        f"servers/local/personas/{HASH}.png\0", f"servers/local/personas/{HASH}.png\n", f"servers//personas/{HASH}.png",
        f"servers/local/personas/{HASH.upper()}G.png", f"/servers/local/personas/{HASH}.png", "servers/local/personas/%2e%2e.png",
        "presets/\ud83d.png", f"servers/local/personas/{HASH}.png",
    ],
)  # fmt: skip
async def test_paths_that_were_never_given_lead_nowhere(tmp_path, path):
    (tmp_path / "secret.png").write_bytes(b"secret")
    pictures = LocalPictures(tmp_path / "home")
    assert await pictures.read(path) is None
    await pictures.drop(path)
    assert files_in(tmp_path) == ["secret.png"]


async def test_a_full_disk_is_told_and_leaves_nothing_behind(tmp_path):
    pictures = LocalPictures(tmp_path)
    kept = await pictures.keep_avatar(LOCAL, a_picture())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(PicturesUnavailable, match="disk is full"):
            await pictures.keep_avatar(LOCAL, a_picture("other"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files_in(tmp_path) == [f"data/avatars/{kept}"]


async def test_a_folder_that_cannot_be_used_is_told(tmp_path):
    (tmp_path / "data").write_text("in the way")
    pictures = LocalPictures(tmp_path)
    with pytest.raises(StorageUnavailable, match="folder for pictures cannot be used"):
        await pictures.keep_avatar(LOCAL, png())
    with pytest.raises(StorageUnavailable, match="folder for pictures cannot be used"):
        await pictures.read(f"servers/local/personas/{HASH}.png")


async def test_many_at_once_of_the_same_and_of_others(tmp_path):
    pictures = LocalPictures(tmp_path)
    same = await asyncio.gather(*(pictures.keep_avatar(LOCAL, png()) for _ in range(20)))
    other = await asyncio.gather(*(pictures.keep_avatar(WorkspaceId(f"dm:{at}"), png()) for at in range(5)))
    assert len(set(same)) == 1
    assert len(files_in(tmp_path)) == 1 + len(set(other)) == 6
