"""Routes of application commands: global and of a guild, one by one and all at once."""

import re
from typing import Any

from discord_loopback.forms import Form, Where
from discord_loopback.refusals import Json, refused, unauthorized
from discord_loopback.rest.call import Answer, Call

_NAME = re.compile(r"[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}")
"""Names of chat commands and options: letters of any script, digits, - and _ (Discord docs, Application command naming)."""
MOST = {1: 100, 2: 15, 3: 15, 4: 1}
"""Commands of each type in one place."""


def _kept(call: Call) -> dict[int, Json]:
    if call.id("application") != call.me.id:
        raise unauthorized()
    if "guild" in call.ids:
        return call.guild().commands
    return call.me.commands


def _own(call: Call) -> dict[int, Json]:
    """The login's own commands in the place of the path."""
    return {number: one for number, one in _kept(call).items() if one["application_id"] == str(call.me.id)}


def _found(call: Call) -> Json:
    found = _own(call).get(call.id("command"))
    if found is None:
        raise refused(10063)
    return found


def _localised(call: Call, one: Json) -> Json:
    if call.is_on("with_localizations"):
        return one
    return {key: value for key, value in one.items() if key not in ("name_localizations", "description_localizations")}


def every(call: Call) -> Answer:
    """GET …/commands."""
    return [_localised(call, one) for one in _own(call).values()]


def read(call: Call) -> Answer:
    """GET …/commands/{command}."""
    return _found(call)


def create(call: Call) -> Answer:
    """POST …/commands; one of the same name and type is replaced."""
    form = Form(call.form)
    _check(form, (), call.form)
    form.done()
    kept = _kept(call)
    same = [one for one in _own(call).values() if (one["name"], one["type"]) == (call.form["name"], call.form.get("type") or 1)]
    made = _command(call, call.form, int(same[0]["id"]) if same else 0)
    if not same and sum(one["type"] == made["type"] for one in _own(call).values()) >= MOST.get(made["type"], 100):
        raise refused(30032)
    kept[int(made["id"])] = made
    call.status = 200 if same else 201
    return made


def modify(call: Call) -> Answer:
    """PATCH …/commands/{command}."""
    before = _found(call)
    body = {**before, **call.form}
    form = Form(body)
    _check(form, (), body)
    form.done()
    made = _kept(call)[int(before["id"])] = _command(call, body, int(before["id"]))
    return made


def delete(call: Call) -> Answer:
    """DELETE …/commands/{command}."""
    del _kept(call)[int(_found(call)["id"])]
    return None


def overwrite(call: Call) -> Answer:
    """PUT …/commands: these and no others; those that stay keep their ids."""
    bodies: list[Any] = call.body if isinstance(call.body, list) else []
    form = Form({})
    for place, body in enumerate(bodies):
        _check(form, (place,), body)
    names = [(body.get("name"), body.get("type") or 1) for body in bodies]
    if len(set(names)) != len(names):
        form.wrong("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
    form.done()
    if any(sum(kind == one for _, kind in names) > most for one, most in MOST.items()):
        raise refused(30032)
    kept = _kept(call)
    ids = {(one["name"], one["type"]): number for number, one in _own(call).items()}
    for number in ids.values():
        del kept[number]
    for body, name in zip(bodies, names, strict=True):
        made = _command(call, body, ids.get(name, 0))
        kept[int(made["id"])] = made
    return list(_own(call).values())


def _command(call: Call, body: Json, number: int) -> Json:
    needed = body.get("default_member_permissions")
    made: Json = {
        "id": str(number or call.world.snowflakes.next()),
        "application_id": str(call.me.id),
        "version": str(call.world.snowflakes.next()),
        "default_member_permissions": None if needed is None else str(needed),
        "type": body.get("type") or 1,
        "name": body["name"],
        "name_localizations": body.get("name_localizations"),
        "description": body.get("description") or "",
        "description_localizations": body.get("description_localizations"),
        "nsfw": bool(body.get("nsfw")),
    }
    if "guild" in call.ids:
        made["guild_id"] = call.ids["guild"]
    else:
        made |= {"dm_permission": body.get("dm_permission") is not False, "contexts": body.get("contexts")}
        made["integration_types"] = body.get("integration_types") or [0]
    if body.get("options"):
        made["options"] = [_option(one) for one in body["options"]]
    return made


def _option(body: Json) -> Json:
    option = {key: value for key, value in body.items() if value is not None and key not in ("options", "choices")}
    if body.get("options"):
        option["options"] = [_option(one) for one in body["options"]]
    elif body.get("type") in (1, 2):
        option["options"] = []
    if body.get("choices"):
        option["choices"] = [{key: value for key, value in one.items() if value is not None} for one in body["choices"]]
    return option


def _check(form: Form, where: Where, body: Json) -> None:
    kind = body.get("type") or 1
    name = form.text((*where, "name"), body.get("name"), least=1, most=32, needed=True)
    if kind == 1:
        form.text((*where, "description"), body.get("description"), least=1, most=100, needed=True)
        _check_name(form, (*where, "name"), name)
    elif body.get("description"):
        form.wrong((*where, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", "Context menu commands cannot have description")
    _check_options(form, where, body.get("options"))


def _check_name(form: Form, where: Where, name: str | None) -> None:
    if name and (not _NAME.fullmatch(name) or name != name.lower()):
        form.wrong(where, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_options(form: Form, where: Where, options: Any) -> None:
    items = form.items((*where, "options"), options, most=25)
    names = [one.get("name") for one in items]
    if len(set(names)) != len(names):
        form.wrong((*where, "options"), "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option names must be unique")
    was_optional = False
    for place, one in enumerate(items):
        here = (*where, "options", place)
        form.choice((*here, "type"), one.get("type"), range(1, 12))
        name = form.text((*here, "name"), one.get("name"), least=1, most=32, needed=True)
        _check_name(form, (*here, "name"), name)
        form.text((*here, "description"), one.get("description"), least=1, most=100, needed=True)
        form.items((*here, "choices"), one.get("choices"), most=25)
        if one.get("required") and was_optional:
            form.wrong(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
        was_optional = was_optional or not one.get("required")
        if one.get("type") in (1, 2):
            _check_options(form, here, one.get("options"))


def permissions(call: Call) -> Answer:
    """GET …/commands/permissions: nobody has changed any."""
    _kept(call)
    return []
