"""Sprites of personas, and which messages of Discord showed one (specification 000)."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Moment, Words, changed_at, made_at
from coterie.storage.schema.personas import personas

persona_sprites = sa.Table(
    "persona_sprites",
    METADATA,
    # Their order.
    sa.Column("sprite_id", Id, primary_key=True),
    sa.Column("persona_id", Id, sa.ForeignKey(personas.c.persona_id, ondelete="CASCADE"), nullable=False),
    sa.Column("sprite_name", Words, nullable=False),
    # Made in Python, as the keys of persona names are.
    sa.Column("sprite_key", Words, nullable=False),
    # A path below /v1/avatars/.
    sa.Column("avatar_url", Words, nullable=False),
    sa.Column("usage_instructions", Words, nullable=False),
    # Whether its name is shown in front of the persona's.
    sa.Column("is_identity", sa.Boolean(), nullable=False),
    made_at(),
    changed_at(),
    sa.UniqueConstraint("persona_id", "sprite_key"),
)
"""Pictures that a persona wears for single lines."""

persona_sprite_messages = sa.Table(
    "persona_sprite_messages",
    METADATA,
    sa.Column("message_disc_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("persona_id", Id, sa.ForeignKey(personas.c.persona_id, ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("sprite_label", Words, nullable=False),
    sa.Column("created_at", Moment, nullable=False, index=True),
)
"""What cannot be seen of a message: under its usual name a persona wore a sprite. Kept for 30 days."""
