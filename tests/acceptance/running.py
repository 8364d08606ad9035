"""A real `coterie serve` in a process of its own, and the real commands beside it."""

import json
import os
import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from acceptance import forking
from acceptance.forking import PATIENCE, Forked

STEP = 0.01
"""Seconds between two looks at what another process does."""


@dataclass
class Running:
    """A process that owns a home."""

    home: Path
    process: Forked
    address: str

    def api(self):
        return httpx2.Client(base_url=self.address, timeout=PATIENCE)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def environment(home, **variables):
    """The surroundings of a command: this process's, which hold nothing of ours, and what the test says."""
    return os.environ | {"COTERIE_HOME": str(home), "COTERIE_MODEL": "scripted"} | variables


def coterie(home, *arguments, stdin=None, **variables):
    """Run a command to its end."""
    return forking.run(arguments, environment(home, **variables), stdin or "")


def events_of(result):
    """The events that `say --json` printed."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def start(home, *arguments, **variables):
    """Start `coterie serve` and wait until it is there."""
    log = home / "serve.txt"
    home.mkdir(exist_ok=True)
    command = ("serve", "--port", "0", *arguments)
    process = forking.fork(command, environment(home, **variables), stdin=os.devnull, stdout=str(log), stderr=str(log))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        owner = home / "owner.json"
        if owner.exists():
            found = json.loads(owner.read_text())
            if found["pid"] == process.pid:
                return Running(home, process, found["address"])
        time.sleep(0.05)
    process.kill()
    process.wait()
    raise AssertionError(f"serve did not come up:\n{log.read_text()}")


@contextmanager
def serving(home, *arguments, **variables):
    """A running `coterie serve`, stopped at the end."""
    running = start(home, *arguments, **variables)
    try:
        yield running
    finally:
        running.stop()
