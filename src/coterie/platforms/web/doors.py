"""What may be asked without knowing the API: health, figures, logging in, and the page itself."""

import os

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from coterie.platforms.web.asked import AskedHouse
from coterie.platforms.web.guard import COOKIE, cookie_value, is_token
from coterie.platforms.web.refusals import Refused, refusals
from coterie.platforms.web.shapes import Done, Login
from coterie.platforms.web.shapes_setup import HealthBody, ModelHealthBody

_DAYS_30 = 30 * 24 * 3600

router = APIRouter(tags=["house"])


@router.get(
    "/healthz",
    response_model=HealthBody,
    responses={403: refusals()[403], 503: {"model": HealthBody, "description": "Not usable; `missing` says what for."}},
)
async def show_health(house: AskedHouse) -> Response:
    """Whether the house is usable; `degraded` where it shows what it has and can keep nothing new. A model that still loads does not count
    as missing: messages wait for it."""
    health = await house.health()
    body = HealthBody(
        status="unusable" if health.missing else "degraded" if health.troubles else "ok",
        version=house.version,
        missing=list(health.missing),
        troubles=list(health.troubles),
        model=ModelHealthBody(name=health.model.name, state=health.model.state, note=health.model.note),
    )
    return JSONResponse(body.model_dump(), status_code=503 if health.missing else 200)


@router.get(
    "/metrics",
    response_class=Response,
    responses={**refusals(), 200: {"description": "Prometheus' text format.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def show_metrics(house: AskedHouse) -> Response:
    """The figures of this process."""
    return Response(house.metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})


@router.post("/v1/login", responses=refusals())
async def log_in(request: Request, response: Response, house: AskedHouse, body: Login) -> Done:
    """Give the token once; the page is then known by a cookie that scripts cannot read."""
    if not house.token:
        return Done()
    if not is_token(body.token.encode(), house.token):
        raise Refused(401, "This is not the token.")
    response.set_cookie(
        COOKIE,
        cookie_value(house.token),
        max_age=_DAYS_30,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return Done()


@router.get("/", include_in_schema=False, response_class=FileResponse)
async def show_page(house: AskedHouse) -> FileResponse:
    """The page."""
    return FileResponse(house.page / "index.html", media_type="text/html", headers={"Cache-Control": "no-cache"})


class PageFiles(StaticFiles):
    """The page's files; a browser asks each time whether they are still the same, so that a new version shows at once."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """As the library answers, with the caching rule."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "no-cache"
        return response
