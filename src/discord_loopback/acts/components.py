"""Checks components of messages and modals: their kinds, numbers, and the parts every library relies on."""

from typing import Any

from discord_loopback.forms import Form, Where
from discord_loopback.refusals import Json

ROW, BUTTON, TEXT_SELECT, TEXT_INPUT, LABEL, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 1, 2, 3, 4, 18, 19, 21, 22, 23
SELECTS = (3, 5, 6, 7, 8)
"""Selects of texts, users, roles, mentionables and channels."""
SECTION, TEXT_DISPLAY, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
LINK, PREMIUM = 5, 6
_IN_LABELS = (*SELECTS, TEXT_INPUT, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX)


def walk(components: list[Json]) -> list[Json]:
    """All components, those inside others too."""
    found = []
    for one in components:
        found.append(one)
        found += walk([child for child in one.get("components") or [] if isinstance(child, dict)])
        found += walk([one[name] for name in ("component", "accessory") if isinstance(one.get(name), dict)])
    return found


def number(components: list[Json]) -> None:
    """Give every component without an `id` the next free one, as Discord does; drops nulls."""
    everything = walk(components)
    taken = {one.get("id") for one in everything}
    following = 1
    for one in everything:
        for key in [key for key, value in one.items() if value is None]:
            del one[key]
        if not one.get("id"):
            while following in taken:
                following += 1
            one["id"] = following
            taken.add(following)


def is_interactive(one: Json) -> bool:
    """Whether pressing it calls an application."""
    return one.get("type") in SELECTS or (one.get("type") == BUTTON and one.get("style") != LINK)


def check_components(form: Form, value: Any, *, may_press: bool) -> None:
    """Components of a message (Discord docs, Components)."""
    items = form.items("components", value, most=40)
    for place, one in enumerate(items):
        if not isinstance(one, dict) or one.get("type") not in (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR, CONTAINER):
            form.wrong(("components", place, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 9, 10, 12, 13, 14, 17}.")
            return
        if one["type"] == ROW:
            _row(form, ("components", place), one)
    if not may_press and any(is_interactive(one) for one in walk(items)):
        form.wrong("components", "APPLICATION_OWNED_WEBHOOK_REQUIRED", "Interactive components need a webhook owned by an application.")
    _check_ids(form, items)
    number(items)


def _row(form: Form, where: Where, row: Json) -> None:
    children = form.items((*where, "components"), row.get("components"), least=1, most=5)
    for place, child in enumerate(children):
        here = (*where, "components", place)
        if child.get("type") == BUTTON:
            form.text((*here, "label"), child.get("label"), most=80)
            if child.get("style") == LINK:
                form.address((*here, "url"), child.get("url"), schemes=("http", "https", "discord"), most=512)
            elif child.get("style") != PREMIUM:
                form.text((*here, "custom_id"), child.get("custom_id"), least=1, most=100, needed=True)
        elif child.get("type") in SELECTS:
            form.text((*here, "custom_id"), child.get("custom_id"), least=1, most=100, needed=True)
            if child["type"] == TEXT_SELECT:
                form.items((*here, "options"), child.get("options"), least=1, most=25)
        else:
            form.wrong((*here, "type"), "BASE_TYPE_CHOICES", "Value must be one of {2, 3, 5, 6, 7, 8}.")


def _check_ids(form: Form, items: list[Json]) -> None:
    names = [one["custom_id"] for one in walk(items) if one.get("custom_id")]
    if len(names) != len(set(names)):
        form.wrong("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")


def check_modal(form: Form, data: Json) -> None:
    """A modal as an interaction's answer: texts, 1-5 components, labels with one input each."""
    form.text(("data", "custom_id"), data.get("custom_id"), least=1, most=100, needed=True)
    form.text(("data", "title"), data.get("title"), least=1, most=45, needed=True)
    items = form.items(("data", "components"), data.get("components"), least=1, most=5)
    for place, one in enumerate(items):
        where = ("data", "components", place)
        if one.get("type") == LABEL:
            form.text((*where, "label"), one.get("label"), least=1, most=45, needed=True)
            form.text((*where, "description"), one.get("description"), most=100)
            _input(form, (*where, "component"), one.get("component"))
        elif one.get("type") == ROW:
            for number_, child in enumerate(form.items((*where, "components"), one.get("components"), least=1, most=1)):
                _input(form, (*where, "components", number_), child)
        elif one.get("type") != TEXT_DISPLAY:
            form.wrong((*where, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 10, 18}.")
    _check_ids(form, items)
    number(items)


def _input(form: Form, where: Where, one: Any) -> None:
    if not isinstance(one, dict) or one.get("type") not in _IN_LABELS:
        form.wrong((*where, "type"), "BASE_TYPE_CHOICES", f"Value must be one of {{{', '.join(map(str, sorted(_IN_LABELS)))}}}.")
        return
    form.text((*where, "custom_id"), one.get("custom_id"), least=1, most=100, needed=True)
    if one.get("disabled"):
        form.wrong((*where, "disabled"), "MODAL_COMPONENT_DISABLED", "Components in modals cannot be disabled")
    if one["type"] == TEXT_INPUT:
        form.text((*where, "placeholder"), one.get("placeholder"), most=100)
        form.text((*where, "value"), one.get("value"), most=4000)
    if one["type"] == FILE_UPLOAD:
        form.whole((*where, "max_values"), one.get("max_values"), least=1, most=10)
    if one["type"] == TEXT_SELECT:
        form.items((*where, "options"), one.get("options"), least=1, most=25)
