"""The page, seen in a real Chromium: what a Discord client would show, and what a person can do there."""

import base64
import re
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from discord import app_commands
from playwright.async_api import Page, expect

from discord_loopback.client import Channel, Guild, Loopback, Person, file
from fakes.loopback_bots import Bot
from fakes.loopback_pages import joined, messages, page_at

pytestmark = pytest.mark.browser


@pytest.fixture
async def page(loopback: Loopback) -> AsyncIterator[Page]:
    async with page_at(loopback.url) as opened:
        yield opened


async def say(page: Page, text: str) -> None:
    await page.get_by_test_id("composer").fill(text)
    await page.keyboard.press("Enter")


async def hook(bot: Bot, channel: Channel) -> discord.Webhook:
    found = bot.get_channel(int(channel.id))
    assert isinstance(found, discord.TextChannel)
    return await found.create_webhook(name="Coterie Multi-Persona")


async def test_one_webhooks_messages_join_by_name_and_face(page: Page, bot: Bot, general: Channel):
    webhook = await hook(bot, general)
    red, blue = "http://127.0.0.1:9/red.png", "http://127.0.0.1:9/blue.png"
    for name, face in [("Bram", red), ("Bram", red), ("Bram", blue), ("Wren", blue), ("Bram\u200b", blue)]:
        await webhook.send("x", username=name, avatar_url=face, wait=True)
    await expect(messages(page)).to_have_count(5)
    assert await joined(page) == ["no", "yes", "no", "no", "no"]
    await expect(page.get_by_test_id("tag").first).to_have_text("BOT")
    assert (await page.locator("img.face").first.evaluate("image => image.naturalWidth")) > 0


async def test_two_webhooks_of_one_name_do_not_join(page: Page, bot: Bot, general: Channel):
    first, second = await hook(bot, general), await hook(bot, general)
    for webhook in (first, first, second):
        await webhook.send("x", username="Bram", wait=True)
    await expect(messages(page)).to_have_count(3)
    assert await joined(page) == ["no", "yes", "no"]


async def test_a_person_writes_replies_edits_reacts_and_deletes(page: Page, bot: Bot, general: Channel, ann: Person):
    await say(page, "hello **there**")
    await expect(messages(page).locator("strong")).to_have_text("there")
    heard = await bot.hears("message")
    async with heard.channel.typing():
        await expect(page.locator("#typing")).to_have_text("Coterie is typing…")
    await heard.reply(f"hi {ann.mention} <script>alert(1)</script>")
    answer = messages(page).nth(1)
    await expect(answer.get_by_test_id("replied")).to_contain_text("Ann: hello there")
    await expect(answer.get_by_test_id("content")).to_have_text("hi @Ann <script>alert(1)</script>")
    await expect(page.locator("#typing")).to_have_text("")
    await answer.hover()
    await answer.get_by_role("button", name="Reply").click()
    await say(page, "a reply")
    await expect(messages(page).nth(2).get_by_test_id("replied")).to_contain_text("Coterie: hi")
    await messages(page).nth(0).hover()
    await messages(page).nth(0).get_by_role("button", name="Edit").click()
    await page.get_by_test_id("answer").fill("changed")
    await page.get_by_test_id("submit").click()
    await expect(messages(page).nth(0)).to_contain_text("changed(edited)")
    await answer.hover()
    await answer.get_by_role("button", name="React").click()
    await page.get_by_role("dialog").get_by_role("button", name="👍").click()
    await expect(answer.locator(".reactions")).to_have_text("👍 1")
    await messages(page).nth(2).hover()
    await messages(page).nth(2).get_by_role("button", name="Delete").click()
    await expect(messages(page)).to_have_count(2)


async def test_threads_embeds_stickers_and_files(page: Page, bot: Bot, general: Channel, ann: Person, tmp_path: Path):
    face = await bot.http.get_from_cdn(f"{page.url}cdn/embed/avatars/3.png")
    written = await ann.write(general, "look", files=[file("a.png", face)])
    sticker = bot.guilds[0].stickers[0]
    channel = bot.get_channel(int(general.id))
    assert isinstance(channel, discord.TextChannel)
    await channel.send(
        embed=discord.Embed(title="Title", description="*Text*", colour=0xFF0000).add_field(name="n", value="v"), stickers=[sticker]
    )
    await expect(page.get_by_test_id("attachment").locator("img")).to_have_attribute("alt", "a.png")
    await expect(page.get_by_test_id("embed").locator("em")).to_have_text("Text")
    await expect(page.get_by_test_id("sticker")).to_have_attribute("alt", "Wave")
    await ann.begin_thread(general, "aside", at=written)
    await page.get_by_test_id("channel").filter(has_text="aside").click()
    await expect(page.get_by_test_id("system")).to_contain_text("look")
    sent = tmp_path / "notes.txt"
    sent.write_text("abc")
    await page.locator("#files").set_input_files(sent)
    await say(page, "inside")
    await expect(page.get_by_test_id("attachment").locator("a")).to_have_attribute("download", "notes.txt")
    await page.get_by_test_id("channel").filter(has_text="questions").click()
    await say(page, "A question\nwith text")
    await expect(page.locator("#title")).to_have_text("🧵 A question")
    await expect(page.get_by_test_id("content")).to_have_text("with text")


class Wish(discord.ui.Modal, title="A wish"):
    what = discord.ui.Label(text="What", component=discord.ui.TextInput(custom_id="what"))
    size = discord.ui.Label(
        text="Size", component=discord.ui.Select(custom_id="size", options=[discord.SelectOption(label=one) for one in ("small", "big")])
    )
    files = discord.ui.Label(text="Pictures", component=discord.ui.FileUpload(custom_id="files", max_values=3))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        what, size, files = self.what.component, self.size.component, self.files.component
        assert isinstance(what, discord.ui.TextInput)
        assert isinstance(size, discord.ui.Select)
        assert isinstance(files, discord.ui.FileUpload)
        read = [await one.read() for one in files.values]
        await interaction.response.send_message(f"{what.value} {size.values} {read}", ephemeral=True)


async def test_commands_buttons_and_modals(page: Page, bot: Bot, loopback: Loopback, tmp_path: Path):
    class Ask(discord.ui.View):
        @discord.ui.button(label="Wish", style=discord.ButtonStyle.primary)
        async def wish(self, interaction: discord.Interaction, _: discord.ui.Button) -> None:
            await interaction.response.send_modal(Wish())

    @bot.tree.command(description="Begin")
    async def begin(interaction: discord.Interaction, times: int, name: str) -> None:
        await interaction.response.send_message(f"{name} x{times}", view=Ask())

    @begin.autocomplete("name")
    async def names(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=one, value=one) for one in ("Bram", "Wren") if one.lower().startswith(typed)]

    @bot.tree.context_menu(name="Why")
    async def why(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send(f"because of {message.content}")

    await bot.tree.sync()
    await page.reload()
    await expect(page.locator("#title")).to_have_text("# general")
    await page.get_by_test_id("composer").press_sequentially("/be")
    await page.get_by_test_id("command").click()
    dialog = page.get_by_role("dialog")
    await dialog.locator("input[type=number]").fill("2")
    await dialog.locator("input[list]").fill("w")
    await expect(dialog.locator("datalist option")).to_have_attribute("value", "Wren")
    await dialog.locator("input[list]").fill("Wren")
    await page.get_by_test_id("submit").click()
    await expect(messages(page).get_by_test_id("content")).to_have_text("Wren x2")
    await messages(page).get_by_role("button", name="Wish").click()
    await dialog.locator("input").first.fill("tea")
    await dialog.locator("select").select_option("big")
    picture = tmp_path / "a.txt"
    picture.write_text("1")
    await dialog.locator("input[type=file]").set_input_files(picture)
    await page.get_by_test_id("submit").click()
    await expect(page.locator(".ephemeral").get_by_test_id("content")).to_have_text("tea ['big'] [b'1']")
    await messages(page).nth(0).hover()
    await messages(page).nth(0).get_by_role("button", name="Apps").click()
    await dialog.get_by_role("button", name="Why").click()
    await expect(page.locator(".ephemeral").last).to_contain_text("because of Wren x2")
    await page.get_by_test_id("person").select_option(label="Ben")
    await expect(messages(page)).to_have_count(1)
    assert "null" not in await page.locator("body").inner_text()


async def as_ben(page: Page) -> None:
    await page.get_by_test_id("person").select_option(label="Ben")


async def test_a_person_is_offered_what_the_server_allows(page: Page, guild: Guild, general: Channel, loopback: Loopback, ann: Person):
    written = await ann.write(general, "mine")
    await messages(page).hover()
    await expect(messages(page).get_by_role("button", name="Delete")).to_be_visible()
    library, ben = await guild.channel("library"), await loopback.person("ben")
    await as_ben(page)
    await messages(page).hover()
    await expect(messages(page).get_by_role("button", name="Reply")).to_be_visible()
    await expect(messages(page).get_by_role("button", name="Delete")).to_have_count(0)
    await page.get_by_test_id("channel").filter(has_text="library").click()
    await expect(page.get_by_test_id("composer")).to_have_attribute("placeholder", "You may not write here.")
    await say(page, "but I do")
    await expect(page.locator("#trouble")).to_have_text("You may not write here.")
    await expect(messages(page)).to_have_count(1)
    await library.set_overwrite(ben.id, deny=["view_channel"])
    await expect(page.locator("#title")).to_have_text("# general")
    await expect(page.get_by_test_id("channel").filter(has_text="library")).to_have_count(0)
    await expect(messages(page)).to_have_attribute("data-id", written.id)
    for name in ("general", "news", "questions", "parlour"):
        await (await guild.channel(name)).set_overwrite(ben.id, deny=["view_channel"])
    await expect(page.locator("#title")).to_have_text("No channel to see")
    await expect(messages(page)).to_have_count(0)
    await expect(page.get_by_test_id("composer")).to_be_disabled()


async def test_people_have_faces_of_their_own_and_an_address_of_a_sticker_is_its_picture(
    page: Page, bot: Bot, general: Channel, ann: Person, loopback: Loopback
):
    for person in (ann, await loopback.person("ben")):
        await person.write(general, "hello")
    letters = page.get_by_test_id("letter")
    await expect(letters).to_have_text(["A", "B"])
    colours = await letters.evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) == 2
    webhook = await hook(bot, general)
    await webhook.send(bot.guilds[0].stickers[0].url, username="Bram", wait=True)
    sticker = page.get_by_test_id("sticker")
    await expect(sticker).to_be_visible()
    await expect(messages(page).last.get_by_test_id("content")).to_have_count(0)
    assert await sticker.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


async def test_an_answer_for_one_person_has_the_face_and_name_of_the_application_in_this_guild(
    page: Page, bot: Bot, general: Channel, ann: Person
):
    face = base64.b64encode(await bot.http.get_from_cdn(f"{page.url}cdn/embed/avatars/3.png")).decode()
    look = discord.http.Route("PATCH", "/guilds/{guild_id}/members/@me", guild_id=bot.guilds[0].id)
    await bot.http.request(look, json={"nick": "Odile", "avatar": f"data:image/png;base64,{face}"})

    @bot.tree.command(description="Hush")
    async def hush(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("psst", ephemeral=True)

    await bot.tree.sync()
    await page.reload()
    await ann.slash(general, "hush")
    answer = page.locator(".ephemeral")
    await expect(answer.get_by_test_id("name")).to_have_text("Odile")
    await expect(answer.locator("img.face")).to_have_attribute("src", re.compile("^/cdn/guilds/"))


async def test_a_phone_shows_the_channels_on_demand(page: Page, general: Channel, ann: Person):
    await page.set_viewport_size({"width": 390, "height": 780})
    await ann.write(general, "x" * 500)
    await expect(messages(page)).to_have_count(1)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await expect(page.get_by_test_id("channel").first).not_to_be_visible()
    await page.get_by_role("button", name="Show channels").click()
    await page.get_by_test_id("channel").filter(has_text="library").click()
    await expect(page.locator("#title")).to_have_text("# library")
    await expect(page.get_by_test_id("content")).to_have_text("The shelves are open.")
    await expect(page.get_by_test_id("channel").first).not_to_be_visible()


MARKUP = [
    ("**bold** *slanted* _too_ __under__ ~~gone~~", "bold slanted too under gone", ["strong", "em", "u", "s"]),
    ("`**code**`", "**code**", ["code"]),
    ("```py\nx = 1\n```", "x = 1", ["pre code"]),
    ("> quoted\nnot", "quotednot", ["blockquote"]),
    ("# Title", "Title", ["h3"]),
    ("[here](https://a.test) <https://b.test>", "here https://b.test", ["a"]),
    ("[here](javascript:alert(1))", "[here](javascript:alert(1))", []),
    ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>", []),
    ("||hidden||", "hidden", [".spoiler"]),
    ("snake_case_name", "snake_case_name", []),
    (r"\*plain\*", "*plain*", []),
]


async def test_markdown_is_drawn_and_nothing_of_others_is_markup(page: Page, general: Channel, ann: Person):
    for number, (text, shown, tags) in enumerate(MARKUP):
        await ann.write(general, text)
        content = page.get_by_test_id("content").nth(number)
        await expect(content).to_have_text(shown)
        for tag in tags:
            await expect(content.locator(tag).first).to_be_visible()
        await expect(content.locator("img, script")).to_have_count(0)
