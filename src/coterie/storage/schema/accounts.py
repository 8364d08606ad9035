"""Accounts with model providers."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Words, changed_at

provider_accounts = sa.Table(
    "provider_accounts",
    METADATA,
    sa.Column("provider", Words, primary_key=True),
    # Sealed by `storage.sealed`; NULL: no key was given.
    sa.Column("sealed_key", sa.LargeBinary),
    sa.Column("base_url", Words, nullable=False),
    sa.Column("model", Words, nullable=False),
    changed_at(),
)
"""What an owner saved, one row per provider; keys are sealed."""
