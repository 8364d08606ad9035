"""Servers on loopback that speak as much of the providers' wires as a turn needs, and misbehave on request."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Json = dict[str, Any]


@dataclass
class Answer:
    """What a server does next: an error, or text pieces and calls, which may break off or fall silent."""

    text: tuple[str, ...] = ()
    thought: str = ""
    calls: tuple[tuple[str, str, str], ...] = ()
    """Id, name and arguments as JSON text."""
    status: int = 200
    error: Json = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    then: str = "ends"
    """`ends`, `dies` (the connection breaks after the second text), `hangs` (nothing comes after it), `babbles` (no JSON)."""


class Loopback:
    """One server for all wires. It answers as `next` says and keeps what it was asked."""

    def __init__(self) -> None:
        self.next = Answer(("Hello", " there"))
        self.asked: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.ports: list[int] = []
        self.hung_up = asyncio.Event()
        self.address = ""

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self._openai, methods=["POST"]),
                Route("/v1/messages", self._anthropic, methods=["POST"]),
                Route("/v1beta/models/{call:path}", self._gemini, methods=["POST"]),
            ]
        )

    async def _openai(self, request: Request) -> Response:
        return await self._answer(request, openai_events)

    async def _anthropic(self, request: Request) -> Response:
        return await self._answer(request, anthropic_events)

    async def _gemini(self, request: Request) -> Response:
        return await self._answer(request, gemini_events)

    async def _answer(self, request: Request, speak: Callable[[Answer], Iterator[str]]) -> Response:
        answer = self.next
        self.asked.append(await request.json())
        self.headers.append(dict(request.headers))
        self.paths.append(request.url.path)
        self.ports.append(request.client.port if request.client else 0)
        if answer.status != 200:
            return JSONResponse(answer.error, answer.status, answer.headers)
        return StreamingResponse(self._stream(answer, speak), media_type="text/event-stream")

    async def _stream(self, answer: Answer, speak: Callable[[Answer], Iterator[str]]) -> AsyncIterator[str]:
        if answer.then == "babbles":
            yield "data: {not json\n\n"
            return
        for piece in speak(answer):
            yield piece
            if answer.then != "ends" and f'"{answer.text[1]}"' in piece:
                break
        if answer.then == "dies":
            raise ConnectionAbortedError("told to die")
        if answer.then == "hangs":
            try:
                await asyncio.Event().wait()
            finally:
                self.hung_up.set()


@asynccontextmanager
async def loopback(certificate: Path | None = None, key: Path | None = None) -> AsyncIterator[Loopback]:
    """A running server on a free port; with a certificate it speaks TLS."""
    server_side = Loopback()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server_side.address = f"{'https' if certificate else 'http'}://127.0.0.1:{listener.getsockname()[1]}"
    config = uvicorn.Config(
        server_side.app(), log_level="critical", lifespan="off", timeout_graceful_shutdown=1, ssl_certfile=certificate, ssl_keyfile=key
    )
    server = uvicorn.Server(config)
    running = asyncio.ensure_future(server.serve([listener]))
    try:
        yield server_side
    finally:
        server.should_exit = True
        await running


def data(body: Json, event: str = "") -> str:
    return (f"event: {event}\n" if event else "") + f"data: {json.dumps(body)}\n\n"


def openai_events(answer: Answer) -> Iterator[str]:
    def chunk(delta: Json, finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return data({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})

    yield chunk({"role": "assistant", "content": ""})
    if answer.thought:
        yield chunk({"reasoning_content": answer.thought})
    for text in answer.text:
        yield chunk({"content": text})
    for index, (call, name, arguments) in enumerate(answer.calls):
        yield chunk({"tool_calls": [{"index": index, "id": call, "type": "function", "function": {"name": name, "arguments": ""}}]})
        yield chunk({"tool_calls": [{"index": index, "function": {"arguments": arguments}}]})
    yield chunk({}, "tool_calls" if answer.calls else "stop")
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    yield data({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": usage})
    yield "data: [DONE]\n\n"


def anthropic_events(answer: Answer) -> Iterator[str]:
    message = {"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None, "stop_sequence": None}
    yield data({"type": "message_start", "message": message | {"usage": {"input_tokens": 11, "output_tokens": 1}}}, "message_start")
    index = 0
    if answer.thought:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        yield data({"type": "content_block_start", "index": index, "content_block": block}, "content_block_start")
        for delta in ({"type": "thinking_delta", "thinking": answer.thought}, {"type": "signature_delta", "signature": "signed"}):
            yield data({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
        yield data({"type": "content_block_stop", "index": index}, "content_block_stop")
        index += 1
    if answer.text:
        block = {"type": "text", "text": ""}
        yield data({"type": "content_block_start", "index": index, "content_block": block}, "content_block_start")
        for text in answer.text:
            delta = {"type": "text_delta", "text": text}
            yield data({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
        yield data({"type": "content_block_stop", "index": index}, "content_block_stop")
        index += 1
    for call, name, arguments in answer.calls:
        block = {"type": "tool_use", "id": call, "name": name, "input": {}}
        yield data({"type": "content_block_start", "index": index, "content_block": block}, "content_block_start")
        delta = {"type": "input_json_delta", "partial_json": arguments}
        yield data({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
        yield data({"type": "content_block_stop", "index": index}, "content_block_stop")
        index += 1
    delta = {"stop_reason": "tool_use" if answer.calls else "end_turn", "stop_sequence": None}
    yield data({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 7}}, "message_delta")
    yield data({"type": "message_stop"}, "message_stop")


def gemini_events(answer: Answer) -> Iterator[str]:
    def chunk(parts: list[Json], finish: str | None = None) -> str:
        candidate: Json = {"index": 0, "content": {"role": "model", "parts": parts}}
        if finish:
            candidate["finishReason"] = finish
        usage = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
        return data({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": "r1"})

    if answer.thought:
        yield chunk([{"text": answer.thought, "thought": True}])
    for text in answer.text:
        yield chunk([{"text": text}])
    calls = [{"functionCall": {"id": call, "name": name, "args": json.loads(arguments)}} for call, name, arguments in answer.calls]
    yield chunk([*calls, {"text": ""}] if calls else [{"text": ""}], "STOP")
