"""Routes of guilds: the guild itself, members, roles and bans."""

from datetime import datetime

from discord_loopback import permissions as p
from discord_loopback import shown
from discord_loopback.acts import guilds
from discord_loopback.forms import Form, snowflake
from discord_loopback.model import Guild, Member, Role
from discord_loopback.refusals import Json, refused
from discord_loopback.rest.call import Answer, Call
from discord_loopback.rest.images import read_image


def read(call: Call) -> Answer:
    """GET /guilds/{guild}."""
    guild = call.guild()
    counts = {"approximate_member_count": len(guild.members), "approximate_presence_count": len(guild.members)}
    return shown.guild(guild) | (counts if call.is_on("with_counts") else {})


def modify(call: Call) -> Answer:
    """PATCH /guilds/{guild}: name, description, language."""
    guild = call.guild(p.MANAGE_GUILD)
    form = Form(call.form)
    name = form.text("name", call.form.get("name"), least=2, most=100)
    form.done()
    guild.name = name or guild.name
    guild.description = call.form.get("description", guild.description)
    guild.locale = call.form.get("preferred_locale") or guild.locale
    guilds.guild_changed(call.world, guild)
    return shown.guild(guild)


def mine(call: Call) -> Answer:
    """GET /users/@me/guilds."""
    found = sorted((one for one in call.world.guilds.values() if call.me.bot.id in one.members), key=lambda one: one.id)
    after, before = call.number("after", 0, least=0, most=1 << 63), call.number("before", 1 << 63, least=0, most=1 << 63)
    found = [one for one in found if after < one.id < before][: call.number("limit", 200, least=1, most=200)]
    return [_partial(call, one) for one in found]


def _partial(call: Call, guild: Guild) -> Json:
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": guild.icon,
        "banner": None,
        "owner": guild.owner == call.me.bot.id,
        "permissions": str(call.world.may_in_guild(call.member(guild), guild)),
        "features": [],
    }


def leave(call: Call) -> Answer:
    """DELETE /users/@me/guilds/{guild}."""
    guilds.remove_member(call.world, call.guild(), call.me.bot)
    return None


# Members


def _member(call: Call, guild: Guild) -> Member:
    member = guild.members.get(call.id("user"))
    if member is None:
        raise refused(10007)
    return member


def member(call: Call) -> Answer:
    """GET /guilds/{guild}/members/{user}."""
    return shown.whole_member(_member(call, call.guild()))


def members(call: Call) -> Answer:
    """GET /guilds/{guild}/members; needs the members intent switched on (50001)."""
    guild = call.guild()
    if not call.me.privileged & 1 << 1:
        raise refused(50001)
    after, limit = call.number("after", 0, least=0, most=1 << 63), call.number("limit", 1, least=1, most=1000)
    return [shown.whole_member(guild.members[one]) for one in sorted(guild.members) if one > after][:limit]


def search_members(call: Call) -> Answer:
    """GET /guilds/{guild}/members/search."""
    guild, prefix = call.guild(), call.query.get("query", "").casefold()
    found = [
        one
        for one in guild.members.values()
        if any(name.casefold().startswith(prefix) for name in (one.nick, one.user.name, one.user.global_name) if name)
    ]
    return [shown.whole_member(one) for one in found[: call.number("limit", 1, least=1, most=1000)]]


def modify_me(call: Call) -> Answer:
    """PATCH /guilds/{guild}/members/@me: nickname, and since 2025 avatar, banner and bio."""
    guild = call.guild()
    me = call.member(guild)
    if "nick" in call.form:
        _set_nick(call, guild, me, p.CHANGE_NICKNAME)
    for name in ("avatar", "banner"):
        if name in call.form:
            setattr(me, name, read_image(call, name, f"guilds/{guild.id}/users/{me.user.id}/{name}s"))
    me.bio = call.form.get("bio", me.bio)
    guilds.member_changed(call.world, guild, me)
    return shown.whole_member(me)


def _set_nick(call: Call, guild: Guild, member: Member, needed: int) -> None:
    if needed & ~call.world.may_in_guild(call.member(guild), guild):
        raise refused(50013)
    form = Form(call.form)
    form.text("nick", call.form["nick"], most=32)
    form.done()
    member.nick = call.form["nick"] or None


def modify_member(call: Call) -> Answer:
    """PATCH /guilds/{guild}/members/{user}: nickname, roles, time-out."""
    guild = call.guild()
    member, may = _member(call, guild), call.world.may_in_guild(call.member(guild), guild)
    if "nick" in call.form:
        own = member.user.id == call.me.bot.id
        _set_nick(call, guild, member, p.CHANGE_NICKNAME if own else p.MANAGE_NICKNAMES)
    if call.form.get("roles") is not None:
        if not may & p.MANAGE_ROLES:
            raise refused(50013)
        member.roles = [int(one) for one in call.form["roles"] if int(one) in guild.roles]
    if "communication_disabled_until" in call.form:
        if not may & p.MODERATE_MEMBERS:
            raise refused(50013)
        until = call.form["communication_disabled_until"]
        member.timed_out_until = datetime.fromisoformat(until) if until else None
    guilds.member_changed(call.world, guild, member)
    return shown.whole_member(member)


def kick(call: Call) -> Answer:
    """DELETE /guilds/{guild}/members/{user}."""
    guild = call.guild(p.KICK_MEMBERS)
    guilds.remove_member(call.world, guild, _member(call, guild).user)
    return None


def ban(call: Call) -> Answer:
    """PUT and DELETE /guilds/{guild}/bans/{user}."""
    guild = call.guild(p.BAN_MEMBERS)
    user = call.world.user(call.id("user"))
    if call.method == "PUT":
        guilds.ban(call.world, guild, user)
    elif user.id in guild.bans:
        guilds.unban(call.world, guild, user)
    else:
        raise refused(10026)
    return None


def bans(call: Call) -> Answer:
    """GET /guilds/{guild}/bans and /{user}."""
    guild = call.guild(p.BAN_MEMBERS)
    if "user" in call.ids:
        if call.id("user") not in guild.bans:
            raise refused(10026)
        return {"reason": None, "user": shown.user(guild.bans[call.id("user")])}
    return [{"reason": None, "user": shown.user(one)} for one in guild.bans.values()]


# Roles


def roles(call: Call) -> Answer:
    """GET /guilds/{guild}/roles."""
    return [shown.role(one) for one in call.guild().roles.values()]


def _role(call: Call, guild: Guild) -> Role:
    if call.id("role") not in guild.roles:
        raise refused(10011)
    return guild.roles[call.id("role")]


def role(call: Call) -> Answer:
    """GET /guilds/{guild}/roles/{role}."""
    return shown.role(_role(call, call.guild()))


def create_role(call: Call) -> Answer:
    """POST /guilds/{guild}/roles."""
    guild = call.guild(p.MANAGE_ROLES)
    form = Form(call.form)
    name = form.text("name", call.form.get("name"), most=100)
    form.done()
    allowed = int(call.form.get("permissions") or 0)
    mentionable = bool(call.form.get("mentionable"))
    made = guilds.create_role(
        call.world, guild, name or "new role", allowed=allowed, color=call.form.get("color") or 0, mentionable=mentionable
    )
    return shown.role(made)


def modify_role(call: Call) -> Answer:
    """PATCH /guilds/{guild}/roles/{role}."""
    guild = call.guild(p.MANAGE_ROLES)
    role = _role(call, guild)
    body = call.form
    role.name = body.get("name") or role.name
    role.permissions = int(body["permissions"]) if body.get("permissions") is not None else role.permissions
    role.color = body["color"] if body.get("color") is not None else role.color
    role.hoist = bool(body.get("hoist", role.hoist))
    role.mentionable = bool(body.get("mentionable", role.mentionable))
    guilds.role_changed(call.world, guild, role)
    return shown.role(role)


def delete_role(call: Call) -> Answer:
    """DELETE /guilds/{guild}/roles/{role}."""
    guild = call.guild(p.MANAGE_ROLES)
    role = _role(call, guild)
    if role.managed or role.id == guild.id:
        raise refused(50013)
    guilds.delete_role(call.world, guild, role)
    return None


def member_role(call: Call) -> Answer:
    """PUT and DELETE /guilds/{guild}/members/{user}/roles/{role}."""
    guild = call.guild(p.MANAGE_ROLES)
    member, role = _member(call, guild), _role(call, guild)
    if call.method == "PUT" and role.id not in member.roles:
        member.roles.append(role.id)
    elif call.method == "DELETE" and role.id in member.roles:
        member.roles.remove(role.id)
    guilds.member_changed(call.world, guild, member)
    return None


def user(call: Call) -> Answer:
    """GET /users/{user}."""
    form = Form({})
    which = snowflake(form, "user_id", call.ids["user"])
    form.done()
    return shown.user(call.world.user(which))
