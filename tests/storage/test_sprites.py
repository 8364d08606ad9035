"""Sprites of personas, and which messages showed one."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from coterie.domain.conversation import Appearance, Worn
from coterie.domain.ids import LOCAL, Handle, MessageId, PersonaId, WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.domain.personas.sprites import Sprite
from coterie.ports.posts import Post, PostId, ShownSprite
from coterie.ports.sprites import SpriteChange, SpriteChanged, SpritesFull, SpriteTaken
from coterie.ports.stores import NotFound, PersonaDraft, TurnStatus
from coterie.ports.webhooks import ChannelId, WebhookId
from coterie.storage.posts import SPRITES_KEPT
from coterie.storage.schema.sprites import persona_sprite_messages
from coterie.storage.sprites import SqlSprites
from storage.talking import ROOM, Scene

BRAM = Handle("bram")
MAD, GLAD = Sprite("Mad", "a.png", "when angry"), Sprite("very glad", "b.png", is_identity=True)


async def sprites(storage, handle="bram", workspace=LOCAL):
    return (await storage.casts.cast(workspace)).by_handle(handle).sprites


async def test_sprites_are_read_with_the_cast_in_their_order_also_by_others(storage, elsewhere):
    assert await sprites(elsewhere) == ()
    assert await storage.sprites.put(LOCAL, BRAM, MAD) == SpriteChanged(MAD, None)
    await storage.sprites.put(LOCAL, BRAM, GLAD)
    assert await sprites(storage) == (MAD, GLAD)
    await elsewhere.casts.check(LOCAL)
    assert await sprites(elsewhere) == (MAD, GLAD)
    assert await sprites(storage, "odile") == ()
    assert (await storage.casts.cast(LOCAL)).by_handle("bram").revision == 1


async def test_a_name_once_more_replaces_the_sprite_whole_in_its_place(storage):
    for sprite in (MAD, GLAD):
        await storage.sprites.put(LOCAL, BRAM, sprite)
    anew = Sprite("m A d", "c.png")
    assert await storage.sprites.put(LOCAL, BRAM, anew) == SpriteChanged(anew, MAD)
    demoted = replace(GLAD, is_identity=False)
    await storage.sprites.put(LOCAL, BRAM, demoted)
    assert await sprites(storage) == (anew, demoted)


async def test_a_sprite_is_changed_in_place(storage):
    for sprite in (MAD, GLAD):
        await storage.sprites.put(LOCAL, BRAM, sprite)
    furious = Sprite("furious", "a.png", "", is_identity=True)
    assert await storage.sprites.edit(LOCAL, BRAM, "MAD", SpriteChange("furious", None, "", is_identity=True)) == SpriteChanged(
        furious, MAD
    )
    respelled = await storage.sprites.edit(LOCAL, BRAM, "furious", SpriteChange("FURIOUS"))
    assert respelled.now.name == "FURIOUS"
    with pytest.raises(SpriteTaken, match="very glad"):
        await storage.sprites.edit(LOCAL, BRAM, "furious", SpriteChange("VeryGlad"))
    assert await sprites(storage) == (respelled.now, GLAD)


async def test_a_sprite_is_removed(storage):
    await storage.sprites.put(LOCAL, BRAM, MAD)
    assert await storage.sprites.remove(LOCAL, BRAM, " mad ") == SpriteChanged(None, MAD)
    assert await sprites(storage) == ()


async def test_a_persona_has_a_number_of_sprites_at_most(storage):
    few = SqlSprites(storage.database, storage.casts, most=1)
    await few.put(LOCAL, BRAM, MAD)
    with pytest.raises(SpritesFull, match="1 sprites"):
        await few.put(LOCAL, BRAM, GLAD)
    await few.put(LOCAL, BRAM, replace(MAD, picture="c.png"))
    await few.put(LOCAL, Handle("odile"), GLAD)


async def test_who_or_what_is_not_there_is_not_found(storage):
    for change in (
        storage.sprites.put(LOCAL, Handle("nobody"), MAD),
        storage.sprites.edit(LOCAL, BRAM, "mad", SpriteChange("x")),
        storage.sprites.remove(LOCAL, BRAM, "mad"),
    ):
        with pytest.raises(NotFound):
            await change
    guild = WorkspaceId("discord:9")
    await storage.sprites.put(guild, BRAM, MAD)
    assert (await sprites(storage, workspace=guild), await sprites(storage)) == ((MAD,), ())


async def test_a_new_main_inherits_no_sprites_and_a_removed_alter_leaves_none(storage):
    await storage.sprites.put(LOCAL, Handle("odile"), MAD)
    await storage.sprites.put(LOCAL, BRAM, MAD)
    main = await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Ida"), is_alter=False))
    assert main.sprites == ()
    removed = await storage.casts.remove(LOCAL, BRAM)
    assert removed.sprites == (MAD,)
    again = await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Bram")))
    assert again.sprites == ()


async def posted(storage, worn, *, webhook=7, sprite=None, post=5):
    """A line of Bram's that wears something, said and sent."""
    scene = Scene(storage)
    await storage.sessions.create(ROOM, LOCAL)
    await scene.plans(f"m{post}", "bram")
    line = replace(await scene.line(f"m{post}.bram"), appearance=worn)
    await storage.conversations.say(line.turn, [line], TurnStatus.ANSWERED, scene.at)
    await storage.posts.keep(Post(PostId(post), line.id, ChannelId(1), webhook and WebhookId(webhook), sprite))
    return line


WORN = Appearance(Worn.SPRITE, "Mad", "a.png")


async def test_what_a_line_wears_is_kept_with_it(storage):
    line = await posted(storage, WORN)
    assert (await storage.conversations.message(line.id)).appearance == WORN
    assert (await storage.posts.lines([PostId(5)]))[PostId(5)].appearance == WORN


async def test_what_the_bot_user_sent_wore_nothing(storage):
    await posted(storage, WORN, webhook=None)
    assert (await storage.posts.lines([PostId(5)]))[PostId(5)].appearance is None


async def kept_labels(storage):
    return await storage.posts.sprites([PostId(number) for number in range(10)])


async def test_which_sprite_a_message_showed_is_known_for_30_days(storage):
    bram = (await storage.casts.cast(LOCAL)).by_handle("bram").id
    rows = [
        {"message_disc_id": number, "persona_id": bram, "sprite_label": "old", "created_at": datetime.now(UTC) - age}
        for number, age in enumerate([SPRITES_KEPT + timedelta(hours=1), SPRITES_KEPT - timedelta(hours=1)], start=1)
    ]
    await storage.database.write(lambda connection: connection.execute(sa.insert(persona_sprite_messages), rows).rowcount)
    assert set(await kept_labels(storage)) == {1, 2}
    await posted(storage, WORN, sprite=ShownSprite(bram, "Mad"))
    assert await kept_labels(storage) == {2: ShownSprite(bram, "old"), 5: ShownSprite(bram, "Mad")}
    assert await storage.posts.sprites([]) == {}


async def test_the_sprite_of_a_message_goes_with_its_persona_and_comes_for_none_that_is_gone(storage):
    bram = (await storage.casts.cast(LOCAL)).by_handle("bram").id
    await posted(storage, WORN, sprite=ShownSprite(bram, "Mad"))
    await storage.casts.remove(LOCAL, BRAM)
    assert await kept_labels(storage) == {}
    await storage.posts.keep(Post(PostId(5), MessageId("m5.bram.1"), ChannelId(1), WebhookId(7), ShownSprite(PersonaId(99), "Mad")))
    assert await kept_labels(storage) == {}
