"""Plans and their turns as rows, both ways."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, bindparam
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.sql.dml import UpdateBase

from coterie.domain.ids import Handle, MessageId, PersonaId, SessionId, TurnId, UserId, WorkspaceId
from coterie.domain.turns.plan import Reason, Why
from coterie.ports.stores import Decision, PlanCommit, PlannedTurn, Turn, TurnStatus
from coterie.storage.directions import direction_row, standing_row, to_direction, to_standing
from coterie.storage.schema.conversations import session, turn_plans, turns
from coterie.storage.together import parameters, rows

UNFINISHED = (TurnStatus.WAITING, TurnStatus.RUNNING)

Names = Mapping[PersonaId, tuple[Handle, str]]

IS_UNFINISHED = turns.c.status.in_([sa.literal_column(f"'{status}'") for status in UNFINISHED])

_TURN = (
    turns.c.turn_id,
    turn_plans.c.session_id,
    session.c.workspace_id,
    turns.c.persona_id,
    turns.c.reason,
    turn_plans.c.message_id,
    turn_plans.c.root_id,
    turn_plans.c.origin_user_id,
    turns.c.status,
    turn_plans.c.created_at,
    turn_plans.c.model,
    turn_plans.c.reasoning,
    turn_plans.c.direction,
    turn_plans.c.standing,
    turns.c.note,
)
_LOAD = sa.select(*_TURN).join_from(turns, turn_plans).join(session).order_by(turns.c.seq)
OF_MESSAGE = _LOAD.where(turns.c.message_id == bindparam("message"))
"""Every turn that a message led to."""
BESIDE_TURN = _LOAD.where(turns.c.message_id == sa.select(turns.c.message_id).where(turns.c.turn_id == bindparam("turn")).scalar_subquery())
"""A turn with those of the same message."""
BESIDE_UNFINISHED = _LOAD.where(turns.c.message_id.in_(sa.select(turns.c.message_id).where(IS_UNFINISHED)))
"""Every unfinished turn with those of the same message."""

LOAD_PLAN = sa.select(turn_plans.c.session_id, turn_plans.c.created_at, turn_plans.c.skipped, turn_plans.c.names).where(
    turn_plans.c.message_id == bindparam("message")
)

_OF_PLAN = (
    "message_id",
    "session_id",
    "root_id",
    "origin_user_id",
    "skipped",
    "names",
    "model",
    "reasoning",
    "direction",
    "standing",
    "created_at",
)
_OF_TURNS = ("turn_id", "message_id", "persona_id", "reason", "status", "note", "updated_at")

_new_plan = insert(turn_plans).values({column: bindparam(f"plan_{column}") for column in _OF_PLAN})
# A message that is planned once more (an earlier plan came to nothing) has one decision, the newest, over all its turns.
ADD_PLAN = _new_plan.on_conflict_do_update(
    index_elements=[turn_plans.c.message_id],
    set_={
        column: _new_plan.excluded[column] for column in ("skipped", "names", "model", "reasoning", "direction", "standing", "created_at")
    },
).returning(turn_plans.c.message_id)
"""Writes a decision, with the parameters of `plan_parameters`; its turns come after it."""


def add_turns(count: int, given: ColumnElement[bool]) -> UpdateBase:
    """Insert the turns of a plan, in the order in which they run, with the parameters of `plan_parameters`."""
    return sa.insert(turns).from_select(list(_OF_TURNS), rows(turns, _OF_TURNS, count, given), include_defaults=False)


def to_turns(rows: Iterable[Sequence[Any]]) -> list[Turn]:
    """The turns of whole messages, in order, each with those called by the same message."""
    fetched = list(rows)
    called: defaultdict[str, list[PersonaId]] = defaultdict(list)
    for row in fetched:
        called[row[5]].append(PersonaId(row[3]))
    return [_to_turn(row, tuple(called[row[5]])) for row in fetched]


def _to_turn(row: Sequence[Any], co_triggered: tuple[PersonaId, ...]) -> Turn:
    turn_id, session_id, workspace, persona, reason, trigger, root, origin, status, created_at, model, reasoning, *rest = row
    direction, standing, note = rest
    return Turn(
        id=TurnId(turn_id),
        session=SessionId(session_id),
        workspace=WorkspaceId(workspace),
        persona=PersonaId(persona),
        reason=Reason(reason),
        trigger=MessageId(trigger),
        root=MessageId(root),
        origin=UserId(origin),
        co_triggered=co_triggered,
        status=TurnStatus(status),
        created_at=created_at,
        model=model,
        reasoning=reasoning,
        direction=to_direction(direction),
        standing=to_standing(standing),
        note=note,
    )


def planned_turns(plan: PlanCommit, chosen: Sequence[PlannedTurn]) -> tuple[Turn, ...]:
    """The turns of a plan as they are about to be written."""
    co_triggered = tuple(turn.persona for turn in chosen)
    return tuple(
        Turn(
            id=turn.id,
            session=plan.session,
            workspace=plan.workspace,
            persona=turn.persona,
            reason=turn.reason,
            trigger=plan.message,
            root=plan.root,
            origin=plan.origin,
            co_triggered=co_triggered,
            status=TurnStatus.WAITING,
            created_at=plan.at,
            model=plan.model,
            reasoning=plan.reasoning,
            direction=plan.direction,
            standing=plan.standing,
        )
        for turn in chosen
    )


def plan_parameters(plan: PlanCommit, chosen: Sequence[Turn], skipped: Sequence[tuple[PersonaId, Why]], names: Names) -> dict[str, Any]:
    """A settled plan as parameters of `ADD_PLAN` and `add_turns`."""
    columns = {
        "message_id": plan.message,
        "session_id": plan.session,
        "root_id": plan.root,
        "origin_user_id": plan.origin,
        "skipped": [[persona, str(why)] for persona, why in skipped],
        "names": {str(persona): list(name) for persona, name in names.items()},
        "model": plan.model,
        "reasoning": plan.reasoning,
        "direction": direction_row(plan.direction),
        "standing": standing_row(plan.standing),
        "created_at": plan.at,
    }
    return {f"plan_{column}": value for column, value in columns.items()} | parameters(turns, [_turn_row(turn) for turn in chosen])


def _turn_row(turn: Turn) -> dict[str, Any]:
    return {
        "turn_id": turn.id,
        "message_id": turn.trigger,
        "persona_id": turn.persona,
        "reason": turn.reason,
        "status": turn.status,
        "note": turn.note,
        "updated_at": turn.created_at,
    }


def to_decision(message: MessageId, plan: Sequence[Any], turns_of_message: Sequence[Turn]) -> Decision:
    """A stored plan with its turns."""
    session_id, created_at, skipped, names = plan
    return Decision(
        message=message,
        session=SessionId(session_id),
        at=created_at,
        turns=tuple(turns_of_message),
        skipped=tuple((PersonaId(persona), Why(why)) for persona, why in skipped),
        names={PersonaId(int(persona)): (Handle(handle), name) for persona, (handle, name) in names.items()},
    )
