"""A workspace (the specification's server) and what is set in it."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Words, changed_at, made_at

servers = sa.Table(
    "servers",
    METADATA,
    sa.Column("server_id", Id, primary_key=True),
    # The workspace id: `local`, `discord:GUILD`, `dm:USER`.
    sa.Column("server_disc_id", Words, nullable=False, unique=True),
    sa.Column("is_dm_channel", sa.Boolean(), nullable=False),
    sa.Column("default_session_id", Words, sa.ForeignKey("session.session_id", ondelete="SET NULL", use_alter=True)),
    # Rises with each change of a persona or a setting; caches are right as long as it has not risen.
    sa.Column("cast_version", sa.Integer, nullable=False, default=1),
    made_at(),
    changed_at(),
    sqlite_autoincrement=True,
)
"""One row per workspace, written when it is first seen, together with the bundled cast."""

server_chat_configs = sa.Table(
    "server_chat_configs",
    METADATA,
    sa.Column("server_id", Id, sa.ForeignKey(servers.c.server_id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    sa.Column("match_limit", sa.Integer),
    sa.Column("cascade_limit", sa.Integer),
    sa.Column("message_fetch_limit", sa.Integer),
    sa.CheckConstraint("match_limit BETWEEN 1 AND 10", name="match_limit"),
    sa.CheckConstraint("cascade_limit BETWEEN 0 AND 10", name="cascade_limit"),
    changed_at(),
)
"""The settings of specification 000 that have a column of their own. NULL: never set, the default holds (also a later, better one)."""

server_settings = sa.Table(
    "server_settings",
    METADATA,
    sa.Column("server_id", Id, sa.ForeignKey(servers.c.server_id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    sa.Column("chosen", sa.JSON(), nullable=False),
    changed_at(),
)
"""All other settings that were set, by their name."""
