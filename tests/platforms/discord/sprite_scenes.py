"""A persona with looks to wear."""

import io

from PIL import Image

from coterie.domain.ids import Handle, WorkspaceId
from coterie.domain.personas.sprites import Sprite
from coterie.flows.manage.sprites import SpriteShelf, put_sprite
from coterie.media.local import LocalPictures

COLOURS = {"a": "red", "b": "blue", "Kit": "green"}


def workspace_of(scene):
    return WorkspaceId(f"discord:{scene.guild.id}")


async def dress(scene, folder, handle):
    """Sprites a and b, and an identity."""
    shelf = SpriteShelf(scene.storage.casts, scene.storage.sprites, LocalPictures(folder), workspace_of(scene))
    for name, colour in COLOURS.items():
        data = io.BytesIO()
        Image.new("RGB", (8, 8), colour).save(data, "PNG")
        await put_sprite(shelf, Handle(handle), Sprite(name, "", f"use {name}", is_identity=name == "Kit"), data.getvalue())


async def says(scene, *lines, by="bram", channel=None):
    """Let a persona say lines, each a message; how the last of them looks."""
    channel = channel or scene.general
    before = len(await channel.messages())
    text = "\n\n".join(lines)
    await scene.ann.write(channel, f"{by} {{{{say: {text}}}}}")
    await channel.until(lambda messages: len(messages) > before + len(lines))
    await scene.talk.idle()
    return (await channel.messages())[before + 1 :]
