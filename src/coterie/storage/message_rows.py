"""A message as a row, both ways."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, bindparam
from sqlalchemy.sql.dml import UpdateBase

from coterie.domain.conversation import Message, Person, PersonaVoice
from coterie.domain.ids import PersonaId
from coterie.storage.appearances import appearance_row, to_appearance
from coterie.storage.schema.conversations import messages
from coterie.storage.schema.personas import personas
from coterie.storage.together import parameters, rows

REMOVED = PersonaId(0)
"""The id of a speaker that is no longer in any cast; handle and name are as they were."""

MESSAGE = (
    messages.c.message_id,
    messages.c.session_id,
    messages.c.user_id,
    messages.c.persona_id,
    messages.c.persona_handle,
    messages.c.author_name,
    messages.c.text,
    messages.c.created_at,
    messages.c.reply_to,
    messages.c.turn_id,
    messages.c.root_id,
    messages.c.appearance,
)
"""The columns that `to_message` reads."""

# NULL where the persona was removed while it was speaking; where it is there, it stays until the line is written.
SPEAKER = sa.select(personas.c.persona_id).where(personas.c.persona_id == bindparam("speaker")).with_for_update(read=True, key_share=True)

_OF_LINES = (
    "message_id",
    "persona_handle",
    "author_name",
    "session_id",
    "text",
    "created_at",
    "reply_to",
    "turn_id",
    "root_id",
    "appearance",
)


def to_message(row: Sequence[Any]) -> Message:
    """The message of the columns `MESSAGE`."""
    message_id, session_id, user_id, persona_id, handle, name, text, created_at, reply_to, turn_id, root_id, worn = row
    author = Person(user_id, name) if handle is None else PersonaVoice(persona_id or REMOVED, handle, name)
    return Message(message_id, session_id, author, text, created_at, reply_to, turn_id, root_id, to_appearance(worn))


def add_lines(count: int, given: ColumnElement[bool]) -> UpdateBase:
    """Insert what a turn of `:speaker` said, with the parameters of `line_parameters`."""
    source = rows(messages, _OF_LINES, count, given).subquery()
    said = sa.select(SPEAKER.scalar_subquery(), *source.c)
    return sa.insert(messages).from_select(["persona_id", *_OF_LINES], said, include_defaults=False)


def line_parameters(lines: Sequence[Message]) -> dict[str, Any]:
    """The lines as parameters of `add_lines`."""
    return parameters(messages, [_line_row(line) for line in lines])


def _line_row(line: Message) -> dict[str, Any]:
    assert isinstance(line.author, PersonaVoice)
    return {
        "message_id": line.id,
        "persona_handle": line.author.handle,
        "author_name": line.author.name,
        "session_id": line.session,
        "text": line.text,
        "created_at": line.created_at,
        "reply_to": line.reply_to,
        "turn_id": line.turn,
        "root_id": line.root,
        "appearance": appearance_row(line.appearance),
    }
