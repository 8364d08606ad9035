"""Who may call whom in a server of Discord, where and how often: set by commands as those who manage it would, and met by members."""

import asyncio
import re

import pytest

from coterie.domain.access import Spotlight
from coterie.domain.ids import MessageId, PersonaId, PlaceId, UserId
from discord_loopback.client import Channel, Message, Person
from platforms.discord.sprite_scenes import workspace_of
from platforms.discord.stage_scenes import OnDiscord, answer


@pytest.fixture
async def ben(scene: OnDiscord) -> Person:
    """A member who manages nothing."""
    return await scene.loopback.person("ben")


async def persona(scene: OnDiscord, handle: str) -> PersonaId:
    return (await scene.storage.casts.cast(workspace_of(scene))).by_handle(handle).id


async def sets(scene: OnDiscord, command: str, **options) -> str:
    """What whoever manages the server does about it."""
    said = await answer(scene.ann, scene.general, command, **options)
    assert "Only those" not in said
    return said


async def why(scene: OnDiscord, message: Message) -> str:
    """The reason that `/why` gives for Bram, once it is decided."""
    for _ in range(3000):
        if await scene.storage.conversations.why(MessageId(message.id)) is not None:
            break
        await asyncio.sleep(0.01)
    told = await (await scene.ann.menu(message, "Why?")).message()
    return next(line.split("`")[1] for line in told.content.splitlines() if line.startswith("**Bram**"))


async def is_answered(channel: Channel, who: Person, text: str = "bram?") -> None:
    """Call somebody, who answers."""
    said = f"yes {len(await channel.messages())}"
    await who.write(channel, f"{text} {{{{say: {said}}}}}")
    await channel.until_said(said)


# Access


async def test_outside_of_listed_channels_and_their_threads_nobody_answers(scene: OnDiscord, ben):
    news = await scene.guild.channel("news")
    await sets(scene, "server whitelist add", channel=news.id)
    assert await why(scene, await ben.write(scene.general, "bram?")) == "not-allowed-here"
    await is_answered(news, ben)
    await is_answered(await ben.begin_thread(news, "moths"), ben)
    thread = await ben.begin_thread(scene.general, "aside")
    assert await why(scene, await ben.write(thread, "bram?")) == "not-allowed-here"
    assert await answer(ben, scene.general, "respond") == (
        "It was called, but nobody may be called in this channel (channel whitelist). `not-allowed-here`"
    )
    await sets(scene, "server whitelist add", channel=thread.id)
    await is_answered(thread, ben)


async def test_members_without_a_listed_role_are_not_answered(scene: OnDiscord, ben):
    role = await scene.guild.create_role("friend")
    await sets(scene, "server whitelist role", role=role)
    assert await why(scene, await ben.write(scene.general, "bram?")) == "role-needed"
    assert "`role-needed`" in await answer(ben, scene.general, "respond")
    await scene.guild.set_role(ben.id, role)
    await is_answered(scene.general, ben)


async def test_somebody_barred_is_not_answered(scene: OnDiscord, ben):
    await sets(scene, "server user-blacklist add", member=ben.id)
    assert await why(scene, await ben.write(scene.general, "bram?")) == "blacklisted"
    await is_answered(scene.general, scene.ann)
    await sets(scene, "server user-blacklist remove", member=ben.id)
    await is_answered(scene.general, ben)


async def test_somebody_private_is_neither_answered_nor_read(scene: OnDiscord, ben):
    await ben.write(scene.general, "my secret is moths")
    await answer(ben, scene.general, "personal privacy", level="full")
    assert await why(scene, await ben.write(scene.general, "bram, another secret")) == "private"
    await is_answered(scene.general, scene.ann, "bram, what did Ben say?")
    assert "secret" not in "".join(piece.text for piece in scene.models.only.requests[-1].messages)
    await answer(ben, scene.general, "personal privacy", level="minimal")
    await is_answered(scene.general, ben)
    assert "secret" in "".join(piece.text for piece in scene.models.only.requests[-1].messages)


async def test_a_spotlight_lets_one_person_hear_some_only(scene: OnDiscord, ben):
    await answer(ben, scene.general, "personal spotlight set", hours=1, personas="wren", auto_persona="wren")
    await ben.write(scene.general, "bram, nice evening {{say: It is.}}")
    assert (await scene.general.until_said("It is.")).name == "Wren"
    await is_answered(scene.general, scene.ann, "bram?")
    assert (await scene.general.messages())[-1].name == "Bram"
    assert "`not-in-spotlight`" in await answer(ben, scene.general, "respond", persona="bram")


# Uncalled, and on purpose


async def test_every_third_message_is_answered_by_whoever_is_named_for_the_channel(scene: OnDiscord, ben):
    await scene.ann.write(scene.general, "before")
    await sets(scene, "server auto-trigger threshold", threshold=3)
    await sets(scene, "server auto-trigger channels", channel=scene.general.id, persona="wren")
    for number in range(1, 7):
        await ben.write(scene.general, f"line {number} {{{{say: after {number}}}}}")
        if number % 3 == 0:
            assert (await scene.general.until_said(f"after {number}")).name == "Wren"
            await scene.talk.idle()
    assert [text for name, text in await scene.lines() if name == "Wren"] == ["after 3", "after 6"]
    await sets(scene, "server auto-trigger channels", channel=scene.general.id, enabled=False)
    for number in range(7, 11):
        await ben.write(scene.general, f"line {number}")
    await is_answered(scene.general, ben)
    assert [name for name, _ in await scene.lines()].count("Wren") == 2


async def test_where_words_need_a_sign_a_word_alone_calls_nobody(scene: OnDiscord, ben):
    await sets(scene, "server deliberate-trigger-mode", enabled=True)
    assert await why(scene, await ben.write(scene.general, "bram? {{say: no}}")) == "not-deliberate"
    await is_answered(scene.general, ben, "@bram?")
    await answer(ben, scene.general, "personal deliberate-trigger-mode", mode="off")
    await is_answered(scene.general, ben)


# How often


async def test_whoever_calls_too_soon_is_told_once_in_private_and_in_their_language(scene: OnDiscord, ben):
    await sets(scene, "server cooldown triggers", cooldown_type="per-user", cooldown_length=600)
    await answer(ben, scene.general, "personal language", language="ja")
    direct = await ben.direct((await scene.loopback.application()).id)
    await is_answered(scene.general, ben)
    for _ in range(2):
        assert await why(scene, await ben.write(scene.general, "bram?")) == "cooldown"
        await direct.until(lambda messages: messages)
    await is_answered(scene.general, scene.ann)
    await scene.talk.idle()
    (notice,) = await direct.messages()
    assert re.fullmatch(r"\*\*The House\*\* では <t:\d+:R> にまた呼び出せます。", notice.content)
    own = await scene.guild.create_channel("lively")
    await sets(scene, "server whitelist add", channel=own.id, cooldown_type="off")
    await is_answered(own, ben)
    await is_answered(own, ben)


async def test_of_each_member_so_many_messages_are_answered_a_day(scene: OnDiscord, ben):
    await sets(scene, "server quota text-generation", daily_user_quota=1)
    await is_answered(scene.general, ben)
    assert await why(scene, await ben.write(scene.general, "bram?")) == "daily-quota"
    await is_answered(scene.general, scene.ann)
    await sets(scene, "server quota reset", member=ben.id)
    await is_answered(scene.general, ben)
    assert await why(scene, await ben.write(scene.general, "bram?")) == "daily-quota"


# Commands as callers


async def test_whoever_gives_a_command_is_refused_like_anybody_who_calls(scene: OnDiscord, ben):
    bram, news = await persona(scene, "bram"), await scene.guild.channel("news")
    await scene.storage.access.change(workspace_of(scene), lambda access: access.keeping_persona_to(bram, frozenset({PlaceId(news.id)})))
    refused = "It was called, but it may be heard in other channels only (persona whitelist). `persona-not-here`"
    assert await answer(ben, scene.general, "respond", persona="bram") == refused
    assert await answer(scene.ann, scene.general, "bot impersonate", persona="bram", text="x") == refused
    await scene.storage.access.change(workspace_of(scene), lambda access: access.barring(UserId(ben.id)))
    for command in ("respond", "bot respond"):
        said = await answer(ben, scene.general, command, persona="wren")
        assert said == "It was called by somebody whom the owners of this server have barred from calling. `blacklisted`"
    assert await scene.lines() == []
    assert not scene.models.asked
    assert await answer(scene.ann, news, "respond", persona="bram") == "Bram will answer."
    await news.until_said("ok", name="Bram")


async def test_who_answers_a_command_that_names_nobody(scene: OnDiscord, ben):
    odile, bram, wren = [await persona(scene, handle) for handle in ("odile", "bram", "wren")]
    here, edit = PlaceId(scene.general.id), scene.storage.access.change

    async def answers() -> str:
        return (await answer(ben, scene.general, "bot respond")).removesuffix(" will answer.")

    assert await answers() == "Odile"
    await scene.general.until_said("ok", name="Coterie")
    quiet = await scene.guild.create_channel("quiet")
    await edit(workspace_of(scene), lambda access: access.answering_in(PlaceId(quiet.id), wren))
    assert await answer(ben, quiet, "respond") == "Wren will answer."
    await quiet.until_said("ok", name="Wren")
    await edit(workspace_of(scene), lambda access: access.answering_in(here, wren).keeping_persona_to(odile, frozenset({PlaceId("1")})))
    assert await answers() == "Wren"
    await scene.general.until_said("ok", name="Wren")
    await edit(workspace_of(scene), lambda access: access.shining(UserId(ben.id), here, Spotlight(frozenset({bram}), bram)))
    assert await answers() == "Bram"
    await scene.general.until_said("ok", name="Bram")
    await edit(workspace_of(scene), lambda access: access.keeping_persona_to(bram, frozenset({PlaceId("1")})))
    assert (await answers()).endswith("`persona-not-here`")
