"""The language model inside this process, as a thing that blocks: weights are opened, text comes out piece by piece.

The only module that knows the runtime (llama.cpp through `xllamacpp`). Threads, queues and the loop are in `embedded.py`.
"""

import importlib
import importlib.util
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from coterie.ports.model import ModelBroken, Usage

_BATCH = 256
"""Tokens of the prompt that are read in one go; a stop is noticed between two of them."""

# Found by reading answers of the bundled cast: warmer than this the model loses its thread, and without `dry_…` it recites its prompt.
_SAMPLING: Mapping[str, Any] = {
    "temperature": 0.5,
    "top_p": 0.9,
    "min_p": 0.1,
    "repeat_penalty": 1.1,
    "repeat_last_n": 64,
    "dry_multiplier": 0.8,
    "dry_base": 1.75,
    "dry_allowed_length": 6,
    "dry_penalty_last_n": 4096,
    "dry_sequence_breakers": ["\n"],
    # A remark of its own about who speaks next, copied from how it was asked itself.
    "stop": ["\n("],
}

_ENOUGH = 40
"""Tokens after which an answer ends with its sentence: what follows is rambling, and a limit would cut it amid one."""

_SENTENCE_ENDS = (".", "!", "?", "…", "\n", '."', '!"', '?"', ".*", "!*")


def find_weights(package: str) -> Path:
    """The weights that a package carries, without importing it. Raises `ModelBroken` with what to install."""
    spec = importlib.util.find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for weights in sorted(Path(folder).glob("*.gguf")):
            return weights
    raise ModelBroken(f"The embedded model has no weights: the package {package.replace('_', '-')} is not installed.")


def is_installed(package: str, runtime: str) -> bool:
    """Whether both the weights and the runtime are there."""
    return importlib.util.find_spec(package) is not None and importlib.util.find_spec(runtime) is not None


def threads_for_now() -> int:
    """Two threads, or one on a machine that is busy: the runtime's threads wait for each other at each step without sleeping.

    Measured on 2 cores with a load of 10: two threads needed ten times as long for an answer as one.
    """
    cores = os.cpu_count() or 1
    try:
        is_busy = os.getloadavg()[0] >= cores
    except (AttributeError, OSError):
        is_busy = False
    return 1 if is_busy else min(2, cores)


class Engine:
    """Opened weights. Every method blocks; one call at a time."""

    def __init__(self, server: Any) -> None:
        self._server = server

    @classmethod
    def open(cls, weights: Path, window: int, runtime: str = "xllamacpp", threads: int = 1) -> "Engine":
        """Load the weights, about a second; `window` is in tokens, prompt and answer together. Raises `ModelBroken`."""
        try:
            llama = importlib.import_module(runtime)
        except ImportError as error:
            raise ModelBroken(f"The embedded model cannot run: the package {runtime} is not installed ({error}).") from error
        try:
            return cls(llama.Server(_parameters(llama, weights, window, threads)))
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelBroken(f"The embedded model could not be loaded from {weights.name}: {error}") from error

    def generate(
        self,
        messages: Sequence[Mapping[str, str]],
        most: int,
        hand_over: Callable[[str], None],
        is_stopped: Callable[[], bool],
    ) -> Usage:
        """Answer with at most `most` tokens, handing over text as it comes; ends early once `is_stopped`. Raises `ModelBroken`."""
        answer = _Answer(most, hand_over, is_stopped)
        body = {"messages": list(messages), "stream": True, "max_tokens": most, "return_progress": True, **_SAMPLING}
        try:
            self._server.handle_chat_completions(body, answer.take)
        except (RuntimeError, ValueError) as error:
            raise ModelBroken(f"The embedded model did not answer: {error}") from error
        if answer.error:
            raise ModelBroken(f"The embedded model did not answer: {answer.error}.")
        return answer.usage


class _Answer:
    """Takes what the runtime streams, and tells it to stop by returning true."""

    def __init__(self, most: int, hand_over: Callable[[str], None], is_stopped: Callable[[], bool]) -> None:
        self._enough = min(most, _ENOUGH)
        self._hand_over = hand_over
        self._is_stopped = is_stopped
        self._prompt = 0
        self._pieces = 0
        self.error = ""

    @property
    def usage(self) -> Usage:
        """Tokens read and written so far; a piece is a token, but for the rare characters that take several."""
        return Usage(self._prompt, self._pieces)

    def take(self, chunk: Any) -> bool:
        """One chunk of the stream, or several; true ends it."""
        return any(self._take_one(one) for one in (chunk if isinstance(chunk, list) else [chunk]))

    def _take_one(self, chunk: Mapping[str, Any]) -> bool:
        if self._is_stopped():
            return True
        if "error" in chunk:
            self.error = str(chunk["error"].get("message", "unknown error"))
            return True
        if progress := chunk.get("prompt_progress"):
            self._prompt = int(progress["total"])
        texts = [choice["delta"].get("content") for choice in chunk.get("choices", ())]
        return any(self._take_text(text) for text in texts if text)

    def _take_text(self, text: str) -> bool:
        """Hand text over; true at the end of a sentence once enough was said."""
        self._hand_over(text)
        self._pieces += 1
        return self._pieces >= self._enough and text.rstrip(" ").endswith(_SENTENCE_ENDS)


def _parameters(llama: Any, weights: Path, window: int, threads: int) -> Any:
    """How the runtime is set up: one slot, no log, and its own loopback door locked with a key nobody knows."""
    parameters = llama.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx, parameters.n_parallel = window, 1
    parameters.n_batch = parameters.n_ubatch = _BATCH
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.warmup = False
    parameters.verbosity = -1
    # Reading a prompt is what costs (some 150 tokens a second), so what was read is kept for several personas that take turns
    # (22 kB a token), and found again where the oldest messages were dropped from a history.
    parameters.cache_ram_mib = 192
    parameters.n_cache_reuse = 32
    parameters.api_keys = [secrets.token_urlsafe(32)]
    parameters.n_threads_http = 1
    parameters.endpoint_slots = parameters.endpoint_props = parameters.endpoint_metrics = parameters.ui = False
    return parameters
