"""A session as specification 004 stores it; the rules of its fields are in `fields`."""

from dataclasses import dataclass
from datetime import datetime

from coterie.domain.ids import SessionId, WorkspaceId


@dataclass(frozen=True, slots=True)
class Session:
    """One row of the `session` table. `role` is what is stored (`''` = never set); the effective role is computed."""

    id: SessionId
    workspace: WorkspaceId
    created_at: datetime
    updated_at: datetime
    self_id: str = ""
    name: str = ""
    model: str = "auto"
    reasoning: str = "auto"
    role: str = ""
    chat_id: str = ""
    guild_id: str = ""
    channel_id: str = ""
    user_id: str = ""
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where outside of Coterie a conversation is: a channel or thread of a guild, or a direct message with a user."""

    channel_id: str
    guild_id: str = ""
    user_id: str = ""


@dataclass(frozen=True, slots=True)
class SessionChange:
    """A partial update, already judged by `fields.judge_change`; `None` leaves a column alone."""

    self_id: str | None = None
    name: str | None = None
    model: str | None = None
    reasoning: str | None = None
    role: str | None = None
