"""The client's entrance: guilds, people and applications by name; switches, faults, connections, recorded traffic."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from discord_loopback.client.channels import Channel
from discord_loopback.client.links import PATIENCE, Link, OperationFailed, Remote, until
from discord_loopback.client.people import Person
from discord_loopback.refusals import Json


def _named(found: list[Json], name: str, what: str, key: str = "name") -> Json:
    for one in found:
        if name in ("", one[key]):
            return one
    raise OperationFailed(f"There is no {what} “{name}”.")


@dataclass(frozen=True, slots=True)
class Application:
    """A bot's application."""

    link: Link
    id: str
    name: str
    token: str

    @property
    def mention(self) -> str:
        """What mentions the bot in a text."""
        return f"<@{self.id}>"

    async def connections(self) -> int:
        """How many of its gateway sessions are connected."""
        found = await self.link.call("applications")
        return int(next(one["connected"] for one in found if one["id"] == self.id))

    async def until_online(self, connections: int = 1, *, patience: float = PATIENCE) -> None:
        """Wait until it is connected to the gateway."""
        await until(self.link, self.connections, lambda count: count >= connections, f"{self.name} to connect", patience=patience)

    async def until_offline(self, *, patience: float = PATIENCE) -> None:
        """Wait until none of its sessions is connected."""
        await until(self.link, self.connections, lambda count: not count, f"{self.name} to go", patience=patience)


@dataclass(frozen=True, slots=True)
class Guild:
    """A guild by its id."""

    link: Link
    id: str
    name: str

    async def state(self) -> Json:
        """The guild with channels, members and roles."""
        state: Json = await self.link.call("guild", guild=self.id)
        return state

    async def channel(self, name: str) -> Channel:
        """A channel or thread by its name."""
        found = _named((await self.state())["channels"], name, "channel")
        return Channel(self.link, found["id"], found["name"])

    async def member(self, user: str) -> Json:
        """A member by the account's id."""
        return next(one for one in (await self.state())["members"] if one["user"]["id"] == user)

    async def create_channel(self, name: str, **how: Any) -> Channel:
        """A new channel: `type`, `topic`, `category`, `tags`."""
        made = await self.link.call("create_channel", guild=self.id, name=name, **how)
        return Channel(self.link, made["id"], made["name"])

    async def create_role(self, name: str, **how: Any) -> str:
        """A new role: `allowed`, `mentionable`; returns its id."""
        return str((await self.link.call("create_role", guild=self.id, name=name, **how))["id"])

    async def set_role(self, user: str, role: str, *, remove: bool = False) -> None:
        """Give a member a role, or take it."""
        await self.link.call("set_role", guild=self.id, user=user, role=role, remove=remove)

    async def allow_bot(self, *allowed: str, application: str = "0") -> None:
        """Let the bot's own role hold exactly these permissions."""
        await self.link.call("allow_bot", guild=self.id, application=application, allowed=list(allowed))

    async def revoke(self, *revoked: str, application: str = "0") -> None:
        """Take permissions from the bot's own role and from everyone's."""
        await self.link.call("change_bot", guild=self.id, application=application, revoke=list(revoked))

    async def grant(self, *granted: str, application: str = "0") -> None:
        """Give permissions to the bot's own role."""
        await self.link.call("change_bot", guild=self.id, application=application, grant=list(granted))

    async def install(self, application: str, allowed: list[str] | None = None) -> None:
        """Let a bot in."""
        await self.link.call("install", guild=self.id, application=application, allowed=allowed)

    async def join(self, person: Person, *, pending: bool = False) -> None:
        """Let a person in; a pending one has still to agree to the rules."""
        await self.link.call("join", guild=self.id, person=person.id, pending=pending)

    async def admit(self, person: Person) -> None:
        """Have a pending member agree to the rules."""
        await self.link.call("admit", guild=self.id, user=person.id)

    async def kick(self, user: str) -> None:
        """Let a member go, a bot as well."""
        await self.link.call("kick", guild=self.id, user=user)

    async def time_out(self, user: str, seconds: float) -> None:
        """Time a member out, a bot as well; 0 ends it."""
        await self.link.call("time_out", guild=self.id, user=user, seconds=seconds)

    async def nick(self, user: str, name: str) -> None:
        """Give a member a nickname."""
        await self.link.call("nick", guild=self.id, person=user, name=name)

    async def outage(self, *, begin: bool = True) -> None:
        """Begin or end an outage."""
        await self.link.call("outage", guild=self.id, begin=begin)

    async def delete(self) -> None:
        """Delete it."""
        await self.link.call("delete_guild", guild=self.id)


@dataclass(frozen=True, slots=True)
class Loopback:
    """A server. `url` is its address: what a bot's setting takes."""

    link: Link
    url: str

    async def guild(self, name: str = "") -> Guild:
        """A guild by its name; the first without one."""
        found = _named(await self.link.call("guilds"), name, "guild")
        return Guild(self.link, found["id"], found["name"])

    async def person(self, name: str) -> Person:
        """A person by the account's name."""
        found = _named(await self.link.call("people"), name, "person", "username")
        return Person(self.link, found["id"], found["username"])

    async def application(self, name: str = "") -> Application:
        """An application by its name; the first without one."""
        found = _named(await self.link.call("applications"), name, "application")
        return Application(self.link, found["id"], found["name"], found["token"])

    async def create_person(self, name: str, guild: Guild | None = None) -> Person:
        """A new person, in a guild at once if one is given."""
        made = await self.link.call("create_person", name=name, guild=guild.id if guild else "0")
        return Person(self.link, made["id"], made["username"])

    async def create_guild(self, name: str, owner: Person) -> Guild:
        """A new guild."""
        made = await self.link.call("create_guild", name=name, owner=owner.id)
        return Guild(self.link, made["id"], made["name"])

    async def create_application(self, name: str, **how: Any) -> Application:
        """A new application: `token`, `intents`, `guild` (id)."""
        made = await self.link.call("create_application", name=name, **how)
        return Application(self.link, made["id"], made["name"], made["token"])

    async def switch(self, **settings: Any) -> None:
        """Turn switches; see `switches.Switches`."""
        await self.link.call("switch", settings=settings)

    @asynccontextmanager
    async def fault(self, kind: str, **where: Any) -> AsyncIterator[None]:
        """A fault for as long as the block lasts; see `switches.Fault`."""
        made = await self.link.call("fault", kind=kind, **where)
        try:
            yield
        finally:
            await self.link.call("lift", fault=made["id"])

    async def begin_fault(self, kind: str, **where: Any) -> int:
        """A fault until `lift`; returns its id."""
        return int((await self.link.call("fault", kind=kind, **where))["id"])

    async def lift(self, fault: int = 0) -> int:
        """End a fault, or all; returns how often it struck."""
        return int((await self.link.call("lift", fault=fault))["hits"])

    async def drop(self, *, code: int = 0) -> int:
        """Cut all gateway connections, without a word or with a close code; returns how many."""
        return int((await self.link.call("drop", code=code))["connections"])

    async def reconnect(self) -> None:
        """Ask all clients to reconnect (7)."""
        await self.link.call("reconnect")

    async def invalidate(self, *, resumable: bool = False) -> None:
        """Tell all clients that their session is invalid (9)."""
        await self.link.call("invalidate", resumable=resumable)

    async def forget_sessions(self) -> None:
        """Forget all sessions, so that a resume is refused."""
        await self.link.call("forget_sessions")

    @asynccontextmanager
    async def holding(self, *names: str) -> AsyncIterator[None]:
        """Keep events of these names back for as long as the block lasts, so that others overtake them."""
        await self.link.call("hold", names=list(names))
        try:
            yield
        finally:
            await self.link.call("release")

    async def requests(self, method: str = "", route: str = "") -> list[Json]:
        """Recorded requests with their answers, of a method and route template such as `/channels/{channel}/messages`."""
        found: list[Json] = (await self.link.call("traffic", method=method, route=route))["exchanges"]
        return found

    async def until_requests(
        self, holds: Callable[[list[Json]], object], *, method: str = "", route: str = "", patience: float = PATIENCE
    ) -> list[Json]:
        """Wait until something holds of the recorded requests; returns them. Raises `NotSeen`."""

        async def look() -> list[Json]:
            return await self.requests(method, route)

        return await until(self.link, look, holds, f"requests {method} {route}", patience=patience)

    async def traffic(self) -> Json:
        """All recorded traffic: `exchanges`, `events`, `unknown`."""
        found: Json = await self.link.call("traffic")
        return found

    async def forget_traffic(self) -> None:
        """Forget the recorded traffic."""
        await self.link.call("forget_traffic")

    async def unknown_routes(self) -> list[str]:
        """Requests that met no route; a test does well to claim that there were none."""
        return [f"{one['method']} {one['path']}" for one in (await self.link.call("traffic", method="NONE"))["unknown"]]


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Loopback]:
    """A client for a running server, by its address."""
    async with Remote(address) as link:
        yield Loopback(link, address.rstrip("/"))
