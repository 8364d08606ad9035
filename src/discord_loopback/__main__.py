"""The command line: `python -m discord_loopback --port 8070 --seed guild.json`."""

import argparse
import asyncio
import sys
from pathlib import Path

from discord_loopback.seeds import EXAMPLE, BadSeed, read_seed
from discord_loopback.server import Server
from discord_loopback.serving import make_server


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m discord_loopback", description="A Discord-compatible server on loopback.")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8070, help="the port; 0 takes a free one (8070)")
    parser.add_argument("--seed", type=Path, help=f"what is there at the beginning, as JSON (an example is {EXAMPLE.name} in the package)")
    return parser.parse_args()


async def _serve(server: Server, host: str, port: int) -> None:
    url = await server.start(host, port)
    print(f"{url} is listening; its page is there too.")
    for one in server.world.applications.values():
        print(f"{one.name}: DISCORD_SERVER_URL={url} DISCORD_TOKEN={one.token}", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


def main() -> int:
    """Serve until interrupted; 1 with one sentence for a seed or an address that cannot be used."""
    arguments = _arguments()
    try:
        server = make_server(read_seed(arguments.seed or EXAMPLE))
        asyncio.run(_serve(server, arguments.host, arguments.port))
    except BadSeed as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{arguments.host}:{arguments.port} cannot be used: {error.strerror or error}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
