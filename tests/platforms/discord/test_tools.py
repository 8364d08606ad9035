"""What personas do on Discord besides talking (specification 000, tool calls, embeds and stickers): each under its own name and face."""

import discord

from coterie.kit.text import utf16_length
from coterie.platforms.discord.bot_lines import BotLine, in_words
from platforms.discord.stage_scenes import OnDiscord

CALL = '{{{{tool@{who}: sticker {{"name": "wave"}}}}}}{{{{say@{who}: {words}}}}}'
CARD = '{{{{tool@{who}: card {{"title": "Tide", "text": "*High* at six."}}}}}}{{{{say@{who}: There.}}}}'


async def test_an_alters_sticker_is_its_address_under_its_own_name_after_its_words(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram " + CALL.format(who="bram", words="Bye."))
    await scene.general.until_said("Bye.")
    await scene.talk.idle()
    said, sticker = (await scene.general.messages())[-2:]
    assert (said.name, said.content, sticker.name) == ("Bram", "Bye.", "Bram")
    assert sticker.webhook == said.webhook is not None
    assert sticker.avatar == said.avatar
    assert sticker.stickers == []
    [kept] = await scene.house.stage.stickers.of(int(scene.guild.id))
    assert sticker.content == kept.url


async def test_mains_sticker_is_a_sticker(scene: OnDiscord):
    await scene.ann.write(scene.general, "odile " + CALL.format(who="odile", words="Bye."))
    await scene.general.until(lambda messages: any(message.stickers for message in messages))
    sticker = (await scene.general.messages())[-1]
    assert (sticker.stickers, sticker.content, sticker.webhook) == (["Wave"], "", None)


async def test_an_alter_without_a_webhook_falls_back_to_the_sticker_itself(scene: OnDiscord):
    await scene.general.fill_webhooks()
    await scene.ann.write(scene.general, "bram " + CALL.format(who="bram", words="Bye."))
    await scene.general.until(lambda messages: any(message.stickers for message in messages))
    sticker = (await scene.general.messages())[-1]
    assert (sticker.stickers, sticker.content, sticker.webhook) == (["Wave"], "**Bram**", None)


async def test_a_sticker_alone_is_an_answer_and_others_read_of_it(scene: OnDiscord):
    await scene.ann.write(scene.general, 'bram {{tool@bram: sticker {"name": "Wave"}}}{{say@bram: }}')
    await scene.general.until(lambda messages: "/stickers/" in messages[-1].content)
    await scene.talk.idle()
    await scene.ann.write(scene.general, "wren {{say: Seen.}}")
    await scene.general.until_said("Seen.")
    shown = "\n".join(piece.text for piece in scene.models.only.requests[-1].messages)
    assert "Bram: [sticker: `Wave`]" in shown


async def test_a_sticker_that_is_not_there_is_told_to_the_model_alone(scene: OnDiscord):
    await scene.ann.write(scene.general, 'bram {{tool@bram: sticker {"name": "nope"}}}{{say@bram: Hm.}}')
    await scene.general.until_said("Hm.")
    await scene.talk.idle()
    assert scene.models.only.requests[-1].rounds[0].results == ("There is no sticker 'nope'. There are: Wave.",)
    assert (await scene.general.messages())[-1].content == "Hm."


async def test_a_card_is_shown_under_the_alters_name_and_mains_by_the_bot(scene: OnDiscord):
    for who, name, has_webhook in (("bram", "Bram", True), ("odile", "Coterie", False)):
        await scene.ann.write(scene.general, f"{who} " + CARD.format(who=who))
        await scene.general.until(lambda messages: len(messages) > 1 and messages[-1].content == "There.")
        await scene.talk.idle()
        card = (await scene.general.messages())[-2]
        assert (card.name, card.content, card.webhook is not None) == (name, "", has_webhook)
        assert [(embed["title"], embed["description"]) for embed in card.raw["embeds"]] == [("Tide", "*High* at six.")]
        await scene.ann.write(scene.general, "and now")


async def test_a_card_of_an_alter_without_a_webhook_bears_its_name(scene: OnDiscord):
    await scene.general.fill_webhooks()
    await scene.ann.write(scene.general, "bram " + CARD.format(who="bram"))
    await scene.general.until_said("**Bram:** There.")
    [card] = [embed for message in await scene.general.messages() for embed in message.raw["embeds"] if "title" in embed]
    assert (card["title"], card["author"]["name"]) == ("Tide", "Bram")


async def test_where_embeds_are_refused_cards_and_notices_are_said_in_words(scene: OnDiscord):
    await scene.guild.revoke("embed_links")
    await scene.general.fill_webhooks()
    for who in ("odile", "bram"):
        await scene.ann.write(scene.general, f"{who} " + CARD.format(who=who))
        await scene.general.until(lambda messages: messages[-1].content.endswith("There."))
        await scene.talk.idle()
    said = [text for name, text in await scene.lines() if name == "Coterie"]
    notice = next(text for text in said if "as many webhooks" in text)
    assert said == ["> **Tide**\n> *High* at six.", "There.", "**Bram:**\n> **Tide**\n> *High* at six.", notice, "**Bram:** There."]
    assert notice.startswith("> ")


def test_of_an_embed_in_words_one_message_holds_what_it_can():
    line = BotLine("", "n", embed=discord.Embed(title="T", description="𝄞\n" * 2_000))
    said = in_words(line)
    assert said.embed is None
    assert utf16_length(said.text) <= 2_000
    assert said.text.startswith("> **T**\n> 𝄞\n> 𝄞\n")
    assert said.text.endswith("…")
    assert in_words(BotLine("plain", "n")) == BotLine("plain", "n")


async def test_a_card_that_discord_does_not_take_is_told_to_the_model(scene: OnDiscord):
    async with scene.loopback.fault("status", method="POST", route="/webhooks/*", status=400, times=1):
        await scene.ann.write(scene.general, "bram " + CARD.format(who="bram"))
        await scene.general.until_said("There.")
    assert scene.models.only.requests[-1].rounds[0].results[0].startswith("The card could not be shown: ")
