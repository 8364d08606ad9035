"""How those who join a server are welcomed (specification 000, "Configured join welcomes")."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Words, changed_at
from coterie.storage.schema.workspaces import servers

server_welcome_configs = sa.Table(
    "server_welcome_configs",
    METADATA,
    sa.Column("server_id", Id, sa.ForeignKey(servers.c.server_id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    sa.Column("channel_disc_id", Words, nullable=False),
    # NULL: anybody, drawn for each who joins. No foreign key: a persona that was removed is still no reason to draw lots.
    sa.Column("welcome_persona_id", Id),
    sa.Column("prompt", Words, nullable=False, default=""),
    changed_at(),
)
"""One row per server that welcomes anybody."""
