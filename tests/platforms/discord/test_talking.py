"""The cast speaks in a server: who answers, under which name and face, in which kind of channel."""

from dataclasses import replace

import pytest

from coterie.domain.ids import Handle, MessageId, WorkspaceId
from coterie.platforms.discord.places import spot
from discord_loopback.serving import serving
from flows.saying import Saying
from platforms.discord.stage_scenes import OnDiscord, at_home, on_discord
from storage.talking import comes_true


async def test_two_personas_answer_in_order_each_under_its_own_name(on_both: OnDiscord):
    scene = on_both
    await scene.ann.write(scene.general, "bram and odile, hello {{say@bram: Good evening.}} {{say@odile: Come in.}}")
    await scene.general.until_said("Come in.")
    assert [name for name, _ in await scene.lines()][-2:] == ["Bram", "Coterie"]


async def test_faces_differ_and_main_is_the_bot_user(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram, wren and odile {{say@odile: Come in.}}")
    await scene.general.until_said("Come in.")
    bram, wren, odile = (await scene.general.messages())[-3:]
    assert (bram.name, wren.name, odile.name) == ("Bram", "Wren", "Coterie")
    assert bram.webhook == wren.webhook is not None
    assert odile.webhook is None
    assert len({bram.avatar, wren.avatar, None}) == 3
    assert [webhook["name"] for webhook in await scene.general.webhooks()] == ["Coterie Multi-Persona"]


async def test_name_and_face_of_the_bot_follow_main(on_both: OnDiscord):
    scene = on_both
    us = (await scene.loopback.application()).id
    await scene.ann.write(scene.general, "odile {{say: Come in.}}")
    await scene.loopback.until_requests(lambda seen: len(seen) == 2, method="PATCH", route="/guilds/{guild}/members/@me")
    member = await scene.guild.member(us)
    assert (member["nick"], bool(member["avatar"])) == ("Odile", True)
    workspace = WorkspaceId(f"discord:{scene.guild.id}")
    main = (await scene.storage.casts.cast(workspace)).main
    await scene.storage.casts.change(workspace, main.handle, replace(main.content, name="Odile of the " + "Lamp " * 9), None)
    await scene.ann.write(scene.general, "lamp? odile {{say: As you wish.}}")
    await scene.loopback.until_requests(lambda seen: len(seen) == 4, method="PATCH", route="/guilds/{guild}/members/@me")
    member = await scene.guild.member(us)
    assert (member["nick"], member["avatar"]) == ("Odile of the Lamp Lamp Lamp Lamp", None)


async def test_nobody_is_called_nobody_answers(scene: OnDiscord):
    await scene.ann.write(scene.general, "the children left")
    await scene.ann.write(scene.general, "bram? {{say: Here.}}")
    await scene.general.until_said("Here.")
    assert [name for name, _ in await scene.lines()][-2:] == ["ann", "Bram"]


async def test_a_mention_calls_main_and_a_reply_calls_who_said_it(on_both: OnDiscord):
    scene = on_both
    us = (await scene.loopback.application()).mention
    await scene.ann.write(scene.general, f"{us} hello {{{{say: Yes?}}}}")
    said = await scene.general.until_said("Yes?")
    assert said.name == "Coterie"
    await scene.ann.write(scene.general, "wren, you too {{say: Certainly.}}")
    line = await scene.general.until_said("Certainly.")
    await scene.ann.write(scene.general, "and then? {{say: Then it flew.}}", reply_to=line)
    assert (await scene.general.until_said("Then it flew.")).name == "Wren"
    await scene.ann.write(scene.general, "and you? {{say: I stayed.}}", reply_to=said)
    assert (await scene.general.until_said("I stayed.")).name == "Coterie"


@pytest.mark.parametrize("private", [False, True])
async def test_in_a_thread_personas_speak_through_the_webhook_of_its_channel(scene: OnDiscord, private):
    thread = await scene.ann.begin_thread(scene.general, "moths", private=private)
    if private:
        await scene.ann.enter_thread(thread, who=(await scene.loopback.application()).id)
    await scene.ann.write(thread, "bram and odile {{say@bram: In here.}} {{say@odile: Me too.}}")
    await thread.until_said("Me too.")
    assert [name for name, _ in await scene.lines(thread)][-2:] == ["Bram", "Coterie"]
    assert len(await scene.general.webhooks()) == 1
    await scene.ann.write(scene.general, "bram {{say: Out here.}}")
    await scene.general.until_said("Out here.")
    assert len(await scene.general.webhooks()) == 1


async def test_a_thread_at_a_line_calls_nobody_and_begins_with_that_line(scene: OnDiscord):
    await scene.ann.write(scene.general, "odile {{say: Ask the moths.}}")
    line = await scene.general.until_said("Ask the moths.")
    thread = await scene.ann.begin_thread(scene.general, "moths", at=line)
    await scene.ann.write(thread, "bram? {{say: Here.}}")
    await thread.until_said("Here.")
    await scene.talk.idle()
    assert [request.note.handle for request in scene.models.only.requests] == ["odile", "bram"]
    assert "Odile: Ask the moths." in "\n".join(message.text for message in scene.models.only.requests[-1].messages)


async def test_in_a_forum_post_in_news_and_in_voice_chat(scene: OnDiscord):
    post = await scene.ann.post(await scene.guild.channel("questions"), "Moths?", "bram, what of them? {{say: Soft.}}")
    assert (await post.until_said("Soft.")).name == "Bram"
    news = await scene.guild.channel("news")
    await scene.ann.write(news, "wren {{say: Heard.}}")
    assert (await news.until_said("Heard.")).name == "Wren"
    parlour = await scene.guild.channel("parlour")
    await scene.ann.write(parlour, "wren {{say: In voice.}}")
    line = (await parlour.until(lambda messages: len(messages) > 1))[-1]
    assert line.content.endswith("In voice.")


async def test_direct_messages_are_answered_with_the_name_in_front(scene: OnDiscord):
    direct = await scene.ann.direct((await scene.loopback.application()).id)
    await scene.ann.write(direct, "hello {{say: Good evening.}}")
    await direct.until_said("**Odile:** Good evening.")
    await scene.ann.write(direct, "bram? {{say: At your service.}}")
    await direct.until_said("**Bram:** At your service.")


async def test_each_paragraph_is_a_message_and_the_setting_is_the_servers(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram {{say: One.\n\nTwo.}}")
    await scene.general.until_said("Two.")
    assert (await scene.lines())[-2:] == [("Bram", "One."), ("Bram", "Two.")]


async def test_what_others_said_is_heard_also_from_before_the_bot_came(scene: OnDiscord):
    ben = await scene.loopback.person("ben")
    library = await scene.guild.channel("library")
    await scene.ann.write(library, "nobody in particular")
    await scene.ann.write(library, "bram? {{say: Yes.}}")
    await library.until_said("Yes.")
    await ben.write(scene.general, "just talking")
    shown = "\n".join(message.text for message in scene.models.only.requests[-1].messages)
    assert "The shelves are open." in shown
    assert "nobody in particular" in shown
    assert "just talking" not in shown


async def test_who_says_much_is_held_once(scene: OnDiscord):
    for text in ("Before.", "wren? {{say: Yes.}}"):
        await scene.ann.write(scene.general, text)
    await scene.general.until_said("Yes.")
    for text in ("And after.", "wren? {{say: Again.}}"):
        await scene.ann.write(scene.general, text)
    await scene.general.until_said("Again.")
    history = await scene.house.stage.history(spot(int(scene.general.id), int(scene.guild.id), None).session, 100) or ()
    by_ann = [message.author for message in history if message.author.id == scene.ann.id]
    assert len(by_ann) == 4
    assert all(author is by_ann[0] for author in by_ann)


async def test_an_edit_and_a_deletion_are_heard(scene: OnDiscord):
    first = await scene.ann.write(scene.general, "bram, one {{say: First.}}")
    await scene.general.until_said("First.")
    gone = await scene.ann.write(scene.general, "a secret")
    await scene.ann.edit(first, "bram, the changed one")
    await scene.ann.delete(gone)
    await scene.ann.write(scene.general, "wren, two {{say: Second.}}")
    await scene.general.until_said("Second.")
    shown = "\n".join(message.text for message in scene.models.only.requests[-1].messages)
    assert "the changed one" in shown
    assert "a secret" not in shown


async def test_a_stranger_webhook_and_a_foreign_bot_call_nobody_and_are_nobody(scene: OnDiscord):
    hook = await scene.general.create_webhook("Bram")
    await scene.general.repost(await scene.ann.write(scene.general, "x"), webhook=hook["id"], name="Bram", content="wren, answer me!")
    await scene.ann.write(scene.general, "odile {{say: Peace.}}")
    await scene.general.until_said("Peace.")
    assert [name for name, _ in await scene.lines()][-2:] == ["ann", "Coterie"]
    shown = scene.models.only.requests[-1]
    assert not any(piece.role == "assistant" and "answer me" in piece.text for piece in shown.messages)


async def test_an_answer_that_comes_late_says_what_it_answers(scene: OnDiscord):
    ben = await scene.loopback.person("ben")
    first = await scene.ann.write(scene.general, "bram and odile {{sleep@bram: 1}} {{say@bram: Late.}} {{say@odile: Later.}}")
    await scene.gate.sleeping.acquire()
    await ben.write(scene.general, "something else")
    await scene.general.until_said("something else")
    scene.gate.opened.set()
    await scene.general.until_said("Later.")
    late, later = (await scene.general.messages())[-2:]
    assert late.raw["embeds"] == []
    assert later.raw["message_reference"]["message_id"] == first.id
    await scene.ann.write(scene.general, "wren and bram {{say: Soon.}}")
    await scene.general.until(lambda messages: [message.content for message in messages[-2:]] == ["Soon.", "Soon."])
    assert all(not message.raw["embeds"] for message in (await scene.general.messages())[-2:])


async def test_a_webhooks_late_answer_shows_it_in_an_embed(scene: OnDiscord):
    ben = await scene.loopback.person("ben")
    scene.models.only = Saying(["ok"], ["One.\n\nT", scene.gate, "wo."], ["Other."], ["Third."])
    await scene.ann.write(scene.general, "odile?")
    await scene.general.until_said("ok")
    await scene.ann.write(scene.general, "bram, first")
    await scene.gate.sleeping.acquire()
    asked = await ben.write(scene.general, "wren, what of this?")
    chatter = await ben.write(scene.general, "chatter")
    # What comes after it in the channel is known to have arrived; so then is the chatter.
    await scene.is_kept(await ben.write(scene.general, "odile, too"), "odile, too")
    assert await scene.storage.conversations.message(MessageId(chatter.id)) is None
    scene.gate.opened.set()
    line = await scene.general.until_said("Other.")
    assert f"{asked.id})** wren, what of this?" in line.raw["embeds"][0]["description"]


async def test_what_was_changed_before_its_turn_came_is_answered_as_it_reads_then(on_both: OnDiscord):
    scene = on_both
    ben = await scene.loopback.person("ben")
    await scene.ann.write(scene.general, "bram {{sleep@bram: 1}}")
    await scene.gate.sleeping.acquire()
    waiting = await ben.write(scene.general, "wren {{say@wren: Before.}}")
    await scene.is_kept(waiting, "wren {{say@wren: Before.}}")
    gone = await ben.write(scene.general, "odile {{say@odile: Still.}}")
    await ben.delete(gone)
    await ben.edit(waiting, "wren {{say@wren: After.}}")
    await scene.is_kept(waiting, "wren {{say@wren: After.}}")
    scene.gate.opened.set()
    await scene.general.until_said("Still.")
    assert [text for _, text in await scene.lines()][-2:] == ["After.", "Still."]


async def test_nobody_is_pinged_who_does_not_take_part(scene: OnDiscord):
    ben = await scene.loopback.person("ben")
    await scene.ann.write(scene.general, f"bram {{{{say: @everyone {ben.mention} {scene.ann.mention}}}}}")
    line = (await scene.general.until(lambda messages: messages[-1].name == "Bram"))[-1]
    assert line.raw["mention_everyone"] is False
    assert [user["id"] for user in line.raw["mentions"]] == [scene.ann.id]


async def test_typing_is_shown_to_those_who_wait(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram {{sleep: 1}} {{say: After a while.}}")
    await scene.gate.sleeping.acquire()
    await scene.loopback.until_requests(lambda found: found, method="POST", route="/channels/{channel}/typing")
    scene.gate.opened.set()
    await scene.general.until_said("After a while.")


async def test_what_another_process_changes_counts_at_once(postgres_url, tmp_path):
    async with (
        serving() as loopback,
        at_home(postgres_url, tmp_path) as storage,
        at_home(postgres_url, tmp_path) as elsewhere,
        on_discord(storage, loopback, tmp_path) as scene,
    ):
        workspace = WorkspaceId(f"discord:{scene.guild.id}")
        await scene.ann.write(scene.general, "bram? {{say: Here.}}")
        await scene.general.until_said("Here.", name="Bram")
        bram = (await elsewhere.casts.cast(workspace)).by_handle(Handle("bram"))
        for word in ("farrier", "cooper"):
            known = storage.casts.remembered(workspace)
            await elsewhere.casts.change(workspace, bram.handle, replace(bram.content, trigger_words=(word,)), bram.avatar)
            assert await comes_true(lambda known=known: storage.casts.remembered(workspace) is not known)
            await scene.ann.write(scene.general, f"{word}? {{{{say: I am the {word}.}}}}")
            await scene.general.until_said(f"I am the {word}.", name="Bram")
