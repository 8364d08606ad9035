"""A message as a row, both ways."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam

from coterie.domain.conversation import Message, Person, PersonaVoice
from coterie.domain.ids import PersonaId
from coterie.storage.schema.conversations import messages
from coterie.storage.schema.personas import personas

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
)
"""The columns that `to_message` reads."""

# NULL where the persona was removed while it was speaking; where it is there, it stays until the line is written.
SPEAKER = sa.select(personas.c.persona_id).where(personas.c.persona_id == bindparam("speaker")).with_for_update(read=True, key_share=True)

ADD_LINE = sa.insert(messages).values(persona_id=SPEAKER.scalar_subquery())
"""Adds what `line_columns` gives."""


def to_message(row: Sequence[Any]) -> Message:
    """The message of the columns `MESSAGE`."""
    message_id, session_id, user_id, persona_id, handle, name, text, created_at, reply_to, turn_id, root_id = row
    author = Person(user_id, name) if handle is None else PersonaVoice(persona_id or REMOVED, handle, name)
    return Message(message_id, session_id, author, text, created_at, reply_to, turn_id, root_id)


def line_columns(line: Message) -> dict[str, Any]:
    """What a turn said, for `ADD_LINE`."""
    match line.author:
        case Person(id=user, name=name):
            author: dict[str, Any] = {"user_id": user, "speaker": None, "persona_handle": None, "author_name": name}
        case PersonaVoice(id=persona, handle=handle, name=name):
            author = {"user_id": None, "speaker": persona, "persona_handle": handle, "author_name": name}
    return author | {
        "message_id": line.id,
        "session_id": line.session,
        "text": line.text,
        "created_at": line.created_at,
        "reply_to": line.reply_to,
        "turn_id": line.turn,
        "root_id": line.root,
    }
