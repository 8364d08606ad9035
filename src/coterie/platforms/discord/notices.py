"""What stands under a line for people alone: whom it answers, where it cannot reply. Nothing is sent from here."""

import discord

from coterie.domain.conversation import Message
from coterie.kit.text import head
from coterie.platforms.discord.places import Spot

_EXCERPT = 100


def reply_notice(here: Spot, line: Message, answered: Message | None) -> discord.Embed | None:
    """Whom a line of a webhook answers that comes late: webhooks cannot reply.

    None where the line has a link, since Discord would show the notice in place of its preview; and none under a disguise.
    """
    is_copied = line.appearance is not None and line.appearance.is_copied
    if answered is None or is_copied or not answered.id.isdecimal() or "://" in line.text:
        return None
    name, excerpt = discord.utils.escape_markdown(answered.author.name), head(" ".join(answered.text.split()), _EXCERPT)
    address = f"https://discord.com/channels/{here.guild}/{here.channel}/{answered.id}"
    return discord.Embed(description=f"↩ **[{name}]({address})** {discord.utils.escape_markdown(excerpt)}")
