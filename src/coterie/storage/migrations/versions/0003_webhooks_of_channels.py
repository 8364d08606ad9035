"""The webhooks through which personas speak on Discord."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "discord_managed_webhooks",
        sa.Column("channel_disc_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("webhook_disc_id", sa.BigInteger(), nullable=False),
        sa.Column("sealed_token", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("channel_disc_id", name="pk_discord_managed_webhooks"),
        sa.UniqueConstraint("webhook_disc_id", name="uq_discord_managed_webhooks_webhook_disc_id"),
    )
