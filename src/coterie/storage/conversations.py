"""Messages, plans and turns."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.exc import IntegrityError

from coterie.domain.conversation import IncomingMessage, Message
from coterie.domain.ids import MessageId, SessionId, TurnId, WorkspaceId
from coterie.ports.stores import Decision, History, NotFound, PlanCommit, Settled, Turn, TurnFacts, TurnStatus
from coterie.storage.casts import SqlCasts
from coterie.storage.channels import reset, spoke
from coterie.storage.database import Database
from coterie.storage.errors import belongs_to_nothing
from coterie.storage.hearing import keep_heard, load_unplanned
from coterie.storage.message_rows import MESSAGE, add_lines, line_parameters, to_message
from coterie.storage.people import SqlPeople
from coterie.storage.plans import load_moment, personas_of, write_plan
from coterie.storage.schema.columns import now
from coterie.storage.schema.conversations import messages, turn_plans, turns
from coterie.storage.settings import SqlSettings
from coterie.storage.together import Together
from coterie.storage.turn_rows import (
    BESIDE_TURN,
    BESIDE_UNFINISHED,
    IS_UNFINISHED,
    LOAD_PLAN,
    OF_MESSAGE,
    UNFINISHED,
    to_decision,
    to_turns,
)

_PASS = reset(sa.true())
_MESSAGE = sa.select(*MESSAGE).where(messages.c.message_id == bindparam("message"))
_of_session = messages.c.session_id == bindparam("session")
_HISTORY = sa.select(*MESSAGE).where(_of_session).order_by(messages.c.seq.desc()).limit(bindparam("most"))
_place = sa.select(messages.c.seq).where(messages.c.message_id == bindparam("before"), _of_session).scalar_subquery()
_HISTORY_BEFORE = _HISTORY.where(messages.c.seq < _place)
_PLACE = sa.select(_place)
_BEGIN = sa.update(turns).where(turns.c.turn_id == bindparam("turn"), IS_UNFINISHED).values(status=TurnStatus.RUNNING)
_FINISH = (
    sa.update(turns)
    .where(turns.c.turn_id == bindparam("turn"), IS_UNFINISHED)
    .values(status=bindparam("new_status"), note=bindparam("new_note"), updated_at=bindparam("at"))
    .returning(turns.c.persona_id)
)
_AMEND = (
    sa.update(messages)
    .where(messages.c.message_id == bindparam("message"), messages.c.user_id.is_not(None))
    .values(text=bindparam("new_text"))
)
_REMOVE = sa.delete(messages).where(
    messages.c.message_id.in_(bindparam("gone", expanding=True)),
    sa.or_(messages.c.user_id.is_(None), sa.exists().where(turn_plans.c.message_id == messages.c.message_id)),
    ~sa.exists().where(turns.c.message_id == messages.c.message_id, IS_UNFINISHED),
)
_UNSAY = sa.delete(messages).where(messages.c.turn_id == bindparam("turn"), messages.c.message_id.in_(bindparam("lines", expanding=True)))
_REOPEN = sa.update(turns).where(turns.c.turn_id == bindparam("turn")).values(status=TurnStatus.RUNNING, note="")
_SPOKEN = (
    sa.select(turns.c.turn_id)
    .join(turn_plans)
    .where(
        turns.c.turn_id.in_(bindparam("turns", expanding=True)),
        sa.exists().where(messages.c.session_id == turn_plans.c.session_id, messages.c.turn_id == turns.c.turn_id),
    )
)
_IS_THERE = sa.select(turns.c.seq).where(turns.c.turn_id == bindparam("turn"))
_FORGET = sa.delete(turn_plans).where(
    turn_plans.c.created_at < bindparam("before"),
    ~sa.exists().where(turns.c.message_id == turn_plans.c.message_id, IS_UNFINISHED),
)


class SqlConversations:
    """`Conversations` over a database. What it reads on the way tells `casts` and `people` whether what they remember is still right."""

    def __init__(self, database: Database, casts: SqlCasts, settings: SqlSettings, people: SqlPeople) -> None:
        self._database = database
        self._casts = casts
        self._settings = settings
        self._people = people

    async def hear(self, message: IncomingMessage, *, resets: bool = True) -> bool:
        """Keep a person's message; false when one with this id is there already (a message seen twice is one).

        In the same change the cascade count of the channel becomes 0, unless the message is a stop (`resets=False`).
        Raises `NotFound` when there is no such session.
        """
        with _within(message.session):
            heard = await keep_heard(self._database, message, resets=resets)
        workspace_version, own_version = heard or (None, None)
        if workspace_version is not None:
            self._casts.seen(message.workspace, workspace_version)
        if own_version is not None:
            self._people.seen(message.author.id, own_version)
        return heard is not None

    async def passed(self, session: SessionId, at: datetime) -> None:
        """A person said something that is not kept and calls nobody: the cascade count of the channel becomes 0."""
        await self._database.single(lambda connection: connection.execute(_PASS, {"session": session, "at": at}).rowcount)

    async def amend(self, message: MessageId, text: str) -> None:
        """A person's message reads otherwise now; nothing happens where it is not kept."""
        await self._database.single(lambda connection: connection.execute(_AMEND, {"message": message, "new_text": text}).rowcount)

    async def forget(self, messages: Sequence[MessageId]) -> None:
        """Messages were deleted where they were said, except those that wait for an answer; what was decided about them stays."""
        gone = {"gone": list(messages)}
        await self._database.single(lambda connection: connection.execute(_REMOVE, gone).rowcount)

    async def message(self, message: MessageId) -> Message | None:
        """One message."""
        row = await self._database.read(lambda connection: connection.execute(_MESSAGE, {"message": message}).one_or_none())
        return None if row is None else to_message(row)

    async def history(self, session: SessionId, limit: int, before: MessageId | None = None) -> History:
        """The newest `limit` messages, or the newest before one of them. Raises `NotFound` for an unknown `before`."""
        asked = {"session": session, "most": max(limit, 0), "before": before}

        def unit(connection: Connection) -> tuple[Message, ...]:
            rows = connection.execute(_HISTORY if before is None else _HISTORY_BEFORE, asked).all()
            if not rows and before is not None and connection.execute(_PLACE, asked).scalar() is None:
                raise NotFound(f"There is no message {before!r} in this session.")
            return tuple(map(to_message, reversed(rows)))

        return History(await self._database.read(unit))

    async def facts(self, workspace: WorkspaceId, session: SessionId, reply_to: MessageId | None, now: datetime) -> TurnFacts:
        """Everything planning needs. A message of another session counts as not known."""
        moment = await self._database.read(lambda connection: load_moment(connection, workspace, session, reply_to, now))
        if moment.version is not None:
            self._casts.seen(workspace, moment.version)
        # They are remembered, and the version that was just read tells whether they still hold.
        settings = await self._settings.settings(workspace)
        return TurnFacts(settings, moment.state, moment.replied_to)

    async def commit(self, plan: PlanCommit) -> Settled:
        """Write a plan, its turns and its skips, and count the cascade, as one change under the channel's row lock.

        Raises `NotFound` when there is no such session.
        """
        cast = await self._casts.cast(plan.workspace)
        named = set(personas_of(plan))
        names = {persona.id: (persona.handle, persona.name) for persona in cast.personas if persona.id in named}
        with _within(plan.session):
            return await write_plan(self._database, plan, names)

    async def begin(self, turn: TurnId) -> None:
        """The turn runs; nothing changes when it is finished already."""
        await self._database.single(lambda connection: connection.execute(_BEGIN, {"turn": turn}).rowcount)

    async def say(self, turn: TurnId, lines: Sequence[Message], status: TurnStatus, at: datetime, note: str = "") -> None:
        """Keep what a turn said and finish it, in one change, so that a restart can say nothing twice.

        A turn that is finished already keeps what it said then: nothing is added. Raises `NotFound` when there is no such turn.
        """
        row = _ending(turn, status, note, at)
        if not lines:
            finished = await self._database.single(lambda connection: connection.execute(_FINISH, row).one_or_none())
        else:
            row |= line_parameters(lines) | {"session": lines[0].session, "speaker": lines[0].author.id}
            finished = await _saying(len(lines)).make(self._database, row)
        if finished is None:
            await self._require(turn)

    async def unsay(self, turn: TurnId, lines: Sequence[MessageId]) -> None:
        """Lines of a turn are taken back, and the turn is unfinished again."""

        def unit(connection: Connection) -> None:
            connection.execute(_UNSAY, {"turn": turn, "lines": list(lines)})
            connection.execute(_REOPEN, {"turn": turn})

        await self._database.write(unit, durable=False)

    async def finish(self, turn: TurnId, status: TurnStatus, note: str = "") -> None:
        """The turn ends without a line; one that is finished stays as it is. Raises `NotFound` when there is no such turn."""
        await self.say(turn, (), status, now(), note)

    async def spoken(self, turns: Sequence[TurnId]) -> frozenset[TurnId]:
        """Those of these turns that have said something."""
        asked = {"turns": list(turns)}
        return frozenset(await self._database.read(lambda connection: connection.execute(_SPOKEN, asked).scalars().all()))

    async def unfinished(self) -> Sequence[Turn]:
        """Turns that were waiting or running when the process ended, in the order in which they would have run."""
        beside = await self._database.read(lambda connection: to_turns(connection.execute(BESIDE_UNFINISHED)))
        left = [turn for turn in beside if turn.status in UNFINISHED]
        return sorted(left, key=lambda turn: turn.status is not TurnStatus.RUNNING)

    async def unplanned(self, since: datetime) -> Sequence[IncomingMessage]:
        """What persons said since then and was never planned, because the process ended while it waited; oldest first."""
        return await self._database.read(lambda connection: load_unplanned(connection, since))

    async def why(self, message: MessageId) -> Decision | None:
        """The plan that was made for a message; nothing if there was none or it is too old."""
        asked = {"message": message}

        def unit(connection: Connection) -> Decision | None:
            plan = connection.execute(LOAD_PLAN, asked).one_or_none()
            return None if plan is None else to_decision(message, plan, to_turns(connection.execute(OF_MESSAGE, asked)))

        return await self._database.read(unit)

    async def turn(self, turn: TurnId) -> Turn | None:
        """One turn."""
        beside = await self._database.read(lambda connection: to_turns(connection.execute(BESIDE_TURN, {"turn": turn})))
        return next((found for found in beside if found.id == turn), None)

    async def forget_decisions(self, before: datetime) -> int:
        """Remove plans older than this with their finished turns; messages stay, and so does what is unfinished. Returns how many."""
        return await self._database.write(lambda connection: connection.execute(_FORGET, {"before": before}).rowcount)

    async def _require(self, turn: TurnId) -> None:
        """Raise `NotFound` when there is no such turn."""
        if await self._database.read(lambda connection: connection.execute(_IS_THERE, {"turn": turn}).scalar()) is None:
            raise NotFound(f"There is no turn {turn!r}.")


@contextmanager
def _within(session: SessionId) -> Iterator[None]:
    """Raise `NotFound` where a change that refers to its session alone refers to nothing."""
    try:
        yield
    except IntegrityError as error:
        if belongs_to_nothing(error):
            raise NotFound(f"There is no session {session!r}.") from error
        raise


def _ending(turn: TurnId, status: TurnStatus, note: str, at: datetime) -> dict[str, Any]:
    return {"turn": turn, "new_status": status, "new_note": note, "at": at}


@lru_cache(maxsize=64)
def _saying(lines: int) -> Together:
    """The end of a turn that said so many lines."""
    return Together(_FINISH, lambda given: (add_lines(lines, given), spoke(given)))
