"""People, wherever they write (specification 001, user hydration)."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Words, changed_at, made_at

users = sa.Table(
    "users",
    METADATA,
    sa.Column("user_id", Id, primary_key=True),
    sa.Column("user_disc_id", Words, nullable=False, unique=True),
    # NULL: never chosen.
    sa.Column("language_pref", Words),
    # That of the server in which they were first seen.
    sa.Column("registration_locale", Words, nullable=False, default=""),
    sa.Column("privacy_level", sa.Integer),
    # Rises with each change of what they have set.
    sa.Column("settings_version", sa.Integer, nullable=False, default=1),
    sa.CheckConstraint("privacy_level BETWEEN 0 AND 2", name="privacy_level"),
    made_at(),
    changed_at(),
    sqlite_autoincrement=True,
)
"""Everyone who ever called a persona in a server, or has set something."""

user_personalization_configs = sa.Table(
    "user_personalization_configs",
    METADATA,
    sa.Column("user_id", Id, sa.ForeignKey(users.c.user_id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    sa.Column("nickname", Words),
    sa.Column("deliberate_trigger_mode", Words),
    sa.Column("model_fallbacks", Words),
    sa.Column("personal_server_fallback_enabled", sa.Boolean()),
    changed_at(),
)
"""What they have set beside; NULL: never."""
