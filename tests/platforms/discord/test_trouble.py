"""What goes wrong on Discord: nothing is lost, nothing said twice, and people are told once what to click."""

import asyncio

import pytest

from coterie.domain.ids import MessageId, WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.platforms.discord.places import spot
from coterie.ports.stores import PersonaDraft
from discord_loopback.client import Loopback
from discord_loopback.client.links import Local
from discord_loopback.serving import make_server, serving
from flows.saying import Saying
from platforms.discord.stage_scenes import OnDiscord, at_home, on_discord

EXECUTE = {"method": "POST", "route": "/webhooks/*"}
CREATE = {"method": "POST", "route": "/channels/*/messages"}


async def said(scene: OnDiscord, name: str) -> list[str]:
    """What one name said."""
    return [text for who, text in await scene.lines() if who == name]


@pytest.mark.parametrize("where", [EXECUTE, CREATE])
@pytest.mark.parametrize("kind", ["lost", "unlucky", "unheard"])
async def test_a_line_whose_fate_is_unknown_is_said_once(on_both: OnDiscord, where, kind):
    scene = on_both
    name, word = ("Bram", "bram") if where is EXECUTE else ("Coterie", "odile")
    await scene.ann.write(scene.general, f"{word} {{{{say: First.}}}}")
    await scene.general.until_said("First.")
    async with scene.loopback.fault(kind, times=1, **where):
        await scene.ann.write(scene.general, f"{word} {{{{say: Second.}}}}")
        await scene.general.until_said("Second.")
        await scene.talk.idle()
    assert await said(scene, name) == ["First.", "Second."]


async def test_a_webhook_deleted_between_two_lines_is_made_anew_and_each_line_said_once(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram {{say: First.}}")
    await scene.general.until_said("First.")
    await scene.general.delete_webhooks()
    await scene.ann.write(scene.general, "bram and wren {{say@bram: Second.}} {{say@wren: Third.}}")
    await scene.general.until_said("Third.")
    assert [text for _, text in await scene.lines()][-2:] == ["Second.", "Third."]
    assert len(await scene.general.webhooks()) == 1


async def test_without_the_right_to_use_webhooks_the_bot_speaks_and_says_once_what_to_click(scene: OnDiscord):
    await scene.guild.revoke("manage_webhooks")
    for number in range(3):
        await scene.ann.write(scene.general, f"bram {{{{say: Line {number}.}}}}")
        await scene.general.until_said(f"**Bram:** Line {number}.")
    notices = [message for message in await scene.general.messages() if message.raw["embeds"]]
    assert len(notices) == 1
    assert "Manage Webhooks" in notices[0].raw["embeds"][0]["description"]


async def test_a_warning_is_in_the_language_of_the_server(sqlite_url, tmp_path):
    server = make_server()
    for guild in server.world.guilds.values():
        guild.locale = "ja"
    loopback = Loopback(Local(server), await server.start())
    async with at_home(sqlite_url, tmp_path) as storage, on_discord(storage, loopback, tmp_path) as scene:
        await scene.guild.revoke("manage_webhooks")
        await scene.ann.write(scene.general, "bram {{say: Still here.}}")
        await scene.general.until_said("**Bram:** Still here.")
        told = [embed["description"] for message in await scene.general.messages() for embed in message.raw["embeds"]]
        assert ["ウェブフックの管理" in text for text in told] == [True]
    await server.stop()


async def test_where_nothing_can_be_said_no_model_is_asked_again_for_a_while(scene: OnDiscord):
    await scene.general.set_overwrite(deny=["send_messages"])
    await scene.general.set_overwrite((await scene.loopback.application()).id, deny=["send_messages"])
    first = await ended(scene, await scene.ann.write(scene.general, "odile?"))
    second = await ended(scene, await scene.ann.write(scene.general, "odile, again?"))
    assert [status for status, _ in first + second] == ["failed", "failed"]
    assert len(scene.models.only.requests) == 1
    assert await said(scene, "Coterie") == []


async def test_where_only_the_bot_may_not_write_alters_are_heard_and_main_is_told_why_it_is_not(scene: OnDiscord):
    await scene.general.set_overwrite((await scene.loopback.application()).id, deny=["send_messages"])
    told = [await ended(scene, await scene.ann.write(scene.general, text)) for text in ("odile?", "bram {{say: Here.}}", "odile, again?")]
    assert [status for [(status, _)] in told] == ["failed", "answered", "failed"]
    assert "Send Messages" in told[0][0][1]
    assert told[2] == told[0]
    assert [request.note.handle for request in scene.models.only.requests] == ["odile", "bram"]
    assert await scene.lines() == [("ann", "odile?"), ("ann", "bram {{say: Here.}}"), ("Bram", "Here."), ("ann", "odile, again?")]


async def test_without_webhooks_and_the_right_to_write_no_model_is_asked_again_for_alters_either(scene: OnDiscord):
    await scene.guild.revoke("manage_webhooks")
    await scene.general.set_overwrite((await scene.loopback.application()).id, deny=["send_messages"])
    told = [await ended(scene, await scene.ann.write(scene.general, text)) for text in ("bram?", "wren?")]
    assert [status for [(status, _)] in told] == ["failed", "failed"]
    assert all("Send Messages" in why for [(_, why)] in told)
    assert len(scene.models.only.requests) == 1


async def ended(scene: OnDiscord, message) -> list[tuple[str, str]]:
    """How the turns ended that a message led to, and the sentence about each."""
    for _ in range(6000):
        if await scene.storage.conversations.why(MessageId(message.id)) is not None:
            break
        await asyncio.sleep(0.01)
    await scene.talk.idle()
    decision = await scene.storage.conversations.why(MessageId(message.id))
    return [(turn.status.value, turn.note) for turn in decision.turns]


async def test_in_time_out_nothing_is_said_and_no_model_is_asked(scene: OnDiscord):
    await scene.guild.time_out((await scene.loopback.application()).id, 600)
    told = await ended(scene, await scene.ann.write(scene.general, "odile?")) + await ended(
        scene, await scene.ann.write(scene.general, "bram?")
    )
    assert told == [("failed", "I am in time-out in this server, so I say nothing until it ends.")] * 2
    await scene.guild.time_out((await scene.loopback.application()).id, 0)
    await scene.ann.write(scene.general, "wren {{say: Back again.}}")
    await scene.general.until_said("Back again.")
    await scene.talk.idle()
    assert [request.note.handle for request in scene.models.only.requests] == ["wren"]
    assert await said(scene, "Coterie") == []


async def test_a_channel_deleted_amid_a_turn_ends_the_turn(scene: OnDiscord):
    other = await scene.guild.create_channel("soon-gone")
    await scene.ann.write(other, "bram {{sleep@bram: 1}}")
    await scene.gate.sleeping.acquire()
    await other.delete()
    scene.gate.opened.set()
    await scene.talk.idle()
    await scene.ann.write(scene.general, "wren {{say: Still here.}}")
    await scene.general.until_said("Still here.")


async def test_a_message_delivered_twice_and_again_after_a_resume_is_one(scene: OnDiscord):
    await scene.loopback.switch(duplicate_events=True)
    await scene.ann.write(scene.general, "bram {{say: Once.}}")
    await scene.general.until_said("Once.")
    await scene.loopback.drop()
    await scene.ann.write(scene.general, "wren {{say: After.}}")
    await scene.general.until_said("After.")
    await scene.talk.idle()
    assert await said(scene, "Bram") == ["Once."]
    assert await said(scene, "Wren") == ["After."]


async def test_a_stop_ends_the_answer_and_the_same_persona_says_so(scene: OnDiscord):
    scene.models.only = Saying(["One.\n\nTwo", scene.gate, " and more."], ["I stop."])
    await scene.ann.write(scene.general, "bram?")
    await scene.gate.sleeping.acquire()
    await scene.ann.write(scene.general, "stop")
    await scene.general.until_said("I stop.")
    assert await said(scene, "Bram") == ["One.", "Two", "I stop."]


async def test_what_a_failed_model_had_said_is_removed(on_both: OnDiscord):
    scene = on_both
    from coterie.ports.model import ModelBroken
    from coterie.providers.wrappers import Fallback

    scene.models.only = Fallback([Saying(["Wrong.\n\nAnd", ModelBroken("gone")]), Saying(["Right."])])
    await scene.ann.write(scene.general, "bram?")
    await scene.general.until_said("Right.")
    await scene.talk.idle()
    assert await said(scene, "Bram") == ["Right."]


async def test_a_thousand_messages_at_once(scene: OnDiscord):
    await scene.ann.write_many(scene.general, [f"chatter {number}" for number in range(999)] + ["bram {{say: Heard you.}}"])
    await scene.general.until_said("Heard you.")
    await scene.talk.idle()
    assert await said(scene, "Bram") == ["Heard you."]


@pytest.mark.parametrize("arrived", [False, True])
async def test_a_line_that_was_on_its_way_at_a_restart_is_said_once(database_url, tmp_path, arrived):
    async with serving() as loopback, at_home(database_url, tmp_path) as storage:
        async with on_discord(storage, loopback, tmp_path) as before:
            await before.ann.write(before.general, "bram and odile {{say@bram: First.}} {{say@odile: Second.}}")
            await before.general.until_said("Second.")
            await before.talk.idle()
            line = (await before.general.messages())[-1]
        await forget(storage, int(line.id))
        if not arrived:
            await before.general.delete_message(line)
        async with on_discord(storage, loopback, tmp_path) as after:
            assert [text for _, text in await after.lines()][-2:] == ["First.", "Second."]
            await after.ann.write(after.general, "what?", reply_to=(await after.general.messages())[-1])
            assert (await after.general.until_said("ok")).name == "Coterie"


@pytest.mark.parametrize("who", ["bram", "odile"])
async def test_a_sticker_that_was_on_its_way_at_a_restart_is_sent_once(sqlite_url, tmp_path, who):
    def is_sticker(message):
        return bool(message.stickers) or "/stickers/" in message.content

    async with serving() as loopback, at_home(sqlite_url, tmp_path) as storage:
        async with on_discord(storage, loopback, tmp_path) as before:
            await before.ann.write(before.general, f'{who} {{{{tool@{who}: sticker {{"name": "Wave"}}}}}}{{{{say@{who}: }}}}')
            await before.general.until(lambda messages: is_sticker(messages[-1]))
            await before.talk.idle()
            sticker = (await before.general.messages())[-1]
        await forget(storage, int(sticker.id))
        async with on_discord(storage, loopback, tmp_path) as after:
            assert [message.id for message in await after.general.messages() if is_sticker(message)] == [sticker.id]


async def forget(storage, post: int) -> None:
    """Have the record of a post be lost, as if the process had been killed before it was written."""
    from coterie.storage.schema.posts import discord_posts

    await storage.database.write(
        lambda connection: connection.execute(discord_posts.delete().where(discord_posts.c.post_disc_id == post)).rowcount
    )


async def test_after_a_restart_the_same_webhook_is_used(database_url, tmp_path):
    async with serving() as loopback, at_home(database_url, tmp_path) as storage:
        for word in ("First.", "Second."):
            async with on_discord(storage, loopback, tmp_path) as scene:
                await scene.ann.write(scene.general, f"bram {{{{say: {word}}}}}")
                await scene.general.until_said(word)
        first, second = [message for message in await scene.general.messages() if message.name == "Bram"]
        assert first.webhook == second.webhook
        assert len(await scene.general.webhooks()) == 1


async def test_two_processes_with_one_token_on_one_database_answer_once(postgres_url, tmp_path):
    async with (
        serving() as loopback,
        at_home(postgres_url, tmp_path) as one,
        at_home(postgres_url, tmp_path) as other,
        on_discord(one, loopback, tmp_path) as first,
        on_discord(other, loopback, tmp_path) as second,
    ):
        for number in range(5):
            await first.ann.write(first.general, f"bram and odile {{{{say@bram: B{number}}}}} {{{{say@odile: O{number}}}}}")
            await first.general.until_said(f"O{number}")
        await first.talk.idle()
        await second.talk.idle()
        assert [text for _, text in await first.lines() if len(text) == 2] == [f"{who}{number}" for number in range(5) for who in "BO"]
        assert len(await first.general.webhooks()) == 1


async def test_a_session_that_was_removed_begins_anew(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram {{say: First.}}")
    await scene.general.until_said("First.")
    await scene.talk.idle()
    await scene.storage.sessions.delete(spot(int(scene.general.id), int(scene.guild.id), None).session)
    await scene.ann.write(scene.general, "wren {{say: Second.}}")
    assert (await scene.general.until_said("Second.")).name == "Wren"


async def test_kicked_amid_a_turn_the_bot_goes_on_elsewhere(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram {{sleep@bram: 1}}")
    await scene.gate.sleeping.acquire()
    await scene.guild.kick((await scene.loopback.application()).id)
    scene.gate.opened.set()
    await scene.talk.idle()
    direct = await scene.ann.direct((await scene.loopback.application()).id)
    await scene.ann.write(direct, "hello {{say: Still here.}}")
    await direct.until_said("**Odile:** Still here.")


async def test_a_channel_full_of_webhooks_of_others_is_told_and_they_stay(scene: OnDiscord):
    await scene.general.fill_webhooks()
    before = await scene.general.webhooks()
    await scene.ann.write(scene.general, "bram {{say: Squeezed in.}}")
    await scene.general.until_said("**Bram:** Squeezed in.")
    assert await scene.general.webhooks() == before
    told = [embed["description"] for message in await scene.general.messages() for embed in message.raw["embeds"]]
    assert len(told) == 1
    assert "15" in told[0]


@pytest.mark.parametrize("name", ["Clyde", "DiscordMod", "here", "Groundsphere", "a```b", "X", "é" * 81])
async def test_names_that_discord_refuses_are_worn_otherwise_and_stay_the_personas(scene: OnDiscord, name):
    workspace = WorkspaceId(f"discord:{scene.guild.id}")
    await scene.storage.casts.create(workspace, PersonaDraft(PersonaContent(name[:80], trigger_words=("moth",))))
    await scene.ann.write(scene.general, "moth {{say: Named.}}")
    line = await scene.general.until_said("Named.")
    assert line.webhook is not None
    await scene.ann.write(scene.general, "and? {{say: Again.}}", reply_to=line)
    assert (await scene.general.until_said("Again.")).name == line.name
    shown = "\n".join(piece.text for piece in scene.models.only.requests[-1].messages)
    assert "Named." in shown


async def test_what_is_asked_while_the_bot_still_arrives_is_answered_once(sqlite_url, tmp_path):
    async with serving() as loopback, at_home(sqlite_url, tmp_path) as storage:
        bot, ann, general = await loopback.application(), await loopback.person("ann"), await (await loopback.guild()).channel("general")

        async def ask():
            await bot.until_online()
            await ann.write(general, "bram? {{say: Here.}}")

        # The line is on its way while what an earlier process left is looked for.
        async with loopback.fault("latency", method="POST", route="/webhooks/*", seconds=2):
            asking = asyncio.create_task(ask())
            async with on_discord(storage, loopback, tmp_path) as scene:
                await asking
                await general.until_said("Here.")
                await scene.talk.idle()
                assert [text for _, text in await scene.lines()].count("Here.") == 1
