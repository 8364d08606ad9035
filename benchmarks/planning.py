"""What planning costs: the pure plan, its gates as lists grow, and the one change it is written in, beside a raw statement of the driver.

`uv run benchmarks/planning.py` measures SQLite; with `COTERIE_TEST_DATABASE_URL` (an empty PostgreSQL database) that too. Ratios count.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from coterie.app.beginnings import bundled_drafts
from coterie.domain.access import Access, Spotlight, Standing
from coterie.domain.conversation import IncomingMessage, Person
from coterie.domain.ids import Handle, MessageId, PersonaId, PlaceId, SessionId, TurnId, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.settings import Settings
from coterie.domain.triggers.recognise import Call
from coterie.domain.turns.claims import claims_of
from coterie.domain.turns.gates import Caller, barred_for, closed_by, fallback_for
from coterie.domain.turns.plan import PersonSpoke, PlanFacts, Reason, plan_turns
from coterie.ports.stores import PlanCommit, PlannedTurn
from coterie.storage.opening import open_storage

GUILD, ROOM = WorkspaceId("discord:1"), SessionId(f"dc-{'0' * 64}")
ANN, HALL, NOON = Person(UserId("1"), "Ann"), PlaceId("10"), datetime(2030, 1, 1, 12, tzinfo=UTC)
PERSONAS = 20
CAST = Cast(GUILD, tuple(Persona(PersonaId(n), Handle(f"p{n}"), n > 1, PersonaContent(f"P{n}")) for n in range(1, PERSONAS + 1)))
SETTINGS = {"cooldown-type": "per-channel", "cooldown-length": 1, "text-quota-daily": 100, "text-quota-server": 99_999}
GROWTH = (0, 10, 100, 1_000)


def microseconds(work, count=2_000):
    """Of one call, the median of five rounds."""
    rounds = []
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(count):
            work()
        rounds.append((time.perf_counter() - began) / count * 1e6)
    return statistics.median(rounds)


def caller_with(rows):
    """Somebody in a server with so many listed channels, spotlights and personas kept to channels."""
    places = [PlaceId(str(number)) for number in range(10, 10 + rows)]
    access = Access(
        channels=dict.fromkeys(places),
        persona_channels={PersonaId(number): frozenset(places) for number in range(1, PERSONAS + 1)} if rows else {},
        spotlights={(UserId(str(n)), HALL): Spotlight(frozenset(map(PersonaId, range(1, PERSONAS + 1)))) for n in range(1, rows + 1)},
        auto_channels=dict.fromkeys(places[1:]),
    )
    return Caller(ANN.id, Standing(HALL), access, Settings(SETTINGS))


def pure():
    """The plan itself and its gates."""
    calls = tuple(Call(PersonaId(number), number, "word") for number in range(1, 6))
    facts = PlanFacts(CAST, PersonSpoke(), Settings(SETTINGS), calls)
    print(f"plan of {PERSONAS} personas, five called: {microseconds(lambda: plan_turns(facts)):.1f} us")
    for rows in GROWTH:
        caller = caller_with(rows)

        def gates(caller=caller):
            closed_by(caller)
            barred_for(caller, CAST, NOON)
            fallback_for(caller, CAST, NOON, is_hit=False)
            claims_of(caller, [Reason.TRIGGER_WORD], NOON)

        print(f"all gates, {rows:>5} rows in each list: {microseconds(gates):.1f} us")


async def change(url, folder, count):
    """Milliseconds of hearing a message and of committing its plan, with and without claims, and of one raw statement."""
    storage = await open_storage(url, folder, bundled_drafts(), environment={})
    try:
        await storage.sessions.create(ROOM, GUILD)
        bram = (await storage.casts.cast(GUILD)).personas[1].id
        caller, taken = caller_with(0), {"raw read": [], "hear": [], "commit": [], "commit, cooldown and quotas": []}
        for number in range(count):
            at = NOON + timedelta(seconds=2 * number)
            for name, is_claimed in (("commit", False), ("commit, cooldown and quotas", True)):
                message = MessageId(f"{number}-{is_claimed}")
                heard = IncomingMessage(message, GUILD, ROOM, ANN, "bram?", at, standing=caller.standing)
                await timed(taken["raw read"], storage.database.read(lambda connection: connection.execute(sa.text("SELECT 1")).scalar()))
                await timed(taken["hear"], storage.conversations.hear(heard))
                claims = {"claims": claims_of(caller, [Reason.TRIGGER_WORD], at)} if is_claimed else {}
                turn = PlannedTurn(TurnId(message), bram, Reason.TRIGGER_WORD, counts=True)
                plan = PlanCommit(GUILD, ROOM, message, message, ANN.id, (turn,), (), 3, resets=True, at=at, **claims)
                settled = await timed(taken[name], storage.conversations.commit(plan))
                if is_claimed and settled.has_unit:
                    await storage.limited.settle(message, is_kept=False)
        for name, values in taken.items():
            ordered = sorted(values[len(values) // 10 :])
            print(f"  {name}: p50 {statistics.median(ordered):.2f}, p99 {ordered[int(len(ordered) * 0.99)]:.2f} ms")
    finally:
        await storage.close()


async def timed(into, work):
    began = time.perf_counter()
    result = await work
    into.append((time.perf_counter() - began) * 1000)
    return result


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    pure()
    for url in filter(None, ("sqlite", os.environ.get("COTERIE_TEST_DATABASE_URL", ""))):
        with tempfile.TemporaryDirectory() as folder:
            print("SQLite" if url == "sqlite" else "PostgreSQL")
            asyncio.run(change("" if url == "sqlite" else url, Path(folder), count))


if __name__ == "__main__":
    main()
