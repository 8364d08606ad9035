"""Answers to a request for guild members: by prefix or by id, in chunks of a thousand (Discord docs, Request Guild Members)."""

from discord_loopback import shown
from discord_loopback.model import Guild, Member
from discord_loopback.refusals import Json
from discord_loopback.world import World

CHUNK = 1000


def chunks(world: World, data: Json, *, may_have_all: bool, presences: bool) -> list[Json]:
    """The payloads of GUILD_MEMBERS_CHUNK; none for a guild that is not there, or for everybody without the intent."""
    guild = world.guilds.get(int(data["guild_id"])) if str(data.get("guild_id", "")).isdigit() else None
    if guild is None:
        return []
    wanted = data.get("user_ids")
    if wanted is None and not data.get("query") and not may_have_all:
        return []
    ids = [wanted] if isinstance(wanted, str | int) else wanted
    found = _by_id(guild, ids) if ids is not None else _by_prefix(guild, str(data.get("query") or ""), int(data.get("limit") or 0))
    parts = [found[place : place + CHUNK] for place in range(0, len(found), CHUNK)] or [[]]
    missing = [str(one) for one in ids or () if int(one) not in guild.members]
    return [
        _chunk(guild, part, data, number=number, count=len(parts), missing=missing, presences=presences)
        for number, part in enumerate(parts)
    ]


def _by_id(guild: Guild, ids: list[str | int]) -> list[Member]:
    return [guild.members[int(one)] for one in ids[:100] if int(one) in guild.members]


def _by_prefix(guild: Guild, prefix: str, limit: int) -> list[Member]:
    prefix = prefix.casefold()
    found = [
        one
        for one in guild.members.values()
        if not prefix or any(name.casefold().startswith(prefix) for name in (one.nick, one.user.name, one.user.global_name) if name)
    ]
    return found[:limit] if limit else found


def _chunk(guild: Guild, members: list[Member], asked: Json, *, number: int, count: int, missing: list[str], presences: bool) -> Json:
    chunk: Json = {
        "guild_id": str(guild.id),
        "members": [shown.whole_member(one) for one in members],
        "chunk_index": number,
        "chunk_count": count,
    }
    if missing:
        chunk["not_found"] = missing
    if asked.get("presences") and presences:
        chunk["presences"] = []
    if asked.get("nonce"):
        chunk["nonce"] = asked["nonce"]
    return chunk
