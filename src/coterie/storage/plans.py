"""What planning asks, and the one atomic change that a plan is."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from coterie.domain.ids import MessageId, PersonaId, SessionId, WorkspaceId
from coterie.domain.turns.plan import Why
from coterie.ports.stores import PlanCommit, PlannedTurn, Settled, TurnFacts
from coterie.storage.channels import STATE, lock_count, to_state, write_count
from coterie.storage.message_rows import MESSAGE, to_message
from coterie.storage.schema.conversations import channel_states, messages
from coterie.storage.schema.workspaces import servers
from coterie.storage.settings import SERVERS_WITH_SETTINGS, SET, to_settings
from coterie.storage.turn_rows import Names, add_plan, add_turns, planned_turns

_FACTS = (
    sa.select(servers.c.cast_version, *SET, *STATE, *MESSAGE)
    .select_from(
        SERVERS_WITH_SETTINGS.outerjoin(channel_states, channel_states.c.session_id == bindparam("session")).outerjoin(
            messages, sa.and_(messages.c.message_id == bindparam("reply_to"), messages.c.session_id == bindparam("session"))
        )
    )
    .where(servers.c.server_disc_id == bindparam("workspace"))
)
_NOTHING: Sequence[Any] = (0, *(None for _ in (*SET, *STATE, *MESSAGE)))


def load_facts(
    connection: Connection, workspace: WorkspaceId, session: SessionId, reply_to: MessageId | None, now: datetime
) -> tuple[TurnFacts, int]:
    """Everything planning needs, with one question, and the version of the cast that the database holds."""
    asked = {"workspace": workspace, "session": session, "reply_to": reply_to}
    found: Sequence[Any] | None = connection.execute(_FACTS, asked).one_or_none()
    version, *row = found or _NOTHING
    settings = to_settings(workspace, row[: len(SET)])
    state = to_state(row[len(SET) : len(SET) + len(STATE)], now)
    replied = row[len(SET) + len(STATE) :]
    return TurnFacts(settings, state, to_message(replied) if replied[0] is not None else None), version


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
