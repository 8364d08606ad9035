"""The lists of a server: who may call whom, and where (specification 000 and 001)."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Moment, Words, made_at
from coterie.storage.schema.personas import personas
from coterie.storage.schema.workspaces import servers


def _server() -> sa.Column[int]:
    return sa.Column("server_id", Id, sa.ForeignKey(servers.c.server_id, ondelete="CASCADE"), primary_key=True, autoincrement=False)


def _persona(*, is_key: bool = True) -> sa.Column[int]:
    reference = sa.ForeignKey(personas.c.persona_id, ondelete="CASCADE")
    # What a persona's removal has to look for.
    return sa.Column("persona_id", Id, reference, primary_key=is_key, autoincrement=False, nullable=False, index=True)


channel_whitelist = sa.Table(
    "channel_whitelist",
    METADATA,
    _server(),
    sa.Column("channel_disc_id", Words, primary_key=True),
    # Its own cooldown; both NULL: the server's.
    sa.Column("cooldown_type", Words),
    sa.Column("cooldown_length", sa.Integer),
    sa.CheckConstraint("(cooldown_type IS NULL) = (cooldown_length IS NULL)", name="cooldown"),
)
"""The channels in which the cast may be called; without any row, all."""

role_whitelist = sa.Table("role_whitelist", METADATA, _server(), sa.Column("role_disc_id", Words, primary_key=True))
"""The roles of which a caller needs one; without any row, none."""

personalization_blacklist = sa.Table("personalization_blacklist", METADATA, _server(), sa.Column("user_disc_id", Words, primary_key=True))
"""Who is barred from calling anybody."""

channel_persona_whitelist = sa.Table(
    "channel_persona_whitelist",
    METADATA,
    _server(),
    sa.Column("channel_disc_id", Words, primary_key=True),
    _persona(),
)
"""Where a persona may be heard; one without any row, everywhere."""

server_auto_trigger_channels = sa.Table(
    "server_auto_trigger_channels", METADATA, _server(), sa.Column("channel_disc_id", Words, primary_key=True)
)
"""The channels in which somebody answers without being called."""

server_auto_trigger_persona_overrides = sa.Table(
    "server_auto_trigger_persona_overrides",
    METADATA,
    _server(),
    sa.Column("channel_disc_id", Words, primary_key=True),
    _persona(is_key=False),
)
"""Who that is, where it is not main."""

personal_spotlights = sa.Table(
    "personal_spotlights",
    METADATA,
    _server(),
    sa.Column("user_disc_id", Words, primary_key=True),
    sa.Column("channel_disc_id", Words, primary_key=True),
    # NULL: for good.
    sa.Column("expires_at", Moment),
    made_at(),
)
"""The channels that a person narrowed for themselves."""

personal_spotlight_personas = sa.Table(
    "personal_spotlight_personas",
    METADATA,
    _server(),
    sa.Column("user_disc_id", Words, primary_key=True),
    sa.Column("channel_disc_id", Words, primary_key=True),
    _persona(),
    # Whether it answers that person there without being called; one at most does.
    sa.Column("is_auto", sa.Boolean(), nullable=False),
    sa.ForeignKeyConstraint(
        ["server_id", "user_disc_id", "channel_disc_id"],
        ["personal_spotlights.server_id", "personal_spotlights.user_disc_id", "personal_spotlights.channel_disc_id"],
        ondelete="CASCADE",
        name="fk_personal_spotlight_personas_spotlight",
    ),
)
"""Whom they want to hear there."""
