"""Keeping what a person says and letting the channel's count begin anew, as one change and as cheaply as the database allows."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.conversation import IncomingMessage
from coterie.storage.channels import RESET
from coterie.storage.database import Database
from coterie.storage.schema.conversations import messages
from coterie.storage.schema.workspaces import servers

_COLUMNS = ("message_id", "session_id", "user_id", "author_name", "text", "created_at", "reply_to")

_version = sa.select(servers.c.cast_version).where(servers.c.server_disc_id == bindparam("workspace")).scalar_subquery()
_ADD = (
    insert(messages)
    .values({column: bindparam(f"its_{column}") for column in _COLUMNS})
    .on_conflict_do_nothing(index_elements=[messages.c.message_id])
    .returning(_version.label("version"))
)
_heard = _ADD.cte("heard")
_ADD_AND_RESET = sa.select(_heard.c.version).add_cte(RESET.where(sa.exists(sa.select(_heard.c.version))).cte("reset"))


async def keep_heard(database: Database, message: IncomingMessage, *, resets: bool) -> tuple[int | None] | None:
    """Keep a message; the version of the workspace's cast, or nothing when a message with this id is there already.

    Raises SQLAlchemy's `IntegrityError` when there is no such session.
    """
    row = _row(message)
    if database.joins_changes:
        statement = _ADD_AND_RESET if resets else _ADD
        return await database.single(lambda connection: _first(connection, statement, row))

    def unit(connection: Connection) -> tuple[int | None] | None:
        heard = _first(connection, _ADD, row)
        if heard is not None and resets:
            connection.execute(RESET, row)
        return heard

    return await database.write(unit, durable=False)


def _first(connection: Connection, statement: sa.Executable, row: dict[str, Any]) -> tuple[int | None] | None:
    found = connection.execute(statement, row).one_or_none()
    return None if found is None else (found[0],)


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
