"""Saying something and hearing what comes of it: `/v1/send`, the events of a session, stop. Everything is judged before a stream begins."""

import re
from typing import Annotated

from fastapi import APIRouter, Header, Query

from coterie.domain.conversation import IncomingMessage, Person
from coterie.domain.ids import LOCAL, Handle, MessageId, SessionId, UserId
from coterie.domain.sessions.fields import SESSION_LEVELS
from coterie.domain.sessions.names import Kind, is_discord, kind_of
from coterie.domain.sessions.precedence import AUTO
from coterie.domain.sessions.session import Session
from coterie.platforms.web.asked import AskedHouse, AskedSession, find_session, message_id, persona_in, unknown_message, unknown_session
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes import Done, Send, Sender
from coterie.platforms.web.streams import STREAM_RESPONSE, EventStream

MAX_CONTENT = 200_000
"""Characters of one message."""
OWNER = Person(UserId("owner"), "You")
"""Who speaks when the client does not say who."""

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
"""Control characters, line separators, and marks that turn the direction of what follows."""

router = APIRouter(tags=["talk"])


@router.post("/v1/send", status_code=200, response_class=EventStream, responses={**refusals(404), **STREAM_RESPONSE})
async def send(house: AskedHouse, body: Send) -> EventStream:
    """Say something; the answer is the stream of everything that comes of it, up to `end`. Hanging up stops nothing."""
    _judge_form(house, body)
    session = await find_session(house, body.session_id)
    workspace = session.workspace if session else LOCAL
    if session is None and kind_of(body.session_id) is not Kind.HTTP:
        raise unknown_session()
    if session is not None and is_discord(session.id):
        raise Refused(409, "This conversation is on Discord: write there.")
    if not house.owns_rooms:
        raise Refused(409, "The rooms belong to another Coterie process on this database: use its address.")
    persona = persona_in(await house.casts.cast(workspace), body.persona).handle if body.persona is not None else None
    reply_to = await _replied_to(house, session, body.reply_to) if body.reply_to is not None else None
    if session is None:
        session = await house.sessions.create(SessionId(body.session_id), workspace)
    return EventStream(await house.rooms.send(_message(house, session, body, persona, reply_to)))


def _judge_form(house: House, body: Send) -> None:
    """What can be judged without a look at what is stored."""
    if not body.content.strip():
        raise Refused(400, "content is blank.")
    if len(body.content) > MAX_CONTENT:
        raise Refused(413, f"content has {len(body.content):,} characters; at most {MAX_CONTENT:,} are taken.")
    if body.model not in {None, "", AUTO} and not is_model_name(house, body.model or ""):
        raise Refused(400, "model takes provider:model with a known provider, or auto.")
    if body.reasoning not in {None, *SESSION_LEVELS}:
        raise Refused(400, f"reasoning takes one of {', '.join(SESSION_LEVELS)}.")


def is_model_name(house: House, name: str) -> bool:
    """Whether a model can be called so."""
    return name.isprintable() and house.models.knows(name)


async def _replied_to(house: House, session: Session | None, given: str) -> MessageId:
    found = await house.conversations.message(message_id(given))
    if found is None or session is None or found.session != session.id:
        raise unknown_message()
    return found.id


def _message(house: House, session: Session, body: Send, persona: Handle | None, reply_to: MessageId | None) -> IncomingMessage:
    return IncomingMessage(
        id=MessageId(house.ids.message()),
        workspace=session.workspace,
        session=session.id,
        author=sender(body.user),
        text=body.content,
        created_at=house.clock.now(),
        reply_to=reply_to,
        persona=persona,
        model=_chosen(body.model),
        reasoning=_chosen(body.reasoning),
    )


def _chosen(value: str | None) -> str | None:
    return None if value in {None, "", AUTO} else value


def sender(given: Sender | None) -> Person:
    """Who speaks, under a name that can stand in a line: no control characters, one blank between words."""
    if given is None:
        return OWNER
    return Person(UserId(_clean(given.id) or OWNER.id), _clean(given.name) or OWNER.name)


def _clean(text: str | None) -> str:
    return " ".join(_UNSEEN.sub(" ", text or "").split())


@router.get("/v1/session/{session_id}/events", status_code=200, response_class=EventStream, responses={**refusals(404), **STREAM_RESPONSE})
async def events(
    house: AskedHouse,
    session: AskedSession,
    last_event_id: Annotated[str | None, Header(max_length=200, description="The newest event that was seen.")] = None,
    last_event_id_query: Annotated[
        str | None, Query(alias="last_event_id", max_length=200, description="For clients that cannot set the header.")
    ] = None,
) -> EventStream:
    """Everything that happens in the session, live. First comes, after `Last-Event-ID`, what was missed, where a line that was said
    stands for its deltas; without it, and after `resync`, what is under way: a `plan` with the turns that have not ended, and for each
    that has begun a `discard` and one `delta` with all it has written. A turn that was taken up after a restart comes without its plan,
    which `/v1/why` of its message still tells."""
    return EventStream(house.rooms.listen(session.id, last_event_id or last_event_id_query or None))


@router.post("/v1/session/{session_id}/stop", responses=refusals(404))
async def stop(house: AskedHouse, session: AskedSession) -> Done:
    """Stop what runs in the session and clear what waits."""
    await house.rooms.stop(session.id)
    return Done()
