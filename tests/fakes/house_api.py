"""A small server that speaks the shapes of `/v1` and does what a test tells it. It decides nothing about personas."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from coterie.platforms.web.server import Serving, serve

Json = dict[str, Any]
Event = tuple[str, str, Json]


def session_json(session_id: str, **parts: Any) -> Json:
    blank = dict.fromkeys(("self_id", "name", "role", "rule", "effective_role", "chat_id", "guild_id", "channel_id", "user_id"), "")
    rest = {"session_id": session_id, "model": "auto", "reasoning": "auto", "levels": [], "state": "idle", "count": 0, "default": False}
    return blank | rest | parts


def persona_json(handle: str, name: str, words: list[str], *, is_alter: bool = True) -> Json:
    return {"handle": handle, "name": name, "is_alter": is_alter, "trigger_words": words, "effective_trigger_words": words, "avatar": None}


def message_json(message_id: str, name: str, text: str, persona: str | None = None, reply_to: str | None = None) -> Json:
    author = {"id": "owner" if persona is None else persona, "name": name, "persona": persona}
    moment = f"2026-11-30T10:{int(message_id[1:]) // 60 % 60:02}:{int(message_id[1:]) % 60:02}.000Z"
    return {"message_id": message_id, "author": author, "text": text, "created_at": moment, "reply_to": reply_to, "turn_id": None}


CAST = (
    persona_json("odile", "Odile", ["odile", "coterie"], is_alter=False),
    persona_json("bram", "Bram", ["bram"]),
    persona_json("wren", "Wren", ["wren"]),
)


@dataclass
class Refusal:
    status: int
    error: str


@dataclass
class FakeHouse:
    """What the server says. `sent` are the bodies of `/v1/send`; `refusal`, where set, answers every call below `/v1`."""

    sessions: dict[str, Json] = field(default_factory=lambda: {"chat-1": session_json("chat-1", name="Night kitchen", default=True)})
    messages: dict[str, list[Json]] = field(default_factory=lambda: {"chat-1": []})
    personas: list[Json] = field(default_factory=lambda: list(CAST))
    model: Json = field(default_factory=lambda: {"name": "scripted", "state": "ready", "note": ""})
    whys: dict[str, Json] = field(default_factory=dict)
    refusal: Refusal | None = None
    token: str = ""
    sent: list[Json] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    forgets: bool = False
    takes_nothing: str = ""
    log: dict[str, list[Event]] = field(default_factory=dict)
    listeners: dict[str, list["asyncio.Queue[Event | None]"]] = field(default_factory=dict)
    on_send: Callable[["FakeHouse", Json], None] = lambda house, body: house.end_of(house.hear(body))
    resumed_after: list[str | None] = field(default_factory=list)
    count: int = 0

    def publish(self, name: str, data: Json, session: str = "chat-1") -> None:
        self.count += 1
        event = (name, f"e-{self.count}", data)
        self.log.setdefault(session, []).append(event)
        for listener in self.listeners.get(session, []):
            listener.put_nowait(event)

    def hear(self, body: Json) -> str:
        """Keep what a person said and tell of it."""
        kept = message_json(self._next_id(), body["user"]["name"], body["content"], reply_to=body.get("reply_to"))
        kept["author"]["id"] = body["user"]["id"]
        self.messages.setdefault(body["session_id"], []).append(kept)
        self.publish("message", {key: kept[key] for key in ("message_id", "author", "text", "created_at", "reply_to")}, body["session_id"])
        return str(kept["message_id"])

    def plan(self, message: str, *handles: str) -> None:
        turns = [{"persona": handle, "reason": "trigger-word", "turn_id": f"{message}-{handle}"} for handle in handles]
        skipped = [{"persona": each["handle"], "why": "not-called"} for each in self.personas if each["handle"] not in handles]
        self.publish("plan", {"message_id": message, "turns": turns, "skipped": skipped})

    def write(self, turn: str, text: str) -> None:
        self.publish("delta", {"turn_id": turn, "text": text})

    def line(self, turn: str, handle: str, name: str, text: str, message: str = "") -> None:
        kept = message_json(message or self._next_id(), name, text, persona=handle)
        self.messages["chat-1"].append(kept)
        data = {"turn_id": turn, "persona": handle, "name": name, "avatar": None, "text": text, "message_id": kept["message_id"]}
        self.publish("line", data)

    def end_of(self, message: str, status: str = "answered") -> None:
        self.publish("end", {"status": status, "message_id": message})

    def hang_up(self) -> None:
        """End every open stream."""
        for listener in [each for listeners in self.listeners.values() for each in listeners]:
            listener.put_nowait(None)

    def _next_id(self) -> str:
        return f"m{1 + sum(len(messages) for messages in self.messages.values())}"


def frame(name: str, event_id: str, data: Json) -> str:
    return f"event: {name}\nid: {event_id}\ndata: {json.dumps(data)}\n\n"


@dataclass
class _Answers:
    """The house's routes."""

    house: FakeHouse

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok", "version": "0", "missing": [], "model": self.house.model})

    async def sessions(self, _: Request) -> Response:
        return JSONResponse({"sessions": list(self.house.sessions.values())})

    async def create(self, request: Request) -> Response:
        body = await request.json()
        made = session_json(f"{body['prefix']}-{len(self.house.sessions) + 1}", name=body.get("name", ""))
        self.house.sessions[made["session_id"]] = made
        self.house.messages[made["session_id"]] = []
        return JSONResponse(made, 201)

    async def session(self, request: Request) -> Response:
        found = self.house.sessions.get(request.path_params["id"])
        if found is None:
            return JSONResponse({"error": "There is no such session."}, 404)
        if request.method == "POST":
            found.update(await request.json())
        if request.method == "DELETE":
            del self.house.sessions[found["session_id"]]
        return JSONResponse(found)

    async def messages(self, request: Request) -> Response:
        kept = self.house.messages.get(request.path_params["id"], [])
        ids = [message["message_id"] for message in kept]
        before = request.query_params.get("before")
        until = ids.index(before) if before in ids else len(kept)
        return JSONResponse({"messages": kept[max(0, until - int(request.query_params["limit"])) : until]})

    async def send(self, request: Request) -> Response:
        body = await request.json()
        self.house.sent.append(body)
        return StreamingResponse(self._answer(body), media_type="text/event-stream")

    async def _answer(self, body: Json) -> AsyncIterator[str]:
        if self.house.takes_nothing:
            yield frame("error", "", {"error": self.house.takes_nothing})
            yield frame("end", "", {"status": "failed", "message_id": "m0"})
            return
        with _listening(self.house, body["session_id"]) as queue:
            self.house.on_send(self.house, body)
            while (event := await queue.get()) is not None:
                if event[0] != "message":
                    yield frame(*event)
                if event[0] == "end":
                    return

    async def events(self, request: Request) -> Response:
        session = request.path_params["id"]
        if session not in self.house.sessions:
            return JSONResponse({"error": "There is no such session."}, 404)
        after = request.headers.get("last-event-id")
        self.house.resumed_after.append(after)
        return StreamingResponse(self._stream(session, after), media_type="text/event-stream")

    async def _stream(self, session: str, after: str | None) -> AsyncIterator[str]:
        with _listening(self.house, session) as queue:
            if after is not None and self.house.forgets:
                yield frame("resync", "e-0", {})
            elif after is not None:
                for event in self.house.log.get(session, []):
                    if int(event[1][2:]) > int(after[2:]):
                        yield frame(*event)
            yield ": ok\n\n"
            while (event := await queue.get()) is not None:
                yield frame(*event)

    async def stop(self, request: Request) -> Response:
        self.house.stopped.append(request.path_params["id"])
        return JSONResponse({"ok": True})

    async def personas(self, _: Request) -> Response:
        return JSONResponse({"personas": self.house.personas})

    async def import_card(self, request: Request) -> Response:
        async with request.form() as form:
            file = form["file"]
            given = {"file": file.filename, "bytes": await file.read(), "type": form["type"], "triggers": form.get("triggers")}
        self.house.sent.append(given)
        return JSONResponse({"persona": CAST[1], "report": []}, 201)

    async def why(self, request: Request) -> Response:
        found = self.house.whys.get(request.path_params["id"])
        return JSONResponse(found) if found else JSONResponse({"error": "There is no such message."}, 404)


def app_of(house: FakeHouse) -> ASGIApp:
    answers = _Answers(house)
    routes = Starlette(
        routes=[
            Route("/healthz", answers.health),
            Route("/v1/sessions", answers.sessions),
            Route("/v1/sessions", answers.create, methods=["POST"]),
            Route("/v1/session/{id}", answers.session, methods=["GET", "POST", "DELETE"]),
            Route("/v1/session/{id}/messages", answers.messages),
            Route("/v1/session/{id}/events", answers.events),
            Route("/v1/session/{id}/stop", answers.stop, methods=["POST"]),
            Route("/v1/send", answers.send, methods=["POST"]),
            Route("/v1/personas", answers.personas),
            Route("/v1/personas/import", answers.import_card, methods=["POST"]),
            Route("/v1/why/{id}", answers.why),
        ]
    )

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope["headers"]).get(b"authorization", b"").decode()
        if house.token and given != f"Bearer {house.token}":
            await JSONResponse({"error": "A token is needed."}, 401)(scope, receive, send)
        elif house.refusal and scope["path"].startswith("/v1"):
            await JSONResponse({"error": house.refusal.error}, house.refusal.status)(scope, receive, send)
        else:
            await routes(scope, receive, send)

    return guarded


@contextmanager
def _listening(house: FakeHouse, session: str) -> "Iterator[asyncio.Queue[Event | None]]":
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    house.listeners.setdefault(session, []).append(queue)
    try:
        yield queue
    finally:
        house.listeners[session].remove(queue)


@asynccontextmanager
async def running(house: FakeHouse, port: int = 0) -> AsyncIterator[Serving]:
    """The house on a port of loopback."""
    serving = await serve(app_of(house), "127.0.0.1", port)
    try:
        yield serving
    finally:
        house.hang_up()
        await serving.close()
