"""Webhooks: made, worn, refused, and everything that may happen to one in the middle."""

import discord
import pytest

from discord_loopback.client import Channel, Guild, Loopback, Person
from fakes.loopback_bots import Bot

FACE = "http://127.0.0.1:9/bram.png"


async def hook(bot: Bot, channel: Channel, name: str = "Coterie Multi-Persona") -> discord.Webhook:
    found = bot.get_channel(int(channel.id))
    assert isinstance(found, discord.TextChannel | discord.ForumChannel)
    return await found.create_webhook(name=name)


async def test_one_webhook_wears_many_names(bot: Bot, general: Channel, ann: Person):
    webhook = await hook(bot, general)
    sent = await webhook.send("Hello", username="Bram", avatar_url=FACE, wait=True, embed=discord.Embed(title="t"))
    await webhook.send("Hi", username="Wren", wait=True)
    assert [(one.name, one.webhook, one.avatar_url) for one in await general.messages()] == [
        ("Bram", str(webhook.id), FACE),
        ("Wren", str(webhook.id), None),
    ]
    echo = await bot.hears("message")
    assert (echo.webhook_id, echo.author.bot, echo.author.discriminator, echo.application_id) == (
        webhook.id,
        True,
        "0000",
        bot.application_id,
    )
    assert not isinstance(echo.author, discord.Member)
    await sent.edit(content="Hello!")
    assert (await general.messages())[0].content == "Hello!"
    assert (await webhook.fetch_message(sent.id)).content == "Hello!"
    await sent.delete()
    assert [one.name for one in await general.messages()] == ["Wren"]


async def test_threads_belong_to_the_parents_webhook(bot: Bot, general: Channel, ann: Person, guild: Guild):
    webhook = await hook(bot, general)
    thread = await ann.begin_thread(general, "aside")
    await thread.set_thread(archived=True)
    await webhook.send("in here", username="Bram", thread=discord.Object(int(thread.id)), wait=True)
    assert (await thread.until_said("in here")).name == "Bram"
    assert not next(one for one in (await guild.state())["channels"] if one["id"] == thread.id)["thread_metadata"]["archived"]
    forum = await guild.channel("questions")
    of_forum = await hook(bot, forum)
    for wanted, code in (({}, 220001), ({"thread": discord.Object(int(thread.id))}, 10003)):
        with pytest.raises(discord.HTTPException) as refused:
            await of_forum.send("lost", **wanted)
        assert refused.value.code == code
    post = await of_forum.send("first", thread_name="A question", wait=True)
    assert post.id == post.channel.id
    with pytest.raises(discord.HTTPException) as refused:
        await webhook.send("x", thread_name="no forum")
    assert refused.value.code == 220003


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x" * 81, "BASE_TYPE_BAD_LENGTH"),
        ("Clyde", "USERNAME_INVALID_CONTAINS"),
        ("my DISCORD", "USERNAME_INVALID_CONTAINS"),
        ("there", "USERNAME_INVALID"),
    ],
)
async def test_names_discord_refuses(bot: Bot, loopback: Loopback, general: Channel, name: str, code: str):
    webhook = await hook(bot, general)
    with pytest.raises(discord.HTTPException) as refused:
        await webhook.send("x", username=name)
    assert refused.value.code == 50035
    (asked,) = await loopback.requests("POST", "/webhooks/{webhook}/{token}")
    assert asked["answer"]["errors"]["username"]["_errors"][0]["code"] == code


async def test_a_webhook_that_was_deleted_or_got_another_token(bot: Bot, general: Channel):
    webhook = await hook(bot, general)
    await general.renew_webhook_tokens()
    with pytest.raises(discord.HTTPException) as refused:
        await webhook.send("x")
    assert (refused.value.status, refused.value.code) == (401, 50027)
    await general.delete_webhooks()
    with pytest.raises(discord.NotFound) as gone:
        await webhook.send("x")
    assert gone.value.code == 10015


async def test_the_cap_and_the_missing_permission(bot: Bot, general: Channel, guild: Guild):
    await general.fill_webhooks()
    with pytest.raises(discord.HTTPException) as full:
        await hook(bot, general)
    assert full.value.code == 30007
    await general.delete_webhooks()
    await guild.revoke("manage_webhooks")
    with pytest.raises(discord.Forbidden) as forbidden:
        await hook(bot, general)
    assert forbidden.value.code == 50013
    await general.set_overwrite(deny=["view_channel"])
    with pytest.raises(discord.Forbidden) as unseen:
        await hook(bot, general)
    assert unseen.value.code == 50001


async def test_tokens_are_for_ones_own_webhooks_alone(bot: Bot, loopback: Loopback, general: Channel):
    other = await loopback.create_application("Other", guild=(await loopback.guild()).id)
    await general.create_webhook("foreign", application=other.id)
    await general.create_webhook("by hand")
    await hook(bot, general)
    channel = bot.get_channel(int(general.id))
    assert isinstance(channel, discord.TextChannel)
    assert {one.name: bool(one.token) for one in await channel.webhooks()} == {
        "foreign": False,
        "by hand": True,
        "Coterie Multi-Persona": True,
    }


async def test_webhooks_ping_users_only_unless_told_otherwise(bot: Bot, general: Channel, ann: Person):
    webhook = await hook(bot, general)
    sent = await webhook.send(f"{ann.mention} @everyone", wait=True)
    assert (len(sent.mentions), sent.mention_everyone) == (1, False)
    silent = await webhook.send(ann.mention, allowed_mentions=discord.AllowedMentions.none(), wait=True)
    assert silent.mentions == []


async def test_the_avatar_of_the_webhook_itself(bot: Bot, loopback: Loopback, general: Channel):
    webhook = await hook(bot, general)
    face = await bot.http.get_from_cdn(f"{loopback.url}/cdn/embed/avatars/1.png")
    await webhook.edit(avatar=face)
    await webhook.send("x", wait=True)
    (shown,) = await general.messages()
    assert shown.avatar is not None
    assert await bot.http.get_from_cdn(f"{loopback.url}/cdn/avatars/{webhook.id}/{shown.avatar}.png?size=128") == face
    with pytest.raises(discord.HTTPException) as refused:
        await bot.http.request(discord.http.Route("PATCH", "/webhooks/{webhook_id}", webhook_id=webhook.id), json={"avatar": "data:,x"})
    assert refused.value.code == 50035
