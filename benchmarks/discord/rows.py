"""The rows of the table: what is measured of one kind of client, as figures by name. What they have to reach is in `table.py`."""

import contextlib
import statistics
import tempfile
from pathlib import Path

from parts import bot, database, stand_in

from coterie.app.beginnings import bundled_drafts
from coterie.domain.ids import WorkspaceId
from coterie.domain.personas.persona import PersonaContent
from coterie.ports.stores import PersonaDraft
from coterie.storage.opening import open_storage

BUSY = (1, 10, 50)
HISTORY = 8
"""Questions to every channel before anything is measured: caches are warm, and there is something to read."""
MANY_GUILDS = 2_000


class Measurement:
    """One kind of client in one run."""

    def __init__(self, kind, server, arguments):
        self.kind, self.server, self.arguments = kind, server, arguments
        self.is_coterie = kind.startswith("coterie")

    @contextlib.asynccontextmanager
    async def running(self, guilds=5, channels=10, *, extra_personas=0, is_new=False):
        """The stand-ins and the client, whose home is prepared where it is not to be `is_new`."""
        async with contextlib.AsyncExitStack() as stack:
            address = await stack.enter_async_context(database(self.server)) if self.server else ""
            there = await stack.enter_async_context(stand_in(guilds, channels))
            home = None
            if self.is_coterie and not is_new:
                home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                await prepare(home, address, await there("guild_ids"), extra_personas)
            yield there, await stack.enter_async_context(bot(self.kind, there, address, home))

    async def start(self):
        """Seconds from the start to READY, and what is resident then."""
        seconds, resident = [], []
        for _ in range(3):
            async with self.running(is_new=True) as (there, client):
                await self.settled(there)
                seconds.append(client.seconds)
                resident.append(client.resident())
        return {"start": statistics.median(seconds), "resident at the start": statistics.median(resident)}

    async def settled(self, there):
        """Wait until the client has taken in everything so far."""
        if self.kind == "bare":
            await there("events", count=100, channels=1, every=0, last=True)
        else:
            await there("warm", channels=1)

    async def path(self):
        """Milliseconds of the message path, at rest."""
        async with self.running() as (there, _):
            await there("warm", channels=10, count=HISTORY)
            found = await there("path", count=self.arguments.count, channels=10)
            await there("model", pause=0.003)
            paced = await there("path", count=self.arguments.count // 8, channels=10)
            await there("model", words=12)
            requests = await there("requests", count=20, channels=10)
        return {
            **spread("event in", found["into"]),
            **spread("last token", found["out"]),
            **spread("last token, 3 ms apart", paced["out"]),
            "requests": requests,
        }

    async def replies(self):
        """Answers a second over channels that are all busy, and processor time for each."""
        figures = {}
        async with self.running() as (there, client):
            await there("warm", channels=max(BUSY), count=HISTORY)
            for channels in BUSY:
                before = client.processor()
                done = await there("replies", channels=channels, seconds=self.arguments.seconds)
                figures[f"replies/s, {channels}"] = done["count"] / done["seconds"]
                figures[f"processor ms per reply, {channels}"] = (client.processor() - before) / done["count"] * 1000
        return figures

    async def slow(self):
        """The same where the model takes a second."""
        figures = {}
        async with self.running() as (there, _):
            await there("warm", channels=max(BUSY), count=2)
            await there("model", takes=1.0)
            for channels in BUSY:
                done = await there("replies", channels=channels, seconds=max(self.arguments.seconds, 5))
                figures[f"replies/s, model takes 1 s, {channels}"] = done["count"] / done["seconds"]
        return figures

    async def events(self):
        """Events a second, one of a hundred a question."""
        async with self.running() as (there, client):
            await self.warm(there, 50)
            await self.take(there, 2_000)
            before, count = client.processor(), self.arguments.events
            seconds = await self.take(there, count)
            per_event = (client.processor() - before) / count * 1e6
        return {"events/s": count / seconds, "processor us per event": per_event}

    async def warm(self, there, channels):
        await (self.settled(there) if self.kind == "bare" else there("warm", channels=channels, count=2))

    async def take(self, there, count):
        is_bare = self.kind == "bare"
        return await there("events", count=count, channels=50, every=0 if is_bare else 100, last=is_bare)

    async def memory(self):
        """Resident megabytes with 500 guilds of 20 channels, and after 50,000 events."""
        async with self.running(500, 20) as (there, client):
            await self.settled(there)
            before = client.resident()
            await self.take(there, 50_000)
            return {"resident with 500 guilds": before, "resident after 50,000 events": client.resident()}

    async def guilds(self):
        """Memory of a guild with a cast of five of which everything is known."""
        if not self.is_coterie:
            return {}
        async with self.running(MANY_GUILDS, 5, extra_personas=2) as (there, client):
            await there("warm", channels=1)
            before = client.resident()
            await there("round")
            return {
                "resident with 2,000 guilds": before,
                "KB per guild that talks": (client.resident() - before) * 1000 / MANY_GUILDS,
            }

    async def long(self):
        """What is resident after each tenth of many events."""
        figures = {}
        async with self.running() as (there, client):
            await self.warm(there, 50)
            for tenth in range(1, 11):
                await self.take(there, self.arguments.long // 10)
                figures[f"resident after {tenth}/10 of {self.arguments.long:,} events"] = client.resident()
        return figures


async def prepare(home, address, guilds, extra_personas):
    """Every guild as its owners would set it for so much at once: nobody's work is limited; and with some personas more."""
    storage = await open_storage(address, home, bundled_drafts(), environment={})
    for guild in guilds:
        workspace = WorkspaceId(f"discord:{guild}")
        await storage.settings.change(workspace, {"active-per-user": 0, "active-per-server": 0})
        for extra in range(extra_personas):
            content = PersonaContent(f"Extra {extra}", "You are a further persona. " * 20, (f"extra{extra}",))
            await storage.casts.create(workspace, PersonaDraft(content))
    await storage.close()


def spread(name, seconds):
    """Median and 99th percentile as milliseconds."""
    ordered = sorted(value * 1000 for value in seconds)
    return {f"{name}, p50 ms": statistics.median(ordered), f"{name}, p99 ms": ordered[int(len(ordered) * 0.99)]}


ROWS = ("start", "path", "replies", "slow", "events", "memory", "guilds", "long")
"""Each is a method of `Measurement`."""
EASY = frozenset({"start", "events", "memory", "long"})
"""Rows that the bare client has too."""
EVERYWHERE = frozenset({"path", "replies", "events"})
"""Rows that are measured on a second database too, where nothing else is asked for."""
