"""discord.py, unmodified, reads and writes messages."""

import discord
import pytest

from discord_loopback.client import Channel, Guild, Loopback, Person, file
from fakes.loopback_bots import Bot, running


def place(bot: Bot, channel: Channel) -> discord.TextChannel:
    found = bot.get_channel(int(channel.id))
    assert isinstance(found, discord.TextChannel)
    return found


async def test_a_person_writes_and_the_bot_answers_with_everything(bot: Bot, general: Channel, ann: Person):
    assert bot.user is not None
    written = await ann.write(general, f"hello <@{bot.user.id}>", files=[file("a.txt", b"abc")])
    heard = await bot.hears("message")
    assert (heard.content, heard.author.name, heard.author.display_name) == (f"hello <@{bot.user.id}>", "ann", "Ann")
    assert heard.mentions == [heard.guild.me]
    assert await heard.attachments[0].read() == b"abc"

    embed = (
        discord.Embed(title="Title", description="Text", colour=0x123456).add_field(name="n", value="v").set_image(url="attachment://b.png")
    )
    await heard.reply("answer", embed=embed, file=discord.File(__file__, "b.png"))
    said = await general.until_said("answer", name="Coterie")
    assert said.replies_to == written.id
    assert said.mentions == [ann.id]
    assert said.embeds[0]["image"]["url"] == said.attachments[0]["url"]
    echo = await bot.hears("message")
    assert echo.reference.resolved.content == written.content


async def test_edits_deletions_and_reactions_reach_both_sides(bot: Bot, general: Channel, ann: Person):
    sent = await place(bot, general).send("one")
    await sent.edit(content="two")
    assert (await general.messages())[-1].is_edited
    await sent.add_reaction("👍")
    emoji = bot.guilds[0].emojis[0]
    await sent.add_reaction(emoji)
    assert (await general.messages())[-1].reactions == {"👍": 1, emoji.name: 1}
    await sent.pin()
    assert [pinned.id async for pinned in place(bot, general).pins()] == [sent.id]
    await ann.react((await general.messages())[-1], "👍")
    payload = await bot.hears("raw_reaction_add")
    while payload.user_id != int(ann.id):
        payload = await bot.hears("raw_reaction_add")
    assert [user.name async for user in (await sent.channel.fetch_message(sent.id)).reactions[0].users()] == ["Coterie", "ann"]
    await sent.delete()
    assert await general.messages() == []

    theirs = await ann.write(general, "typo")
    await ann.edit(theirs, "fixed")
    assert (await bot.hears("raw_message_edit")).data["content"] in ("two", "typo", "fixed")
    await ann.delete(theirs)
    deleted = await bot.hears("raw_message_delete")
    while deleted.message_id != int(theirs.id):
        deleted = await bot.hears("raw_message_delete")


async def test_history_is_paged_from_either_end(bot: Bot, general: Channel, ann: Person):
    await ann.write_many(general, [str(number) for number in range(250)])
    channel = place(bot, general)
    newest = [message.content async for message in channel.history(limit=120)]
    assert newest == [str(number) for number in range(249, 129, -1)]
    middle = (await general.messages(limit=250))[100]
    around = [message.content async for message in channel.history(around=discord.Object(int(middle.id)), limit=5)]
    assert sorted(around) == ["100", "101", "102", "98", "99"]
    after = [message.content async for message in channel.history(after=discord.Object(int(middle.id)), limit=3, oldest_first=True)]
    assert after == ["101", "102", "103"]
    purged = await channel.purge(limit=150)
    assert len(purged) == 150
    assert len(await general.messages(limit=250)) == 100


async def test_stickers_forwards_and_direct_messages(bot: Bot, general: Channel, ann: Person, guild: Guild):
    sticker = bot.guilds[0].stickers[0]
    written = await ann.write(general, stickers=[str(sticker.id)])
    heard = await bot.hears("message")
    assert [one.name for one in heard.stickers] == ["Wave"]
    await place(bot, general).send(stickers=[sticker])
    assert (await general.messages())[-1].stickers == ["Wave"]
    library = await guild.channel("library")
    await ann.write(general, "to be sent on")
    await ann.forward((await general.messages())[-1], library)
    forwarded = await bot.hears("message")
    while not forwarded.message_snapshots:
        forwarded = await bot.hears("message")
    assert forwarded.message_snapshots[0].content == "to be sent on"
    assert written.stickers == ["Wave"]

    assert bot.user is not None
    direct = await ann.direct(str(bot.user.id))
    await ann.write(direct, "in private")
    private = await bot.hears("message")
    assert private.guild is None
    await private.channel.send("yes?")
    assert (await direct.until_said("yes?")).name == "Coterie"
    await (await bot.fetch_user(int(ann.id))).send("again")
    assert (await direct.until_said("again")).name == "Coterie"


async def test_typing_is_heard_on_both_sides(bot: Bot, loopback: Loopback, general: Channel, ann: Person):
    await ann.type(general)
    _, user, _ = await bot.hears("typing")
    assert user.name == "ann"
    async with place(bot, general).typing():
        pass
    assert len(await loopback.requests("POST", "/channels/{channel}/typing")) == 1


@pytest.mark.parametrize(
    ("sent", "code", "where"),
    [
        ({"content": "x" * 2001}, 50035, "content"),
        ({"content": ""}, 50006, ""),
        ({"embeds": [discord.Embed(description="x" * 4000), discord.Embed(description="x" * 2001)]}, 50035, "embeds"),
        ({"embeds": [discord.Embed(title="x" * 257)]}, 50035, "title"),
        ({"content": "x", "nonce": "x" * 26}, 50035, "nonce"),
    ],
)
async def test_what_discord_refuses_is_refused_with_its_code(bot: Bot, general: Channel, sent: dict[str, object], code: int, where: str):
    with pytest.raises(discord.HTTPException) as refused:
        await place(bot, general).send(**sent)
    assert refused.value.code == code
    assert where in str(refused.value)
    assert await general.messages() == []


async def test_without_embed_links_an_embed_alone_is_refused_and_one_beside_words_is_left_out(bot: Bot, general: Channel, guild: Guild):
    await guild.revoke("embed_links")
    embed = discord.Embed(title="Title")
    with pytest.raises(discord.Forbidden) as refused:
        await place(bot, general).send(embed=embed)
    assert refused.value.code == 50013
    assert await general.messages() == []
    sent = await place(bot, general).send("words", embed=embed)
    assert (sent.content, sent.embeds) == ("words", [])
    assert (await sent.edit(content="others", embed=embed)).embeds == []
    assert [(said.content, said.embeds) for said in await general.messages()] == [("others", [])]


async def test_a_file_that_is_too_big_is_refused(bot: Bot, loopback: Loopback, general: Channel, tmp_path):
    await loopback.switch(file_limit=1000)
    big = tmp_path / "big.bin"
    big.write_bytes(bytes(1001))
    with pytest.raises(discord.HTTPException) as refused:
        await place(bot, general).send(file=discord.File(big))
    assert (refused.value.status, refused.value.code) == (413, 40005)


async def test_mentions_ping_only_whom_they_may(bot: Bot, general: Channel, ann: Person, guild: Guild):
    channel = place(bot, general)
    role = discord.utils.get(bot.guilds[0].roles, name="Readers")
    assert role is not None
    text = f"{ann.mention} {role.mention} @everyone"
    everyone = await channel.send(text)
    assert (len(everyone.mentions), everyone.role_mentions, everyone.mention_everyone) == (1, [role], True)
    quiet = await channel.send(text, allowed_mentions=discord.AllowedMentions(users=True, everyone=False, roles=False))
    assert (len(quiet.mentions), quiet.role_mentions, quiet.mention_everyone) == (1, [], False)
    await guild.revoke("mention_everyone")
    unable = await channel.send(text)
    assert (len(unable.mentions), unable.role_mentions, unable.mention_everyone) == (1, [role], False)


async def test_history_without_the_content_intent_is_as_empty_as_events(loopback: Loopback, general: Channel, ann: Person):
    plain = await loopback.create_application("Plain", intents=[], guild=(await loopback.guild()).id)
    await ann.write(general, "secret")
    await ann.write(general, f"for <@{plain.id}>")
    async with running(loopback, Bot(discord.Intents(guilds=True, guild_messages=True)), token=plain.token) as bot:
        await place(bot, general).send("own")
        read = [one.content async for one in place(bot, general).history()]
    assert read == ["own", f"for <@{plain.id}>", ""]
