"""Which message of Discord carries which line."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Words, made_at
from coterie.storage.schema.conversations import messages

discord_posts = sa.Table(
    "discord_posts",
    METADATA,
    sa.Column("post_disc_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("message_id", Words, sa.ForeignKey(messages.c.message_id, ondelete="CASCADE"), nullable=False, unique=True),
    sa.Column("channel_disc_id", sa.BigInteger, nullable=False),
    # NULL where the bot user sent it.
    sa.Column("webhook_disc_id", sa.BigInteger),
    made_at(),
)
"""Every line that was sent to Discord. A line without a row was on its way when the process ended."""
