"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WORDS = sa.Text()
MOMENT = sa.DateTime(timezone=True)


def _reference(column: str, target: str, name: str, ondelete: str, *, use_alter: bool = False) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=name, ondelete=ondelete, use_alter=use_alter)


def _field(name: str, default: str = "") -> sa.Column[str]:
    return sa.Column(name, WORDS, server_default=default, nullable=False)


def _partial_index(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(name, table, columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    """Make them."""
    _workspaces()
    _personas()
    _sessions()
    _talk()
    _turns()
    _accounts()
    if op.get_bind().dialect.name != "sqlite":
        # The two tables refer to each other; SQLite takes the reference before its target is there, and could not add it later.
        op.create_foreign_key(
            "fk_servers_default_session_id", "servers", "session", ["default_session_id"], ["session_id"], ondelete="SET NULL"
        )


def _workspaces() -> None:
    op.create_table(
        "servers",
        sa.Column("server_id", ID, nullable=False),
        sa.Column("server_disc_id", WORDS, nullable=False),
        sa.Column("is_dm_channel", sa.Boolean(), nullable=False),
        sa.Column("default_session_id", WORDS),
        sa.Column("cast_version", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        _reference("default_session_id", "session.session_id", "fk_servers_default_session_id", "SET NULL", use_alter=True),
        sa.PrimaryKeyConstraint("server_id", name="pk_servers"),
        sa.UniqueConstraint("server_disc_id", name="uq_servers_server_disc_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "server_chat_configs",
        sa.Column("server_id", ID, autoincrement=False, nullable=False),
        sa.Column("match_limit", sa.Integer()),
        sa.Column("cascade_limit", sa.Integer()),
        sa.Column("message_fetch_limit", sa.Integer()),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.CheckConstraint("cascade_limit BETWEEN 0 AND 10", name="ck_server_chat_configs_cascade_limit"),
        sa.CheckConstraint("match_limit BETWEEN 1 AND 10", name="ck_server_chat_configs_match_limit"),
        _reference("server_id", "servers.server_id", "fk_server_chat_configs_server_id", "CASCADE"),
        sa.PrimaryKeyConstraint("server_id", name="pk_server_chat_configs"),
    )
    op.create_table(
        "server_settings",
        sa.Column("server_id", ID, autoincrement=False, nullable=False),
        sa.Column("chosen", sa.JSON(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        _reference("server_id", "servers.server_id", "fk_server_settings_server_id", "CASCADE"),
        sa.PrimaryKeyConstraint("server_id", name="pk_server_settings"),
    )


def _personas() -> None:
    op.create_table(
        "personas",
        sa.Column("persona_id", ID, nullable=False),
        sa.Column("server_id", ID, nullable=False),
        sa.Column("persona_nickname", WORDS, nullable=False),
        sa.Column("name_key", WORDS, nullable=False),
        sa.Column("handle", WORDS, nullable=False),
        sa.Column("is_alter", sa.Boolean(), nullable=False),
        sa.Column("role", WORDS, nullable=False),
        sa.Column("sample_dialogues_in", sa.JSON(), nullable=False),
        sa.Column("sample_dialogues_out", sa.JSON(), nullable=False),
        sa.Column("attribute_list", sa.JSON(), nullable=False),
        sa.Column("webhook_avatar_url", WORDS),
        sa.Column("persona_lineage_id", ID, nullable=False),
        sa.Column("is_pointer", sa.Boolean(), nullable=False),
        sa.Column("preset_lineage_id", ID),
        sa.Column("preset_language", WORDS),
        sa.Column("applied_avatar_hash", WORDS),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        _reference("server_id", "servers.server_id", "fk_personas_server_id", "CASCADE"),
        sa.PrimaryKeyConstraint("persona_id", name="pk_personas"),
        sa.UniqueConstraint("server_id", "handle", name="uq_personas_server_id_handle"),
        sa.UniqueConstraint("server_id", "name_key", name="uq_personas_server_id_name_key"),
        sqlite_autoincrement=True,
    )
    _partial_index("ix_personas_one_main", "personas", ["server_id"], "NOT is_alter", unique=True)
    op.create_table(
        "persona_configs",
        sa.Column("persona_id", ID, autoincrement=False, nullable=False),
        sa.Column("trigger_words", sa.JSON(), nullable=False),
        sa.Column("model", WORDS),
        sa.Column("reasoning", WORDS),
        sa.Column("updated_at", MOMENT, nullable=False),
        _reference("persona_id", "personas.persona_id", "fk_persona_configs_persona_id", "CASCADE"),
        sa.PrimaryKeyConstraint("persona_id", name="pk_persona_configs"),
    )
    op.create_table(
        "persona_attributes",
        sa.Column("persona_id", ID, autoincrement=False, nullable=False),
        sa.Column("attribute_order", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("attribute_text", WORDS, nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.CheckConstraint("attribute_order >= 1", name="ck_persona_attributes_attribute_order"),
        _reference("persona_id", "personas.persona_id", "fk_persona_attributes_persona_id", "CASCADE"),
        sa.PrimaryKeyConstraint("persona_id", "attribute_order", name="pk_persona_attributes"),
    )
    op.create_table(
        "persona_cards",
        sa.Column("persona_id", ID, autoincrement=False, nullable=False),
        sa.Column("original", sa.LargeBinary(), nullable=False),
        sa.Column("media_type", WORDS, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        _reference("persona_id", "personas.persona_id", "fk_persona_cards_persona_id", "CASCADE"),
        sa.PrimaryKeyConstraint("persona_id", name="pk_persona_cards"),
    )


def _sessions() -> None:
    op.create_table(
        "session",
        sa.Column("session_id", WORDS, nullable=False),
        _field("self_id"),
        _field("name"),
        _field("model", "auto"),
        _field("reasoning", "auto"),
        _field("role"),
        _field("rule"),
        _field("chat_id"),
        _field("guild_id"),
        _field("channel_id"),
        _field("user_id"),
        sa.Column("workspace_id", WORDS, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        _reference("workspace_id", "servers.server_disc_id", "fk_session_workspace_id", "CASCADE"),
        sa.PrimaryKeyConstraint("session_id", name="pk_session"),
    )
    _partial_index(
        "ix_session_place", "session", ["chat_id", "guild_id", "channel_id", "user_id"], "chat_id <> '' OR channel_id <> ''", unique=True
    )
    _partial_index("ix_session_self_id", "session", ["self_id"], "self_id <> ''", unique=True)
    op.create_index("ix_session_workspace_id", "session", ["workspace_id"])


def _talk() -> None:
    op.create_table(
        "messages",
        sa.Column("seq", ID, nullable=False),
        sa.Column("message_id", WORDS, nullable=False),
        sa.Column("session_id", WORDS, nullable=False),
        sa.Column("user_id", WORDS),
        sa.Column("persona_id", ID),
        sa.Column("persona_handle", WORDS),
        sa.Column("author_name", WORDS, nullable=False),
        sa.Column("text", WORDS, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("reply_to", WORDS),
        sa.Column("turn_id", WORDS),
        sa.Column("root_id", WORDS),
        sa.CheckConstraint("(user_id IS NULL) <> (persona_handle IS NULL)", name="ck_messages_one_author"),
        _reference("persona_id", "personas.persona_id", "fk_messages_persona_id", "SET NULL"),
        _reference("session_id", "session.session_id", "fk_messages_session_id", "CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_messages"),
        sa.UniqueConstraint("message_id", name="uq_messages_message_id"),
    )
    _partial_index("ix_messages_persona_id", "messages", ["persona_id"], "persona_id IS NOT NULL")
    op.create_index("ix_messages_session_id_seq", "messages", ["session_id", "seq"])
    op.create_table(
        "channel_states",
        sa.Column("session_id", WORDS, nullable=False),
        sa.Column("cascade_count", sa.Integer(), nullable=False),
        sa.Column("activated_at", MOMENT),
        sa.Column("last_speaker_id", ID),
        sa.Column("exchange_speaker_id", ID),
        sa.Column("spoke_before_id", ID),
        sa.Column("origin_user_id", WORDS),
        sa.Column("updated_at", MOMENT, nullable=False),
        _reference("exchange_speaker_id", "personas.persona_id", "fk_channel_states_exchange_speaker_id", "SET NULL"),
        _reference("last_speaker_id", "personas.persona_id", "fk_channel_states_last_speaker_id", "SET NULL"),
        _reference("session_id", "session.session_id", "fk_channel_states_session_id", "CASCADE"),
        _reference("spoke_before_id", "personas.persona_id", "fk_channel_states_spoke_before_id", "SET NULL"),
        sa.PrimaryKeyConstraint("session_id", name="pk_channel_states"),
    )


def _turns() -> None:
    op.create_table(
        "turn_plans",
        sa.Column("message_id", WORDS, nullable=False),
        sa.Column("session_id", WORDS, nullable=False),
        sa.Column("root_id", WORDS, nullable=False),
        sa.Column("origin_user_id", WORDS, nullable=False),
        sa.Column("skipped", sa.JSON(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("model", WORDS),
        sa.Column("reasoning", WORDS),
        sa.Column("created_at", MOMENT, nullable=False),
        _reference("session_id", "session.session_id", "fk_turn_plans_session_id", "CASCADE"),
        sa.PrimaryKeyConstraint("message_id", name="pk_turn_plans"),
    )
    op.create_index("ix_turn_plans_created_at", "turn_plans", ["created_at"])
    op.create_index("ix_turn_plans_session_id", "turn_plans", ["session_id"])
    op.create_table(
        "turns",
        sa.Column("seq", ID, nullable=False),
        sa.Column("turn_id", WORDS, nullable=False),
        sa.Column("message_id", WORDS, nullable=False),
        sa.Column("persona_id", ID, nullable=False),
        sa.Column("reason", WORDS, nullable=False),
        sa.Column("status", WORDS, nullable=False),
        sa.Column("note", WORDS, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        _reference("message_id", "turn_plans.message_id", "fk_turns_message_id", "CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_turns"),
        sa.UniqueConstraint("turn_id", name="uq_turns_turn_id"),
    )
    op.create_index("ix_turns_message_id", "turns", ["message_id"])
    _partial_index("ix_turns_unfinished", "turns", ["seq"], "status IN ('waiting', 'running')")


def _accounts() -> None:
    op.create_table(
        "provider_accounts",
        sa.Column("provider", WORDS, nullable=False),
        sa.Column("sealed_key", sa.LargeBinary()),
        sa.Column("base_url", WORDS, nullable=False),
        sa.Column("model", WORDS, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("provider", name="pk_provider_accounts"),
    )
