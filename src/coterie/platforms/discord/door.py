"""What people write on Discord, as plain values. No type of the library goes further; whether it is answered is decided elsewhere."""

from collections.abc import Iterable
from functools import lru_cache

import discord

from coterie.domain.access import ELSEWHERE, Standing
from coterie.domain.conversation import WEBHOOK, IncomingMessage, Mention, Person
from coterie.domain.ids import MessageId, PersonaId, PlaceId, RoleId, UserId
from coterie.domain.speech.shown_names import without_bridge
from coterie.platforms.discord.places import Spot

_TALK = frozenset({discord.MessageType.default, discord.MessageType.reply})
_MOST_FORWARDED = 3


def is_talk(message: discord.Message) -> bool:
    """Whether somebody said something: pins, joins, boosts and answers to commands are not talk."""
    return message.type in _TALK


def begun_from(message: discord.Message) -> discord.Message:
    """The message that a thread began with, in place of the sign at the thread's top that points to it; any other message itself."""
    if message.type is not discord.MessageType.thread_starter_message or message.reference is None:
        return message
    resolved = message.reference.resolved
    return resolved if isinstance(resolved, discord.Message) else message


def speaker(message: discord.Message) -> Person:
    """Who wrote a message that is not ours: a person, or a webhook, without the mark of a bridge in its name."""
    if message.webhook_id is not None:
        return _person(f"{WEBHOOK}{message.author.id}", without_bridge(message.author.name))
    return person(message.author)


def person(author: discord.User | discord.Member) -> Person:
    """A person under the name that the channel shows."""
    return _person(str(author.id), author.display_name)


@lru_cache(maxsize=4096)
def _person(identity: str, name: str) -> Person:
    """One value for all that somebody says: the histories of busy channels would hold the same name a hundred times."""
    return Person(UserId(identity), name)


def text_of(message: discord.Message) -> str:
    """What a message says, with what hangs on it named in brackets, each on a line of its own.

    Names of files stand in inline code and what was forwarded in quotes, so that no word in them calls anybody.
    """
    pieces = [message.content, *(_forwarded(snapshot) for snapshot in message.message_snapshots[:_MOST_FORWARDED])]
    return "\n".join(filter(None, [*pieces, *_attached(message.attachments, message.stickers)]))


def incoming(
    message: discord.Message, here: Spot, us: discord.ClientUser, *, reply_to: MessageId | None, replied_to: PersonaId | None = None
) -> IncomingMessage:
    """A person's message. `reply_to` is what it replies to, by our own id, and `replied_to` who said that."""
    return IncomingMessage(
        id=MessageId(str(message.id)),
        workspace=here.workspace,
        session=here.session,
        author=person(message.author),
        text=text_of(message),
        created_at=message.created_at,
        reply_to=reply_to,
        mentions=tuple(_mentions(message, us)),
        replied_to=replied_to,
        standing=standing_of(message),
    )


def standing_of(message: discord.Message) -> Standing:
    """Where in a server a message was written, and what its author is there."""
    return standing(message.guild, message.channel, message.author)


def standing(guild: discord.Guild | None, channel: object, author: discord.User | discord.Member) -> Standing:
    """The same of anything that a person does. What is not known of somebody who is no member any more is left open."""
    if guild is None:
        return ELSEWHERE
    member = author if isinstance(author, discord.Member) else None
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    return Standing(
        place=PlaceId(str(getattr(channel, "id", ""))),
        parent=PlaceId(str(parent or "")),
        roles=None if member is None else tuple(RoleId(str(role.id)) for role in member.roles),
        manages=member is not None and member.guild_permissions.manage_guild,
        locale=str(guild.preferred_locale),
    )


def mentions_us(message: discord.Message, us: discord.ClientUser) -> bool:
    """Whether the bot is mentioned, by itself or through the role that Discord made for it."""
    if us.id in message.raw_mentions:
        return True
    guild = message.guild
    ours = guild.self_role if guild is not None and message.raw_role_mentions else None
    return ours is not None and ours.id in message.raw_role_mentions


def _mentions(message: discord.Message, us: discord.ClientUser) -> Iterable[Mention]:
    yield from (Mention(UserId(str(user))) for user in message.raw_mentions if user != us.id)
    if mentions_us(message, us):
        yield Mention(UserId(str(us.id)), is_us=True)


def _forwarded(snapshot: discord.MessageSnapshot) -> str:
    said = "\n".join(filter(None, [snapshot.content, *_attached(snapshot.attachments, snapshot.stickers)]))
    return "\n".join(f"> {line}" for line in ["[forwarded]", *said.splitlines()]) if said else ""


def _attached(attachments: Iterable[discord.Attachment], stickers: Iterable[discord.StickerItem]) -> Iterable[str]:
    yield from (f"[attached: {_code(attachment.filename)}]" for attachment in attachments)
    yield from (sticker_line(sticker.name) for sticker in stickers)


def sticker_line(name: str) -> str:
    """How a sticker reads."""
    return f"[sticker: {_code(name)}]"


def _code(name: str) -> str:
    return "`" + name.replace("`", "'") + "`"
