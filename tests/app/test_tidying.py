"""What is old goes at the start and every hour; a round that fails does not end the others."""

import asyncio
from datetime import timedelta

from coterie.app.chance import SystemClock
from coterie.app.tidying import Rounds, tidy
from coterie.domain.access import Spotlight
from coterie.domain.ids import PlaceId, UserId, WorkspaceId

GUILD, ANN = WorkspaceId("discord:1"), UserId("1")
HERE, THERE = PlaceId("10"), PlaceId("11")


async def test_a_round_that_fails_is_reported_and_the_next_one_comes():
    begun, problems, done = [], [], asyncio.Event()

    async def work():
        begun.append(len(begun))
        if len(begun) == 1:
            raise OSError("The disk is away.")
        if len(begun) == 3:
            done.set()

    rounds = Rounds(work, lambda what, error: problems.append(str(error)), every=0.01)
    rounds.begin()
    assert begun == []
    async with asyncio.timeout(10):
        await done.wait()
    await rounds.close()
    count = len(begun)
    await asyncio.sleep(0.05)
    assert (problems, len(begun)) == (["The disk is away."], count)


async def test_rounds_that_never_began_can_be_closed():
    await Rounds(lambda: asyncio.sleep(0), lambda what, error: None).close()


async def test_spotlights_that_ran_out_are_gone_and_the_others_stay(storage, elsewhere):
    (main, *_) = (await storage.casts.cast(GUILD)).personas
    now = SystemClock().now()
    over, lit = Spotlight(frozenset({main.id}), None, now - timedelta(1)), Spotlight(frozenset({main.id}), None, now + timedelta(1))
    await storage.access.change(GUILD, lambda access: access.shining(ANN, HERE, over).shining(ANN, THERE, lit))
    await tidy(storage, SystemClock(), decision_days=30)
    assert list((await elsewhere.access.access(GUILD)).spotlights) == [(ANN, THERE)]
