"""Whoever joins a server is greeted in the channel, by the persona and in the manner that its owners have chosen."""

import asyncio
from dataclasses import replace

import pytest

from coterie.domain.ids import Handle, PersonaId, PlaceId, WorkspaceId
from coterie.domain.welcome import Welcome
from coterie.platforms.discord.welcoming import DEAF, MOST_AWAITED, Waits
from coterie.ports.stores import PersonaDraft
from discord_loopback.client import Channel, Person
from discord_loopback.serving import serving
from platforms.discord.stage_scenes import PATIENCE, OnDiscord, at_home, on_discord

SET, REMOVE = "server welcome-channel set", "server welcome-channel remove"
LONGER = 0.6
"""Seconds within which a greeting would long be there."""


@pytest.fixture
async def door(scene: OnDiscord) -> Channel:
    """Where people are greeted, by Bram."""
    door = await scene.guild.create_channel("door")
    assert await told(scene, SET, channel=door.id, persona="bram", prompt="{{say: Come in.}}")
    return door


async def told(scene: OnDiscord, command: str, **options) -> str:
    """What a command is answered with."""
    return (await (await scene.ann.slash(scene.general, command, **options)).message()).content


async def newcomer(scene: OnDiscord, name: str = "zoe", *, pending: bool = False) -> Person:
    person = await scene.loopback.create_person(name)
    await scene.guild.join(person, pending=pending)
    return person


def workspace(scene: OnDiscord) -> WorkspaceId:
    return WorkspaceId(f"discord:{scene.guild.id}")


async def test_who_joins_is_greeted_and_mentioned_and_nobody_else_is(scene: OnDiscord, door: Channel):
    zoe = await newcomer(scene)
    said = await door.until_said(f"{zoe.mention} Come in.", name="Bram")
    sent = [request for request in await scene.loopback.requests("POST") if zoe.id in str(request.get("body", request))]
    (allowed,) = [one["body"]["allowed_mentions"] for one in sent if "webhooks" in one["path"]]
    assert ([str(user) for user in allowed["users"]], allowed["parse"]) == ([zoe.id], [])
    why = (await (await scene.ann.menu(said, "Why?")).message()).content
    assert "welcome" in why


async def test_the_prompt_names_the_newcomer_and_what_the_server_asks(scene: OnDiscord, door: Channel):
    await newcomer(scene, "zoe")
    await door.until(lambda messages: messages)
    request = scene.models.only.requests[-1]
    last = request.messages[-1].text
    assert "zoe has just come to this server. Bram, welcome them" in last
    assert "This server asks of Bram, for this answer only" in last
    assert "You talk with zoe." in request.system


async def test_a_greeting_costs_nobody_anything(scene: OnDiscord, door: Channel):
    limits = {"cooldown-type": "server-strict", "cooldown-length": 3_600, "text-quota-server": 1, "active-per-server": 1}
    await scene.storage.settings.change(workspace(scene), limits)
    for name in ("zoe", "yan"):
        person = await newcomer(scene, name)
        await door.until_said(f"{person.mention} Come in.", name="Bram")
    await scene.ann.write(scene.general, "wren? {{say: I am here.}}")
    await scene.general.until_said("I am here.", name="Wren")


async def test_who_has_to_agree_to_the_rules_is_greeted_afterwards(scene: OnDiscord, door: Channel):
    zoe = await newcomer(scene, pending=True)
    await asyncio.sleep(LONGER)
    assert await door.messages() == []
    await scene.guild.admit(zoe)
    await door.until_said(f"{zoe.mention} Come in.")


async def test_who_never_agrees_is_not_greeted(sqlite_url, tmp_path):
    hasty = replace(PATIENCE, welcome=Waits(greeting=0.01, look=0.05, longest_look=0.05, rules=0.3))
    async with (
        serving() as loopback,
        at_home(sqlite_url, tmp_path) as storage,
        on_discord(storage, loopback, tmp_path, patience=hasty) as scene,
    ):
        await storage.welcomes.set(workspace(scene), Welcome(PlaceId(scene.general.id), None, "{{say: Come in.}}"))
        before = await scene.lines()
        zoe = await newcomer(scene, pending=True)
        await asyncio.sleep(LONGER)
        await scene.guild.admit(zoe)
        await asyncio.sleep(LONGER)
        assert await scene.lines() == before


@pytest.mark.parametrize("pending", [False, True])
async def test_who_leaves_before_is_not_greeted(scene: OnDiscord, door: Channel, pending):
    zoe = await newcomer(scene, pending=pending)
    await scene.guild.kick(zoe.id)
    yan = await newcomer(scene, "yan")
    await door.until_said(f"{yan.mention} Come in.")
    await asyncio.sleep(LONGER)
    assert len(await door.messages()) == 1


async def test_who_comes_again_is_greeted_once(scene: OnDiscord, door: Channel):
    zoe = await newcomer(scene)
    await scene.guild.kick(zoe.id)
    await scene.guild.join(zoe)
    await door.until_said(f"{zoe.mention} Come in.")
    await asyncio.sleep(LONGER)
    assert len(await door.messages()) == 1


async def test_for_a_persona_that_is_gone_main_greets(scene: OnDiscord, door: Channel):
    await scene.storage.casts.remove(workspace(scene), Handle("bram"))
    zoe = await newcomer(scene)
    await door.until_said(f"{zoe.mention} Come in.", name="Coterie")


async def test_in_a_channel_that_is_gone_nobody_greets_and_the_log_says_so(scene: OnDiscord, door: Channel):
    before = await scene.lines()
    await door.delete()
    await newcomer(scene)
    await asyncio.sleep(LONGER)
    ((what, error),) = scene.problems
    assert ("welcome" in what, "is gone" in str(error)) == (True, True)
    assert await scene.lines() == before
    scene.problems.clear()


class Drawn:
    """Chance that draws what is written down, and from what it was asked to."""

    def __init__(self, *numbers):
        self.numbers, self.asked = list(numbers), []

    def between(self, least, most):
        self.asked.append((least, most))
        return self.numbers.pop(0)


async def test_random_draws_one_of_the_cast_for_each_who_joins(sqlite_url, tmp_path):
    chance = Drawn(2, 0)
    async with (
        serving() as loopback,
        at_home(sqlite_url, tmp_path) as storage,
        on_discord(storage, loopback, tmp_path, chance=chance) as scene,
    ):
        offered = await (await scene.ann.autocomplete(scene.general, SET, "persona", "r", channel=scene.general.id)).choices()
        assert offered == ["*", "bram", "wren"]
        assert "by anybody of the cast" in await told(scene, SET, channel=scene.general.id, persona="*", prompt="{{say: Come in.}}")
        for name, greeter in (("zoe", "Wren"), ("yan", "Coterie")):
            person = await newcomer(scene, name)
            await scene.general.until_said(f"{person.mention} Come in.", name=greeter)
        assert chance.asked == [(0, 2), (0, 2)]


async def test_what_is_removed_greets_nobody(scene: OnDiscord, door: Channel):
    version = (await scene.storage.casts.cast(workspace(scene))).version
    assert "not welcomed any more" in await told(scene, REMOVE)
    assert "anyway" in await told(scene, REMOVE)
    await scene.storage.casts.check(workspace(scene))
    assert (await scene.storage.casts.cast(workspace(scene))).version > version
    await newcomer(scene)
    await asyncio.sleep(LONGER)
    assert await door.messages() == []


async def test_where_the_bot_may_not_write_nobody_is_to_greet(scene: OnDiscord):
    await scene.guild.allow_bot("view_channel", "manage_webhooks")
    await scene.general.set_overwrite(deny=["send_messages"])
    assert "I may not write in" in await told(scene, SET, channel=scene.general.id, persona="bram")
    assert await scene.storage.welcomes.welcome(workspace(scene)) is None


async def test_without_the_intent_everything_else_works_and_the_command_says_what_is_missing(sqlite_url, tmp_path):
    async with serving() as loopback, at_home(sqlite_url, tmp_path) as storage:
        guild = await loopback.guild()
        deaf = await loopback.create_application("Deaf", intents=["message_content"], guild=guild.id)
        async with on_discord(storage, loopback, tmp_path, bot=deaf) as scene:
            assert DEAF in await told(scene, SET, channel=scene.general.id, persona="bram")
            await newcomer(scene)
            await scene.ann.write(scene.general, "wren? {{say: I am here.}}")
            await scene.general.until_said("I am here.", name="Wren")
        # From now on the log says it too.
        async with on_discord(storage, loopback, tmp_path, bot=deaf) as scene:
            ((_, error),) = scene.problems
            assert str(error) == DEAF
            scene.problems.clear()


async def test_of_a_crowd_not_everybody_is_greeted(scene: OnDiscord, door: Channel):
    people = [await newcomer(scene, f"bot{number}", pending=True) for number in range(MOST_AWAITED)]
    await newcomer(scene, "zoe")
    await asyncio.sleep(LONGER)
    assert await door.messages() == []
    await scene.guild.kick(people[0].id)
    yan = await newcomer(scene, "yan")
    await door.until_said(f"{yan.mention} Come in.")


async def test_what_is_kept_of_it(storage, elsewhere):
    guild = WorkspaceId("discord:1")
    assert await storage.welcomes.welcome(guild) is None
    assert not await storage.welcomes.is_any()
    bram = (await storage.casts.create(guild, PersonaDraft(replace((await storage.casts.cast(guild)).personas[1].content, name="Ben")))).id
    for welcome in (Welcome(PlaceId("10"), bram, "Be brief."), Welcome(PlaceId("11"))):
        await storage.welcomes.set(guild, welcome)
        assert await elsewhere.welcomes.welcome(guild) == welcome
    assert await storage.welcomes.is_any()
    await storage.welcomes.set(guild, Welcome(PlaceId("10"), bram))
    await storage.casts.remove(guild, Handle("ben"))
    # A persona that is gone is no reason to draw lots.
    assert await elsewhere.welcomes.welcome(guild) == Welcome(PlaceId("10"), PersonaId(bram))
    assert await storage.welcomes.set(guild, None)
    assert not await storage.welcomes.set(guild, None)
