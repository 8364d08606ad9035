"""Lines that wear something on Discord (specification 000, copied rendering): sprites, identities, the looks of others."""

from dataclasses import replace

import pytest

from coterie.domain.personas.persona import PersonaContent
from coterie.domain.personas.sprites import Sprite
from coterie.ports.stores import PersonaDraft
from platforms.discord.sprite_scenes import dress, says, workspace_of
from platforms.discord.stage_scenes import OnDiscord, on_discord


@pytest.fixture
async def scene(scene, tmp_path):
    await dress(scene, tmp_path, "bram")
    return scene


async def cast_of(scene):
    return await scene.storage.casts.cast(workspace_of(scene))


def names(messages):
    return [message.name for message in messages]


def texts(messages):
    return [message.content for message in messages]


def shown_to_model(scene):
    request = scene.models.only.requests[-1]
    return "\n".join([request.system, *(message.text for message in request.messages)])


async def test_a_sprite_has_the_usual_name_and_its_own_face_and_is_read_with_its_label(scene: OnDiscord):
    worn, plain = await says(scene, "Bram (a): Hm.", "Bram: Well.")
    assert (worn.name, worn.content) == ("Bram", "Hm.")
    assert worn.avatar != plain.avatar
    await says(scene, "Ok.", by="wren")
    assert "Bram (a): Hm." in shown_to_model(scene)
    assert "Bram: Well." in shown_to_model(scene)
    await says(scene, "Ok.")
    own = [piece.text for piece in scene.models.only.requests[-1].messages if piece.role == "assistant"]
    assert any("Bram (a): Hm." in text for text in own)


async def test_sprites_alternate_names_and_a_message_in_between_begins_anew(scene: OnDiscord):
    lines = ["Bram (a): 1", "Bram (b): 2", "3", "Bram (a): 4"]
    messages = await says(scene, *lines)
    assert names(messages) == ["Bram", "Bram (b)", "Bram (b)", "Bram"]
    assert texts(messages) == ["1", "2", "3", "4"]
    assert len({message.avatar for message in messages}) == 2
    # What Ann writes now stands in between.
    assert names(await says(scene, "Bram (b): 5")) == ["Bram"]


async def test_the_alternation_survives_turns(scene: OnDiscord):
    await says(scene, "Bram (a): One.")
    for label, name in (("b", "Bram (b)"), ("b", "Bram (b)"), ("a", "Bram")):
        before = len(await scene.general.messages())
        await scene.ann.slash(scene.general, "respond", persona="bram", prompt=f"{{{{say: Bram ({label}): Again.}}}}")
        await scene.general.until(lambda messages, before=before: len(messages) > before)
        await scene.talk.idle()
        assert (await scene.general.messages())[-1].name == name


async def test_an_identity_leads_with_its_label(scene: OnDiscord):
    messages = await says(scene, "Bram (kit): Hi.", "Bram (a): Hm.")
    assert names(messages) == ["Kit (Bram)", "Bram"]
    await says(scene, "Ok.", by="wren")
    assert "Bram (Kit): Hi." in shown_to_model(scene)


async def test_a_copied_identity_ends_with_its_line_and_a_sprite_stays(scene: OnDiscord):
    messages = await says(scene, "Bram (wren): Chirp.\nThat was me.", "Bram (a): Hm.", "Still hm.")
    assert list(zip(names(messages), texts(messages), strict=True)) == [
        ("Wren (Bram)", "Chirp."),
        ("Bram", "That was me."),
        ("Bram (a)", "Hm."),
        ("Bram (a)", "Still hm."),
    ]
    wren = (await says(scene, "Me.", by="wren"))[0]
    assert messages[0].avatar == wren.avatar
    assert "Bram (Wren): Chirp." in shown_to_model(scene)


async def test_a_person_who_takes_part_can_be_copied(scene: OnDiscord):
    message = (await says(scene, "Bram (Ann): Mine now."))[0]
    assert (message.name, message.content) == ("Ann (Bram)", "Mine now.")
    # The other way round, as models like to write it.
    assert names(await says(scene, "ann (Bram): Again.")) == ["Ann (Bram)"]


@pytest.mark.parametrize("label", ["nobody", "News"])
async def test_who_is_not_here_or_no_user_is_not_copied(scene: OnDiscord, label):
    hook = await scene.general.create_webhook("News")
    await scene.general.repost(await scene.ann.write(scene.general, "x"), webhook=hook["id"], name="News", content="All quiet.")
    message = (await says(scene, f"Bram ({label}): Hm."))[0]
    assert (message.name, message.content) == ("Bram", "Hm.")


async def test_an_ambiguous_target_stays_plain(scene: OnDiscord):
    await scene.storage.casts.create(workspace_of(scene), PersonaDraft(PersonaContent("Ann")))
    message = (await says(scene, "Bram (ann): Hm."))[0]
    assert (message.name, message.content) == ("Bram", "Hm.")


async def test_a_sprite_without_its_picture_stays_plain_and_falls_through_to_nobody(scene: OnDiscord, tmp_path):
    bram = (await cast_of(scene)).by_handle("bram")
    broken = Sprite("Wren", "servers/x/personas/" + "0" * 64 + ".png")
    await scene.storage.sprites.put(workspace_of(scene), bram.handle, broken)
    first, second = await says(scene, "Plain.", "Bram (wren): Chirp.")
    assert (second.name, second.content, second.avatar) == ("Bram", "Chirp.", first.avatar)
    await says(scene, "Ok.", by="wren")
    assert "Bram: Chirp." in shown_to_model(scene)


async def test_main_wears_a_sprite_through_the_webhook(scene: OnDiscord, tmp_path):
    await dress(scene, tmp_path, "odile")
    messages = await says(scene, "Odile (a): Hm.", "Odile: Well.", by="odile")
    assert [(message.name, message.webhook is not None) for message in messages] == [("Odile", True), ("Coterie", False)]
    # It is main's line all the same: a reply to it calls main.
    await scene.ann.write(scene.general, "and? {{say: Then.}}", reply_to=messages[0])
    assert (await scene.general.until_said("Then.")).name == "Coterie"


async def test_personas_that_look_the_same_by_name_stay_apart(scene: OnDiscord):
    twin = PersonaContent("Bram\u200b", trigger_words=("twin",))
    await scene.storage.casts.create(workspace_of(scene), PersonaDraft(twin))
    await scene.ann.write(scene.general, "bram and twin {{say@bram: One.}} {{say: Two.}}")
    await scene.general.until_said("Two.")
    one, two = (await scene.general.messages())[-2:]
    assert (one.name, two.name) == ("Bram", "Bram (bram-2)")


async def test_where_no_webhook_speaks_labels_are_only_removed(scene: OnDiscord):
    direct = await scene.ann.direct((await scene.loopback.application()).id)
    await scene.ann.write(direct, "bram {{say: Bram (wren): Chirp.}}")
    await direct.until_said("**Bram:** Chirp.")


async def test_replies_and_chains_stay_with_who_really_speaks(scene: OnDiscord):
    copied = (await says(scene, "Bram (wren): Chirp."))[0]
    await scene.ann.write(scene.general, "who was that? {{say: I.}}", reply_to=copied)
    assert (await scene.general.until_said("I.")).name == "Bram"
    # The label calls nobody: Wren says nothing.
    await scene.talk.idle()
    assert "Wren" not in names(await scene.general.messages())


async def test_a_restart_keeps_who_said_what_in_which_look(scene: OnDiscord, tmp_path):
    sprite, copied = await says(scene, "Bram (a): Hm.", "Bram (wren): Chirp.")
    await scene.house.close()
    await scene.talk.close()
    async with on_discord(scene.storage, scene.loopback, tmp_path) as again:
        for line in (sprite, copied):
            await again.ann.write(again.general, f"and? {{{{say: {line.content} Me.}}}}", reply_to=line)
            assert (await again.general.until_said(f"{line.content} Me.")).name == "Bram"
            await again.talk.idle()
        shown = shown_to_model(again)
        assert "Bram (a): Hm." in shown
        assert "Bram (Wren): Chirp." in shown


async def test_a_line_that_was_on_its_way_in_a_look_is_found_after_a_restart(scene: OnDiscord, tmp_path):
    worn = (await says(scene, "Bram (wren): Chirp."))[0]
    await scene.house.close()
    await scene.talk.close()
    await forget_posts(scene.storage)
    async with on_discord(scene.storage, scene.loopback, tmp_path) as again:
        said = [message for message in await again.general.messages() if message.content == "Chirp."]
        assert [message.id for message in said] == [worn.id]
        await again.ann.write(again.general, "and? {{say: Me.}}", reply_to=worn)
        assert (await again.general.until_said("Me.")).name == "Bram"


async def forget_posts(storage):
    from coterie.storage.schema.posts import discord_posts

    await storage.database.write(lambda connection: connection.execute(discord_posts.delete()).rowcount)


async def test_the_prompt_tells_the_first_twenty_sprites_and_not_which_are_identities(scene: OnDiscord):
    bram = (await cast_of(scene)).by_handle("bram")
    for number in range(20):
        await scene.storage.sprites.put(workspace_of(scene), bram.handle, replace(bram.sprites[0], name=f"s{number}"))
    await says(scene, "Hm.")
    system = scene.models.only.requests[-1].system
    assert "- Kit: use Kit\n" in system
    assert "Bram (a):" in system
    assert ("- s16: use a" in system, "- s17" in system) == (True, False)
    await says(scene, "Hm.", by="wren")
    assert "## Sprites" not in scene.models.only.requests[-1].system


async def test_participants_stand_under_their_ids(scene: OnDiscord):
    hook = await scene.general.create_webhook("[Matrix] News")
    await scene.general.repost(await scene.ann.write(scene.general, "x"), webhook=hook["id"], name="[Matrix] News", content="All quiet.")
    await says(scene, "Hm.", by="odile")
    cast, us = await cast_of(scene), (await scene.loopback.application()).mention
    people = [f"- Ann <@{scene.ann.id}>", f"- News (webhook {hook['id']})"]
    assert block(scene) == {f"- Odile {us}", *people}
    await says(scene, "Hm.", by="wren")
    wren = f"- Wren (persona {cast.by_handle('wren').id})"
    assert block(scene) == {wren, *people}
    await says(scene, "Hm.", by="bram")
    assert block(scene) == {wren, f"- Bram (persona {cast.by_handle('bram').id})", *people}
    await says(scene, "Hm.", by="odile")
    assert us not in "\n".join(block(scene))


def block(scene):
    """The lines of the block of participants."""
    return set(scene.models.only.requests[-1].system.partition("## People here\n")[2].partition("\n\n")[0].split("\n"))


async def test_a_line_kept_and_not_said_goes_out_in_its_look_after_a_restart(scene: OnDiscord, tmp_path):
    before = (await says(scene, "Bram (a): Hm."))[0]
    await scene.house.close()
    await scene.talk.close()
    await scene.general.delete_message(before)
    await forget_posts(scene.storage)
    async with on_discord(scene.storage, scene.loopback, tmp_path) as again:
        line = await again.general.until_said("Hm.")
        assert (line.name, line.id != before.id) == ("Bram", True)
        plain = (await says(again, "Plain."))[0]
        assert plain.avatar != line.avatar
