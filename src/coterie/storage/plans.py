"""What planning asks, and the one atomic change that a plan is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from coterie.domain.conversation import Message
from coterie.domain.ids import MessageId, PersonaId, SessionId, WorkspaceId
from coterie.domain.turns.plan import Why
from coterie.ports.stores import ChannelState, PlanCommit, PlannedTurn, Settled
from coterie.storage.channels import STATE, lock_count, to_state, write_count
from coterie.storage.message_rows import MESSAGE, to_message
from coterie.storage.schema.conversations import channel_states, messages
from coterie.storage.schema.workspaces import servers
from coterie.storage.turn_rows import Names, add_plan, add_turns, planned_turns

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


def write_plan(connection: Connection, plan: PlanCommit, names: Names) -> Settled:
    """Write a plan under the channel's lock. The count is looked at again, since a plan is made from facts that may be old by now."""
    # Where the count begins anew, there is nothing to look at.
    count = 0 if plan.resets else lock_count(connection, plan.session, plan.at)
    chosen, beyond = _within_limit(plan.turns, count, plan.cascade_limit)
    skipped = plan.skipped + tuple((turn.persona, Why.CASCADE_LIMIT) for turn in beyond)
    add_plan(connection, plan, skipped, names)
    turns = planned_turns(plan, chosen)
    if turns:
        add_turns(connection, turns)
    counting = sum(turn.counts for turn in chosen)
    if plan.resets or turns:
        write_count(connection, plan.session, count + counting, plan.at if counting else None, plan.origin if turns else None)
    return Settled(turns, skipped)


def _within_limit(turns: Sequence[PlannedTurn], count: int, cascade_limit: int) -> tuple[list[PlannedTurn], list[PlannedTurn]]:
    """Those that run and those that do not: the first activation is free, then `cascade_limit` more (specification 000)."""
    running: list[PlannedTurn] = []
    beyond: list[PlannedTurn] = []
    for turn in turns:
        if turn.counts and count > cascade_limit:
            beyond.append(turn)
        else:
            running.append(turn)
            count += turn.counts
    return running, beyond


def personas_of(plan: PlanCommit) -> tuple[PersonaId, ...]:
    """Everyone whom a plan names."""
    return (*(turn.persona for turn in plan.turns), *(persona for persona, _ in plan.skipped))
