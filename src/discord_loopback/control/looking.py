"""Looking at everything: guilds, channels, messages, people, applications, recorded traffic. Changes nothing but what is recorded."""

from dataclasses import asdict

from discord_loopback import permissions, shown
from discord_loopback.control import finding
from discord_loopback.control.people import seen
from discord_loopback.refusals import Json
from discord_loopback.server import Server
from discord_loopback.traffic import Exchange


def applications(server: Server) -> list[Json]:
    """The applications with their tokens, and how many of their sessions are connected."""
    return [
        {
            "id": str(one.id),
            "name": one.name,
            "token": one.token,
            "bot": shown.user(one.bot),
            "connected": sum(session.outlet is not None for session in server.hub.of(one.id)),
        }
        for one in server.world.applications.values()
    ]


def people(server: Server) -> list[Json]:
    """All accounts that are no bots."""
    return [shown.user(one) for one in server.world.users.values() if not one.bot]


def guilds(server: Server) -> list[Json]:
    """All guilds with channels, threads, roles and members."""
    return [
        {
            **shown.guild(guild),
            "channels": [shown.channel(one) for one in guild.channels.values()],
            "members": [shown.whole_member(one) for one in guild.members.values()],
        }
        for guild in server.world.guilds.values()
    ]


def guild(server: Server, guild: int) -> Json:
    """One guild with channels, threads, roles and members."""
    finding.guild(server.world, guild)
    return next(one for one in guilds(server) if one["id"] == str(guild))


def messages(server: Server, channel: int, *, person: int = 0, limit: int = 200) -> list[Json]:
    """The newest messages of a channel, oldest first; with those for `person`'s eyes alone."""
    finding.channel(server.world, channel)
    stored = server.world.messages.get(channel)
    found = [one for one in (stored or {}).values() if not one.visible_to or one.visible_to == person]
    return [seen(one, server.world, viewer=person) for one in found[-limit:]]


def directs(server: Server, person: int) -> list[Json]:
    """A person's direct messages."""
    found = [one for one in server.world.channels.values() if not one.guild and any(each.id == person for each in one.recipients)]
    return [shown.channel(one, viewer=person) for one in found]


def allowed(server: Server, channel: int, who: int) -> list[str]:
    """The permissions that an account has in a channel, by name."""
    return permissions.named(server.world.may(who, finding.channel(server.world, channel)))


def visible(server: Server, person: int) -> list[str]:
    """The ids of the guilds' channels and threads that a person may see."""
    world = server.world
    return [str(one.id) for one in world.channels.values() if one.guild and world.may(person, one) & permissions.VIEW_CHANNEL]


def traffic(server: Server, *, method: str = "", route: str = "") -> Json:
    """Recorded requests with their answers (of a method and route template, if given), and the dispatched events."""
    recorded = server.world.traffic
    found = [one for one in recorded.exchanges if method in ("", one.method) and route in ("", one.route)]
    events = [] if method or route else [asdict(one) for one in recorded.events]
    return {"exchanges": [_exchange(one) for one in found], "events": events, "unknown": [_exchange(one) for one in recorded.unknown]}


def _exchange(one: Exchange) -> Json:
    return {**asdict(one), "files": [list(file) for file in one.files]}


def forget_traffic(server: Server) -> Json:
    """Recorded traffic is forgotten."""
    server.world.traffic.clear()
    return {}
