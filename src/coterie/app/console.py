"""How commands speak: results on standard output, words for people on standard error, one sentence and a status for a failure."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

import orjson

from coterie.platforms.terminal.client import ApiFailed

DONE, FAILED, REFUSED = 0, 1, 2


class CommandFailed(Exception):
    """A command that could not do its work; `status` is 1 (failed) or 2 (refused input)."""

    def __init__(self, sentence: str, status: int = FAILED) -> None:
        super().__init__(sentence)
        self.status = status


def refuse(sentence: str) -> NoReturn:
    """End the command: what was asked for is not possible."""
    raise CommandFailed(sentence, REFUSED)


def out(text: str) -> None:
    """A result."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def out_json(value: object) -> None:
    """A result as one line of JSON."""
    sys.stdout.buffer.write(orjson.dumps(value) + b"\n")
    sys.stdout.flush()


def tell(text: str) -> None:
    """Words for the person in front of the terminal."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def run(work: Callable[[], Coroutine[Any, Any, int | None]], *, json: bool = False) -> int:
    """Run a command to its exit status; what went wrong is one sentence, also as `{"error": …}` with `--json`."""
    try:
        return asyncio.run(work()) or DONE
    except KeyboardInterrupt:
        return 130
    except (ApiFailed, CommandFailed) as failure:
        if json:
            out_json({"error": str(failure)})
        else:
            tell(str(failure))
        return failure.status if isinstance(failure, CommandFailed) else status_of(failure)


def status_of(failure: ApiFailed) -> int:
    """4xx is refused input; everything else is a failure."""
    return REFUSED if 400 <= failure.status < 500 else FAILED
