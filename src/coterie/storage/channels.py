"""What a channel remembers between turns: how often somebody was called, and who spoke last. One row per session."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import PersonaId, SessionId, UserId
from coterie.ports.stores import ChannelState
from coterie.storage.message_rows import SPEAKER
from coterie.storage.schema.conversations import channel_states

IDLE = timedelta(minutes=30)
"""After this long without an activation the count begins anew (specification 000)."""

STATE = (
    channel_states.c.cascade_count,
    channel_states.c.activated_at,
    channel_states.c.last_speaker_id,
    channel_states.c.spoke_before_id,
    channel_states.c.origin_user_id,
)
"""The columns that `to_state` reads."""

_OF_SESSION = channel_states.c.session_id == bindparam("session")
_LOCK = sa.select(channel_states.c.cascade_count, channel_states.c.activated_at).where(_OF_SESSION).with_for_update()
_BEGIN = insert(channel_states).on_conflict_do_nothing(index_elements=[channel_states.c.session_id])
_new_count = insert(channel_states)
_COUNT = _new_count.on_conflict_do_update(
    index_elements=[channel_states.c.session_id],
    set_={
        "cascade_count": _new_count.excluded.cascade_count,
        "activated_at": sa.func.coalesce(_new_count.excluded.activated_at, channel_states.c.activated_at),
        "origin_user_id": sa.func.coalesce(_new_count.excluded.origin_user_id, channel_states.c.origin_user_id),
        "updated_at": _new_count.excluded.updated_at,
    },
)
RESET = (
    sa.update(channel_states)
    .where(_OF_SESSION, sa.or_(channel_states.c.cascade_count != 0, channel_states.c.exchange_speaker_id.is_not(None)))
    .values(cascade_count=0, exchange_speaker_id=None, updated_at=bindparam("at"))
)
"""A person spoke in `:session` at `:at`: the next activation is free again, and whoever spoke before may be called back."""
_speaker = SPEAKER.scalar_subquery()
_new_speaker = insert(channel_states).values(session_id=bindparam("session"), last_speaker_id=_speaker, exchange_speaker_id=_speaker)
_SPOKE = _new_speaker.on_conflict_do_update(
    index_elements=[channel_states.c.session_id],
    set_={
        "spoke_before_id": channel_states.c.exchange_speaker_id,
        "exchange_speaker_id": _new_speaker.excluded.exchange_speaker_id,
        "last_speaker_id": _new_speaker.excluded.last_speaker_id,
        "updated_at": _new_speaker.excluded.updated_at,
    },
)


def to_state(row: Sequence[Any], now: datetime) -> ChannelState:
    """The state of the columns `STATE`, all of them NULL for a channel in which nothing was planned yet."""
    count, activated_at, last_speaker, spoke_before, origin = row
    return ChannelState(_still_counts(count, activated_at, now), last_speaker, spoke_before, origin)


def lock_count(connection: Connection, session: SessionId, now: datetime) -> int:
    """Lock the channel's row (on SQLite the whole file is locked by then) and read its count."""
    row = connection.execute(_LOCK, {"session": session}).one_or_none()
    if row is None:
        connection.execute(_BEGIN, {"session_id": session})
        row = connection.execute(_LOCK, {"session": session}).one()
    return _still_counts(row.cascade_count, row.activated_at, now)


def write_count(connection: Connection, session: SessionId, count: int, activated_at: datetime | None, origin: UserId | None) -> None:
    """Write the count, and, where they are given, when somebody was called last and on whose behalf. Locks the channel's row."""
    row = {"session_id": session, "cascade_count": count, "activated_at": activated_at, "origin_user_id": origin}
    connection.execute(_COUNT, row)


def note_speaker(connection: Connection, session: SessionId, speaker: PersonaId) -> None:
    """A persona's line is now the newest."""
    connection.execute(_SPOKE, {"session": session, "speaker": speaker})


def _still_counts(count: int | None, activated_at: datetime | None, now: datetime) -> int:
    return count if count and activated_at is not None and now - activated_at <= IDLE else 0
