"""How fast the embedded model is on this machine, and what it costs: run it when nothing else runs.

    python benchmarks/embedded_model.py [ROUNDS]

Prints one figure a line: load time, first token (cold: a new system prompt; warm: the same one), tokens a second, how long a stop takes,
resident memory before and after.
"""

import asyncio
import statistics
import sys
import time
from contextlib import aclosing
from pathlib import Path

from coterie.ports.model import ChatText, ModelRequest, TextDelta
from coterie.providers.embedded import EmbeddedModel

PERSONA = "You are {name}, a cheerful old sailor who tells tall tales. You answer in short sentences and call everyone matey."


def resident() -> float:
    """Resident megabytes of this process."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def question(name: str, text: str = "Ann: Tell me about the worst storm you have seen.") -> ModelRequest:
    return ModelRequest(PERSONA.format(name=name), (ChatText("user", text),))


async def answer(model: EmbeddedModel, request: ModelRequest) -> tuple[float, float]:
    """Seconds to the first piece, and pieces a second after it."""
    begun = time.perf_counter()
    times = [time.perf_counter() async for event in model.stream(request) if isinstance(event, TextDelta)]
    return times[0] - begun, (len(times) - 1) / max(1e-9, times[-1] - times[0])


async def stopped(model: EmbeddedModel, request: ModelRequest) -> float:
    """Seconds from closing a stream after its third piece to the first piece of the next answer."""
    async with aclosing(model.stream(request)) as events:
        for _ in range(3):
            await anext(events)
    return (await answer(model, request))[0]


async def main(rounds: int) -> None:
    model = EmbeddedModel()
    before = resident()
    begun = time.perf_counter()
    await model.load()
    print(f"load                 {time.perf_counter() - begun:.2f} s")
    cold = [await answer(model, question(f"Bob the {number}th")) for number in range(rounds)]
    warm = [await answer(model, question("Bob", f"Ann: Tell me tale {number}.")) for number in range(rounds + 1)][1:]
    print(f"first token, cold    {statistics.median(first for first, _ in cold) * 1000:.0f} ms")
    print(f"first token, warm    {statistics.median(first for first, _ in warm) * 1000:.0f} ms")
    print(f"tokens a second      {statistics.median(pace for _, pace in cold + warm):.0f}")
    print(f"stop and ask again   {statistics.median([await stopped(model, question('Bob')) for _ in range(rounds)]) * 1000:.0f} ms")
    print(f"resident             {before:.0f} MB before, {resident():.0f} MB after")
    await model.close()


asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
