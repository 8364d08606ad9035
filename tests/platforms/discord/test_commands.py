"""Commands on Discord: what they do, who sees the answer, and what happens when they are used wrongly or by many."""

import asyncio

import aiohttp
import pytest

from conftest import PRESETS
from coterie.domain.ids import WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.ports.stores import PersonaDraft
from coterie.storage.opening import open_storage
from discord_loopback.serving import serving
from platforms.discord.stage_scenes import OnDiscord, answer, on_discord


@pytest.fixture
async def scene(sqlite_url, tmp_path):
    storage = await open_storage(sqlite_url, tmp_path, PRESETS, environment={})
    async with serving() as loopback, on_discord(storage, loopback, tmp_path) as opened:
        yield opened
    await storage.close()


# /respond


async def test_a_persona_answers_in_an_empty_channel(scene: OnDiscord):
    parlour = await scene.guild.create_channel("empty")
    assert await answer(scene.ann, parlour, "respond", persona="wren") == "Wren will answer."
    assert (await parlour.until_said("ok")).name == "Wren"
    assert scene.models.only.requests[-1].messages[-1].text == "(The conversation begins.)\n(Ann asks Wren to say something.)"


@pytest.mark.parametrize("command", ["respond", "bot respond"])
async def test_the_newest_message_is_answered_as_it_was_asked_and_nobody_else_sees_what_was_asked(scene: OnDiscord, command):
    ben = await scene.loopback.person("ben")
    await scene.ann.write(scene.general, "the lamp is out")
    await answer(
        ben, scene.general, command, persona="Bram", prompt="speak of moths {{say: there was a moth.}}", prefill="Once upon a time"
    )
    assert (await scene.general.until_said("Once upon a time there was a moth.")).name == "Bram"
    last = scene.models.only.requests[-1].messages[-1].text
    assert "Ann: the lamp is out\n(Ben asks of Bram, for this answer only: “speak of moths" in last
    seen = await scene.general.messages(eyes_of=scene.ann.id)
    assert not any("moths" in message.content or message.raw["type"] == 20 for message in seen)


async def test_whoever_spoke_last_answers_and_goes_on(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram? {{say: I dig.}}")
    await scene.general.until_said("I dig.")
    assert await answer(scene.ann, scene.general, "respond", prompt="{{say: And dig.}}") == "Bram will answer."
    await scene.general.until_said("And dig.")
    assert "you spoke last" in scene.models.only.requests[-1].messages[-1].text
    await answer(scene.ann, scene.general, "respond", persona="wren", prompt="{{say: I fly.}}")
    await scene.general.until_said("I fly.")
    assert "you spoke last" not in scene.models.only.requests[-1].messages[-1].text
    assert await answer(scene.ann, scene.general, "respond") == "Wren will answer."


async def test_where_nobody_spoke_yet_main_answers(scene: OnDiscord):
    assert await answer(scene.ann, scene.general, "respond", prompt="{{say: Yes?}}") == "Odile will answer."
    assert (await scene.general.until_said("Yes?")).name == "Coterie"


async def test_who_spoke_last_is_known_after_a_restart(storage, tmp_path):
    async with serving() as loopback:
        async with on_discord(storage, loopback, tmp_path) as before:
            await before.ann.write(before.general, "bram? {{say: Here.}}")
            await before.general.until_said("Here.")
            await before.talk.idle()
        async with on_discord(storage, loopback, tmp_path) as after:
            for number in range(110):
                await after.ann.write(after.general, f"just talk {number}")
            assert await answer(after.ann, after.general, "respond") == "Bram will answer."
            await after.general.until_said("ok")


async def test_a_model_is_chosen_for_one_answer(scene: OnDiscord):
    await answer(scene.ann, scene.general, "respond", persona="wren", model="embedded:small")
    await scene.general.until_said("ok")
    assert scene.models.asked[-1] == "embedded:small"
    assert "no model nobody:knows" in await answer(scene.ann, scene.general, "respond", model="nobody:knows")
    assert "Set OPENAI_API_KEY." in await answer(scene.ann, scene.general, "respond", model="openai:large")


async def test_what_is_offered_while_somebody_types(scene: OnDiscord):
    async def offered(option, typed):
        return await (await scene.ann.autocomplete(scene.general, "respond", option, typed)).choices()

    assert await offered("persona", "") == ["odile", "bram", "wren"]
    assert await offered("persona", "RE") == ["wren"]
    assert await offered("persona", "nobody") == []
    assert await offered("model", "") == ["scripted:scripted", "embedded:small"]
    assert await offered("model", "small") == ["embedded:small"]


async def test_a_persona_that_is_not_there_is_said_in_one_sentence(scene: OnDiscord):
    said = await answer(scene.ann, scene.general, "respond", persona="**Mira**")
    assert said == "There is no persona \\*\\*Mira\\*\\* here; `/persona list` shows who is."
    assert not scene.models.asked


async def test_commands_work_in_threads_and_in_direct_messages(scene: OnDiscord):
    thread = await scene.ann.begin_thread(scene.general, "moths")
    await answer(scene.ann, thread, "respond", persona="bram", prompt="{{say: In here.}}")
    assert (await thread.until_said("In here.")).name == "Bram"
    direct = await scene.ann.direct((await scene.loopback.application()).id)
    await answer(scene.ann, direct, "respond", persona="wren", prompt="{{say: Only you.}}")
    await direct.until_said("**Wren:** Only you.")
    assert "**Odile** (`odile`) – main" in await answer(scene.ann, direct, "persona list")
    assert await answer(scene.ann, direct, "bot impersonate", persona="bram", text="Psst.") == "Bram says it."
    await direct.until_said("**Bram:** Psst.")


async def test_where_the_bot_may_not_write_only_whom_a_webhook_carries_is_asked(scene: OnDiscord):
    await scene.general.set_overwrite((await scene.loopback.application()).id, deny=["send_messages"])
    assert await answer(scene.ann, scene.general, "respond", persona="odile") == "I may not write in this channel."
    assert not scene.models.asked
    assert await answer(scene.ann, scene.general, "respond", persona="bram", prompt="{{say: Here.}}") == "Bram will answer."
    await scene.general.until_said("Here.")
    await scene.guild.revoke("manage_webhooks")
    assert await answer(scene.ann, scene.general, "respond", persona="bram") == "I may not write in this channel."


async def test_in_a_time_out_nobody_is_asked(scene: OnDiscord):
    await scene.guild.time_out((await scene.loopback.application()).id, 60)
    assert await answer(scene.ann, scene.general, "bot impersonate", persona="bram", text="x") in {
        "I am in time-out in this server, so I say nothing until it ends.",
        "I may not write in this channel.",
    }
    assert await scene.lines() == []


# /bot impersonate


async def test_words_are_said_as_a_persona_once_and_may_call_the_next(scene: OnDiscord):
    words = "wren, look! /persona remove wren"
    assert await answer(scene.ann, scene.general, "bot impersonate", persona="bram", text=words) == "Bram says it."
    await scene.general.until_said("ok")
    assert await scene.lines() == [("Bram", words), ("Wren", "ok")]
    assert len(scene.models.only.requests) == 1
    assert f"Bram: {words}" in scene.models.only.requests[0].messages[-1].text
    await answer(scene.ann, scene.general, "bot impersonate", persona="odile", text="Quiet, all.")
    assert (await scene.general.until_said("Quiet, all.")).name == "Coterie"


async def test_only_those_who_manage_messages_speak_for_others(scene: OnDiscord):
    ben = await scene.loopback.person("ben")
    for command, options in [("bot impersonate", {"persona": "bram", "text": "x"}), ("bot impersonate-system", {"text": "x"})]:
        assert await answer(ben, scene.general, command, **options) == "Only those who may manage messages here can do this."
    assert await scene.lines() == []


async def test_a_note_is_an_embed_for_people_and_nobodys_line_for_personas(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram? {{say: Here.}}")
    await scene.general.until_said("Here.")
    assert (
        await answer(scene.ann, scene.general, "bot impersonate-system", text="wren, the lights go out.")
        == "The note is there for everybody."
    )
    (note,) = [message for message in await scene.general.messages() if message.embeds]
    assert (note.name, note.content, note.embeds[0]["description"]) == ("Coterie", "", "wren, the lights go out.")
    assert await answer(scene.ann, scene.general, "respond", prompt="{{say: Dark.}}") == "Bram will answer."
    await scene.general.until_said("Dark.")
    assert "(wren, the lights go out.)" in scene.models.only.requests[-1].messages[-1].text
    assert "system-note" in (await (await scene.ann.menu(note, "Why?")).message()).content


async def test_a_note_is_still_nobodys_after_a_restart(storage, tmp_path):
    async with serving() as loopback:
        async with on_discord(storage, loopback, tmp_path) as before:
            await answer(before.ann, before.general, "bot impersonate-system", text="The lights go out.")
        async with on_discord(storage, loopback, tmp_path) as after:
            await answer(after.ann, after.general, "respond", persona="wren")
            await after.general.until_said("ok")
            assert after.models.only.requests[-1].messages[-1].text.startswith("(The lights go out.)")


async def test_a_note_where_the_bot_may_not_write_says_so(scene: OnDiscord):
    await scene.general.set_overwrite((await scene.loopback.application()).id, deny=["send_messages"])
    assert "The note could not be shown: " in await answer(scene.ann, scene.general, "bot impersonate-system", text="x")


# /kill


async def test_kill_ends_what_runs_and_what_waits_and_nothing_arrives_afterwards(scene: OnDiscord):
    ben = await scene.loopback.person("ben")
    await scene.ann.write(scene.general, "bram {{sleep: 1}} {{say: Never.}}")
    await scene.gate.sleeping.acquire()
    await ben.write_many(scene.general, [f"wren, {number} {{{{say: Never {number}.}}}}" for number in range(20)])
    await scene.ann.write(scene.general, "the last of them")
    assert await answer(scene.ann, scene.general, "kill") == "Stopped. Nothing waits any more."
    scene.gate.opened.set()
    await scene.talk.idle()
    assert not any("Never" in message.content for message in await scene.general.messages() if message.name in {"Bram", "Wren"})
    assert await answer(scene.ann, scene.general, "kill") == "There was nothing to stop."
    await scene.ann.write(scene.general, "odile? {{say: Still here.}}")
    await scene.general.until_said("Still here.")


# /why


async def test_why_tells_of_each_persona_for_a_message_and_for_a_line(scene: OnDiscord):
    message = await scene.ann.write(scene.general, "bram? {{say@bram: wren, you tell.}}")
    await scene.general.until_said("ok", name="Wren")
    told = (
        "**Bram** (answered): The message holds one of its trigger words. `trigger-word`\n"
        "**Odile** did not answer: The message holds none of its trigger words and does not address it in another way. `not-called`\n"
        "**Wren** did not answer: The message holds none of its trigger words and does not address it in another way. `not-called`"
    )
    link = f"https://discord.com/channels/{scene.guild.id}/{scene.general.id}/{message.id}"
    for given in (message.id, link, f"<{link}>"):
        assert await answer(scene.ann, scene.general, "why", message=given) == told
    shown = await (await scene.ann.menu(message, "Why?")).message()
    assert (shown.content, shown.is_ephemeral) == (told, True)
    line = await scene.general.until_said("wren, you tell.", name="Bram")
    of_line = (await (await scene.ann.menu(line, "Why?")).message()).content
    assert of_line.startswith(told)
    assert "What this line led to:\n**Wren** (answered): Another persona called it. `chain`" in of_line


async def test_why_of_a_message_that_calls_nobody_or_was_never_there(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram?")
    await scene.general.until_said("ok")
    await scene.talk.idle()
    quiet = await scene.ann.write(scene.general, "the children left")
    told = (await (await scene.ann.menu(quiet, "Why?")).message()).content
    assert told.startswith("It calls nobody, as the cast is now.\n**Odile** did not answer: ")
    assert told.count("`not-called`") == 3
    assert await answer(scene.ann, scene.general, "why", message="123") == "There is no such message in this channel."
    assert await answer(scene.ann, scene.general, "why", message="what?") == "That is no message: give its link or its id."
    news = await scene.guild.channel("news")
    link = f"https://discord.com/channels/{scene.guild.id}/{news.id}/{quiet.id}"
    assert await answer(scene.ann, scene.general, "why", message=link) == "That message is in another channel; ask there."
    assert await answer(scene.ann, news, "why", message=quiet.id) == "There is no such message in this channel."


async def test_why_of_a_reply_that_was_not_heard_in_time(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram? {{say: Here.}}")
    line = await scene.general.until_said("Here.")
    await scene.talk.idle()
    async with scene.loopback.holding("MESSAGE_CREATE"):
        late = await scene.ann.write(scene.general, "and then?", reply_to=line)
        told = (await (await scene.ann.menu(late, "Why?")).message()).content
        assert told.startswith("I did not hear this message in time")
    await scene.general.until_said("ok")


async def test_why_of_somebody_elses_webhook(scene: OnDiscord):
    hook = await scene.general.create_webhook("Bram")
    message = await scene.general.repost(await scene.ann.write(scene.general, "x"), webhook=hook["id"], name="Bram", content="wren!")
    assert (await (await scene.ann.menu(message, "Why?")).message()).content.startswith("Nothing was decided about this message")


# The others


async def test_the_cast_is_listed_main_first_with_the_words_each_really_owns(scene: OnDiscord):
    assert await answer(scene.ann, scene.general, "persona list") == (
        "**Odile** (`odile`) – main: odile, coterie, コテリー\n**Bram** (`bram`): bram\n**Wren** (`wren`): wren"
    )


async def test_of_a_large_cast_what_fits_is_listed(scene: OnDiscord):
    workspace = WorkspaceId(f"discord:{scene.guild.id}")
    await scene.storage.casts.cast(workspace)
    for number in range(17):
        content = PersonaContent(f"{'N' * 76} {number:02}", trigger_words=tuple(f"word{number}-{each}" for each in range(12)))
        await scene.storage.casts.create(workspace, PersonaDraft(content))
    listed = await answer(scene.ann, scene.general, "persona list")
    shown = listed.count("**") // 2
    assert 3 < shown < 20
    assert listed.endswith(f"… and {20 - shown} more.")


async def test_ping_and_help(scene: OnDiscord):
    assert (await answer(scene.ann, scene.general, "ping")).startswith("I am here")
    said = await answer(scene.ann, scene.general, "help")
    names = ["respond", "bot respond", "bot impersonate", "bot impersonate-system", "kill", "why", "persona list"]
    names += ["config …", "server …", "personal …", "provider set", "provider list", "provider remove", "model text", "ping", "help"]
    assert [line.split("`")[1] for line in said.splitlines() if line.startswith("`/")] == [f"/{name}" for name in names]


async def test_a_person_is_answered_in_the_language_of_their_discord(scene: OnDiscord):
    await scene.ann.set_locale("ja")
    message = await scene.ann.write(scene.general, "bram? {{say: Here.}}")
    await scene.general.until_said("Here.")
    assert await answer(scene.ann, scene.general, "respond") == "Bramが答えます。"
    assert "メッセージに呼び言葉が含まれています。 `trigger-word`" in (await (await scene.ann.menu(message, "Why?")).message()).content
    ben = await scene.loopback.person("ben")
    await ben.set_locale("fr")
    assert await answer(ben, scene.general, "kill") in {"There was nothing to stop.", "Stopped. Nothing waits any more."}


async def test_discord_is_told_of_the_commands_only_when_they_changed(storage, tmp_path):
    async with serving() as loopback:

        async def tellings():
            return len(await loopback.requests("PUT", "/applications/{application}/commands"))

        async with on_discord(storage, loopback, tmp_path) as first:
            assert await tellings() == 1
            there = {one["name"]: one for one in await first.ann.commands(first.general)}
            assert there["kill"]["description_localizations"] == {"ja": "ここで話している人を止め、待っているものを取り消します。"}
            assert there["Why?"]["name_localizations"] == {"ja": "なぜ？"}
        async with on_discord(storage, loopback, tmp_path):
            assert await tellings() == 1
        await forget_a_command(loopback.url, await loopback.application())
        async with on_discord(storage, loopback, tmp_path) as last:
            assert await tellings() == 2
            assert "kill" in {one["name"] for one in await last.ann.commands(last.general)}


async def forget_a_command(address, bot):
    commands = f"{address}/api/v10/applications/{bot.id}/commands"
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {bot.token}"}) as http:
        (kill,) = [one for one in await (await http.get(commands)).json(content_type=None) if one["name"] == "kill"]
        assert (await http.delete(f"{commands}/{kill['id']}")).status == 204


async def test_a_command_that_discord_still_shows_and_is_ours_no_more_is_answered(scene: OnDiscord):
    bot = await scene.loopback.application()
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {bot.token}"}) as http:
        old = {"name": "old", "type": 1, "description": "Of an older version."}
        assert (await http.post(f"{scene.loopback.url}/api/v10/applications/{bot.id}/commands", json=old)).status == 201
    assert await answer(scene.ann, scene.general, "old") == "This command has changed; restart your Discord and try again."


async def test_a_full_disk_is_one_sentence(scene: OnDiscord):
    await answer(scene.ann, scene.general, "respond", persona="bram")
    await scene.general.until_said("ok")
    await scene.talk.idle()
    database = scene.storage.database
    # No page more than there are now.
    await database.read(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1").scalar())
    said = {
        await answer(scene.ann, scene.general, "bot impersonate", persona="odile", text=f"{number} {'x' * 1800}") for number in range(30)
    }
    assert said == {"Odile says it.", "The storage could not be reached, so nothing was done; try again a little later."}
    assert "the command bot impersonate on Discord" in [what for what, _ in scene.problems]
    scene.problems.clear()


async def test_what_nobody_foresaw_is_one_sentence_too(scene: OnDiscord):
    await scene.storage.database.write(lambda connection: connection.exec_driver_sql("DROP TABLE discord_posts").close())
    assert await answer(scene.ann, scene.general, "why", message="123") == "Something went wrong inside Coterie; the log says what."
    assert [what for what, _ in scene.problems] == ["the command why on Discord"]
    scene.problems.clear()


async def test_a_flood_of_commands_is_acknowledged_and_does_no_harm(scene: OnDiscord):
    # How fast it is belongs to the benchmarks: here a busy machine must not make it fail.
    await scene.loopback.switch(answer_within=600.0)
    ben = await scene.loopback.person("ben")
    await scene.ann.write(scene.general, "bram? {{say: Here.}}")
    await scene.general.until_said("Here.")
    flood = await asyncio.gather(*(ben.slash(scene.general, "persona list") for _ in range(300)))
    kept = await answer(scene.ann, scene.general, "persona list")
    said = [(await one.message()).content for one in flood]
    assert set(said) <= {kept, "Too many commands at once; wait until the earlier ones are answered."}
    assert kept in said
    await scene.ann.write(scene.general, "wren? {{say: Still here.}}")
    await scene.general.until_said("Still here.")


async def test_what_cannot_be_acknowledged_is_not_done(scene: OnDiscord):
    async with scene.loopback.fault("status", route="/interactions/*", status=404):
        await scene.ann.slash(scene.general, "bot impersonate", persona="bram", text="Never.")
        await scene.loopback.until_requests(lambda found: found, method="POST", route="/interactions/{interaction}/{token}/callback")
    assert await answer(scene.ann, scene.general, "persona list")
    assert await scene.lines() == []
