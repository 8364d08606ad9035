"""Accounts with model providers: the installation's, those of servers, those of people; and who may use the operator's."""

from typing import Any

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Moment, Words, changed_at, made_at
from coterie.storage.schema.people import users
from coterie.storage.schema.workspaces import servers


def _account() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("provider", Words, primary_key=True),
        # Sealed by `storage.sealed`; NULL: no key was given. Several keys stand on a line each.
        sa.Column("sealed_key", sa.LargeBinary),
        sa.Column("base_url", Words, nullable=False),
        sa.Column("model", Words, nullable=False),
    )


provider_accounts = sa.Table("provider_accounts", METADATA, *_account(), changed_at())
"""What the operator saved, one row per provider; keys are sealed."""

saved_provider_configs = sa.Table(
    "saved_provider_configs",
    METADATA,
    sa.Column("server_id", Id, sa.ForeignKey(servers.c.server_id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    *_account(),
    # For which capabilities a subscription was chosen in place of a key; only `text` is known.
    sa.Column("subscription_capabilities", sa.JSON(), nullable=False),
    made_at(),
    changed_at(),
)
"""What the owners of a server saved."""

user_saved_provider_configs = sa.Table(
    "user_saved_provider_configs",
    METADATA,
    sa.Column("user_id", Id, sa.ForeignKey(users.c.user_id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    *_account(),
    sa.Column("subscription_capabilities", sa.JSON(), nullable=False),
    # What this entry is to do, and whether it does; one entry at most is assigned to each capability.
    sa.Column("assigned_capabilities", sa.JSON(), nullable=False),
    sa.Column("enabled_capabilities", sa.JSON(), nullable=False),
    made_at(),
    changed_at(),
)
"""What people saved for themselves."""

subscriptions = sa.Table(
    "subscriptions",
    METADATA,
    # `server` or `user`, and the id of the workspace or of the person.
    sa.Column("scope", Words, primary_key=True),
    sa.Column("holder_id", Words, primary_key=True),
    # NULL: until it is revoked.
    sa.Column("expires_at", Moment),
    made_at(),
    sa.CheckConstraint("scope IN ('server', 'user')", name="scope"),
)
"""Who may use the operator's accounts where those are not open to everybody."""
