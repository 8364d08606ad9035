"""Keeping what a person says and letting the channel's count begin anew, as one change."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.conversation import IncomingMessage
from coterie.storage.channels import reset
from coterie.storage.database import Database
from coterie.storage.schema.conversations import messages
from coterie.storage.schema.workspaces import servers
from coterie.storage.together import Together

_COLUMNS = ("message_id", "session_id", "user_id", "author_name", "text", "created_at", "reply_to")

_version = sa.select(servers.c.cast_version).where(servers.c.server_disc_id == bindparam("workspace")).scalar_subquery()
_ADD = (
    insert(messages)
    .values({column: bindparam(f"its_{column}") for column in _COLUMNS})
    .on_conflict_do_nothing(index_elements=[messages.c.message_id])
    .returning(_version.label("version"))
)
_KEEP = Together(_ADD, lambda given: ())
_KEEP_AND_RESET = Together(_ADD, lambda given: (reset(given),))


async def keep_heard(database: Database, message: IncomingMessage, *, resets: bool) -> tuple[int | None] | None:
    """Keep a message; the version of the workspace's cast, or nothing when a message with this id is there already.

    Raises SQLAlchemy's `IntegrityError` when there is no such session.
    """
    heard = await (_KEEP_AND_RESET if resets else _KEEP).make(database, _row(message))
    return None if heard is None else (heard[0],)


def _row(message: IncomingMessage) -> dict[str, Any]:
    return {
        "its_message_id": message.id,
        "its_session_id": message.session,
        "its_user_id": message.author.id,
        "its_author_name": message.author.name,
        "its_text": message.text,
        "its_created_at": message.created_at,
        "its_reply_to": message.reply_to,
        "session": message.session,
        "workspace": message.workspace,
        "at": message.created_at,
    }
