"""Lists of servers, people, and what calls take of what is limited."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def _server(table: str) -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("server_id", _ID, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["servers.server_id"], name=f"fk_{table}_server_id", ondelete="CASCADE"),
    ]


def _persona(table: str) -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("persona_id", _ID, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["persona_id"], ["personas.persona_id"], name=f"fk_{table}_persona_id", ondelete="CASCADE"),
    ]


def _words(*names: str) -> list[sa.schema.SchemaItem]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def upgrade() -> None:
    """Make the tables, and add the column."""
    _lists()
    _spotlights()
    _people()
    _claims()
    op.add_column("turn_plans", sa.Column("standing", sa.JSON()))


def _lists() -> None:
    op.create_table(
        "channel_whitelist",
        *_server("channel_whitelist"),
        *_words("channel_disc_id"),
        sa.Column("cooldown_type", sa.Text()),
        sa.Column("cooldown_length", sa.Integer()),
        sa.CheckConstraint("(cooldown_type IS NULL) = (cooldown_length IS NULL)", name="ck_channel_whitelist_cooldown"),
        _key("channel_whitelist", "server_id", "channel_disc_id"),
    )
    for table, column in (
        ("role_whitelist", "role_disc_id"),
        ("personalization_blacklist", "user_disc_id"),
        ("server_auto_trigger_channels", "channel_disc_id"),
    ):
        op.create_table(table, *_server(table), *_words(column), _key(table, "server_id", column))
    op.create_table(
        "channel_persona_whitelist",
        *_server("channel_persona_whitelist"),
        *_words("channel_disc_id"),
        *_persona("channel_persona_whitelist"),
        _key("channel_persona_whitelist", "server_id", "channel_disc_id", "persona_id"),
    )
    op.create_table(
        "server_auto_trigger_persona_overrides",
        *_server("server_auto_trigger_persona_overrides"),
        *_words("channel_disc_id"),
        *_persona("server_auto_trigger_persona_overrides"),
        _key("server_auto_trigger_persona_overrides", "server_id", "channel_disc_id"),
    )
    for table in ("channel_persona_whitelist", "server_auto_trigger_persona_overrides"):
        op.create_index(f"ix_{table}_persona_id", table, ["persona_id"])


def _spotlights() -> None:
    place = ("server_id", "user_disc_id", "channel_disc_id")
    op.create_table(
        "personal_spotlights",
        *_server("personal_spotlights"),
        *_words("user_disc_id", "channel_disc_id"),
        sa.Column("expires_at", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        _key("personal_spotlights", *place),
    )
    op.create_table(
        "personal_spotlight_personas",
        *_server("personal_spotlight_personas"),
        *_words("user_disc_id", "channel_disc_id"),
        *_persona("personal_spotlight_personas"),
        sa.Column("is_auto", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            place,
            [f"personal_spotlights.{column}" for column in place],
            name="fk_personal_spotlight_personas_spotlight",
            ondelete="CASCADE",
        ),
        _key("personal_spotlight_personas", *place, "persona_id"),
    )
    op.create_index("ix_personal_spotlight_personas_persona_id", "personal_spotlight_personas", ["persona_id"])


def _people() -> None:
    op.create_table(
        "users",
        sa.Column("user_id", _ID, nullable=False),
        *_words("user_disc_id"),
        sa.Column("language_pref", sa.Text()),
        sa.Column("registration_locale", sa.Text(), nullable=False),
        sa.Column("privacy_level", sa.Integer()),
        sa.Column("settings_version", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.CheckConstraint("privacy_level BETWEEN 0 AND 2", name="ck_users_privacy_level"),
        _key("users", "user_id"),
        sa.UniqueConstraint("user_disc_id", name="uq_users_user_disc_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "user_personalization_configs",
        sa.Column("user_id", _ID, autoincrement=False, nullable=False),
        sa.Column("nickname", sa.Text()),
        sa.Column("deliberate_trigger_mode", sa.Text()),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name="fk_user_personalization_configs_user_id", ondelete="CASCADE"),
        _key("user_personalization_configs", "user_id"),
    )


def _claims() -> None:
    key = ("server_id", "cooldown_type", "user_disc_id", "channel_disc_id")
    op.create_table(
        "cooldowns",
        *_server("cooldowns"),
        *_words("cooldown_type", "user_disc_id", "channel_disc_id", "root_id"),
        sa.Column("expires_at", _MOMENT, nullable=False),
        _key("cooldowns", *key),
    )
    op.create_index("ix_cooldowns_expires_at", "cooldowns", ["expires_at"])
    op.create_table(
        "server_auto_trigger_counts",
        *_server("server_auto_trigger_counts"),
        sa.Column("counter", sa.Integer(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        _key("server_auto_trigger_counts", "server_id"),
    )
    op.create_table(
        "text_quotas",
        *_server("text_quotas"),
        *_words("user_disc_id"),
        sa.Column("quota_date", sa.Date(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.CheckConstraint("used >= 0", name="ck_text_quotas_used"),
        _key("text_quotas", "server_id", "user_disc_id", "quota_date"),
    )
    op.create_table(
        "text_serverwide_quotas",
        *_server("text_serverwide_quotas"),
        sa.Column("period_start", sa.Date(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.CheckConstraint("used >= 0", name="ck_text_serverwide_quotas_used"),
        _key("text_serverwide_quotas", "server_id"),
    )
    op.create_table(
        "text_quota_units",
        *_words("root_id"),
        *_server("text_quota_units"),
        *_words("user_disc_id"),
        sa.Column("quota_date", sa.Date()),
        sa.Column("period_start", sa.Date()),
        _key("text_quota_units", "root_id"),
    )
    op.create_index("ix_text_quota_units_server_id", "text_quota_units", ["server_id"])
