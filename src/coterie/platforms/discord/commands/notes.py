"""A note of the system as people see it: an embed of the bot user. The record of the post says for good that it is nobody's line."""

import discord

from coterie.domain.conversation import IncomingMessage, Message
from coterie.platforms.discord.bot_lines import BotLine
from coterie.platforms.discord.places import Spot
from coterie.platforms.discord.stage import DiscordStage, nonce_of
from coterie.ports.posts import Post, PostId


async def show_note(stage: DiscordStage, here: Spot, note: IncomingMessage) -> None:
    """Show a note that is kept already, and record its post. Raises `WebhooksRefused`."""
    embed = discord.Embed(description=note.text, colour=discord.Colour.greyple())
    post = PostId(await stage.voices.bot.send(here, BotLine("", nonce_of(note.id), embed=embed)))
    line = Message(note.id, note.session, note.author, note.text, note.created_at)
    await stage.record(here, Post(post, note.id, here.channel), line)
