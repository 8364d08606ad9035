"""Who may call whom in a server of Discord, where and how often: set by commands as those who manage it would, and met by members."""

import pytest

from coterie.domain.access import Spotlight
from coterie.domain.ids import PersonaId, PlaceId, UserId
from discord_loopback.client import Person
from platforms.discord.sprite_scenes import workspace_of
from platforms.discord.stage_scenes import OnDiscord, answer


@pytest.fixture
async def ben(scene: OnDiscord) -> Person:
    """A member who manages nothing."""
    return await scene.loopback.person("ben")


async def persona(scene: OnDiscord, handle: str) -> PersonaId:
    return (await scene.storage.casts.cast(workspace_of(scene))).by_handle(handle).id


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
