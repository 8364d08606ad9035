"""What a channel remembers between turns: how often somebody was called, and who spoke last. One row per session."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import PersonaId, SessionId, UserId
from coterie.ports.stores import ChannelState
from coterie.storage.schema.conversations import channel_states
from coterie.storage.schema.personas import personas

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
_LOCK = sa.select(*STATE).where(_OF_SESSION).with_for_update()
_BEGIN = insert(channel_states).on_conflict_do_nothing(index_elements=[channel_states.c.session_id])
_COUNT = (
    sa.update(channel_states)
    .where(_OF_SESSION)
    .values(cascade_count=bindparam("count"), activated_at=bindparam("activated"), origin_user_id=bindparam("origin"))
)
_RESET = (
    sa.update(channel_states)
    .where(_OF_SESSION, sa.or_(channel_states.c.cascade_count != 0, channel_states.c.exchange_speaker_id.is_not(None)))
    .values(cascade_count=0, exchange_speaker_id=None)
)
_speaker = sa.select(personas.c.persona_id).where(personas.c.persona_id == bindparam("speaker")).scalar_subquery()
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


@dataclass(frozen=True, slots=True)
class Counted:
    """The count as it stands under the lock."""

    count: int
    activated_at: datetime | None
    origin: UserId | None


def to_state(row: Sequence[Any], now: datetime) -> ChannelState:
    """The state of the columns `STATE`, all of them NULL for a channel in which nothing was planned yet."""
    count, activated_at, last_speaker, spoke_before, origin = row
    return ChannelState(_still_counts(count, activated_at, now), last_speaker, spoke_before, origin)


def lock_channel(connection: Connection, session: SessionId, now: datetime) -> Counted:
    """Lock the channel's row (on SQLite the whole file is locked by then) and read its count."""
    row = connection.execute(_LOCK, {"session": session}).one_or_none()
    if row is None:
        connection.execute(_BEGIN, {"session_id": session})
        row = connection.execute(_LOCK, {"session": session}).one()
    count, activated_at, _, _, origin = row
    return Counted(_still_counts(count, activated_at, now), activated_at, origin)


def count_channel(connection: Connection, session: SessionId, counted: Counted) -> None:
    """Write the count; the caller holds the lock."""
    values = {"session": session, "count": counted.count, "activated": counted.activated_at, "origin": counted.origin}
    connection.execute(_COUNT, values)


def reset_channel(connection: Connection, session: SessionId) -> None:
    """A person spoke: the next activation is free again, and whoever spoke before may be called back."""
    connection.execute(_RESET, {"session": session})


def note_speaker(connection: Connection, session: SessionId, speaker: PersonaId) -> None:
    """A persona's line is now the newest."""
    connection.execute(_SPOKE, {"session": session, "speaker": speaker})


def _still_counts(count: int | None, activated_at: datetime | None, now: datetime) -> int:
    return count if count and activated_at is not None and now - activated_at <= IDLE else 0
