"""Pictures in bodies: data addresses, checked and kept for the CDN."""

import base64
import binascii
import hashlib
import re

from discord_loopback.forms import Form
from discord_loopback.pictures import kind_of
from discord_loopback.rest.call import Call

_DATA = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,(.*)", re.DOTALL)
LARGEST = 10 * 1024 * 1024


def decode(form: Form, name: str, value: object) -> tuple[bytes, str] | None:
    """The bytes and content type of a picture; notes what is wrong in `form`."""
    found = _DATA.fullmatch(value) if isinstance(value, str) else None
    try:
        data = base64.b64decode(found[2], validate=True) if found else b""
    except binascii.Error:
        data = b""
    kind = kind_of(data)
    if kind is None:
        form.wrong(name, "IMAGE_INVALID", "Invalid image data")
        return None
    if len(data) > LARGEST:
        form.wrong(name, "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 10240.0 kb.")
        return None
    return data, kind


def read_image(call: Call, name: str, path: str) -> str | None:
    """Keep the picture of a field under `path/hash`; returns its hash, none for null. Raises 50035 for what is no picture."""
    value = call.form.get(name)
    if value is None:
        return None
    form = Form(call.form)
    decoded = decode(form, name, value)
    form.done()
    assert decoded is not None
    data, kind = decoded
    digest = ("a_" if kind == "image/gif" else "") + hashlib.md5(data, usedforsecurity=False).hexdigest()
    call.world.keep_file(f"{path}/{digest}", data, kind)
    return digest
