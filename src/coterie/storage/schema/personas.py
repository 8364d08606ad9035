"""Personas and what belongs to one of them (specification 000)."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Words, changed_at, made_at
from coterie.storage.schema.workspaces import servers


def _persona_id() -> sa.Column[int]:
    return sa.Column("persona_id", Id, sa.ForeignKey(personas.c.persona_id, ondelete="CASCADE"), primary_key=True, autoincrement=False)


personas = sa.Table(
    "personas",
    METADATA,
    sa.Column("persona_id", Id, primary_key=True),
    sa.Column("server_id", Id, sa.ForeignKey(servers.c.server_id, ondelete="CASCADE"), nullable=False),
    sa.Column("persona_nickname", Words, nullable=False),
    # Two names are the same when their keys are; made in Python, since SQL's lower() knows ASCII only, or the server's locale.
    sa.Column("name_key", Words, nullable=False),
    sa.Column("handle", Words, nullable=False),
    sa.Column("is_alter", sa.Boolean(), nullable=False),
    # The body of its `## Bot Persona` block.
    sa.Column("role", Words, nullable=False),
    # Two arrays of one length, as the specification has them; an empty line of the person means that the persona begins.
    sa.Column("sample_dialogues_in", sa.JSON(), nullable=False),
    sa.Column("sample_dialogues_out", sa.JSON(), nullable=False),
    # The texts of persona_attributes once more, for readers of the specification's column; never read here.
    sa.Column("attribute_list", sa.JSON(), nullable=False),
    # A path below /v1/avatars/.
    sa.Column("webhook_avatar_url", Words),
    # Which character this is, also in another workspace; the low numbers are the bundled ones'.
    sa.Column("persona_lineage_id", Id, nullable=False),
    # Whether it is still the bundled character it was made from.
    sa.Column("is_pointer", sa.Boolean(), nullable=False),
    sa.Column("preset_lineage_id", Id),
    sa.Column("preset_language", Words),
    sa.Column("applied_avatar_hash", Words),
    sa.Column("revision", sa.Integer, nullable=False, default=1),
    made_at(),
    changed_at(),
    sa.UniqueConstraint("server_id", "name_key"),
    sa.UniqueConstraint("server_id", "handle"),
    # Removed numbers are not used again, so an old decision never names another persona.
    sqlite_autoincrement=True,
)
"""The cast of every workspace."""

sa.Index(
    "ix_personas_one_main",
    personas.c.server_id,
    unique=True,
    sqlite_where=sa.text("NOT is_alter"),
    postgresql_where=sa.text("NOT is_alter"),
)

persona_configs = sa.Table(
    "persona_configs",
    METADATA,
    _persona_id(),
    # As written; which of them it owns is settled when the cast is read.
    sa.Column("trigger_words", sa.JSON(), nullable=False),
    # `provider:model` and a level in place of the session's; NULL: the session's.
    sa.Column("model", Words),
    sa.Column("reasoning", Words),
    changed_at(),
)
"""How one persona is called and answers; one row per persona."""

persona_attributes = sa.Table(
    "persona_attributes",
    METADATA,
    _persona_id(),
    sa.Column("attribute_order", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("attribute_text", Words, nullable=False),
    sa.Column("is_public", sa.Boolean(), nullable=False),
    sa.CheckConstraint("attribute_order >= 1", name="attribute_order"),
)
"""Facts about a persona, in order."""

persona_cards = sa.Table(
    "persona_cards",
    METADATA,
    _persona_id(),
    sa.Column("original", sa.LargeBinary, nullable=False),
    sa.Column("media_type", Words, nullable=False),
    made_at(),
)
"""The untouched file a persona was imported from, so that an export loses nothing."""
