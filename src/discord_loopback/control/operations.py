"""The table of all operations of the internal API, and how one is called with JSON."""

import inspect
from collections.abc import Callable
from typing import Any

from discord_loopback.control import admins, faults, looking, people, using
from discord_loopback.control.finding import Unable
from discord_loopback.refusals import Json, Refused
from discord_loopback.server import Server

OPERATIONS: tuple[Callable[..., Any], ...] = (
    people.write,
    people.write_many,
    people.forward,
    people.edit,
    people.delete,
    people.delete_many,
    people.react,
    people.pin,
    people.type_,
    people.begin_thread,
    people.post,
    people.enter_thread,
    people.set_thread,
    people.direct,
    people.nick,
    people.repost,
    using.commands,
    using.slash,
    using.autocomplete,
    using.menu,
    using.press,
    using.select,
    using.submit,
    using.answer_of,
    admins.create_person,
    admins.set_locale,
    admins.create_application,
    admins.create_guild,
    admins.install,
    admins.join,
    admins.admit,
    admins.kick,
    admins.time_out,
    admins.outage,
    admins.delete_guild,
    admins.create_channel,
    admins.rename_channel,
    admins.delete_channel,
    admins.overwrite,
    admins.create_role,
    admins.set_role,
    admins.allow_bot,
    admins.change_bot,
    admins.list_webhooks,
    admins.create_webhook,
    admins.delete_webhook,
    admins.renew_webhook_token,
    admins.fill_webhooks,
    admins.add_emoji,
    admins.add_sticker,
    looking.applications,
    looking.people,
    looking.guilds,
    looking.guild,
    looking.messages,
    looking.directs,
    looking.allowed,
    looking.visible,
    looking.traffic,
    looking.forget_traffic,
    faults.switch,
    faults.fault,
    faults.lift,
    faults.drop,
    faults.reconnect,
    faults.invalidate,
    faults.forget_sessions,
    faults.hold,
    faults.release,
)
_BY_NAME = {one.__name__.strip("_"): one for one in OPERATIONS}
_SIGNATURES = {name: inspect.signature(one) for name, one in _BY_NAME.items()}


def call(server: Server, name: str, arguments: Json) -> Any:
    """Do an operation; ids may be text. Raises `Unable` with a sentence."""
    if name not in _BY_NAME:
        raise Unable(f"There is no operation “{name}”.")
    try:
        bound = _SIGNATURES[name].bind(server, **{key: _value(name, key, value) for key, value in arguments.items()})
    except TypeError as error:
        raise Unable(f"The operation “{name}” was called wrongly: {error}.") from error
    try:
        return _BY_NAME[name](*bound.args, **bound.kwargs)
    except Refused as no:
        raise Unable(f"{no.message}: {no.errors}" if no.errors else f"{no.message}.") from no
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Unable(f"The operation “{name}” was given something of the wrong kind: {error}.") from error


def _value(name: str, key: str, value: Any) -> Any:
    parameter = _SIGNATURES[name].parameters.get(key)
    if parameter is not None and parameter.annotation is int and isinstance(value, str):
        if not value.isdigit():
            raise Unable(f"“{key}” must be a number.")
        return int(value)
    return value
