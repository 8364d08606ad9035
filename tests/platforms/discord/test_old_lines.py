"""Messages that no record knows, as an older installation leaves them: who said them (specification 000, identity of historic messages)."""

import pytest

from coterie.domain.conversation import Appearance, Person, PersonaVoice, Worn
from coterie.domain.ids import Handle, WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.domain.personas.sprites import Sprite
from coterie.platforms.discord.bot_lines import BotLine
from coterie.platforms.discord.places import spot
from coterie.ports.stores import PersonaDraft
from coterie.storage.schema.sprites import persona_sprite_messages
from platforms.discord.stage_scenes import OnDiscord


async def old(scene, name, content="Long ago.", *, is_ours=True):
    """A webhook said something, of our application or of somebody else."""
    application = (await scene.loopback.application()).id if is_ours else "0"
    hook = await scene.general.create_webhook("Multi-Persona", application=application)
    return await scene.general.repost(await scene.ann.write(scene.general, "x"), webhook=hook["id"], name=name, content=content)


def here(scene):
    return spot(int(scene.general.id), int(scene.guild.id), None)


async def read(scene, message):
    """How history has a message: who said it, in which look."""
    found = await scene.house.stage.history(here(scene).session, 100) or ()
    if not found:
        await scene.house.stage.places.know(here(scene), "general")
        found = await scene.house.stage.history(here(scene).session, 100)
    kept = next(one for one in found if one.id == message.id)
    return kept.author, kept.appearance


async def voice(scene, handle):
    persona = (await scene.storage.casts.cast(WorkspaceId(f"discord:{scene.guild.id}"))).by_handle(handle)
    return PersonaVoice(persona.id, persona.handle, persona.name)


@pytest.mark.parametrize(
    ("name", "handle", "label"),
    [
        ("Bram", "bram", None),
        ("BRAM", "bram", None),
        ("[Matrix] Bram", "bram", None),
        ("Br\u0430m", "bram", None),
        ("Bram (mad)", "bram", "mad"),
        ("mad (Bram)", "bram", "mad"),
        ("ann (Bram)", "bram", "ann"),
        ("Wren (Bram)", "bram", "Wren"),
        # What plain lines bear beside another of their name.
        ("Bram (bram)", "bram", None),
        ("Bram (bram-2)", "bram-2", None),
    ],
)
async def test_our_webhooks_name_says_who_spoke_in_both_orientations(scene: OnDiscord, name, handle, label):
    twin = PersonaDraft(PersonaContent("Bram\u200b"))
    await scene.storage.casts.create(WorkspaceId(f"discord:{scene.guild.id}"), twin)
    author, appearance = await read(scene, await old(scene, name))
    assert author == await voice(scene, handle)
    assert (appearance.label if appearance else None) == label


async def test_a_foreign_webhook_with_a_personas_name_is_nobodys_persona(scene: OnDiscord):
    message = await old(scene, "[Matrix] Bram", is_ours=False)
    author, appearance = await read(scene, message)
    assert (author, appearance) == (Person(f"webhook:{message.webhook}", "Bram"), None)


async def test_the_bot_user_was_main_under_the_name_that_it_had(scene: OnDiscord):
    sent = await scene.house.stage.voices.bot.send(here(scene), BotLine("Long ago.", "n"))
    message = (await scene.general.messages())[-1]
    assert message.id == str(sent)
    author, _ = await read(scene, message)
    main = await voice(scene, "odile")
    assert (author.id, author.handle, author.name) == (main.id, main.handle, message.name)


async def test_which_sprite_a_plain_name_showed_is_remembered(scene: OnDiscord):
    bram = await voice(scene, "bram")
    workspace = WorkspaceId(f"discord:{scene.guild.id}")
    await scene.storage.sprites.put(workspace, Handle("bram"), Sprite("mad", "x.png"))
    message, other = await old(scene, "Bram"), await old(scene, "Bram")
    rows = [
        {"message_disc_id": int(one.id), "persona_id": bram.id, "sprite_label": label} for one, label in ((message, "mad"), (other, "gone"))
    ]
    created = {"created_at": scene.house.stage.clock.now()}
    await scene.storage.database.write(
        lambda connection: connection.execute(persona_sprite_messages.insert(), [row | created for row in rows]).rowcount
    )
    assert await read(scene, message) == (bram, Appearance(Worn.SPRITE, "mad", "x.png"))
    assert (await read(scene, other))[1].label == "gone"


@pytest.mark.parametrize(("name", "answers"), [("Wren", "Wren"), ("Wren (Bram)", "Bram"), ("Bram (mad)", "Bram"), ("Odile (x)", "Coterie")])
async def test_a_reply_to_an_old_line_calls_who_said_it(scene: OnDiscord, name, answers):
    message = await old(scene, name)
    await scene.ann.write(scene.general, "and now? {{say: Now.}}", reply_to=message)
    assert (await scene.general.until_said("Now.")).name == answers


async def test_a_reply_to_a_foreign_webhook_calls_nobody(scene: OnDiscord):
    message = await old(scene, "Wren", is_ours=False)
    await scene.ann.write(scene.general, "and now? {{say: Now.}}", reply_to=message)
    await scene.ann.write(scene.general, "bram? {{say: Here.}}")
    await scene.general.until_said("Here.")
    assert "Now." not in [content for _, content in await scene.lines()]


async def test_an_old_line_is_shown_to_models_source_first(scene: OnDiscord):
    await old(scene, "Wren (Bram)", "Chirp.")
    await scene.ann.write(scene.general, "odile? {{say: Yes.}}")
    await scene.general.until_said("Yes.")
    shown = "\n".join(message.text for message in scene.models.only.requests[-1].messages)
    assert "Bram (Wren): Chirp." in shown
