"""Reads a request's body: JSON, or a form with `payload_json` and files, bounded before it is parsed."""

from typing import Any

import orjson
from aiohttp import BodyPartReader, web

from discord_loopback.acts.drafts import Upload
from discord_loopback.refusals import Json, refused

LARGEST_JSON = 24 * 1024 * 1024
"""Bytes of a JSON body; pictures come in them as base64."""


async def read(request: web.Request, largest: int) -> tuple[Any, tuple[Upload, ...], Json]:
    """The JSON, the files and the other fields of a body. Raises `Refused` (50109, 40005)."""
    if not request.body_exists:
        return None, (), {}
    if request.content_type == "multipart/form-data":
        return await _form(request, largest)
    data = await request.read()
    if not data:
        return None, (), {}
    if request.content_type == "application/x-www-form-urlencoded":
        return dict(await request.post()), (), {}
    return _json(data), (), {}


def _json(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise refused(50109) from error


async def _form(request: web.Request, largest: int) -> tuple[Any, tuple[Upload, ...], Json]:
    body: Any = None
    fields: Json = {}
    uploads: list[Upload] = []
    total = 0
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read(decode=True))
        total += len(data)
        if total > largest + LARGEST_JSON:
            raise refused(40005)
        name = part.name or ""
        if part.filename is not None:
            number = int(digits) if (digits := name.removeprefix("files[").rstrip("]")).isdigit() else len(uploads)
            uploads.append(Upload(part.filename, data, part.headers.get("Content-Type"), number))
        elif name == "payload_json":
            body = _json(data)
        else:
            fields[name] = data.decode(errors="replace")
    return body if body is not None else dict(fields), tuple(uploads), fields
