"""What calls take of what is limited: waits, counts and quotas (specification 001)."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Moment, Words
from coterie.storage.schema.workspaces import servers


def _server(*, is_key: bool = True) -> sa.Column[int]:
    return sa.Column(
        "server_id", Id, sa.ForeignKey(servers.c.server_id, ondelete="CASCADE"), primary_key=is_key, autoincrement=False, nullable=False
    )


cooldowns = sa.Table(
    "cooldowns",
    METADATA,
    _server(),
    sa.Column("cooldown_type", Words, primary_key=True),
    # Blank where they do not matter.
    sa.Column("user_disc_id", Words, primary_key=True),
    sa.Column("channel_disc_id", Words, primary_key=True),
    sa.Column("expires_at", Moment, nullable=False, index=True),
    # The message whose turns began it: they wait for nobody.
    sa.Column("root_id", Words, nullable=False),
)
"""Until when has to be waited."""

server_auto_trigger_counts = sa.Table(
    "server_auto_trigger_counts",
    METADATA,
    _server(),
    sa.Column("counter", sa.Integer, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
)
"""How many messages were written in a server's auto-trigger channels, and how many the next answer waits for."""

text_quotas = sa.Table(
    "text_quotas",
    METADATA,
    _server(),
    sa.Column("user_disc_id", Words, primary_key=True),
    sa.Column("quota_date", sa.Date, primary_key=True),
    sa.Column("used", sa.Integer, nullable=False),
    sa.CheckConstraint("used >= 0", name="used"),
)
"""How many messages of a member were answered on a day (UTC)."""

text_serverwide_quotas = sa.Table(
    "text_serverwide_quotas",
    METADATA,
    _server(),
    sa.Column("period_start", sa.Date, nullable=False),
    sa.Column("used", sa.Integer, nullable=False),
    sa.CheckConstraint("used >= 0", name="used"),
)
"""How many messages of all members were answered in the present period."""

text_quota_units = sa.Table(
    "text_quota_units",
    METADATA,
    # The message that all turns of a trigger go back to; they share one unit.
    sa.Column("root_id", Words, primary_key=True),
    _server(is_key=False),
    sa.Column("user_disc_id", Words, nullable=False),
    # NULL where members have no quota.
    sa.Column("quota_date", sa.Date),
    # NULL where the server has none of its own.
    sa.Column("period_start", sa.Date),
    sa.Index(None, "server_id"),
)
"""Units that are taken and may have to be given back: their trigger has not come to its end yet."""
