"""The same scenes over this server and over SimCord, which other people wrote: equal, or different for a reason that is named."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
import simcord

from discord_loopback.client import Loopback
from fakes.loopback_bots import Bot, running

Scene = Callable[[Bot, discord.TextChannel], Awaitable[Any]]


async def code(doing: Awaitable[Any]) -> Any:
    """Discord's code of a refusal; nothing if it was none."""
    try:
        await doing
    except discord.HTTPException as refused:
        return refused.code
    return None


def seen(message: discord.Message) -> list[Any]:
    return [message.content, len(message.embeds), len(message.attachments), message.type.name, bool(message.webhook_id), message.author.bot]


async def send(_: Bot, channel: discord.TextChannel) -> Any:
    sent = await channel.send("x", embed=discord.Embed(title="t"), file=discord.File(__file__))
    return seen(sent), seen(await channel.fetch_message(sent.id))


async def reply(_: Bot, channel: discord.TextChannel) -> Any:
    first = await channel.send("one")
    second = await first.reply("two")
    found = second.reference.resolved if second.reference else None
    return seen(second), found.content if isinstance(found, discord.Message) else None


async def reply_to_nothing(_: Bot, channel: discord.TextChannel) -> Any:
    sent = await channel.send("gone")
    await sent.delete()
    return await code(sent.reply("x"))


async def edit(_: Bot, channel: discord.TextChannel) -> Any:
    sent = await channel.send("one")
    edited = await sent.edit(content="two", embed=discord.Embed(title="t"))
    return seen(edited), edited.edited_at is not None


async def too_long(_: Bot, channel: discord.TextChannel) -> Any:
    return (
        await code(channel.send("x" * 2001)),
        await code(channel.send("")),
        await code(channel.send(embed=discord.Embed(title="x" * 257))),
    )


async def unknown(bot: Bot, channel: discord.TextChannel) -> Any:
    return (
        await code(channel.fetch_message(1)),
        await code(bot.fetch_channel(1)),
        await code(bot.fetch_user(1)),
        await code(bot.fetch_guild(1)),
    )


async def history(_: Bot, channel: discord.TextChannel) -> Any:
    for number in range(5):
        await channel.send(str(number))
    newest = [one.content async for one in channel.history(limit=3)]
    oldest = [one.content async for one in channel.history(limit=2, oldest_first=True)]
    return newest, oldest


async def bulk(_: Bot, channel: discord.TextChannel) -> Any:
    sent = [await channel.send("x") for _ in range(3)]
    await channel.delete_messages(sent[:2])
    return [one.id == sent[2].id async for one in channel.history()]


async def reactions(_: Bot, channel: discord.TextChannel) -> Any:
    sent = await channel.send("x")
    await sent.add_reaction("👍")
    found = (await channel.fetch_message(sent.id)).reactions
    await sent.clear_reactions()
    return [(one.emoji, one.count, one.me) for one in found], (await channel.fetch_message(sent.id)).reactions


async def pins(_: Bot, channel: discord.TextChannel) -> Any:
    sent = await channel.send("x")
    await sent.pin()
    pinned = [one.content async for one in channel.pins()]
    await sent.unpin()
    return pinned, [one.content async for one in channel.pins()]


async def webhook(_: Bot, channel: discord.TextChannel) -> Any:
    hook = await channel.create_webhook(name="Coterie")
    sent = await hook.send("x", username="Bram", wait=True)
    await sent.edit(content="y")
    found = await hook.fetch_message(sent.id)
    await sent.delete()
    return seen(found), found.author.name, await code(hook.fetch_message(sent.id))


async def webhook_gone(_: Bot, channel: discord.TextChannel) -> Any:
    hook = await channel.create_webhook(name="Coterie")
    await hook.delete()
    return await code(hook.send("x"))


async def webhook_application(_: Bot, channel: discord.TextChannel) -> Any:
    hook = await channel.create_webhook(name="Coterie")
    sent = await hook.send("x", wait=True)
    return sent.application_id is not None


async def webhook_names(_: Bot, channel: discord.TextChannel) -> Any:
    hook = await channel.create_webhook(name="Coterie")
    return (
        await code(channel.create_webhook(name="My Clyde")),
        await code(hook.send("x", username="x" * 81)),
        await code(hook.send("x", username="Discord")),
    )


async def webhook_cap(_: Bot, channel: discord.TextChannel) -> Any:
    return [await code(channel.create_webhook(name=str(number))) for number in range(16)][-1]


async def threads(_: Bot, channel: discord.TextChannel) -> Any:
    sent = await channel.send("x")
    thread = await sent.create_thread(name="t")
    said = await thread.send("inside")
    again = await code(sent.create_thread(name="again"))
    await thread.edit(archived=True)
    return thread.id == sent.id, seen(said), again, [one.name async for one in channel.archived_threads()]


async def mentions(bot: Bot, channel: discord.TextChannel) -> Any:
    assert bot.user is not None
    loud = await channel.send(f"{bot.user.mention} @everyone")
    quiet = await channel.send(f"{bot.user.mention} @everyone", allowed_mentions=discord.AllowedMentions.none())
    return [(len(one.mentions), one.mention_everyone) for one in (loud, quiet)]


async def commands(bot: Bot, _: discord.TextChannel) -> Any:
    async def callback(interaction: discord.Interaction, name: str, times: int = 1) -> None: ...

    bot.tree.add_command(discord.app_commands.Command(name="show", description="Show", callback=callback))
    first = await bot.tree.sync()
    second = await bot.tree.sync()
    return [one.name for one in first], [one.id for one in first] == [one.id for one in second], [one.name for one in second[0].options]


SCENES: tuple[Scene, ...] = (
    send,
    reply,
    reply_to_nothing,
    edit,
    too_long,
    unknown,
    history,
    bulk,
    reactions,
    pins,
    webhook,
    webhook_gone,
    webhook_application,
    webhook_names,
    webhook_cap,
    threads,
    mentions,
    commands,
)

DIFFERENCES: dict[Scene, str] = {
    reply_to_nothing: "Discord refuses a reply to what is gone unless fail_if_not_exists is false (docs, Message); SimCord sends it.",
    too_long: "Discord's code for a message with nothing in it is 50006 (docs, JSON error codes); SimCord answers 50035.",
    threads: "Discord refuses a second thread at one message with 160004 (docs, JSON error codes); SimCord makes another.",
    mentions: "A mention that is not allowed pings nobody, so it is not among the mentions; SimCord lists whoever the text names.",
    webhook_application: "Discord sets application_id on messages of an application's webhook (docs, Message); SimCord does not.",
    webhook_names: "Discord refuses such names and more than 80 characters with 50035; SimCord checks none.",
    webhook_cap: "Discord takes 15 webhooks per channel and refuses more with 30007; SimCord has no cap.",
}
"""Where the two differ, and why ours is as it is."""


@asynccontextmanager
async def other(bot: Bot) -> AsyncIterator[discord.TextChannel]:
    async with simcord.run(bot) as env:
        made = env.create_guild().create_text_channel("general")
        found = bot.get_channel(made.id)
        assert isinstance(found, discord.TextChannel)
        yield found


async def played_there(scene: Scene) -> Any:
    bot = Bot()
    async with other(bot) as channel:
        return await scene(bot, channel)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_the_same_scene_on_both(loopback: Loopback, scene: Scene):
    bot = Bot()
    # In a task of its own: SimCord leaves its webhook client in the context.
    there = await asyncio.create_task(played_there(scene))
    guild = await loopback.guild()
    await guild.allow_bot("administrator")
    async with running(loopback, bot):
        found = bot.get_channel(int((await guild.channel("general")).id))
        assert isinstance(found, discord.TextChannel)
        here = await scene(bot, found)
    assert (here != there) == (scene in DIFFERENCES), (here, there)


# What a person does: commands, menus, buttons, modals.


class Wish(discord.ui.Modal, title="A wish"):
    what = discord.ui.Label(text="What", component=discord.ui.TextInput(custom_id="what"))
    size = discord.ui.Label(
        text="Size", component=discord.ui.Select(custom_id="size", options=[discord.SelectOption(label=one) for one in ("small", "big")])
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        what, size = self.what.component, self.size.component
        assert isinstance(what, discord.ui.TextInput)
        assert isinstance(size, discord.ui.Select)
        await interaction.response.send_message(f"{what.value} {size.values}", ephemeral=True)


class Press(discord.ui.View):
    @discord.ui.button(label="Press", custom_id="press")
    async def press(self, interaction: discord.Interaction, _: discord.ui.Button) -> None:
        await interaction.response.edit_message(content="pressed", view=None)


async def register(bot: Bot) -> None:
    @bot.tree.command(description="Show")
    async def show(interaction: discord.Interaction, name: str, times: int = 1) -> None:
        await interaction.response.send_message(f"{name} {times}", view=Press())

    @show.autocomplete("name")
    async def names(interaction: discord.Interaction, typed: str) -> list[discord.app_commands.Choice[str]]:
        return [discord.app_commands.Choice(name=one, value=one) for one in ("Bram", "Wren") if one.lower().startswith(typed)]

    @bot.tree.command(description="Think")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send("thought")

    @bot.tree.command(description="Ask")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Wish())

    @bot.tree.context_menu(name="Why")
    async def why(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"because of {message.content}")

    await bot.tree.sync()


async def used_there() -> dict[str, Any]:
    bot = Bot()
    async with simcord.run(bot) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("general")
        ann = guild.add_member(env.create_user("ann"))
        await register(bot)
        shown = await ann.slash(channel, "show", name="Bram", times=2)
        found = {
            "slash": shown.response.content,
            "complete": [one["value"] for one in await ann.autocomplete(channel, "show", "name", "w")],
        }
        await ann.click(shown.response.message, label="Press")
        thought = await ann.slash(channel, "think")
        written = await ann.send(channel, "this")
        asked = await ann.slash(channel, "ask")
        sent = await ann.submit_modal(asked, {"what": "tea", "size": ["big"]})
        return found | {
            "pressed": shown.response.content,
            "deferred": [*(one.content for one in (thought.response, *thought.followups) if one), thought.ephemeral],
            "menu": (await ann.context_menu(channel, "Why", written)).response.content,
            "modal": (sent.response.content, sent.ephemeral),
        }


async def used_here(loopback: Loopback) -> dict[str, Any]:
    general, ann = await (await loopback.guild()).channel("general"), await loopback.person("ann")
    async with running(loopback, Bot()) as bot:
        await register(bot)
        used = await ann.slash(general, "show", name="Bram", times=2)
        shown = await used.message()
        complete = await (await ann.autocomplete(general, "show", "name", "w")).choices()
        pressed = await (await ann.press(shown, "Press")).message()
        thought = await (await ann.slash(general, "think")).message()
        written = await ann.write(general, "this")
        sent = await (await (await ann.slash(general, "ask")).submit(what="tea", size=["big"])).message()
        return {
            "slash": shown.content,
            "complete": complete,
            "pressed": pressed.content,
            "deferred": [thought.content, thought.is_ephemeral],
            "menu": (await (await ann.menu(written, "Why")).message()).content,
            "modal": (sent.content, sent.is_ephemeral),
        }


async def test_what_a_person_uses_is_answered_alike_on_both(loopback: Loopback):
    there = await asyncio.create_task(used_there())
    assert await used_here(loopback) == there
