"""The processes of a measurement: the stand-ins, the client that is measured, a PostgreSQL of its own."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
import tempfile
import time
from pathlib import Path

import aiohttp
import asyncpg

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
STARTS_WITHIN = 120
KINDS = ("bare", "minimal", "coterie, SQLite", "coterie, PostgreSQL")


class StandIn:
    """The stand-ins; what is asked of them is in `stand_in.py`."""

    def __init__(self, web, url, token):
        self.web, self.url, self.token = web, url, token

    async def __call__(self, operation, **arguments):
        async with self.web.post(f"{self.url}/bench/{operation}", json=arguments) as answer:
            if answer.status != 200:
                raise SystemExit(f"{operation}: {answer.status} {await answer.text()}")
            return await answer.json()


@contextlib.asynccontextmanager
async def stand_in(guilds, channels):
    """Discord with so many guilds and channels in each, and the model."""
    arguments = (str(HERE / "stand_in.py"), str(guilds), str(channels))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdin=pipe, stdout=pipe, env=environment())
    try:
        said = json.loads(await process.stdout.readline())
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as web:
            yield StandIn(web, said["url"], said["token"])
    finally:
        process.stdin.close()
        await process.wait()


class Bot:
    """A running client."""

    def __init__(self, pid, seconds):
        self.pid, self.seconds = pid, seconds

    def resident(self):
        """Megabytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def processor(self):
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@contextlib.asynccontextmanager
async def bot(kind, there, database="", home=None):
    """A client of one of the `KINDS`, once it has connected. `home` holds what is prepared."""
    with tempfile.TemporaryDirectory() as empty:
        names = {
            "DISCORD_SERVER_URL": there.url,
            "DISCORD_TOKEN": there.token,
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"{there.url}/v1",
            "COTERIE_MODEL": "openai:bench",
            "COTERIE_HOME": str(home or empty),
            "DATABASE_URL": database,
        }
        command = ["-m", "coterie", "serve", "--port", "0"] if kind.startswith("coterie") else [str(HERE / "limits.py"), kind]
        if profile := os.environ.get("BENCH_PROFILE"):
            command = ["-m", "cProfile", "-o", profile, *command]
        log = Path(empty) / "log"
        began = time.time()
        with log.open("wb") as out:
            process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=out, stderr=out, env=environment() | names)
        try:
            connected = asyncio.create_task(there("until_connected"))
            ended = asyncio.create_task(process.wait())
            await asyncio.wait((connected, ended), timeout=STARTS_WITHIN, return_when=asyncio.FIRST_COMPLETED)
            if not connected.done():
                raise SystemExit(f"{kind} does not start:\n{log.read_text()}")
            yield Bot(process.pid, await connected - began)
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await process.wait()


def environment():
    """What every process needs, and nothing of what this one was started with that would change a result."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
    return kept | {"PYTHONPATH": str(ROOT / "src")}


@contextlib.asynccontextmanager
async def database(server):
    """A fresh database on a PostgreSQL server, by its address."""
    name = f"coterie_bench_{secrets.token_hex(4)}"
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(f"CREATE DATABASE {name}")
        address, _, options = server.partition("?")
        yield f"{address.rpartition('/')[0]}/{name}" + (f"?{options}" if options else "")
    finally:
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await connection.close()
