"""What a channel remembers between turns: how often somebody was called, and who spoke last. One row per session."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, bindparam
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.sql.dml import UpdateBase

from coterie.domain.ids import SessionId
from coterie.domain.triggers.cascade import Cascade
from coterie.ports.stores import ChannelState
from coterie.storage.message_rows import SPEAKER
from coterie.storage.schema.columns import Moment, Words
from coterie.storage.schema.conversations import channel_states

STATE = (
    channel_states.c.cascade_count,
    channel_states.c.activated_at,
    channel_states.c.last_speaker_id,
    channel_states.c.spoke_before_id,
    channel_states.c.origin_user_id,
)
"""The columns that `to_state` reads."""

_of_session = channel_states.c.session_id == bindparam("session")
_LOCK = sa.select(channel_states.c.cascade_count, channel_states.c.activated_at).where(_of_session).with_for_update()
_BEGIN = insert(channel_states).on_conflict_do_nothing(index_elements=[channel_states.c.session_id])


def reset(given: ColumnElement[bool]) -> UpdateBase:
    """A person spoke in `:session` at `:at`: the next activation is free again, and whoever spoke before may be called back."""
    is_needed = sa.or_(channel_states.c.cascade_count != 0, channel_states.c.exchange_speaker_id.is_not(None))
    anew: dict[str, Any] = {"cascade_count": 0, "exchange_speaker_id": None, "updated_at": bindparam("at")}
    return sa.update(channel_states).where(_of_session, is_needed, given).values(anew)


def count(given: ColumnElement[bool]) -> UpdateBase:
    """Write `:count`, and where they are not NULL, when somebody was called last (`:activated`) and on whose behalf (`:origin`)."""
    new = _insert({"cascade_count": "count", "activated_at": "activated", "origin_user_id": "origin"}, given)
    return new.on_conflict_do_update(
        index_elements=[channel_states.c.session_id],
        set_={
            "cascade_count": new.excluded.cascade_count,
            "activated_at": sa.func.coalesce(new.excluded.activated_at, channel_states.c.activated_at),
            "origin_user_id": sa.func.coalesce(new.excluded.origin_user_id, channel_states.c.origin_user_id),
            "updated_at": new.excluded.updated_at,
        },
    )


def spoke(given: ColumnElement[bool]) -> UpdateBase:
    """The newest line is now that of `:speaker`, if that persona is still there."""
    speaker = SPEAKER.scalar_subquery()
    source = sa.select(bindparam("session", type_=Words), sa.literal(0), speaker, speaker, bindparam("at", type_=Moment)).where(given)
    columns = ["session_id", "cascade_count", "last_speaker_id", "exchange_speaker_id", "updated_at"]
    new = insert(channel_states).from_select(columns, source, include_defaults=False)
    return new.on_conflict_do_update(
        index_elements=[channel_states.c.session_id],
        set_={
            # Several lines of one reply are one line in this respect.
            "spoke_before_id": sa.case(
                (channel_states.c.exchange_speaker_id == new.excluded.exchange_speaker_id, channel_states.c.spoke_before_id),
                else_=channel_states.c.exchange_speaker_id,
            ),
            "exchange_speaker_id": new.excluded.exchange_speaker_id,
            "last_speaker_id": new.excluded.last_speaker_id,
            "updated_at": new.excluded.updated_at,
        },
    )


def _insert(names: Mapping[str, str], given: ColumnElement[bool]) -> Insert:
    """Insert the row of `:session`, with columns from parameters of these names."""
    named = {"session_id": "session", **names, "updated_at": "at"}
    source = sa.select(*(bindparam(name, type_=channel_states.c[column].type) for column, name in named.items())).where(given)
    return insert(channel_states).from_select(list(named), source, include_defaults=False)


def to_state(row: Sequence[Any], now: datetime) -> ChannelState:
    """The state of the columns `STATE`, all of them NULL for a channel in which nothing was planned yet."""
    counted, activated_at, last_speaker, spoke_before, origin = row
    return ChannelState(_still_counts(counted, activated_at, now), last_speaker, spoke_before, origin)


def lock_count(connection: Connection, session: SessionId, now: datetime) -> int:
    """Lock the channel's row (on SQLite the whole file is locked by then) and read its count."""
    row = connection.execute(_LOCK, {"session": session}).one_or_none()
    if row is None:
        connection.execute(_BEGIN, {"session_id": session})
        row = connection.execute(_LOCK, {"session": session}).one()
    return _still_counts(row.cascade_count, row.activated_at, now)


def _still_counts(counted: int | None, activated_at: datetime | None, now: datetime) -> int:
    return Cascade(counted or 0, activated_at).at(now).count
