"""How those who join a server are welcomed."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "server_welcome_configs",
        sa.Column("server_id", _ID, autoincrement=False, nullable=False),
        sa.Column("channel_disc_id", sa.Text(), nullable=False),
        sa.Column("welcome_persona_id", _ID),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["servers.server_id"], name="fk_server_welcome_configs_server_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("server_id", name="pk_server_welcome_configs"),
    )
