"""Answers REST requests: finds the route, lets faults and limits have their way, acts, records, and makes HTTP of the answer."""

import asyncio
import logging
from dataclasses import dataclass

import orjson
from aiohttp import web

from discord_loopback.happenings import NOBODY, Happening
from discord_loopback.model import Application
from discord_loopback.refusals import Refused, refused, unauthorized
from discord_loopback.rest.bodies import read
from discord_loopback.rest.call import Answer, Call
from discord_loopback.rest.limits import Limits, Verdict, refusal
from discord_loopback.rest.routes import ROUTES, Route, Tree
from discord_loopback.switches import Fault
from discord_loopback.traffic import Exchange
from discord_loopback.world import World

log = logging.getLogger(__name__)
PREFIX = "/api/v10"
_JSON = {"Content-Type": "application/json"}
"""Exactly this: with a charset behind it a common library hands JSON back as text."""


@dataclass(frozen=True, slots=True)
class _Said:
    status: int
    answer: Answer
    headers: dict[str, str]


class Rest:
    """The REST API of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tree = Tree(ROUTES)
        self._limits = Limits(world.switches)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request below `/api/v10`."""
        path = request.rel_url.raw_path.removeprefix(PREFIX)
        call = Call(self._world, request.method, path.replace("%40me", "@me"), query=dict(request.query))
        found = self._tree.find(request.method, call.path.strip("/").split("/"))
        route, call.ids = found or (None, {})
        call.login = self._login(request)
        fault = self._fault(call)
        said = await self._say(request, call, route, fault)
        self._record(call, route, said, fault)
        return await self._send(request, said, fault)

    def _login(self, request: web.Request) -> Application | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        return self._world.application_of(token) if kind == "Bot" else None

    def _fault(self, call: Call) -> Fault | None:
        return next((fault for fault in self._world.faults.values() if fault.strikes(call.method, call.path)), None)

    async def _say(self, request: web.Request, call: Call, route: Route | None, fault: Fault | None) -> _Said:
        """What the answer is; reads the body, so that it can be recorded whatever comes of it."""
        try:
            call.body, call.uploads, call.fields = await read(request, self._world.switches.request_limit)
            if wait := self._world.switches.latency + (fault.seconds if fault and fault.kind == "latency" else 0.0):
                await asyncio.sleep(wait)
            return self._act(call, route, fault)
        except Refused as no:
            return _Said(no.status, no.body, {})

    def _act(self, call: Call, route: Route | None, fault: Fault | None) -> _Said:
        if route is None:
            raise refused(0)
        if fault is not None and fault.kind in ("status", "unheard"):
            return _Said(fault.status, {"message": f"{fault.status}: loopback fault", "code": 0}, {})
        if route.login and call.login is None:
            raise unauthorized()
        verdict = self._verdict(route, call, fault)
        if verdict.refusal is not None:
            return _Said(429, verdict.refusal, verdict.headers)
        try:
            answer = route.act(call)
        except Refused as no:
            return _Said(no.status, no.body, verdict.headers)
        except Exception:
            # A body that no route expected, or a mistake in this server. A 500 would be retried by libraries and look like slowness.
            log.exception("%s %s cannot be answered", call.method, call.path)
            call.is_broken = True
            return _Said(400, {"message": "The loopback server cannot answer this request.", "code": 0}, verdict.headers)
        if fault is not None and fault.kind == "unlucky":
            return _Said(fault.status, {"message": f"{fault.status}: loopback fault", "code": 0}, verdict.headers)
        return _Said(call.status or (204 if answer is None else 200), answer, verdict.headers)

    def _verdict(self, route: Route, call: Call, fault: Fault | None) -> Verdict:
        if fault is not None and fault.kind == "rate_limited":
            return refusal(fault.seconds, "user", self._world.switches, {})
        return self._limits.ask(route, call)

    def _record(self, call: Call, route: Route | None, said: _Said, fault: Fault | None) -> None:
        files = tuple((upload.filename, len(upload.data)) for upload in call.uploads)
        exchange = Exchange(
            self._world.clock(),
            call.method,
            call.path,
            route.path if route else "",
            call.query,
            call.body,
            files,
            said.status,
            said.answer,
            fault.kind if fault else "",
            call.login.id if call.login else 0,
        )
        if route is None:
            log.error("there is no route %s %s", call.method, call.path)
        if route is None or call.is_broken:
            self._world.traffic.unknown.append(exchange)
        if self._world.switches.record:
            self._world.traffic.exchanges.append(exchange)
        if self._world.is_watched:
            note = {"method": exchange.method, "path": exchange.path, "route": exchange.route, "status": exchange.status}
            self._world.tell(Happening("LOOPBACK_REQUEST", note, eyes=NOBODY))

    async def _send(self, request: web.Request, said: _Said, fault: Fault | None) -> web.StreamResponse:
        if fault is not None and fault.kind in ("lost", "unheard") and request.transport is not None:
            request.transport.abort()
        elif fault is not None and fault.kind == "late":
            await asyncio.sleep(fault.seconds)
        if said.answer is None:
            return web.Response(status=said.status, headers=said.headers)
        return web.Response(status=said.status, body=orjson.dumps(said.answer), headers={**_JSON, **said.headers})
