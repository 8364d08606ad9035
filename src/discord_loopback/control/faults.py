"""Faults and switches, turned on and off; and what is done to the gateway's connections."""

from dataclasses import asdict, fields
from typing import Any, get_args

from discord_loopback.control.finding import Unable
from discord_loopback.refusals import Json
from discord_loopback.server import Server
from discord_loopback.switches import Fault, FaultKind, Switches


def switch(server: Server, *, settings: dict[str, Any]) -> Json:
    """Turn switches; returns all of them."""
    kinds = {one.name: type(getattr(Switches(), one.name)) for one in fields(Switches)}
    for name, value in settings.items():
        if name not in kinds:
            raise Unable(f"There is no switch “{name}”; there are {', '.join(kinds)}.")
        if not isinstance(value, int | float if kinds[name] is float else kinds[name]):
            raise Unable(f"The switch “{name}” takes a {kinds[name].__name__}.")
        setattr(server.world.switches, name, value)
    return asdict(server.world.switches)


def fault(
    server: Server,
    *,
    kind: FaultKind,
    method: str = "*",
    route: str = "*",
    times: int = 0,
    share: float = 1.0,
    seconds: float = 0.0,
    status: int = 500,
    seed: int = 0,
) -> Json:
    """Begin a fault; see `switches.Fault`. Returns its id."""
    if kind not in get_args(FaultKind):
        raise Unable(f"There is no fault “{kind}”; there are {', '.join(get_args(FaultKind))}.")
    number = max(server.world.faults, default=0) + 1
    server.world.faults[number] = Fault(number, kind, method, route, times, share, seconds, status, seed)
    return {"id": number}


def lift(server: Server, *, fault: int = 0) -> Json:
    """End a fault, or all of them for 0. Returns how often it struck."""
    faults = server.world.faults
    gone = [faults.pop(number) for number in list(faults) if fault in (0, number)]
    return {"hits": sum(one.hits for one in gone)}


def drop(server: Server, *, application: int = 0, code: int = 0) -> Json:
    """Cut gateway connections, without a word or with a close code. Sessions can be resumed. Returns how many."""
    return {"connections": server.hub.cut(application, code)}


def reconnect(server: Server, *, application: int = 0) -> Json:
    """Ask clients to reconnect (7)."""
    return {"connections": server.hub.ask(7, None, application)}


def invalidate(server: Server, *, application: int = 0, resumable: bool = False) -> Json:
    """Tell clients that their session is invalid (9)."""
    told = server.hub.ask(9, resumable, application)
    if not resumable:
        for session in server.hub.of(application):
            server.hub.forget(session)
    return {"connections": told}


def forget_sessions(server: Server, *, application: int = 0) -> Json:
    """Forget sessions, so that a resume is refused with 9."""
    for session in server.hub.of(application):
        server.hub.forget(session)
    return {}


def hold(server: Server, *, names: list[str]) -> Json:
    """Keep events of these names back until `release`, so that later ones overtake them."""
    server.hub.hold(frozenset(names))
    return {}


def release(server: Server) -> Json:
    """Let events that were held back go."""
    server.hub.release()
    return {}
