"""What is limited: waits, the count of auto-trigger channels, quotas. Every take is one statement that looks and writes at once."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.access import CooldownKey
from coterie.domain.ids import MessageId, UserId, WorkspaceId
from coterie.domain.turns.claims import Claims, Quota, Wait
from coterie.domain.turns.plan import Why
from coterie.ports.access import Taken
from coterie.storage.database import Database
from coterie.storage.schema.claims import cooldowns, server_auto_trigger_counts, text_quota_units, text_quotas, text_serverwide_quotas
from coterie.storage.schema.columns import Moment, Words
from coterie.storage.schema.conversations import messages, turn_plans, turns
from coterie.storage.schema.workspaces import servers
from coterie.storage.turn_rows import IS_UNFINISHED

_of_workspace = servers.c.server_disc_id == bindparam("workspace")
_SERVER = sa.select(servers.c.server_id).where(_of_workspace)


def _of_server(**columns: sa.ColumnElement[Any]) -> tuple[list[str], sa.Select[Any]]:
    """Columns to insert, with the server's number before them. The condition is also what SQLite needs between SELECT and ON CONFLICT."""
    return ["server_id", *columns], sa.select(servers.c.server_id, *columns.values()).where(_of_workspace)


def _text(name: str) -> sa.ColumnElement[Any]:
    return bindparam(name, type_=Words)


_new_wait = insert(cooldowns).from_select(
    *_of_server(
        cooldown_type=_text("kind"),
        user_disc_id=_text("user"),
        channel_disc_id=_text("place"),
        expires_at=bindparam("until", type_=Moment),
        root_id=_text("root"),
    )
)
_TAKE_WAIT = _new_wait.on_conflict_do_update(
    index_elements=list(cooldowns.primary_key.columns),
    set_={"expires_at": _new_wait.excluded.expires_at, "root_id": _new_wait.excluded.root_id},
    where=sa.or_(cooldowns.c.expires_at <= bindparam("now", type_=Moment), cooldowns.c.root_id == _new_wait.excluded.root_id),
).returning(cooldowns.c.expires_at)
_WAIT = (
    sa.select(cooldowns.c.expires_at)
    .join_from(cooldowns, servers)
    .where(
        _of_workspace,
        cooldowns.c.cooldown_type == bindparam("kind"),
        cooldowns.c.user_disc_id == bindparam("user"),
        cooldowns.c.channel_disc_id == bindparam("place"),
        cooldowns.c.expires_at > bindparam("now", type_=Moment),
    )
)
_OVER = sa.delete(cooldowns).where(cooldowns.c.expires_at <= bindparam("now", type_=Moment))

_counts = server_auto_trigger_counts
_new_count = insert(_counts).from_select(*_of_server(counter=sa.literal(1), target=bindparam("drawn", type_=sa.Integer)))
# The message behind the one that was waited for begins a new count.
_is_new = sa.or_(_counts.c.target <= 0, _counts.c.counter >= _counts.c.target)
_ADVANCE = _new_count.on_conflict_do_update(
    index_elements=[_counts.c.server_id],
    set_={
        "counter": sa.case((_is_new, 1), else_=_counts.c.counter + 1),
        "target": sa.case((_is_new, _new_count.excluded.target), else_=_counts.c.target),
    },
).returning(_counts.c.counter, _counts.c.target)

_new_day = insert(text_quotas).from_select(
    *_of_server(user_disc_id=_text("user"), quota_date=bindparam("today", type_=sa.Date), used=sa.literal(1))
)
_TAKE_DAILY = _new_day.on_conflict_do_update(
    index_elements=list(text_quotas.primary_key.columns),
    set_={"used": text_quotas.c.used + 1},
    where=text_quotas.c.used < bindparam("most", type_=sa.Integer),
).returning(text_quotas.c.used)
_period = text_serverwide_quotas
_new_period = insert(_period).from_select(*_of_server(period_start=bindparam("today", type_=sa.Date), used=sa.literal(1)))
_is_over = _period.c.period_start <= bindparam("over", type_=sa.Date)
_TAKE_SERVER = _new_period.on_conflict_do_update(
    index_elements=[_period.c.server_id],
    set_={
        "used": sa.case((_is_over, 1), else_=_period.c.used + 1),
        "period_start": sa.case((_is_over, _new_period.excluded.period_start), else_=_period.c.period_start),
    },
    where=sa.or_(_is_over, _period.c.used < bindparam("most", type_=sa.Integer)),
).returning(_period.c.period_start)

_KEEP_UNIT = sa.insert(text_quota_units).from_select(
    *(
        (["server_id", "root_id", "user_disc_id", "quota_date", "period_start"]),
        sa.select(
            servers.c.server_id,
            _text("root"),
            _text("user"),
            bindparam("day", type_=sa.Date),
            bindparam("period", type_=sa.Date),
        ).where(_of_workspace),
    )
)
_HAS_UNIT = sa.select(text_quota_units.c.root_id).where(text_quota_units.c.root_id == bindparam("root"))
_SETTLE = sa.delete(text_quota_units).where(text_quota_units.c.root_id == bindparam("root")).returning(*text_quota_units.c)
_GIVE_BACK_DAILY = (
    sa.update(text_quotas)
    .where(
        text_quotas.c.server_id == bindparam("server"),
        text_quotas.c.user_disc_id == bindparam("user"),
        text_quotas.c.quota_date == bindparam("day"),
        text_quotas.c.used > 0,
    )
    .values(used=text_quotas.c.used - 1)
)
_GIVE_BACK_SERVER = (
    sa.update(_period)
    .where(_period.c.server_id == bindparam("server"), _period.c.period_start == bindparam("period"), _period.c.used > 0)
    .values(used=_period.c.used - 1)
)
_said_something = sa.exists().where(messages.c.root_id == text_quota_units.c.root_id, messages.c.turn_id.is_not(None))
_LEFT = sa.select(text_quota_units.c.root_id, _said_something).where(
    ~sa.exists().where(turn_plans.c.root_id == text_quota_units.c.root_id, turns.c.message_id == turn_plans.c.message_id, IS_UNFINISHED)
)


class SqlLimited:
    """`Limited` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def waits_until(self, workspace: WorkspaceId, key: CooldownKey, now: datetime) -> datetime | None:
        """When a wait ends that has not ended yet."""
        asked = {"workspace": workspace, **_key(key), "now": now}
        return await self._database.read(lambda connection: connection.execute(_WAIT, asked).scalar())

    async def advance(self, workspace: WorkspaceId, drawn: int) -> bool:
        """Count one more message; whether it is the one that was waited for. With `drawn` a new count begins where none is under way."""
        row = {"workspace": workspace, "drawn": drawn}
        found = await self._database.single(lambda connection: connection.execute(_ADVANCE, row).one_or_none())
        return found is not None and 0 < found.target <= found.counter

    async def take(self, workspace: WorkspaceId, root: MessageId, claims: Claims, at: datetime) -> Taken:
        """Take what the turns of a message need after all, when their own routes have failed; once for all of them."""

        def unit(connection: Connection) -> Taken:
            try:
                return Taken(has_unit=take(connection, workspace, root, claims, at))
            except Refused as refused:
                return Taken(refused.why)

        return await self._database.write(unit, durable=False)

    async def settle(self, root: MessageId, *, is_kept: bool) -> None:
        """The unit of a message is spent for good, or given back."""
        await self._database.write(lambda connection: _settle(connection, root, is_kept=is_kept), durable=False)

    async def settle_left(self, now: datetime) -> int:
        """Settle the units of messages whose turns have all ended, and forget the waits that are over."""

        def unit(connection: Connection) -> int:
            connection.execute(_OVER, {"now": now})
            left = connection.execute(_LEFT).all()
            for root, is_kept in left:
                _settle(connection, root, is_kept=is_kept)
            return len(left)

        return await self._database.write(unit)

    async def reset(self, workspace: WorkspaceId, person: UserId | None = None) -> None:
        """Begin the quota of a member, or of the whole server, anew."""

        def unit(connection: Connection) -> None:
            server = connection.execute(_SERVER, {"workspace": workspace}).scalar()
            daily = sa.delete(text_quotas).where(text_quotas.c.server_id == server)
            connection.execute(daily if person is None else daily.where(text_quotas.c.user_disc_id == person))
            if person is None:
                connection.execute(sa.delete(_period).where(_period.c.server_id == server))

        await self._database.write(unit)


class Refused(Exception):
    """What a plan claims is not free; `until` when it will be, where that is known."""

    def __init__(self, why: Why, until: datetime | None = None) -> None:
        super().__init__(why.value)
        self.why = why
        self.until = until


def take(connection: Connection, workspace: WorkspaceId, root: MessageId, claims: Claims, at: datetime) -> bool:
    """Take what is claimed for a message, all or nothing; whether a unit of a quota was taken. Raises `Refused`: then nothing is taken."""
    with connection.begin_nested():
        # The wait comes last: it is the likeliest to be asked for by two at once, and whoever comes second need wait for nothing else.
        has_unit = claims.quota is not None and _take_quota(connection, workspace, root, claims.quota, at)
        if claims.wait is not None:
            _take_wait(connection, workspace, root, claims.wait, at)
    return has_unit


def _take_wait(connection: Connection, workspace: WorkspaceId, root: MessageId, wait: Wait, at: datetime) -> None:
    row = {"workspace": workspace, "root": root, **_key(wait.key), "until": wait.until, "now": at}
    if connection.execute(_TAKE_WAIT, row).one_or_none() is None:
        raise Refused(Why.COOLDOWN, connection.execute(_WAIT, row).scalar())


def _take_quota(connection: Connection, workspace: WorkspaceId, root: MessageId, quota: Quota, at: datetime) -> bool:
    """All turns of a trigger share one unit."""
    today = at.astimezone(UTC).date()
    row: dict[str, Any] = {"workspace": workspace, "root": root, "user": quota.person, "today": today, "day": None, "period": None}
    if connection.execute(_HAS_UNIT, row).one_or_none() is not None:
        return True
    if quota.daily and connection.execute(_TAKE_DAILY, row | {"most": quota.daily}).one_or_none() is None:
        raise Refused(Why.DAILY_QUOTA, _midnight_after(today))
    row["day"] = today if quota.daily else None
    if quota.server:
        row["period"] = connection.execute(_TAKE_SERVER, row | {"most": quota.server, "over": today - quota.period}).scalar()
        if row["period"] is None:
            raise Refused(Why.SERVER_QUOTA)
    connection.execute(_KEEP_UNIT, row)
    return True


def _settle(connection: Connection, root: MessageId, *, is_kept: bool) -> None:
    unit = connection.execute(_SETTLE, {"root": root}).one_or_none()
    if unit is None or is_kept:
        return
    row = {"server": unit.server_id, "user": unit.user_disc_id, "day": unit.quota_date, "period": unit.period_start}
    if unit.quota_date is not None:
        connection.execute(_GIVE_BACK_DAILY, row)
    if unit.period_start is not None:
        connection.execute(_GIVE_BACK_SERVER, row)


def _key(key: CooldownKey) -> Mapping[str, str]:
    return {"kind": key.kind.value, "user": key.user, "place": key.place}


def _midnight_after(day: date) -> datetime:
    return datetime.combine(date.fromordinal(day.toordinal() + 1), datetime.min.time(), UTC)
