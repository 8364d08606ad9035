"""The command `coterie` in processes of its own, forked from one that has imported everything: hundreds of them import nothing anew."""

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

PATIENCE = 60
"""Seconds that a command may take."""
_IMPORTED = (
    "coterie.app.access",
    "coterie.app.main",
    "coterie.app.commands",
    "coterie.app.listings",
    "coterie.app.personas",
    "coterie.app.serving",
    "coterie.app.wiring",
    "coterie.app.on_discord",
    "coterie.platforms.web.application",
    "coterie.platforms.web.server",
)
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([*_IMPORTED, __name__])


@dataclass(frozen=True)
class Forked:
    """A process that runs `coterie`."""

    process: BaseProcess

    @property
    def pid(self) -> int:
        return self.process.pid

    def poll(self) -> int | None:
        """Its status, if it has ended."""
        return self.process.exitcode

    def send_signal(self, which: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, which)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, seconds: float = PATIENCE) -> int:
        """Its status, once it has ended."""
        self.process.join(seconds)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired("coterie", seconds)
        return self.process.exitcode


def fork(arguments: tuple[str | bytes, ...], variables: dict[str, str], *, stdin: str, stdout: str, stderr: str) -> Forked:
    """Run `coterie` with these arguments, surroundings and files; what it writes is appended."""
    words = tuple(os.fsdecode(argument) for argument in arguments)
    process = _FORKS.Process(target=_run, args=(words, variables, os.getcwd(), (stdin, stdout, stderr)))
    process.start()
    return Forked(process)


def run(arguments: tuple[str | bytes, ...], variables: dict[str, str], given: str = "") -> subprocess.CompletedProcess[str]:
    """Run it to its end; `given` is its standard input."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("in", "out", "err")]
        files[0].write_text(given)
        forked = fork(arguments, variables, stdin=str(files[0]), stdout=str(files[1]), stderr=str(files[2]))
        try:
            status = forked.wait()
        except subprocess.TimeoutExpired:
            forked.kill()
            raise
        return subprocess.CompletedProcess(arguments, status, files[1].read_text(), files[2].read_text())


def _run(arguments: tuple[str, ...], variables: dict[str, str], folder: str, files: tuple[str, str, str]) -> None:
    """In the new process: what a shell does before a command, and the command."""
    for number, path in enumerate(files):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(0, closefd=False)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    sys.argv = ["coterie", *arguments]
    runpy.run_module("coterie", run_name="__main__")
