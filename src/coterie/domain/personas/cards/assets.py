"""The assets of a V3 card: which one is the face, and carrying a container's files along into another container."""

import base64
import binascii
import copy
from collections.abc import Iterator

from coterie.domain.personas.cards.card import MAX_CARD_BYTES, CardFormat, Container, JsonObject, ReadCard
from coterie.domain.personas.cards.understand import body_of

MAX_INLINED_BYTES = 4 * 1024 * 1024

MAIN_ICON = "assets/icon/images/main.png"
DEFAULT = "ccdefault:"
_EMBEDDED = ("embeded://", "embedded://")
_TYPES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}


def assets_of(raw: JsonObject) -> Iterator[JsonObject]:
    """The assets that have the shape of one."""
    assets = body_of(raw).get("assets")
    if isinstance(assets, list):
        yield from (asset for asset in assets if isinstance(asset, dict) and isinstance(asset.get("uri"), str))


def main_icon(raw: JsonObject) -> JsonObject | None:
    """The icon called `main`, else the first icon."""
    icons = [asset for asset in assets_of(raw) if str(asset.get("type")).lower() == "icon"]
    return next((icon for icon in icons if icon.get("name") == "main"), icons[0] if icons else None)


def is_default(asset: JsonObject) -> bool:
    """Whether an asset stands for the container's own picture."""
    return str(asset.get("uri")).lower().startswith(DEFAULT)


def asset_bytes(uri: str, container: Container) -> bytes | None:
    """What an asset's address refers to inside the container or the address itself; nothing for the web, which is not asked."""
    lower = uri.lower()
    for beginning in _EMBEDDED:
        if lower.startswith(beginning):
            return container.file(uri[len(beginning) :])
    if lower.startswith("__asset:"):
        return container.file(uri)
    if lower.startswith("data:"):
        return _inline(uri)
    return None


def _inline(uri: str) -> bytes | None:
    head, _, body = uri.partition(",")
    if not head.lower().endswith(";base64") or len(body) > MAX_CARD_BYTES * 4 // 3 + 4:
        return None
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        return None


def face_of(raw: JsonObject, container: Container) -> bytes | None:
    """The picture of the character: a PNG card's own, else the main icon's file, else what lies before the archive."""
    if container.format is CardFormat.PNG:
        return container.picture
    icon = main_icon(raw)
    found = asset_bytes(str(icon["uri"]), container) if icon is not None else None
    if found is None and icon is None and isinstance(avatar := body_of(raw).get("avatar"), str):
        found = asset_bytes(avatar, container)
    return found or container.picture


def inlined(source: ReadCard, obj: JsonObject) -> JsonObject:
    """The object with the container's files written into their addresses, so that it can stand without the container.

    When that would be too large for a card, addresses stay as they are.
    """
    carried = copy.deepcopy(obj)
    size = 0
    for asset in assets_of(carried):
        uri = str(asset["uri"])
        data = None if uri.lower().startswith("data:") else asset_bytes(uri, source.container)
        if data is not None:
            kind = _TYPES.get(str(asset.get("ext")).lower(), "application/octet-stream")
            asset["uri"] = f"data:{kind};base64,{base64.b64encode(data).decode()}"
            size += len(data)
    return carried if size <= MAX_INLINED_BYTES else obj


def with_main_icon(raw: JsonObject) -> JsonObject:
    """The object with its main icon at the place where this program puts it in an archive."""
    carried = copy.deepcopy(raw)
    place: JsonObject = {"type": "icon", "uri": _EMBEDDED[0] + MAIN_ICON, "name": "main", "ext": "png"}
    icon, body = main_icon(carried), body_of(carried)
    if icon is not None:
        icon.update(place)
    else:
        assets = body.get("assets")
        body["assets"] = [*(assets if isinstance(assets, list) else []), place]
    return carried
