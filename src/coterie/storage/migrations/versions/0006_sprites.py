"""Sprites of personas, which messages showed them, and what each line of a persona wore."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and add the column."""
    op.create_table(
        "persona_sprites",
        sa.Column("sprite_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("persona_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sprite_name", sa.Text(), nullable=False),
        sa.Column("sprite_key", sa.Text(), nullable=False),
        sa.Column("avatar_url", sa.Text(), nullable=False),
        sa.Column("usage_instructions", sa.Text(), nullable=False),
        sa.Column("is_identity", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["persona_id"], ["personas.persona_id"], name="fk_persona_sprites_persona_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("sprite_id", name="pk_persona_sprites"),
        sa.UniqueConstraint("persona_id", "sprite_key", name="uq_persona_sprites_persona_id_sprite_key"),
    )
    op.create_table(
        "persona_sprite_messages",
        sa.Column("message_disc_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("persona_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sprite_label", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["persona_id"], ["personas.persona_id"], name="fk_persona_sprite_messages_persona_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("message_disc_id", name="pk_persona_sprite_messages"),
    )
    for column in ("persona_id", "created_at"):
        op.create_index(f"ix_persona_sprite_messages_{column}", "persona_sprite_messages", [column])
    op.add_column("messages", sa.Column("appearance", sa.JSON()))
