"""Reads embeds: their bounds, and the shape in which Discord gives them back."""

from typing import Any

from discord_loopback.forms import Form
from discord_loopback.refusals import Json

MOST = 6000
"""Characters over all embeds of a message."""
_TEXTS = (("title", 256), ("description", 4096))


def read_embeds(form: Form, value: Any) -> list[Json]:
    """Embeds as they will be shown; notes what is wrong in `form` (Discord docs, Message, Embed limits)."""
    items = form.items("embeds", value, most=10)
    read = [_embed(form, place, item) for place, item in enumerate(items) if isinstance(item, dict)]
    if sum(map(characters, read)) > MOST:
        form.wrong("embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {MOST}")
    return read


def characters(embed: Json) -> int:
    """How much an embed counts towards `MOST`."""
    texts = [embed.get("title"), embed.get("description"), embed.get("footer", {}).get("text"), embed.get("author", {}).get("name")]
    texts += [part for field in embed.get("fields", ()) for part in (field["name"], field["value"])]
    return sum(len(text) for text in texts if text)


def _embed(form: Form, place: int, item: Json) -> Json:
    shown: Json = {"type": "rich"}
    for name, most in _TEXTS:
        if text := form.text(("embeds", place, name), item.get(name), most=most):
            shown[name] = text.strip()
    form.address(("embeds", place, "url"), item.get("url"))
    shown |= {name: item[name] for name in ("url", "timestamp") if item.get(name)}
    if item.get("color") is not None:
        shown["color"] = form.whole(("embeds", place, "color"), item["color"], least=0, most=0xFFFFFF)
    _named(form, place, item, shown, part="footer", name="text", most=2048)
    _named(form, place, item, shown, part="author", name="name", most=256)
    for name in ("image", "thumbnail"):
        if isinstance(item.get(name), dict) and item[name].get("url"):
            form.address(("embeds", place, name, "url"), item[name]["url"], schemes=("http", "https", "attachment"))
            shown[name] = {"url": item[name]["url"], "proxy_url": item[name]["url"], "width": 0, "height": 0}
    if fields := _fields(form, place, item):
        shown["fields"] = fields
    if len(shown) == 1:
        form.wrong(("embeds", place, "description"), "BASE_TYPE_REQUIRED", "This field is required")
    return shown


def _named(form: Form, place: int, item: Json, shown: Json, *, part: str, name: str, most: int) -> None:
    value = item.get(part)
    if not isinstance(value, dict) or not form.text(("embeds", place, part, name), value.get(name), most=most):
        return
    shown[part] = {name: value[name].strip()}
    for key in ("url", "icon_url"):
        if value.get(key):
            form.address(("embeds", place, part, key), value[key], schemes=("http", "https", "attachment"))
            shown[part][key] = value[key]


def _fields(form: Form, place: int, item: Json) -> list[Json]:
    fields = []
    for number, field in enumerate(form.items(("embeds", place, "fields"), item.get("fields"), most=25)):
        where = ("embeds", place, "fields", number)
        name = form.text((*where, "name"), field.get("name"), least=1, most=256, needed=True)
        value = form.text((*where, "value"), field.get("value"), least=1, most=1024, needed=True)
        fields.append({"name": (name or "").strip(), "value": (value or "").strip(), "inline": bool(field.get("inline"))})
    return fields
