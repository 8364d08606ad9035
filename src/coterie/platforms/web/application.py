"""The app: every route, what refuses, the guard around all of it, and the OpenAPI document that describes it."""

import asyncio
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp

from coterie.platforms.web import access, accounts, avatars, cards, doors, people, personas, sessions, setup, sprites, talk
from coterie.platforms.web.guard import COOKIE, Guard, judge_doors
from coterie.platforms.web.house import House
from coterie.platforms.web.refusals import ERROR, ErrorBody, install_refusals
from coterie.platforms.web.streams import EVENT_TABLE

_ABOUT = """A cast of AI personas for your own chat.

Ids are strings, times RFC 3339 in UTC, `persona` in any answer is a handle. `?workspace=` chooses a workspace: `local` (the default),
`discord:GUILD` or `dm:USER`. Every refusal is `{"error": TEXT}` with one sentence for a person. Where a token is set, send
`Authorization: Bearer TOKEN`; only `/healthz` and the page's static files are open.

Streams are server-sent events, each with an `event:` name, an `id:` and one line of JSON as `data:`.
"""

_SCHEMES = {"token": {"type": "http", "scheme": "bearer"}, "page": {"type": "apiKey", "in": "cookie", "name": COOKIE}}

_ROUTERS = tuple(module.router for module in (doors, sessions, talk, personas, cards, sprites, avatars, setup, accounts, access, people))


class _App(FastAPI):
    """The guard stands outside of everything, so that its headers are on every answer, a failure's too."""

    def build_middleware_stack(self) -> ASGIApp:
        return Guard(super().build_middleware_stack(), self.state.house)

    def openapi(self) -> dict[str, Any]:
        """The document, once made."""
        if self.openapi_schema is None:
            document = super().openapi()
            _leave_out_default_findings(document)
            document["components"]["schemas"][ERROR] = ErrorBody.model_json_schema()
            document["components"]["securitySchemes"] = _SCHEMES
            # The empty one: on loopback no token need be set.
            document["security"] = [{}, *({name: []} for name in _SCHEMES)]
        return super().openapi()


def create_app(house: House) -> FastAPI:
    """The HTTP API and the page of a house. Raises `TokenNeeded` where strangers could reach it without a token."""
    judge_doors(house)
    app = _routes(house.version)
    app.state.house = house
    app.state.persona_edits = asyncio.Lock()
    app.mount("/static", doors.PageFiles(directory=house.page, check_dir=False))
    return app


def describe(version: str) -> dict[str, Any]:
    """The OpenAPI document without a house behind it, for the reference in `docs/`."""
    return _routes(version).openapi()


def _routes(version: str) -> FastAPI:
    # The pages of the framework load their scripts from elsewhere, so only the document itself is served.
    # The routes are handed over as they are, since including routers would build each of them a second time, at the first request.
    routes = [route for router in _ROUTERS for route in router.routes]
    about = f"{_ABOUT}\n{EVENT_TABLE}"
    app = _App(title="Coterie", description=about, version=version, docs_url=None, redoc_url=None, redirect_slashes=False, routes=routes)
    install_refusals(app)
    return app


def _leave_out_default_findings(document: dict[str, Any]) -> None:
    """The framework announces its own shape of 422 for every route; here malformed requests are 400 in the one shape."""
    for path in document["paths"].values():
        for operation in path.values():
            content = operation["responses"].get("422", {}).get("content", {})
            if content.get("application/json", {}).get("schema", {}).get("$ref", "").endswith("/HTTPValidationError"):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document.get("components", {}).get("schemas", {}).pop(name, None)
