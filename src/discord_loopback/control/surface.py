"""The internal API over HTTP: one address per operation, a stream of what happens, and the page. Open to this machine's own pages alone."""

import asyncio
from contextlib import suppress
from pathlib import Path

import orjson
from aiohttp import web
from yarl import URL

from discord_loopback.control.finding import Unable
from discord_loopback.control.operations import call
from discord_loopback.control.watching import Watch
from discord_loopback.refusals import Json
from discord_loopback.server import Server

STATIC = Path(__file__).parent.parent / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
QUIET_SECONDS = 15.0
"""After so long without news the stream says that it lives."""


def add_surface(server: Server) -> None:
    """Let a server answer below `/loopback` and show its page at `/`."""
    surface = _Surface(server)
    router = server.application.router
    router.add_post("/loopback/call/{operation}", surface.call)
    router.add_get("/loopback/happenings", surface.happenings)
    router.add_get("/", surface.page)
    router.add_get("/static/{name}", surface.page)


class _Surface:
    def __init__(self, server: Server) -> None:
        self._server = server

    def _guard(self, request: web.Request) -> None:
        """Refuse other sites' pages, also those that reach this address under a name of theirs."""
        own = URL(self._server.world.base)
        asked = URL(f"http://{request.host}")
        if asked.port != own.port or asked.host not in (own.host, "127.0.0.1", "localhost", "::1"):
            raise web.HTTPForbidden(text="This address is not mine.")
        origin = request.headers.get("Origin")
        if origin and URL(origin).authority != request.host:
            raise web.HTTPForbidden(text="Other sites' pages may not ask here.")

    async def call(self, request: web.Request) -> web.StreamResponse:
        """An operation, with its arguments as a JSON object."""
        self._guard(request)
        if request.content_type != "application/json":
            return _answer({"error": "The arguments must be JSON."}, 415)
        try:
            arguments = orjson.loads(await request.read() or b"{}")
            if not isinstance(arguments, dict):
                return _answer({"error": "The arguments must be an object."}, 400)
            return _answer({"result": call(self._server, request.match_info["operation"], arguments)}, 200)
        except orjson.JSONDecodeError:
            return _answer({"error": "The arguments are not JSON."}, 400)
        except Unable as error:
            return _answer({"error": str(error)}, 400)

    async def happenings(self, request: web.Request) -> web.StreamResponse:
        """What happens, as server-sent events, from the moment of the answer's headers."""
        self._guard(request)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        with Watch(self._server.world) as watch:
            await response.prepare(request)
            await response.write(b": here\n\n")
            # A listener may leave at any time.
            with suppress(ConnectionResetError):
                while not self._server.is_stopping:
                    await self._pass_on(watch, response)
        return response

    async def _pass_on(self, watch: Watch, response: web.StreamResponse) -> None:
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                note = await watch.next()
        except TimeoutError:
            await response.write(b": quiet\n\n")
        else:
            await response.write(b"data: " + orjson.dumps(note) + b"\n\n")

    async def page(self, request: web.Request) -> web.StreamResponse:
        """The page and its files."""
        self._guard(request)
        path = STATIC / Path(request.match_info.get("name", "index.html")).name
        if path.suffix not in _TYPES or not path.is_file():
            raise web.HTTPNotFound(text="There is no such file.")
        return web.Response(body=path.read_bytes(), content_type=_TYPES[path.suffix], charset="utf-8", headers=_HEADERS)


def _answer(body: Json, status: int) -> web.Response:
    return web.Response(body=orjson.dumps(body), status=status, content_type="application/json")
