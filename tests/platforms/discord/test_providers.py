"""Whose account answers: keys that servers and people save with commands on Discord."""

import asyncio

import pytest

from coterie.domain.ids import UserId
from coterie.domain.turns.funding import Entry, person_holder, workspace_holder
from discord_loopback.client import Person
from platforms.discord.sprite_scenes import workspace_of
from platforms.discord.stage_scenes import OnDiscord, answer, everybody_sees


@pytest.fixture
async def ben(scene: OnDiscord) -> Person:
    """A member who manages nothing."""
    return await scene.loopback.person("ben")


async def fill_in(scene: OnDiscord, who: Person, command: str, **fields: str) -> str:
    """Use a command that asks for a key, and fill in its form."""
    used = await who.slash(scene.general, command, provider="openai")
    names = [row["components"][0]["custom_id"] for row in (await used.modal())["components"]]
    sent = await used.submit(**dict(zip(names, (fields.get("key", ""), fields.get("model", "")), strict=True)))
    return (await sent.message()).content


async def test_a_server_saves_a_key_that_nobody_sees_again(scene: OnDiscord):
    told = await fill_in(scene, scene.ann, "provider set", key="sk-1\n sk-2", model="large")
    assert told == "openai is saved; its key is never shown again."
    holder = workspace_holder(workspace_of(scene))
    (kept,) = await scene.storage.accounts.list(holder)
    assert (kept.key, kept.model) == ("sk-1\nsk-2", "large")
    assert await answer(scene.ann, scene.general, "provider list") == "- **openai**: large, with a key"
    # A key that is left out stays.
    await fill_in(scene, scene.ann, "provider set", model="small")
    (kept,) = await scene.storage.accounts.list(holder)
    assert (kept.key, kept.model) == ("sk-1\nsk-2", "small")
    assert await answer(scene.ann, scene.general, "provider remove", provider="openai") == "openai is forgotten."
    assert await answer(scene.ann, scene.general, "provider list") == "No provider is saved."


async def test_a_key_that_is_refused_is_not_kept(scene: OnDiscord):
    assert await fill_in(scene, scene.ann, "provider set", key="bad") == "OpenAI refuses this key."
    assert await fill_in(scene, scene.ann, "provider set", key="ü") == "key takes printable ASCII characters without blanks."
    assert await scene.storage.accounts.list(workspace_holder(workspace_of(scene))) == []
    assert await answer(scene.ann, scene.general, "provider set", provider="nobody") == "There is no such provider; there are openai."


async def test_only_managers_set_what_the_server_has(scene: OnDiscord, ben):
    forbidden = "Only those who may manage this server can do this."
    await everybody_sees(scene, "provider")
    assert await answer(ben, scene.general, "provider set", provider="openai") == forbidden
    assert await answer(ben, scene.general, "provider list") == forbidden


async def test_a_person_brings_a_provider_and_switches_it_off(scene: OnDiscord, ben):
    await fill_in(scene, ben, "personal provider set", key="mine", model="own")
    person = UserId(ben.id)
    assert (await scene.storage.accounts.personal(person)).entry == Entry("openai", "own")
    await ben.write(scene.general, "bram?")
    await scene.general.until_said("ok", name="Bram")
    assert scene.models.asked == ["openai:own"]
    assert await answer(ben, scene.general, "personal provider list") == "- **openai**: own, with a key, answers your messages"
    told = await answer(ben, scene.general, "personal provider use", provider="openai", enabled=False)
    assert told == "openai answers your messages no more."
    assert (await scene.storage.accounts.personal(person)).entry is None
    (kept,) = await scene.storage.accounts.list(person_holder(person))
    assert kept.key == "mine"


async def test_a_subscription_is_chosen_in_place_of_a_key(scene: OnDiscord):
    told = await answer(scene.ann, scene.general, "provider set", provider="OpenAI", subscription=True)
    assert told == "openai is saved; its key is never shown again."
    assert (await scene.storage.accounts.server(workspace_of(scene))).entries == {"openai": Entry("openai", is_subscription=True)}
    assert await answer(scene.ann, scene.general, "provider list") == "- **openai**: by subscription"


async def test_the_narrowest_choice_of_a_model_counts(scene: OnDiscord):
    async def asked(text: str) -> str | None:
        await scene.ann.write(scene.general, text)
        await scene.talk.idle()
        for _ in range(3000):
            if len(scene.models.asked) > before:
                return scene.models.asked[-1]
            await asyncio.sleep(0.01)
        raise AssertionError("nobody was asked")

    for command, expected in (
        ({"model": "embedded:small"}, "embedded:small"),
        ({"model": "scripted:scripted", "scope": "channel"}, "scripted:scripted"),
        ({"model": "embedded:small", "scope": "persona", "persona": "wren"}, "embedded:small"),
        ({"model": "-", "scope": "persona", "persona": "wren"}, "scripted:scripted"),
        ({"model": "-", "scope": "channel"}, "embedded:small"),
        ({"model": "-"}, None),
    ):
        before = len(scene.models.asked)
        told = await answer(scene.ann, scene.general, "model text", **command)
        assert (expected or "the installation's own") in told or told.endswith("as everywhere here")
        assert await asked("wren?") == expected
        await scene.general.until(lambda messages, count=before + 1: sum(one.name == "Wren" for one in messages) >= count)
    assert await answer(scene.ann, scene.general, "model text", model="embedded:small", scope="persona") == "Name the persona it is for."
