"""The cost of the message path, and how many turns go through: `uv run benchmarks/conversation.py [--database URL] [--count N]`.

Everything is real but the model, which answers at once. Figures of one run are compared with each other: a raw read of the database in the
same run is the measure for the message path.
"""

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from pathlib import Path

from coterie.app.beginnings import bundled_drafts
from coterie.app.chance import Dice, RandomIds, SystemClock
from coterie.domain.conversation import IncomingMessage, Person
from coterie.domain.ids import LOCAL, MessageId, SessionId, UserId, WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.flows.talk import Talk
from coterie.flows.world import World
from coterie.platforms.rooms.hub import Hub
from coterie.platforms.rooms.rooms import Rooms
from coterie.platforms.rooms.stage import RoomStage
from coterie.ports.model import ModelInfo, TextDelta
from coterie.ports.stores import PersonaDraft
from coterie.providers.tokens import estimate_tokens
from coterie.storage.opening import open_storage

LINE = "bram, what do you think of moths? They came to the lamp again last night, more of them than ever before."


class Instant:
    """A model that answers at once and notes when it was asked."""

    info = ModelInfo("instant", 128_000, 8_000, can_call_tools=False)

    def __init__(self):
        self.asked = {}

    def count_tokens(self, text):
        return estimate_tokens(text)

    async def stream(self, request):
        self.asked[request.note.last_user_text] = time.perf_counter()
        yield TextDelta("Soft and grey, and better company than most.")


class Models:
    def __init__(self, model):
        self._model = model

    async def model(self, name):
        return self._model

    async def routed(self, routes, admit):
        return await self.model(routes[0].model)

    def default_name(self):
        return "instant"

    def knows(self, name):
        return True


@contextlib.asynccontextmanager
async def house(url, folder):
    storage = await open_storage(url, folder, bundled_drafts(), environment={})
    model, hub = Instant(), Hub("bench")
    world = World(
        casts=storage.casts,
        sessions=storage.sessions,
        settings=storage.settings,
        access=storage.access,
        people=storage.people,
        limited=storage.limited,
        fundings=storage.accounts,
        conversations=storage.conversations,
        models=Models(model),
        platform=RoomStage(hub),
        clock=SystemClock(),
        ids=RandomIds(),
        chance=Dice(),
    )

    def report(what, error):
        raise SystemExit(f"{what}: {error!r}")

    talk = Talk(world, report)
    try:
        yield storage, talk, Rooms(talk, hub), model
    finally:
        await talk.close()
        await storage.close()


def spread(values):
    ordered = sorted(values)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.99)]


def message(session, text, user="ann"):
    ids = RandomIds()
    return IncomingMessage(MessageId(ids.message()), LOCAL, session, Person(UserId(user), user.title()), text, SystemClock().now())


async def path(rooms, storage, model, count):
    """Milliseconds from a message to the model's request, from there to the end of the answer, and of one raw read of the database."""
    session = SessionId("chat-00000000-0000-4000-8000-00000000000a")
    await storage.sessions.create(session, LOCAL)
    into, out, raw = [], [], []
    for number in range(count + 50):
        text = f"{LINE} {number}"
        sent = time.perf_counter()
        async for _ in await rooms.send(message(session, text)):
            pass
        over = time.perf_counter()
        asked = model.asked.pop(text)
        before = time.perf_counter()
        await storage.conversations.message(MessageId("0"))
        if number >= 50:
            into.append((asked - sent) * 1000)
            out.append((over - asked) * 1000)
            raw.append((time.perf_counter() - before) * 1000)
    return spread(into), spread(out), spread(raw)


async def throughput(rooms, storage, channels, count):
    """Turns a second over many channels at once."""
    sessions = [SessionId(f"chat-00000000-0000-4000-8000-{number:012d}") for number in range(channels)]
    for session in sessions:
        await storage.sessions.create(session, LOCAL)

    async def talk(session):
        for number in range(count):
            async for _ in await rooms.send(message(session, f"bram, {number}")):
                pass

    began = time.perf_counter()
    await asyncio.gather(*(talk(session) for session in sessions))
    return channels * count / (time.perf_counter() - began)


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


async def memory(storage, rooms):
    """Resident megabytes before and after 1,000 workspaces of five personas each were loaded."""
    before = resident()
    for number in range(1000):
        workspace = WorkspaceId(f"discord:{number}")
        await storage.casts.cast(workspace)
        for extra in range(2):
            content = PersonaContent(f"Extra {extra}", "You are a further persona. " * 20, (f"extra{extra}",))
            await storage.casts.create(workspace, PersonaDraft(content))
        await storage.casts.cast(workspace)
    return before, resident()


async def run(arguments):
    with tempfile.TemporaryDirectory() as folder:
        async with house(arguments.database, Path(folder)) as (storage, _, rooms, model):
            kind = "PostgreSQL" if arguments.database else "SQLite"
            into, out, raw = await path(rooms, storage, model, arguments.count)
            print(f"{kind}: one raw read                p50 {raw[0]:6.2f} ms   p99 {raw[1]:6.2f} ms")
            print(f"{kind}: message in -> model request p50 {into[0]:6.2f} ms   p99 {into[1]:6.2f} ms   = {into[0] / raw[0]:.1f} raw reads")
            print(f"{kind}: model request -> end        p50 {out[0]:6.2f} ms   p99 {out[1]:6.2f} ms   = {out[0] / raw[0]:.1f} raw reads")
            for channels in (1, 10, 200):
                turns = await throughput(rooms, storage, channels, max(arguments.count // channels, 3))
                print(f"{kind}: {channels:3d} channels               {turns:6.0f} turns/s")
            before, after = await memory(storage, rooms)
            print(f"{kind}: resident {before:.0f} MB, with 1,000 workspaces x 5 personas {after:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default="", help="a PostgreSQL address; without it a SQLite file in a temporary folder")
    parser.add_argument("--count", type=int, default=500)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
