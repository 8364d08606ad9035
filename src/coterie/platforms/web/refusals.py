"""How the API says no: one shape, `{"error": TEXT}`, and one table from our errors to statuses. Nothing of a trace leaves the house."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from coterie.domain.access import ListFull
from coterie.domain.personas.cards import CardRefused
from coterie.domain.personas.limits import ContentRefused
from coterie.domain.sessions.fields import FieldRefused
from coterie.domain.settings import SettingRefused
from coterie.ports.accounts import AccountRefused
from coterie.ports.media import PictureRefused
from coterie.ports.model import ModelError
from coterie.ports.sprites import SpritesFull, SpriteTaken
from coterie.ports.stores import CastFull, MainStays, NameTaken, NotFound, SelfIdTaken, StorageUnavailable, StoreError


class ErrorBody(BaseModel):
    """Why a request was refused."""

    error: str = Field(description="One sentence for a person.")


ERROR = "Error"
"""The name of that shape in the OpenAPI document."""


class Refused(Exception):
    """The request is refused with a status and one sentence for a person."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


OUR_ERRORS: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404),
    (NameTaken, 409),
    (SelfIdTaken, 409),
    (CastFull, 409),
    (SpritesFull, 409),
    (SpriteTaken, 409),
    (MainStays, 409),
    (ListFull, 409),
    (StorageUnavailable, 503),
    (StoreError, 500),
    (FieldRefused, 400),
    (CardRefused, 422),
    (ContentRefused, 422),
    (SettingRefused, 422),
    (AccountRefused, 422),
    (PictureRefused, 422),
    (ModelError, 422),
)
"""Every error of ours that a route lets through, the narrow ones first; its text is what the client reads."""

_MEANINGS = {
    400: "The request is malformed, or a value has a form that is not taken.",
    401: "No token, or not the right one.",
    403: "The request comes from a foreign page, or is addressed to a foreign host.",
    404: "What was named does not exist.",
    409: "It would clash with something that exists.",
    413: "The body is larger than what is taken.",
    422: "A value is outside its bounds.",
    503: "The storage cannot be reached.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that refuses with these statuses, beside the ones that every route may give."""
    every = sorted({400, 401, 403, 413, 503, *statuses})
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ERROR}"}}}
    return {status: {"description": _MEANINGS[status], "content": content} for status in every}


def refusal(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer that refuses."""
    return JSONResponse({"error": sentence}, status_code=status, headers=dict(headers or {}))


def install_refusals(app: FastAPI) -> None:
    """Teach the app to answer every error in the one shape."""
    app.add_exception_handler(Refused, _on_refused)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(Exception, _on_unexpected)
    for kind, _ in OUR_ERRORS:
        app.add_exception_handler(kind, _on_our_error)


async def _on_refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return refusal(error.status, str(error))


async def _on_our_error(_: Request, error: Exception) -> JSONResponse:
    return refusal(status_of(error), str(error))


def status_of(error: Exception) -> int:
    """The status of one of our errors."""
    return next((status for kind, status in OUR_ERRORS if isinstance(error, kind)), 500)


async def _on_http_exception(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    sentences = {
        404: "There is nothing at this address.",
        405: f"{request.method} is not possible here.",
        400: "The body cannot be read.",
    }
    return refusal(error.status_code, sentences.get(error.status_code, str(error.detail)), error.headers)


async def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return refusal(_invalid_status(request, first), invalid_sentence(first))


def _invalid_status(request: Request, first: Mapping[str, Any]) -> int:
    """422 for a value in the body of a route that declares it, else 400."""
    declared = getattr(request.scope.get("route"), "responses", {})
    is_value = first["loc"][:1] == ("body",) and first["type"] != "json_invalid"
    return 422 if is_value and 422 in declared else 400


def invalid_sentence(first: Mapping[str, Any]) -> str:
    """The first finding of a validator as one sentence."""
    if first["type"] == "json_invalid":
        return "The body is not valid JSON."
    where = _place(first["loc"])
    message = str(first["msg"]).removeprefix("Value error, ")
    if not where:
        return "The body must be a JSON object (Content-Type: application/json)."
    if first["type"] == "missing":
        return f"{where} is missing."
    given, most = first.get("input"), first.get("ctx", {}).get("max_length")
    if isinstance(given, str) and isinstance(most, int):
        return f"{where} has {len(given):,} characters; at most {most:,} are taken."
    return f"{where}: {message[:1].lower()}{message[1:300].rstrip('.')}."


def _place(location: Sequence[int | str]) -> str:
    return ".".join(str(part) for part in location[1:])


async def _on_unexpected(_request: Request, _error: Exception) -> JSONResponse:
    # The server's own log gets the trace: the error goes on to it after this answer.
    return refusal(500, "Something went wrong inside; the log says what.")
