"""Faces over HTTP. Stored ones are named by their content, so browsers may keep them for good; bundled ones change with a version."""

import hashlib
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from coterie.platforms.web.asked import AskedHouse
from coterie.platforms.web.refusals import Refused, refusals

router = APIRouter(tags=["personas"])

_FOR_GOOD = "private, max-age=31536000, immutable"
_FOR_AN_HOUR = "private, max-age=3600"
_BUNDLED = "presets/"
_MOST_PATH = 300


_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture.", "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}},
    304: {"description": "Unchanged."},
}


@router.get("/v1/avatars/{path:path}", response_class=Response, responses={**refusals(404), **_PICTURE})
async def show_avatar(house: AskedHouse, path: str, if_none_match: Annotated[str | None, Header()] = None) -> Response:
    """A face, by the path that a persona or a line names."""
    picture = await house.pictures.read(path) if is_picture_path(path) else None
    if picture is None:
        raise Refused(404, "There is no such picture.")
    tag = f'"{hashlib.sha256(picture).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": _FOR_AN_HOUR if path.startswith(_BUNDLED) else _FOR_GOOD}
    if if_none_match is not None and _matches(tag, if_none_match):
        return Response(status_code=304, headers=headers)
    return Response(picture, media_type="image/png", headers=headers)


def is_picture_path(path: str) -> bool:
    """Whether a path can name a stored picture: bounded, printable, relative, and nowhere upwards."""
    parts = path.split("/")
    return 0 < len(path) <= _MOST_PATH and path.isprintable() and "\\" not in path and all(part not in {"", ".", ".."} for part in parts)


def _matches(tag: str, asked: str) -> bool:
    """RFC 9110, 13.1.2: any of the list, weak or strong, or `*`."""
    given = [each.strip().removeprefix("W/") for each in asked.split(",")]
    return tag in given or "*" in given
