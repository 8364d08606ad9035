"""Sessions, what was said in them, and why who answered."""

import sqlalchemy as sa

from coterie.storage.schema.columns import METADATA, Id, Moment, Words, changed_at, made_at
from coterie.storage.schema.personas import personas
from coterie.storage.schema.workspaces import servers


def _field(name: str, default: str = "") -> sa.Column[str]:
    return sa.Column(name, Words, nullable=False, default=default, server_default=default)


session = sa.Table(
    "session",
    METADATA,
    sa.Column("session_id", Words, primary_key=True),
    _field("self_id"),
    _field("name"),
    _field("model", "auto"),
    _field("reasoning", "auto"),
    _field("role"),
    # The older name of `role`: always written with it, and read where `role` is empty.
    _field("rule"),
    _field("chat_id"),
    _field("guild_id"),
    _field("channel_id"),
    _field("user_id"),
    sa.Column("workspace_id", Words, sa.ForeignKey(servers.c.server_disc_id, ondelete="CASCADE"), nullable=False, index=True),
    made_at(),
    changed_at(),
)
"""One conversation, as specification 004 has it."""

_named = sa.text("self_id <> ''")
_bound = sa.text("chat_id <> '' OR channel_id <> ''")
sa.Index("ix_session_self_id", session.c.self_id, unique=True, sqlite_where=_named, postgresql_where=_named)
sa.Index(
    "ix_session_place",
    session.c.chat_id,
    session.c.guild_id,
    session.c.channel_id,
    session.c.user_id,
    unique=True,
    sqlite_where=_bound,
    postgresql_where=_bound,
)

messages = sa.Table(
    "messages",
    METADATA,
    # The order in which things were said.
    sa.Column("seq", Id, primary_key=True),
    sa.Column("message_id", Words, nullable=False, unique=True),
    sa.Column("session_id", Words, sa.ForeignKey(session.c.session_id, ondelete="CASCADE"), nullable=False),
    # The person, where one spoke; a persona's line has a handle instead.
    sa.Column("user_id", Words),
    # NULL as soon as the persona is removed; the handle and the shown name stay what they were.
    sa.Column("persona_id", Id, sa.ForeignKey(personas.c.persona_id, ondelete="SET NULL")),
    sa.Column("persona_handle", Words),
    sa.Column("author_name", Words, nullable=False),
    sa.Column("text", Words, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("reply_to", Words),
    sa.Column("turn_id", Words),
    # The person's message that a line goes back to.
    sa.Column("root_id", Words),
    # What came with a person's message beside its text and matters to its plan; mostly nothing.
    sa.Column("asked", sa.JSON(none_as_null=True)),
    # What a persona's line wears in place of its usual look; mostly nothing.
    sa.Column("appearance", sa.JSON(none_as_null=True)),
    sa.CheckConstraint("(user_id IS NULL) <> (persona_handle IS NULL)", name="one_author"),
    sa.Index(None, "session_id", "seq"),
)
"""What was said, by whom, under which name."""

_by_persona = sa.text("persona_id IS NOT NULL")
# For the removal of a persona; what people say need not be in it.
sa.Index("ix_messages_persona_id", messages.c.persona_id, sqlite_where=_by_persona, postgresql_where=_by_persona)

turn_plans = sa.Table(
    "turn_plans",
    METADATA,
    # Not a reference: a plan may be made for a message that is not kept.
    sa.Column("message_id", Words, primary_key=True),
    sa.Column("session_id", Words, sa.ForeignKey(session.c.session_id, ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("root_id", Words, nullable=False),
    sa.Column("origin_user_id", Words, nullable=False),
    # Everyone left out, as [persona, why], in order.
    sa.Column("skipped", sa.JSON(), nullable=False),
    # persona -> [handle, shown name] as they were, so that a removed persona still reads.
    sa.Column("names", sa.JSON(), nullable=False),
    # What was asked for with this message alone.
    sa.Column("model", Words),
    sa.Column("reasoning", Words),
    # How its turns are to be played; NULL where a person simply said something.
    sa.Column("direction", sa.JSON(none_as_null=True)),
    # Where in a server the chain began, and what its author is there: whom it calls later is judged by that too.
    sa.Column("standing", sa.JSON(none_as_null=True)),
    sa.Column("created_at", Moment, nullable=False, index=True),
)
"""The decision that was made about a message. The specification's every no has its reason here."""

turns = sa.Table(
    "turns",
    METADATA,
    # The order in which turns run.
    sa.Column("seq", Id, primary_key=True),
    sa.Column("turn_id", Words, nullable=False, unique=True),
    sa.Column("message_id", Words, sa.ForeignKey(turn_plans.c.message_id, ondelete="CASCADE"), nullable=False, index=True),
    # Not a reference: a decision outlives the persona it names.
    sa.Column("persona_id", Id, nullable=False),
    sa.Column("reason", Words, nullable=False),
    sa.Column("status", Words, nullable=False),
    sa.Column("note", Words, nullable=False, default=""),
    changed_at(),
)
"""Who answers, and how far they are."""

_unfinished = sa.text("status IN ('waiting', 'running')")
sa.Index("ix_turns_unfinished", turns.c.seq, sqlite_where=_unfinished, postgresql_where=_unfinished)

channel_states = sa.Table(
    "channel_states",
    METADATA,
    sa.Column("session_id", Words, sa.ForeignKey(session.c.session_id, ondelete="CASCADE"), primary_key=True),
    # Activations since a person last spoke; the first of them is free.
    sa.Column("cascade_count", sa.Integer, nullable=False, default=0),
    sa.Column("activated_at", Moment),
    # Whose line is the newest.
    sa.Column("last_speaker_id", Id, sa.ForeignKey(personas.c.persona_id, ondelete="SET NULL")),
    # Whose line is the newest since a person last spoke: the word is handed back only within one exchange.
    sa.Column("exchange_speaker_id", Id, sa.ForeignKey(personas.c.persona_id, ondelete="SET NULL")),
    # Whose line stood before the newest one, in the same exchange.
    sa.Column("spoke_before_id", Id, sa.ForeignKey(personas.c.persona_id, ondelete="SET NULL")),
    sa.Column("origin_user_id", Words),
    changed_at(),
)
"""What a channel remembers between turns; its row is locked while a plan is written."""
