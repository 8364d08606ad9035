"""What was sent to Discord."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from coterie.domain.conversation import Message
from coterie.domain.ids import MessageId, PersonaId
from coterie.ports.posts import Post, PostId, ShownSprite
from coterie.ports.webhooks import ChannelId, WebhookId
from coterie.storage.database import Database
from coterie.storage.errors import belongs_to_nothing
from coterie.storage.message_rows import MESSAGE, to_message
from coterie.storage.schema.columns import Moment, Words, now
from coterie.storage.schema.conversations import messages, session
from coterie.storage.schema.personas import personas
from coterie.storage.schema.posts import discord_posts
from coterie.storage.schema.sprites import persona_sprite_messages

_LOOKED_AT = 10_000
"""Of the newest messages; no more can be on their way, and the table may be long."""

SPRITES_KEPT = timedelta(days=30)
"""How long it is known which message showed which sprite (specification 000)."""

_PRUNED_EVERY = timedelta(hours=6)

_COLUMNS = ("post_disc_id", "message_id", "channel_disc_id", "webhook_disc_id", "created_at")
_POST = (discord_posts.c.post_disc_id, discord_posts.c.message_id, discord_posts.c.channel_disc_id, discord_posts.c.webhook_disc_id)
_KEEP = insert(discord_posts).values({column: bindparam(column) for column in _COLUMNS}).on_conflict_do_nothing()
_OF_LINES = sa.select(*_POST).where(discord_posts.c.message_id.in_(bindparam("lines", expanding=True)))
_LINES = (
    sa.select(discord_posts.c.post_disc_id, discord_posts.c.webhook_disc_id, *MESSAGE)
    .join(messages, messages.c.message_id == discord_posts.c.message_id)
    .where(discord_posts.c.post_disc_id.in_(bindparam("posts", expanding=True)))
)
_is_there = sa.exists().where(personas.c.persona_id == bindparam("persona"))
_shown = sa.select(
    bindparam("post", type_=sa.BigInteger),
    bindparam("persona", type_=persona_sprite_messages.c.persona_id.type),
    bindparam("label", type_=Words),
    bindparam("at", type_=Moment),
).where(_is_there)
_KEEP_SPRITE = (
    insert(persona_sprite_messages)
    .from_select(["message_disc_id", "persona_id", "sprite_label", "created_at"], _shown, include_defaults=False)
    .on_conflict_do_nothing()
)
_PRUNE = sa.delete(persona_sprite_messages).where(persona_sprite_messages.c.created_at < bindparam("before"))
_SPRITES = sa.select(
    persona_sprite_messages.c.message_disc_id, persona_sprite_messages.c.persona_id, persona_sprite_messages.c.sprite_label
).where(persona_sprite_messages.c.message_disc_id.in_(bindparam("posts", expanding=True)))
_newest = sa.select(messages.c.seq).order_by(messages.c.seq.desc()).limit(_LOOKED_AT).subquery()
_UNSENT = (
    sa.select(*MESSAGE)
    .join(session, session.c.session_id == messages.c.session_id)
    .where(
        messages.c.seq.in_(sa.select(_newest.c.seq)),
        messages.c.persona_handle.is_not(None),
        messages.c.created_at >= bindparam("since"),
        session.c.channel_id != "",
        ~sa.exists().where(discord_posts.c.message_id == messages.c.message_id),
    )
    .order_by(messages.c.seq)
)


class SqlPosts:
    """`Posts` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pruned_at = datetime.min.replace(tzinfo=UTC)

    async def keep(self, post: Post) -> None:
        """The line was sent; a post seen twice is one, and so is a line that was taken back meanwhile none.

        Which sprite it showed is kept for 30 days.
        """
        try:
            await self._kept(post, now())
        except IntegrityError as error:
            if not belongs_to_nothing(error):
                raise

    async def _kept(self, post: Post, at: datetime) -> None:
        row = dict(zip(_COLUMNS, (post.id, post.line, post.channel, post.webhook, at), strict=True))
        if post.sprite is None:
            await self._database.single(lambda connection: connection.execute(_KEEP, row).rowcount)
            return
        shown = {"post": post.id, "persona": post.sprite.persona, "label": post.sprite.label, "at": at}
        is_pruned = at - self._pruned_at > _PRUNED_EVERY

        def unit(connection: Connection) -> None:
            connection.execute(_KEEP, row)
            connection.execute(_KEEP_SPRITE, shown)
            if is_pruned:
                connection.execute(_PRUNE, {"before": at - SPRITES_KEPT})

        await self._database.write(unit, durable=False)
        if is_pruned:
            self._pruned_at = at

    async def of_lines(self, lines: Sequence[MessageId]) -> Sequence[Post]:
        """The posts of these lines, in no order."""
        rows = await self._database.read(lambda connection: connection.execute(_OF_LINES, {"lines": list(lines)}).all())
        return [_to_post(*row) for row in rows]

    async def lines(self, posts: Sequence[PostId]) -> Mapping[PostId, Message]:
        """The lines that these posts carry; those that are not ours are left out."""
        if not posts:
            return {}
        rows = await self._database.read(lambda connection: connection.execute(_LINES, {"posts": list(posts)}).all())
        return {PostId(post): _as_shown(to_message(row), webhook) for post, webhook, *row in rows}

    async def sprites(self, posts: Sequence[PostId]) -> Mapping[PostId, ShownSprite]:
        """Which of these posts showed a sprite, as far as that is still known."""
        if not posts:
            return {}
        rows = await self._database.read(lambda connection: connection.execute(_SPRITES, {"posts": list(posts)}).all())
        return {PostId(post): ShownSprite(PersonaId(persona), label) for post, persona, label in rows}

    async def unsent(self, since: datetime) -> Sequence[Message]:
        """Lines of channels since then that have no post, oldest first."""

        def unit(connection: Connection) -> list[Message]:
            return [to_message(row) for row in connection.execute(_UNSENT, {"since": since})]

        return await self._database.read(unit)


def _as_shown(line: Message, webhook: int | None) -> Message:
    return line if webhook is not None or line.appearance is None else replace(line, appearance=None)


def _to_post(post: int, line: str, channel: int, webhook: int | None) -> Post:
    return Post(PostId(post), MessageId(line), ChannelId(channel), None if webhook is None else WebhookId(webhook))
