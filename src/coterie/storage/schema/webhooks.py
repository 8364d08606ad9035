"""The webhooks through which personas speak."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, changed_at, made_at

discord_managed_webhooks = sa.Table(
    "discord_managed_webhooks",
    METADATA,
    sa.Column("channel_disc_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("webhook_disc_id", sa.BigInteger, nullable=False, unique=True),
    # Sealed by `storage.sealed` for this channel and this webhook.
    sa.Column("sealed_token", sa.LargeBinary, nullable=False),
    made_at(),
    changed_at(),
)
"""The shared webhook of each channel."""
