"""Sessions as specification 004 shows them, what was said in them, and why. The rules of the fields live in `domain/sessions/fields`."""

from typing import Annotated

from fastapi import APIRouter, Query

from coterie.domain.ids import LOCAL, PersonaId, SessionId
from coterie.domain.personas.persona import Cast
from coterie.domain.prompt.role import effective_role
from coterie.domain.sessions.fields import SESSION_LEVELS, judge_change
from coterie.domain.sessions.session import Session, SessionChange
from coterie.domain.turns.plan import MEANINGS
from coterie.platforms.rooms.events import message_json, rfc3339
from coterie.platforms.web.asked import AskedHouse, AskedSession, AskedWorkspace, message_id, unknown_message
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes import (
    Done,
    MessageBody,
    MessageList,
    NewSession,
    SessionBody,
    SessionList,
    SessionUpdate,
    WhyBody,
    WhySkipped,
    WhyTurn,
)
from coterie.ports.stores import Decision

router = APIRouter(tags=["sessions"])


@router.get("/v1/sessions", responses=refusals(404))
async def list_sessions(house: AskedHouse, workspace: AskedWorkspace) -> SessionList:
    """The sessions of a workspace."""
    cast = await house.casts.cast(workspace)
    return SessionList(sessions=[_body(house, session, cast) for session in await house.sessions.list(workspace)])


@router.post("/v1/sessions", status_code=201, responses=refusals(404))
async def create_session(house: AskedHouse, workspace: AskedWorkspace, body: NewSession) -> SessionBody:
    """Make a session in `local`; elsewhere sessions come with the conversations of their platform."""
    if workspace != LOCAL:
        raise Refused(400, "Sessions are made in the workspace local only.")
    change = judge_change(body.model_dump(include={"name"}), house.models.knows)
    session = await house.sessions.create(SessionId(house.ids.session(body.prefix)), workspace, change.name or "")
    return await _shown(house, session)


@router.get("/v1/session/{session_id}", responses=refusals(404))
async def show_session(house: AskedHouse, session: AskedSession) -> SessionBody:
    """One session."""
    return await _shown(house, session)


@router.post("/v1/session/{session_id}", responses=refusals(404, 409))
async def change_session(house: AskedHouse, session: AskedSession, body: SessionUpdate) -> SessionBody:
    """Change what is sent, all of it or, where anything is refused, nothing; the answer is what GET would say."""
    change = judge_change(body.model_dump(exclude_unset=True), house.models.knows)
    if change != SessionChange():
        session = await house.sessions.change(session.id, change)
    return await _shown(house, session)


@router.delete("/v1/session/{session_id}", responses=refusals(404, 409))
async def delete_session(house: AskedHouse, session: AskedSession) -> Done:
    """Stop what runs in a session, then remove it with everything said in it. The default room stays (409)."""
    if session.is_default:
        raise Refused(409, "The default room cannot be deleted; every other session can.")
    await house.rooms.stop(session.id)
    await house.sessions.delete(session.id)
    house.rooms.forget(session.id)
    return Done()


async def _shown(house: House, session: Session) -> SessionBody:
    return _body(house, session, await house.casts.cast(session.workspace))


def _body(house: House, session: Session, cast: Cast) -> SessionBody:
    running = house.rooms.running(session.id)
    return SessionBody(
        session_id=session.id,
        self_id=session.self_id,
        name=session.name,
        model=session.model,
        reasoning=session.reasoning,
        role=session.role,
        rule=session.role,
        effective_role=effective_role(session.role, cast.main),
        levels=list(SESSION_LEVELS),
        chat_id=session.chat_id,
        guild_id=session.guild_id,
        channel_id=session.channel_id,
        user_id=session.user_id,
        state="working" if running else "idle",
        count=running,
        default=session.is_default,
        workspace=session.workspace,
        created_at=rfc3339(session.created_at),
        updated_at=rfc3339(session.updated_at),
    )


@router.get("/v1/session/{session_id}/messages", responses=refusals(404))
async def list_messages(
    house: AskedHouse,
    session: AskedSession,
    before: Annotated[str | None, Query(description="A message of the session: only what was said before it.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> MessageList:
    """The newest messages of the session, oldest first."""
    found = await house.conversations.history(session.id, limit, message_id(before) if before is not None else None)
    return MessageList(messages=[MessageBody.model_validate(message_json(message)) for message in found.messages])


@router.get("/v1/why/{message_id}", responses=refusals(404))
async def show_why(house: AskedHouse, message_id: str) -> WhyBody:
    """What was decided about a message: a named reason for each persona that spoke or did not."""
    decision = await _decision(house, message_id)
    return WhyBody(
        message_id=decision.message,
        session_id=decision.session,
        at=rfc3339(decision.at),
        turns=[
            WhyTurn(
                persona=_named(decision, turn.persona)[0],
                name=_named(decision, turn.persona)[1],
                reason=turn.reason.value,
                meaning=MEANINGS[turn.reason],
                turn_id=turn.id,
                status=turn.status.value,
                note=turn.note,
            )
            for turn in decision.turns
        ],
        skipped=[
            WhySkipped(persona=_named(decision, persona)[0], name=_named(decision, persona)[1], why=why.value, meaning=MEANINGS[why])
            for persona, why in decision.skipped
        ],
    )


async def _decision(house: House, given: str) -> Decision:
    """The decision about a message; for a persona's line that was not planned for, the one that let it speak."""
    asked = message_id(given)
    decision = await house.conversations.why(asked)
    if decision is None:
        message = await house.conversations.message(asked)
        if message is None:
            raise unknown_message()
        turn = await house.conversations.turn(message.turn) if message.turn else None
        decision = await house.conversations.why(turn.trigger) if turn else None
    if decision is None:
        raise Refused(404, "Nothing is known about why this message was or was not answered; such reasons are kept for a while only.")
    return decision


def _named(decision: Decision, persona: PersonaId) -> tuple[str, str]:
    return decision.names.get(persona, (str(persona), str(persona)))
