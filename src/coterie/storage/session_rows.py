"""A session as a row, both ways."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row

from coterie.domain.ids import SessionId, WorkspaceId
from coterie.domain.sessions.fields import SESSION_LEVELS
from coterie.domain.sessions.precedence import AUTO
from coterie.domain.sessions.session import Session, SessionChange
from coterie.storage.schema.conversations import session
from coterie.storage.schema.workspaces import servers

LOAD = sa.select(session, (servers.c.default_session_id == session.c.session_id).label("is_default")).join_from(
    session, servers, servers.c.server_disc_id == session.c.workspace_id
)
"""Sessions, to be narrowed down."""


def to_session(row: Row[Any]) -> Session:
    """The session of a row of `LOAD`. What a row may not hold reads as the default (specification 004)."""
    return Session(
        id=SessionId(row.session_id),
        workspace=WorkspaceId(row.workspace_id),
        created_at=row.created_at,
        updated_at=row.updated_at,
        self_id=row.self_id,
        name=row.name,
        model=row.model or AUTO,
        reasoning=row.reasoning if row.reasoning in SESSION_LEVELS else AUTO,
        role=row.role or row.rule,
        chat_id=row.chat_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        user_id=row.user_id,
        is_default=bool(row.is_default),
    )


def to_columns(change: SessionChange) -> dict[str, str]:
    """The columns that a change writes, and no others; `rule` is always written with `role`."""
    fields = {
        "self_id": change.self_id,
        "name": change.name,
        "model": change.model,
        "reasoning": change.reasoning,
        "role": change.role,
        "rule": change.role,
    }
    return {column: value for column, value in fields.items() if value is not None}
