"""Provider entries of servers and of people, and subscriptions."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def _account() -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary()),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
    ]


def _times() -> list[sa.schema.SchemaItem]:
    return [sa.Column("created_at", _MOMENT, nullable=False), sa.Column("updated_at", _MOMENT, nullable=False)]


def upgrade() -> None:
    """Make the tables, and add the columns."""
    op.create_table(
        "saved_provider_configs",
        sa.Column("server_id", _ID, autoincrement=False, nullable=False),
        *_account(),
        sa.Column("subscription_capabilities", sa.JSON(), nullable=False),
        *_times(),
        sa.ForeignKeyConstraint(["server_id"], ["servers.server_id"], name="fk_saved_provider_configs_server_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("server_id", "provider", name="pk_saved_provider_configs"),
    )
    op.create_table(
        "user_saved_provider_configs",
        sa.Column("user_id", _ID, autoincrement=False, nullable=False),
        *_account(),
        sa.Column("subscription_capabilities", sa.JSON(), nullable=False),
        sa.Column("assigned_capabilities", sa.JSON(), nullable=False),
        sa.Column("enabled_capabilities", sa.JSON(), nullable=False),
        *_times(),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name="fk_user_saved_provider_configs_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "provider", name="pk_user_saved_provider_configs"),
    )
    op.create_table(
        "subscriptions",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("holder_id", sa.Text(), nullable=False),
        sa.Column("expires_at", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.CheckConstraint("scope IN ('server', 'user')", name="ck_subscriptions_scope"),
        sa.PrimaryKeyConstraint("scope", "holder_id", name="pk_subscriptions"),
    )
    op.add_column("user_personalization_configs", sa.Column("model_fallbacks", sa.Text()))
    op.add_column("user_personalization_configs", sa.Column("personal_server_fallback_enabled", sa.Boolean()))
