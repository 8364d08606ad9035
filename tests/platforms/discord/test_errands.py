"""Work that waits behind what arrived before it; and how many commands are at work at once."""

import asyncio

import pytest

from coterie.platforms.discord.commands.crowd import OF_ALL, OF_ONE_PERSON, Crowd, Crowded
from coterie.platforms.discord.errands import Errand, Overtaken


async def test_what_comes_of_it_is_for_whoever_waits():
    async def three():
        return 3

    errand = Errand(three)
    await errand.run()
    assert await errand.outcome() == 3


async def test_a_failure_is_raised_where_it_is_waited_for_and_nowhere_else():
    async def fail():
        raise ValueError("no")

    errand = Errand(fail)
    await errand.run()
    with pytest.raises(ValueError, match="no"):
        await errand.outcome()


async def test_what_is_taken_back_is_overtaken_also_when_nobody_waits():
    errand, unwatched = Errand(asyncio.Event().wait), Errand(asyncio.Event().wait)
    errand.take_back()
    unwatched.take_back()
    with pytest.raises(Overtaken):
        await errand.outcome()


async def test_who_waits_for_something_that_is_cancelled_is_cancelled():
    errand = Errand(asyncio.Event().wait)
    running = asyncio.create_task(errand.run())
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await errand.outcome()


def test_one_person_takes_no_more_than_their_share_and_all_together_no_more_than_there_is():
    crowd = Crowd()
    places = [crowd.place(1) for _ in range(OF_ONE_PERSON)]
    for place in places:
        place.__enter__()
    with pytest.raises(Crowded), crowd.place(1):
        pass
    with crowd.place(2):
        pass
    others = [crowd.place(number) for number in range(2, OF_ALL + 2 - OF_ONE_PERSON)]
    for place in others:
        place.__enter__()
    with pytest.raises(Crowded), crowd.place(9_999):
        pass
    places[0].__exit__(None, None, None)
    with crowd.place(1):
        pass
