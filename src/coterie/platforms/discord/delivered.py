"""Lines that were on their way when the process ended: looked for on Discord, and said only where they are not."""

from collections.abc import Callable
from datetime import datetime, timedelta

from coterie.domain.conversation import Message, PersonaVoice
from coterie.domain.ids import MessageId
from coterie.domain.speech.shown_names import read_name
from coterie.platforms.discord.dress import shown_sprite
from coterie.platforms.discord.places import Spot
from coterie.platforms.discord.reading import Reading
from coterie.platforms.discord.stage import DiscordStage
from coterie.ports.platform import NotSaid
from coterie.ports.posts import Post, PostId
from coterie.ports.webhooks import WebhookId

WITHIN = timedelta(minutes=10)
"""What is on its way for longer is not said any more: nobody waits for it."""


async def deliver_rest(stage: DiscordStage, reading: Reading, serves: Callable[[Spot], bool], *, before: datetime) -> int:
    """Say what was kept before a moment and not said, in the conversations that this process serves; how many lines were sent.

    What is kept since then is on its way through this process itself.
    """
    sent = 0
    for line in await stage.posts.unsent(stage.clock.now() - WITHIN):
        here = await stage.places.find(line.session)
        if here is None or not serves(here) or line.created_at >= before:
            continue
        found = await _find(stage, reading, here, line)
        if found is not None:
            await stage.record(here, found, line)
            continue
        try:
            await stage.say(line.session, line.root or MessageId(""), None, line)
            sent += 1
        except NotSaid as error:
            stage.report(f"line {line.id}, kept before the restart", error)
    return sent


async def _find(stage: DiscordStage, reading: Reading, here: Spot, line: Message) -> Post | None:
    """The post that carries a line and was not recorded: same text, same speaker, not older than the line, nobody else's."""
    assert isinstance(line.author, PersonaVoice)
    sticker = await stage.stickers.in_line(here.guild, line.text)
    for post in await reading.ours_since(here, line.created_at):
        # Whatever the line wears, its name says whose it is.
        is_named = post.name is None or read_name(post.name, [line.author.name]) is not None
        # A webhook shows a sticker by its address.
        text = line.text if sticker is None or post.name is None else sticker.url
        if is_named and post.text.endswith(text):
            if post.name is None:
                return Post(PostId(post.id), line.id, here.channel)
            return Post(PostId(post.id), line.id, here.channel, WebhookId(post.author), shown_sprite(line))
    return None
