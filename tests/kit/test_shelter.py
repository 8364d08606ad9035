"""What is sheltered comes to its end, whatever happens around it."""

import asyncio

import pytest

from coterie.kit.shelter import sheltered


async def test_a_cancelled_task_still_finishes_its_sheltered_work_and_goes_on():
    gate, done = asyncio.Event(), []

    async def write():
        await gate.wait()
        done.append("written")
        return 7

    async def work():
        done.append(await sheltered(write()))

    task = asyncio.create_task(work())
    for _ in range(3):
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.sleep(0)
    gate.set()
    await task
    assert done == ["written", 7]


async def test_its_failure_is_the_callers():
    async def write():
        raise ValueError("full")

    with pytest.raises(ValueError, match="full"):
        await sheltered(write())
