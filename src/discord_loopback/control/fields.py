"""Fills in a modal as Discord's client would: defaults, bounds, files; and the shape in which it is submitted."""

from typing import Any

from discord_loopback.acts.components import CHECKBOX, CHECKBOXES, FILE_UPLOAD, LABEL, RADIO, ROW, SELECTS, TEXT_INPUT
from discord_loopback.control.finding import Unable
from discord_loopback.control.options import Filled
from discord_loopback.refusals import Json


def submitted(components: list[Json], values: dict[str, Any], filled: Filled) -> list[Json]:
    """A modal's components as they are submitted. Raises `Unable` for values that the modal does not take."""
    shape = [_outer(one, values, filled) for one in components]
    if values:
        raise Unable(f"The modal has no field “{min(values)}”.")
    return shape


def _outer(one: Json, values: dict[str, Any], filled: Filled) -> Json:
    shape: Json = {"type": one["type"], "id": one["id"]}
    if one["type"] == LABEL:
        return {**shape, "component": _inner(one["component"], values, filled)}
    if one["type"] == ROW:
        return {**shape, "components": [_inner(child, values, filled) for child in one["components"]]}
    return shape


def _inner(one: Json, values: dict[str, Any], filled: Filled) -> Json:
    name, kind = one["custom_id"], one["type"]
    given = values.pop(name, None)
    shape: Json = {"type": kind, "id": one["id"], "custom_id": name}
    if kind == TEXT_INPUT:
        return {**shape, "value": _text(one, given)}
    if kind == CHECKBOX:
        return {**shape, "value": bool(one.get("default")) if given is None else bool(given)}
    if kind == RADIO and given is None and _default(one) is None:
        if one.get("required", True):
            raise Unable(f"The field “{name}” must be filled in.")
        return {**shape, "value": None}
    if kind == RADIO:
        chosen = _chosen(one, [_default(one) if given is None else given], least=1, most=1)[0]
        return {**shape, "value": chosen}
    return {**shape, "values": _several(one, given, filled)}


def _text(one: Json, given: Any) -> str:
    text = one.get("value") or "" if given is None else str(given)
    if not text and one.get("required", True):
        raise Unable(f"The field “{one['custom_id']}” must be filled in.")
    if text and not (one.get("min_length") or 0) <= len(text) <= (one.get("max_length") or 4000):
        raise Unable(f"The field “{one['custom_id']}” takes {one.get('min_length') or 0} to {one.get('max_length') or 4000} characters.")
    return text


def _default(one: Json) -> str | None:
    return next((option["value"] for option in one.get("options", ()) if option.get("default")), None)


def _several(one: Json, given: Any, filled: Filled) -> list[str]:
    kind = one["type"]
    if kind == FILE_UPLOAD:
        chosen = [filled.upload(file) for file in given or ()]
    elif given is None:
        chosen = [option["value"] for option in one.get("options") or () if option.get("default")]
        chosen += [value["id"] for value in one.get("default_values") or ()]
    else:
        chosen = [str(value) for value in ([given] if isinstance(given, str | int) else given)]
    needed = one.get("required", True)
    least, most = one.get("min_values", 1), one.get("max_values") or (len(one.get("options", ())) if kind == CHECKBOXES else 1)
    _chosen(one, chosen, least=least if needed or chosen else 0, most=most)
    if kind in SELECTS:
        filled.resolve_select(kind, chosen)
    return chosen


def _chosen(one: Json, values: list[Any], *, least: int, most: int) -> list[Any]:
    if not least <= len(values) <= most:
        raise Unable(f"The field “{one['custom_id']}” takes {least} to {most} values.")
    if one.get("options") and (unknown := set(values) - {option["value"] for option in one["options"]}):
        raise Unable(f"The field “{one['custom_id']}” has no option “{min(unknown)}”.")
    return values
