"""`coterie serve`: the owner of a home until it is told to stop."""

import asyncio
import gc
import signal

from coterie.app.console import CommandFailed, run, tell
from coterie.app.home import HomeLock, Owner, owner_of
from coterie.app.hosting import Place, host, prepare


def serve(folder: str, address: str, port: int) -> int:
    """Run until a signal; the exit status."""

    async def work() -> int | None:
        environment, home = prepare(folder)
        place = Place(address, port, environment.api_token)
        if not place.is_loopback and not place.token:
            raise CommandFailed(f"Listening on {address} needs a token that strangers do not know: set COTERIE_API_TOKEN.", 2)
        lock = HomeLock(home)
        if not lock.take():
            raise CommandFailed(_taken(owner_of(home), str(home.folder)))
        tell(f"Home: {home.folder}")
        stopped = _stopped_by_signal()
        async with host(environment, home, lock, "serve", place, tell=tell) as owner:
            tell("The database, the cast and the rooms are ready.")
            tell(f"Coterie is at {owner.address} - stop it with Ctrl+C.")
            _settle()
            await stopped.wait()
            tell("Stopping. Unfinished turns are taken up at the next start.")
        return None

    return run(work)


def _settle() -> None:
    """What was imported and opened stays to the end: the collector need not walk over it again and again, nor look after each 700 objects.

    Cycles of a turn are still found, a little later.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def _taken(owner: Owner | None, folder: str) -> str:
    if owner is None:
        return f"Another process holds the home {folder}."
    return f"The home {folder} is in use by `coterie {owner.kind}` (process {owner.pid}) at {owner.address}."


def _stopped_by_signal() -> asyncio.Event:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(name, stopped.set)
        except NotImplementedError:
            # Windows has no such handlers in asyncio; Ctrl+C then comes this way.
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stopped.set))
    return stopped
