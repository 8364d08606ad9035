"""Slash commands, menus, components and modals, answered by unmodified discord.py."""

import asyncio

import discord
import pytest
from discord import app_commands

from discord_loopback.client import Channel, Loopback, OperationFailed, Person, file
from fakes.loopback_bots import Bot


class Wish(discord.ui.Modal, title="A wish"):
    what = discord.ui.Label(text="What", component=discord.ui.TextInput(custom_id="what", max_length=20))
    size = discord.ui.Label(
        text="Size", component=discord.ui.Select(custom_id="size", options=[discord.SelectOption(label=one) for one in ("small", "big")])
    )
    who = discord.ui.Label(text="For", component=discord.ui.UserSelect(custom_id="who", required=False, min_values=0))
    files = discord.ui.Label(
        text="Pictures", component=discord.ui.FileUpload(custom_id="files", required=False, min_values=0, max_values=3)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        what, size, who, files = (one.component for one in (self.what, self.size, self.who, self.files))
        assert isinstance(what, discord.ui.TextInput)
        assert isinstance(size, discord.ui.Select)
        assert isinstance(who, discord.ui.UserSelect)
        assert isinstance(files, discord.ui.FileUpload)
        read = [await one.read() for one in files.values]
        await interaction.response.send_message(f"{what.value} {size.values} {[one.name for one in who.values]} {read}", ephemeral=True)


class Choose(discord.ui.View):
    @discord.ui.button(label="Press", custom_id="press")
    async def press(self, interaction: discord.Interaction, _: discord.ui.Button) -> None:
        await interaction.response.edit_message(content="pressed", view=None)

    @discord.ui.select(cls=discord.ui.ChannelSelect, custom_id="where")
    async def where(self, interaction: discord.Interaction, chosen: discord.ui.ChannelSelect) -> None:
        await interaction.response.defer()
        await interaction.followup.send(f"chose {chosen.values[0].name}")


@pytest.fixture
async def commands(bot: Bot, loopback: Loopback) -> Bot:
    personas = app_commands.Group(name="persona", description="Personas")

    @personas.command(name="show", description="Show one")
    @app_commands.describe(name="Which", times="How often", who="For whom", picture="A picture")
    @app_commands.choices(times=[app_commands.Choice(name="once", value=1)])
    async def show(
        interaction: discord.Interaction,
        name: str,
        times: int = 1,
        who: discord.Member | None = None,
        picture: discord.Attachment | None = None,
    ) -> None:
        read = await picture.read() if picture else b""
        await interaction.response.send_message(f"{name} {times} {who} {read!r}")

    @show.autocomplete("name")
    async def names(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=one, value=one) for one in ("Bram", "Wren") if one.lower().startswith(typed)]

    @bot.tree.command(description="Think first")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.edit_original_response(content="thought")
        more = await interaction.followup.send("more", wait=True)
        await more.edit(content="even more")

    @bot.tree.command(description="Ask")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Wish())

    @bot.tree.command(description="Choose")
    async def choose(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("choose", view=Choose())

    @bot.tree.context_menu(name="Why")
    async def why(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"because of {message.content}", ephemeral=True)

    @bot.tree.context_menu(name="Who")
    async def who(interaction: discord.Interaction, user: discord.Member) -> None:
        await interaction.response.send_message(f"{user.display_name}")

    @bot.tree.command(description="Late")
    async def late(interaction: discord.Interaction) -> None:
        await loopback.switch(answer_within=0.0)
        with pytest.raises(discord.NotFound) as gone:
            await interaction.response.send_message("too late")
        assert gone.value.code == 10062
        bot.dispatch("refused")

    @bot.tree.command(description="Twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        again = interaction.client.http
        route = discord.http.Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback")
        with pytest.raises(discord.HTTPException) as refused:
            await again.request(route, json={"type": 5})
        assert refused.value.code == 40060
        bot.dispatch("refused")

    bot.tree.add_command(personas)
    await bot.tree.sync()
    return bot


async def test_a_command_with_options_of_every_kind(commands: Bot, general: Channel, ann: Person):
    used = await ann.slash(general, "persona show", name="Bram", times=1, who=ann.id, picture=file("a.png", b"xyz"))
    answer = await used.message()
    assert answer.content == "Bram 1 ann b'xyz'"
    assert answer.raw["interaction_metadata"]["user"]["id"] == ann.id
    typed = await ann.autocomplete(general, "persona show", "name", "w")
    assert await typed.choices() == ["Wren"]


async def test_a_command_is_checked_before_it_is_sent(commands: Bot, general: Channel, ann: Person):
    for command, options, sentence in [
        ("persona show", {}, "needs the option “name”"),
        ("persona show", {"name": "x", "times": 5}, "must be one of 1"),
        ("persona", {}, "needs one of its subcommands: show"),
        ("nothing", {}, "There is no command “nothing”"),
        ("think", {"x": 1}, "has no option “x”"),
    ]:
        with pytest.raises(OperationFailed, match=sentence):
            await ann.slash(general, command, **options)


async def test_a_deferred_answer_that_one_person_sees(commands: Bot, general: Channel, ann: Person):
    used = await ann.slash(general, "think")
    await general.until(lambda messages: [one.content for one in messages] == ["thought", "even more"], eyes_of=ann.id)
    assert (await used.message()).is_ephemeral
    assert [one.content for one in await general.messages()] == ["even more"]


async def test_a_modal_with_selects_and_files(commands: Bot, general: Channel, ann: Person):
    used = await ann.slash(general, "ask")
    assert (await used.modal())["title"] == "A wish"
    with pytest.raises(OperationFailed, match="“what” takes 0 to 20 characters"):
        await used.submit(what="x" * 21, size=["big"])
    with pytest.raises(OperationFailed, match="has no option “huge”"):
        await used.submit(what="tea", size=["huge"])
    sent = await used.submit(what="tea", size=["big"], who=[ann.id], files=[file("a.txt", b"1"), file("b.txt", b"2")])
    assert (await sent.message()).content == "tea ['big'] ['ann'] [b'1', b'2']"


async def test_buttons_and_selects(commands: Bot, general: Channel, ann: Person):
    shown = await (await ann.slash(general, "choose")).message()
    await ann.select(shown, "where", general.id)
    assert await general.until_said("chose general")
    await ann.press(shown, "Press")
    assert (await general.until_said("pressed")).components == []
    with pytest.raises(OperationFailed, match="no button or select “press”"):
        await ann.press(shown, "press")


async def test_context_menus(commands: Bot, general: Channel, ann: Person):
    written = await ann.write(general, "this")
    assert (await (await ann.menu(written, "Why")).message()).content == "because of this"
    assert (await (await ann.user_menu(general, ann.id, "Who")).message()).content == "Ann"


async def test_late_and_second_answers_are_refused(commands: Bot, general: Channel, ann: Person):
    await ann.slash(general, "twice")
    await commands.hears("refused")
    await ann.slash(general, "late")
    await commands.hears("refused")


async def test_commands_that_are_not_for_everyone(bot: Bot, general: Channel, ann: Person, loopback: Loopback):
    @bot.tree.command(description="For who may manage messages", guild=bot.guilds[0])
    @app_commands.default_permissions(manage_messages=True)
    async def tidy(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("tidied")

    await bot.tree.sync(guild=bot.guilds[0])
    ben = await loopback.person("ben")
    assert [one["name"] for one in await ann.commands(general)] == ["tidy"]
    assert await ben.commands(general) == []
    assert await asyncio.gather(bot.tree.fetch_commands(), bot.tree.fetch_commands(guild=bot.guilds[0])) != [[], []]


async def test_a_command_whose_name_discord_refuses(bot: Bot):
    with pytest.raises(discord.HTTPException) as refused:
        await bot.http.upsert_global_command(bot.application_id, {"name": "Not Lower", "description": "x", "type": 1})
    assert (refused.value.code, "name" in str(refused.value)) == (50035, True)
