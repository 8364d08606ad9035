import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from coterie.domain.access import CooldownKey, CooldownKind
from coterie.domain.ids import LOCAL, MessageId, PlaceId, TurnId, UserId
from coterie.domain.turns.claims import Claims, Quota, Wait
from coterie.domain.turns.plan import Reason, Why
from coterie.ports.stores import PlanCommit, PlannedTurn, TurnStatus
from storage.talking import ANN, BEN, NOON, ROOM, said

KEY = CooldownKey(CooldownKind.PER_USER, ANN.id, PlaceId(""))
YEAR = timedelta(days=365)


async def plan(scene, message, claims, *, at=NOON, storage=None, root="", handle="bram"):
    persona = await scene.id_of(handle)
    commit = PlanCommit(
        workspace=LOCAL,
        session=ROOM,
        message=MessageId(message),
        root=MessageId(root or message),
        origin=ANN.id,
        turns=(PlannedTurn(TurnId(f"{message}.{handle}"), persona, Reason.TRIGGER_WORD, True),),
        skipped=(),
        cascade_limit=3,
        resets=not root,
        at=at,
        claims=claims,
    )
    return await (storage or scene.storage).conversations.commit(commit)


def waiting(seconds=5, at=NOON, key=KEY):
    return Claims(wait=Wait(key, at + timedelta(seconds=seconds)))


def counted(daily=0, server=0, person=ANN.id, period=YEAR):
    return Claims(quota=Quota(person, daily, server, period))


# Waits.


async def test_whoever_comes_too_soon_waits_and_the_wait_is_not_made_longer(scene):
    assert (await plan(scene, "m1", waiting())).turns
    refused = await plan(scene, "m2", waiting(at=NOON + timedelta(seconds=2)), at=NOON + timedelta(seconds=2))
    assert (refused.turns, refused.refusal, refused.until) == ((), Why.COOLDOWN, NOON + timedelta(seconds=5))
    assert refused.skipped == ((await scene.id_of("bram"), Why.COOLDOWN),)
    assert (await scene.storage.conversations.why(MessageId("m2"))).skipped == refused.skipped
    late = NOON + timedelta(seconds=5)
    assert (await plan(scene, "m3", waiting(at=late), at=late)).turns


async def test_a_wait_counts_for_its_own_key_only(scene):
    assert (await plan(scene, "m1", waiting())).turns
    for number, other in enumerate(
        [replace(KEY, user=BEN.id), replace(KEY, kind=CooldownKind.PER_CHANNEL, user=UserId(""), place=PlaceId("1"))]
    ):
        assert (await plan(scene, f"other{number}", waiting(key=other))).turns


async def test_when_a_wait_ends_can_be_asked(scene):
    limited = scene.storage.limited
    assert await limited.waits_until(LOCAL, KEY, NOON) is None
    await plan(scene, "m1", waiting())
    assert await limited.waits_until(LOCAL, KEY, NOON) == NOON + timedelta(seconds=5)
    assert await limited.waits_until(LOCAL, KEY, NOON + timedelta(seconds=5)) is None


async def test_of_two_processes_at_once_one_is_refused(scene, elsewhere):
    for number in range(5):
        at = NOON + timedelta(minutes=number)
        both = [
            plan(scene, f"{number}-{side}", waiting(at=at), at=at, storage=there) for side, there in enumerate([scene.storage, elsewhere])
        ]
        assert sorted(len(settled.turns) for settled in await asyncio.gather(*both)) == [0, 1]


# Quotas.


async def test_the_last_unit_of_a_day_and_of_the_next(scene):
    assert [bool((await plan(scene, f"m{n}", counted(daily=2))).turns) for n in range(4)] == [True, True, False, False]
    refused = await plan(scene, "m5", counted(daily=2))
    assert (refused.refusal, refused.until) == (Why.DAILY_QUOTA, NOON + timedelta(hours=12))
    assert (await plan(scene, "other", counted(daily=2, person=BEN.id))).turns
    assert (await plan(scene, "m6", counted(daily=2), at=NOON + timedelta(hours=12))).turns


async def test_the_period_of_a_server_begins_with_its_first_unit(scene):
    week = timedelta(days=7)
    for day, expected in ((0, True), (3, True), (6, False), (7, True), (8, True), (9, False), (14, True)):
        at = NOON + timedelta(days=day)
        assert bool((await plan(scene, f"m{day}", counted(server=2, period=week), at=at)).turns) is expected, day


async def test_all_turns_of_a_trigger_share_one_unit(scene):
    assert (await plan(scene, "m1", counted(daily=1))).has_unit
    assert (await plan(scene, "line", counted(daily=1), root="m1", handle="wren")).turns


async def test_what_was_refused_takes_nothing_else(scene):
    both = Claims(waiting().wait, counted(daily=1).quota)
    assert (await plan(scene, "m1", both)).turns
    # The wait refuses, so the unit of the day is not taken; then the day refuses, so no wait begins.
    await scene.storage.limited.settle(MessageId("m1"), is_kept=False)
    assert (await plan(scene, "m2", both)).refusal is Why.COOLDOWN
    later = NOON + timedelta(minutes=1)
    assert (await plan(scene, "m3", counted(daily=1), at=later)).turns
    anew = Claims(waiting(at=later).wait, counted(daily=1).quota)
    assert (await plan(scene, "m4", anew, at=later)).refusal is Why.DAILY_QUOTA
    assert (await plan(scene, "m5", waiting(at=later), at=later)).turns


async def test_a_unit_is_given_back_once_and_a_kept_one_never(scene):
    claims = counted(daily=1, server=5)
    await plan(scene, "m1", claims)
    limited = scene.storage.limited
    await asyncio.gather(*(limited.settle(MessageId("m1"), is_kept=False) for _ in range(3)))
    assert (await plan(scene, "m2", claims)).turns
    await limited.settle(MessageId("m2"), is_kept=True)
    await limited.settle(MessageId("m2"), is_kept=False)
    assert (await plan(scene, "m3", claims)).refusal is Why.DAILY_QUOTA


async def test_a_unit_of_yesterday_is_given_back_to_yesterday(scene):
    await plan(scene, "m1", counted(daily=1), at=NOON)
    tomorrow = NOON + timedelta(days=1)
    await plan(scene, "m2", counted(daily=1), at=tomorrow)
    await scene.storage.limited.settle(MessageId("m1"), is_kept=False)
    assert (await plan(scene, "m3", counted(daily=1), at=tomorrow)).refusal is Why.DAILY_QUOTA


async def test_two_processes_want_the_last_unit(scene, elsewhere):
    wanting = [plan(scene, f"m{n}", counted(daily=3, server=3), storage=there) for n, there in enumerate([scene.storage, elsewhere] * 4)]
    assert sum(len(settled.turns) for settled in await asyncio.gather(*wanting)) == 3


async def test_units_that_a_dead_process_left_are_settled(scene):
    claims = counted(daily=2)
    for message in ("spoke", "silent", "going-on"):
        await scene.storage.conversations.hear(said(message, at=NOON))
    await plan(scene, "spoke", claims)
    await plan(scene, "silent", claims)
    await scene.says("spoke.bram", "Yes.")
    await scene.storage.conversations.finish(TurnId("silent.bram"), TurnStatus.FAILED)
    assert await scene.storage.limited.settle_left(NOON) == 2
    assert (await plan(scene, "going-on", claims)).turns
    assert await scene.storage.limited.settle_left(NOON) == 0
    assert (await plan(scene, "more", claims)).refusal is Why.DAILY_QUOTA


async def test_a_quota_begins_anew(scene):
    claims = counted(daily=1, server=2)
    await plan(scene, "m1", claims)
    await scene.storage.limited.reset(LOCAL, ANN.id)
    assert (await plan(scene, "m2", claims)).turns
    assert (await plan(scene, "m3", counted(server=2))).refusal is Why.SERVER_QUOTA
    await scene.storage.limited.reset(LOCAL)
    assert (await plan(scene, "m4", claims)).turns


# The count of auto-trigger channels.


async def test_every_third_message_is_the_one_that_was_waited_for(scene):
    assert [await scene.storage.limited.advance(LOCAL, 3) for _ in range(7)] == [False, False, True, False, False, True, False]


async def test_what_is_waited_for_is_drawn_when_a_count_begins(scene):
    assert [await scene.storage.limited.advance(LOCAL, drawn) for drawn in (2, 9, 1, 3, 9, 9)] == [False, True, True, False, False, True]


async def test_a_changed_range_begins_a_new_count(scene):
    await scene.storage.limited.advance(LOCAL, 50)
    await scene.storage.settings.change(LOCAL, {"auto-trigger-threshold": 2})
    assert [await scene.storage.limited.advance(LOCAL, 2) for _ in range(2)] == [False, True]


async def test_every_message_is_counted_whoever_counts(scene, elsewhere):
    counts = [there.limited.advance(LOCAL, 5) for there in [scene.storage, elsewhere] * 10]
    assert sum(await asyncio.gather(*counts)) == 4


@pytest.mark.parametrize("drawn", [0])
async def test_without_a_target_nothing_is_waited_for(scene, drawn):
    assert not await scene.storage.limited.advance(LOCAL, drawn)


async def test_what_members_did_not_use_is_not_given_back_to_them(scene):
    await plan(scene, "m1", counted(daily=2))
    await plan(scene, "m2", counted(server=9))
    await scene.storage.limited.settle(MessageId("m2"), is_kept=False)
    assert [bool((await plan(scene, f"n{n}", counted(daily=2))).turns) for n in range(2)] == [True, False]
