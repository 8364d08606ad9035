"""Which message of Discord carries which line."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "discord_posts",
        sa.Column("post_disc_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("channel_disc_id", sa.BigInteger(), nullable=False),
        sa.Column("webhook_disc_id", sa.BigInteger()),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["message_id"], ["messages.message_id"], name="fk_discord_posts_message_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("post_disc_id", name="pk_discord_posts"),
        sa.UniqueConstraint("message_id", name="uq_discord_posts_message_id"),
    )
