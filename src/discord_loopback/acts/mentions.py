"""Who a text pings: what it mentions, what the sender allows, and what the sender may do."""

import re
from dataclasses import dataclass, field

from discord_loopback import permissions
from discord_loopback.acts.drafts import Allowed
from discord_loopback.model import Guild, User
from discord_loopback.world import World

_USER = re.compile(r"<@!?(\d{1,20})>")
_ROLE = re.compile(r"<@&(\d{1,20})>")
_EVERYONE = re.compile(r"@(?:everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Pinged:
    """Whom a message pings."""

    users: list[User] = field(default_factory=list)
    roles: list[int] = field(default_factory=list)
    everyone: bool = False


def pinged(text: str, allowed: Allowed, world: World, guild: Guild | None, *, may: int) -> Pinged:
    """Everyone whom `text` mentions, `allowed` lets through and the permissions `may` suffice for."""
    users = [world.users[one] for one in _ids(_USER, text) if one in world.users and ("users" in allowed.parse or one in allowed.users)]
    if guild is None:
        return Pinged(users)
    may_all = bool(may & permissions.MENTION_EVERYONE)
    roles = [
        one
        for one in _ids(_ROLE, text)
        if one in guild.roles and ("roles" in allowed.parse or one in allowed.roles) and (may_all or guild.roles[one].mentionable)
    ]
    return Pinged(users, roles, may_all and "everyone" in allowed.parse and bool(_EVERYONE.search(text)))


def _ids(pattern: re.Pattern[str], text: str) -> list[int]:
    return list(dict.fromkeys(int(one) for one in pattern.findall(text)))
