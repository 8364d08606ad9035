"""What planning asks, and the one atomic change that a plan is."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, bindparam
from sqlalchemy.sql.dml import UpdateBase

from coterie.domain.conversation import Message
from coterie.domain.ids import MessageId, PersonaId, SessionId, WorkspaceId
from coterie.domain.triggers.cascade import Cascade
from coterie.domain.turns.plan import Why, settle_turns
from coterie.ports.stores import ChannelState, PlanCommit, Settled
from coterie.storage.channels import STATE, count, lock_count, to_state
from coterie.storage.database import Database
from coterie.storage.limited import Refused, take
from coterie.storage.message_rows import MESSAGE, to_message
from coterie.storage.schema.conversations import channel_states, messages
from coterie.storage.schema.workspaces import servers
from coterie.storage.together import Together
from coterie.storage.turn_rows import ADD_PLAN, Names, add_turns, plan_parameters, planned_turns

_here = servers.outerjoin(channel_states, channel_states.c.session_id == bindparam("session"))
_replied = sa.and_(messages.c.message_id == bindparam("reply_to"), messages.c.session_id == bindparam("session"))
_of_workspace = servers.c.server_disc_id == bindparam("workspace")
_STATE = sa.select(servers.c.cast_version, *STATE).select_from(_here).where(_of_workspace)
_STATE_AND_REPLIED = (
    sa.select(servers.c.cast_version, *STATE, *MESSAGE).select_from(_here.outerjoin(messages, _replied)).where(_of_workspace)
)


@dataclass(frozen=True, slots=True)
class Moment:
    """What changes from message to message. `version` is that of the workspace; nothing: it was never seen."""

    version: int | None
    state: ChannelState
    replied_to: Message | None


def load_moment(connection: Connection, workspace: WorkspaceId, session: SessionId, reply_to: MessageId | None, now: datetime) -> Moment:
    """What a plan has to go by beside cast and settings, with one question."""
    asked = {"workspace": workspace, "session": session, "reply_to": reply_to}
    row = connection.execute(_STATE if reply_to is None else _STATE_AND_REPLIED, asked).one_or_none()
    if row is None:
        return Moment(None, ChannelState(), None)
    version, state, replied = row[0], row[1 : 1 + len(STATE)], row[1 + len(STATE) :]
    return Moment(version, to_state(state, now), to_message(replied) if replied and replied[0] is not None else None)


async def write_plan(database: Database, plan: PlanCommit, names: Names) -> Settled:
    """Write a plan. Where the count goes on, it is looked at again under the channel's lock, since the facts may be old by now.

    What the plan claims is taken in the same change; where that is refused, the plan is written without turns.
    """
    if plan.resets and not plan.claims:
        settled, row = _settle(plan, 0, names)
        await _changes(len(settled.turns), counts=True).make(database, row)
        return settled

    def unit(connection: Connection) -> Settled:
        counted = 0 if plan.resets else lock_count(connection, plan.session, plan.at)
        settled, row = _settle(plan, counted, names, _taken(connection, plan))
        _changes(len(settled.turns), counts=plan.resets or bool(settled.turns)).within(connection, row)
        return settled

    return await database.write(unit, durable=False)


def _taken(connection: Connection, plan: PlanCommit) -> bool | Refused:
    """Take what the plan claims: whether there is a unit to be settled later, or why it is refused."""
    if not plan.claims or not plan.turns:
        return False
    try:
        return take(connection, plan.workspace, plan.root, plan.claims, plan.at)
    except Refused as refused:
        return refused


@lru_cache(maxsize=64)
def _changes(turns: int, *, counts: bool) -> Together:
    """The plan, so many turns, and the count if it changes."""

    def others(given: ColumnElement[bool]) -> list[UpdateBase]:
        return [add_turns(turns, given)] * bool(turns) + [count(given)] * counts

    return Together(ADD_PLAN, others)


def _settle(plan: PlanCommit, counted: int, names: Names, taken: bool | Refused = False) -> tuple[Settled, dict[str, Any]]:
    """What becomes of a plan after so many activations, and the parameters that write it."""
    refused = taken if isinstance(taken, Refused) else None
    chosen, beyond = settle_turns(plan.turns, lambda turn: turn.counts, Cascade(counted), plan.cascade_limit)
    skipped = plan.skipped + tuple((turn.persona, Why.CASCADE_LIMIT) for turn in beyond)
    if refused is not None:
        chosen, skipped = (), tuple((turn.persona, refused.why) for turn in plan.turns) + plan.skipped
    turns = planned_turns(plan, chosen)
    counting = sum(turn.counts for turn in chosen)
    row = plan_parameters(plan, turns, skipped, names) | {
        "session": plan.session,
        "at": plan.at,
        "count": counted + counting,
        "activated": plan.at if counting else None,
        "origin": plan.origin if turns else None,
    }
    if refused is not None:
        return Settled(turns, skipped, refused.why, refused.until), row
    return Settled(turns, skipped, has_unit=taken is True), row


def personas_of(plan: PlanCommit) -> tuple[PersonaId, ...]:
    """Everyone whom a plan names."""
    return (*(turn.persona for turn in plan.turns), *(persona for persona, _ in plan.skipped))
