"""Work that must come to its end although the task around it is cancelled: a write to a database, above all."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def sheltered(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end and return its result. A cancellation meanwhile is swallowed: the caller has to know of it in another way."""
    task = asyncio.ensure_future(work)
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise
        except Exception:  # noqa: BLE001 - raised again below, once, by the result
            break
    return task.result()
