"""Keeping what a person says and letting the channel's count begin anew, as one change; and finding what was kept but never planned."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.conversation import SYSTEM, IncomingMessage, Mention, Person
from coterie.domain.ids import Handle, PersonaId, UserId
from coterie.storage.channels import reset
from coterie.storage.database import Database
from coterie.storage.directions import direction_row, standing_row, to_direction, to_standing
from coterie.storage.schema.conversations import messages, session, turn_plans
from coterie.storage.schema.people import users
from coterie.storage.schema.workspaces import servers
from coterie.storage.together import Together

_COLUMNS = ("message_id", "session_id", "user_id", "author_name", "text", "created_at", "reply_to", "asked")

_version = sa.select(servers.c.cast_version).where(servers.c.server_disc_id == bindparam("workspace")).scalar_subquery()
_own_version = sa.select(users.c.settings_version).where(users.c.user_disc_id == bindparam("its_user_id")).scalar_subquery()
_ADD = (
    insert(messages)
    .values({column: bindparam(f"its_{column}", type_=messages.c[column].type) for column in _COLUMNS})
    .on_conflict_do_nothing(index_elements=[messages.c.message_id])
    .returning(_version.label("version"), _own_version.label("own_version"))
)
_KEEP = Together(_ADD, lambda given: ())
_KEEP_AND_RESET = Together(_ADD, lambda given: (reset(given),))

_LOOKED_AT = 10_000
"""Of the newest messages; no more can be waiting, and the table may be long."""

_newest = sa.select(messages).order_by(messages.c.seq.desc()).limit(_LOOKED_AT).subquery()
_UNPLANNED = (
    sa.select(session.c.workspace_id, *(_newest.c[column] for column in _COLUMNS))
    .join_from(_newest, session, session.c.session_id == _newest.c.session_id)
    .where(
        _newest.c.user_id.is_not(None),
        _newest.c.user_id != SYSTEM.id,
        _newest.c.created_at >= bindparam("since"),
        ~sa.exists().where(turn_plans.c.message_id == _newest.c.message_id),
    )
    .order_by(_newest.c.seq)
)


async def keep_heard(database: Database, message: IncomingMessage, *, resets: bool) -> tuple[int | None, int | None] | None:
    """Keep a message; the versions of the workspace and of its author, or nothing when a message with this id is there already.

    Raises SQLAlchemy's `IntegrityError` when there is no such session.
    """
    heard = await (_KEEP_AND_RESET if resets else _KEEP).make(database, _row(message))
    return None if heard is None else (heard.version, heard.own_version)


def load_unplanned(connection: Connection, since: datetime) -> tuple[IncomingMessage, ...]:
    """Persons' messages since then for which there is no plan, oldest first."""
    return tuple(map(_heard, connection.execute(_UNPLANNED, {"since": since})))


def _row(message: IncomingMessage) -> dict[str, Any]:
    return {
        "its_message_id": message.id,
        "its_session_id": message.session,
        "its_user_id": message.author.id,
        "its_author_name": message.author.name,
        "its_text": message.text,
        "its_created_at": message.created_at,
        "its_reply_to": message.reply_to,
        "its_asked": _asked(message),
        "session": message.session,
        "workspace": message.workspace,
        "at": message.created_at,
    }


def _asked(message: IncomingMessage) -> dict[str, Any] | None:
    mentions = [[mention.user, mention.is_us] for mention in message.mentions]
    asked: dict[str, Any] = {"mentions": mentions, "persona": message.persona, "model": message.model, "reasoning": message.reasoning}
    asked["replied_to"] = message.replied_to
    given: dict[str, Any] = {name: value for name, value in asked.items() if value}
    if message.direction is not None:
        given["direction"] = direction_row(message.direction)
    if message.standing.is_in_server:
        given |= {"standing": standing_row(message.standing)} | ({"is_auto_hit": True} if message.is_auto_hit else {})
    return given or None


def _heard(row: Sequence[Any]) -> IncomingMessage:
    workspace, message_id, session_id, user_id, name, text, created_at, reply_to, asked = row
    asked = asked or {}
    persona = asked.get("persona")
    return IncomingMessage(
        id=message_id,
        workspace=workspace,
        session=session_id,
        author=Person(user_id, name),
        text=text,
        created_at=created_at,
        reply_to=reply_to,
        mentions=tuple(Mention(UserId(user), is_us) for user, is_us in asked.get("mentions", ())),
        persona=Handle(persona) if persona else None,
        model=asked.get("model"),
        reasoning=asked.get("reasoning"),
        direction=to_direction(asked.get("direction")),
        replied_to=PersonaId(asked["replied_to"]) if "replied_to" in asked else None,
        standing=to_standing(asked.get("standing")),
        is_auto_hit=asked.get("is_auto_hit", False),
    )
