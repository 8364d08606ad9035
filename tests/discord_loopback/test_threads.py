"""Threads of every kind, as discord.py meets them; and who may do what in them."""

import discord
import pytest

from discord_loopback.client import Channel, Guild, Loopback, Person
from fakes.loopback_bots import Bot


def text(bot: Bot, channel: Channel) -> discord.TextChannel:
    found = bot.get_channel(int(channel.id))
    assert isinstance(found, discord.TextChannel)
    return found


async def test_a_thread_at_a_message(bot: Bot, general: Channel, ann: Person):
    written = await ann.write(general, "a matter")
    thread = await ann.begin_thread(general, "matter", at=written)
    assert thread.id == written.id
    heard = await bot.hears("thread_create")
    assert (heard.id, heard.parent.name, heard.owner.name) == (int(written.id), "general", "ann")
    await ann.write(thread, "inside")
    heard_there = await bot.hears("message")
    while heard_there.content != "inside":
        heard_there = await bot.hears("message")
    await heard_there.channel.send("answer")
    assert [one.content for one in await thread.messages()] == ["", "inside", "answer"]
    starter = (await general.messages())[0]
    assert starter.raw["thread"]["id"] == thread.id
    assert {member.id for member in await heard.fetch_members()} >= {int(ann.id)}


async def test_the_bot_begins_threads_and_posts(bot: Bot, general: Channel, guild: Guild):
    channel = text(bot, general)
    sent = await channel.send("here")
    at = await sent.create_thread(name="at a message")
    await guild.grant("create_private_threads")
    private = await channel.create_thread(name="private", type=discord.ChannelType.private_thread)
    alone = await channel.create_thread(name="alone", type=discord.ChannelType.public_thread)
    forum = bot.get_channel(int((await guild.channel("questions")).id))
    assert isinstance(forum, discord.ForumChannel)
    post = await forum.create_thread(name="post", content="first", applied_tags=[forum.available_tags[0]])
    assert post.thread.id == post.message.id
    assert {one.name for one in await bot.guilds[0].active_threads()} == {"at a message", "private", "alone", "post"}
    assert [one.is_system for one in await general.messages()] == [False, True]
    await alone.edit(archived=True, locked=False)
    assert [one.name async for one in channel.archived_threads()] == ["alone"]
    await at.leave()
    await at.join()
    await private.delete()
    assert {one.name for one in await bot.guilds[0].active_threads()} == {"at a message", "post"}


async def test_a_private_thread_is_seen_by_who_is_in_it(bot: Bot, loopback: Loopback, general: Channel, ann: Person, guild: Guild):
    await guild.allow_bot("view_channel")
    thread = await ann.begin_thread(general, "secret", private=True)
    with pytest.raises(discord.Forbidden) as unseen:
        await bot.fetch_channel(int(thread.id))
    assert unseen.value.code == 50001
    application = await loopback.application()
    await ann.enter_thread(thread, who=application.id)
    assert (await bot.hears("thread_join")).id == int(thread.id)
    await ann.write(thread, "psst")
    assert (await bot.hears("message")).content == "psst"


async def test_archived_and_locked_threads(bot: Bot, general: Channel, ann: Person, guild: Guild):
    await guild.revoke("manage_threads")
    thread = await ann.begin_thread(general, "old")
    seen = await bot.hears("thread_create")
    sent = await seen.send("before")
    await thread.set_thread(archived=True)
    for what in (sent.edit(content="x"), sent.add_reaction("👍")):
        with pytest.raises(discord.HTTPException) as archived:
            await what
        assert archived.value.code == 50083
    await seen.send("a message brings it back")
    await thread.set_thread(locked=True)
    with pytest.raises(discord.HTTPException) as locked:
        await seen.send("locked")
    assert locked.value.code == 160005


async def test_announcement_threads(bot: Bot, guild: Guild, ann: Person):
    news = await guild.channel("news")
    thread = await ann.begin_thread(news, "on the news", at=await ann.write(news, "Extra"))
    heard = await bot.hears("thread_create")
    assert (heard.type, heard.id) == (discord.ChannelType.news_thread, int(thread.id))


async def test_channels_come_and_go(bot: Bot, guild: Guild):
    made = await guild.create_channel("new", topic="t")
    assert (await bot.hears("guild_channel_create")).name == "new"
    await made.rename("newer")
    assert (await bot.hears("guild_channel_update"))[1].name == "newer"
    await made.delete()
    assert (await bot.hears("guild_channel_delete")).name == "newer"
    with pytest.raises(discord.NotFound) as gone:
        await bot.fetch_channel(int(made.id))
    assert gone.value.code == 10003
    await guild.grant("manage_channels", "manage_roles")
    own = await bot.guilds[0].create_text_channel(
        "own", overwrites={bot.guilds[0].default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    assert not own.permissions_for(bot.guilds[0].default_role).send_messages
    role = await bot.guilds[0].create_role(name="Made", mentionable=True)
    await bot.guilds[0].get_member(int((await guild.state())["owner_id"])).add_roles(role)
    await role.delete()
    await own.delete()


async def test_the_bots_look_in_a_guild(bot: Bot, loopback: Loopback, guild: Guild):
    me = bot.guilds[0].me
    face = await bot.http.get_from_cdn(f"{loopback.url}/cdn/embed/avatars/2.png")
    await bot.http.request(
        discord.http.Route("PATCH", "/guilds/{guild_id}/members/@me", guild_id=guild.id),
        json={"nick": "Odile", "avatar": discord.utils._bytes_to_base64_data(face)},
    )
    _, after = await bot.hears("member_update")
    assert (after.nick, await after.guild_avatar.read()) == ("Odile", face)
    await guild.revoke("change_nickname")
    with pytest.raises(discord.Forbidden):
        await me.edit(nick="x")
