"""How commands speak: results on standard output, words for people on standard error, one sentence and a status for a failure."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, TextIO

import orjson

from coterie.platforms.terminal.client import ApiFailed

DONE, FAILED, REFUSED = 0, 1, 2


class CommandFailed(Exception):
    """A command that could not do its work; `status` is 1 (failed) or 2 (refused input)."""

    def __init__(self, sentence: str, status: int = FAILED) -> None:
        super().__init__(sentence)
        self.status = status


class OutputFailed(CommandFailed):
    """What a command has to say cannot be written where it was sent."""


def refuse(sentence: str) -> NoReturn:
    """End the command: what was asked for is not possible."""
    raise CommandFailed(sentence, REFUSED)


def out(text: str) -> None:
    """A result. Raises `OutputFailed`."""
    _write(text.encode(errors="replace"))


def out_json(value: object) -> None:
    """A result as one line of JSON. Raises `OutputFailed`."""
    _write(orjson.dumps(value))


def _write(line: bytes) -> None:
    """Whoever reads may stop reading (`| head`): the command does its work all the same, and its status tells of that alone."""
    try:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _write_no_more(sys.stdout)
    except OSError as error:
        _write_no_more(sys.stdout)
        raise OutputFailed(f"The result cannot be written: {error.strerror or error}.") from error


def _write_no_more(stream: TextIO) -> None:
    """What is left in the stream's buffer goes nowhere, so that the end of the process does not fail over it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def tell(text: str) -> None:
    """Words for the person in front of the terminal. Where these cannot be written, nobody can be told so."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        _write_no_more(sys.stderr)


def run(work: Callable[[], Coroutine[Any, Any, int | None]], *, json: bool = False) -> int:
    """Run a command to its exit status; what went wrong is one sentence, also as `{"error": …}` with `--json`."""
    try:
        return asyncio.run(work()) or DONE
    except KeyboardInterrupt:
        return 130
    except (ApiFailed, CommandFailed) as failure:
        if json and not isinstance(failure, OutputFailed):
            out_json({"error": str(failure)})
        else:
            tell(str(failure))
        return failure.status if isinstance(failure, CommandFailed) else status_of(failure)


def refused(sentence: str, *, json: bool) -> int:
    """The end of a command whose words were no use, before anything was done."""

    async def work() -> int | None:
        refuse(sentence)

    return run(work, json=json)


def status_of(failure: ApiFailed) -> int:
    """4xx is refused input; everything else is a failure."""
    return REFUSED if 400 <= failure.status < 500 else FAILED
