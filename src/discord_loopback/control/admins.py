"""What admins do: guilds, channels, roles, members, webhooks; and losing permissions."""

from datetime import timedelta

from discord_loopback import permissions, shown
from discord_loopback.acts import guilds, webhooks
from discord_loopback.control import finding
from discord_loopback.control.finding import Unable
from discord_loopback.model import KINDS, Overwrite, Role
from discord_loopback.refusals import Json
from discord_loopback.seeds import INTENTS, forum_tags
from discord_loopback.server import Server


def _bits(names: list[str]) -> int:
    try:
        return permissions.bits(names)
    except ValueError as error:
        raise Unable(str(error)) from error


def create_person(server: Server, *, name: str, shown_name: str = "", guild: int = 0) -> Json:
    """A new person, in a guild at once if one is given."""
    user = server.world.add_user(name, global_name=shown_name or None)
    if guild:
        guilds.join(server.world, finding.guild(server.world, guild), user)
    return shown.user(user)


def set_locale(server: Server, person: int, *, locale: str) -> Json:
    """Give a person's Discord another language, such as `ja`."""
    user = finding.user(server.world, person)
    user.locale = locale
    return shown.user(user)


def create_application(server: Server, *, name: str, token: str = "", intents: list[str] | None = None, guild: int = 0) -> Json:
    """A new application; in a guild at once, as its administrator, if one is given."""
    world = server.world
    owner = next((one for one in world.users.values() if not one.bot), None) or world.add_user("owner")
    wanted = list(INTENTS) if intents is None else intents
    if unknown := [one for one in wanted if one not in INTENTS]:
        raise Unable(f"There is no privileged intent “{unknown[0]}”.")
    made = world.add_application(name, owner, token=token, privileged=sum(INTENTS[one] for one in wanted))
    if guild:
        guilds.install(world, finding.guild(world, guild), made, permissions.ADMINISTRATOR)
    return {"id": str(made.id), "name": made.name, "token": made.token}


def create_guild(server: Server, *, name: str, owner: int) -> Json:
    """A new guild."""
    return shown.guild(guilds.create_guild(server.world, name, finding.user(server.world, owner)))


def install(server: Server, guild: int, application: int, *, allowed: list[str] | None = None) -> Json:
    """A bot is let into a guild with some permissions; all of them if none are named."""
    place, which = finding.guild(server.world, guild), finding.application(server.world, application)
    bits = permissions.ADMINISTRATOR if allowed is None else _bits(allowed)
    return shown.whole_member(guilds.install(server.world, place, which, bits))


def join(server: Server, guild: int, person: int, *, pending: bool = False) -> Json:
    """A person joins a guild; a pending one has still to agree to its rules."""
    place, user = finding.guild(server.world, guild), finding.user(server.world, person)
    return shown.whole_member(guilds.join(server.world, place, user, pending=pending))


def admit(server: Server, guild: int, user: int) -> Json:
    """A pending member agrees to the guild's rules."""
    place = finding.guild(server.world, guild)
    member = finding.member(server.world, place, user)
    guilds.admit(server.world, place, member)
    return shown.whole_member(member)


def kick(server: Server, guild: int, user: int) -> Json:
    """A member is made to leave, a bot as well."""
    place = finding.guild(server.world, guild)
    guilds.remove_member(server.world, place, finding.member(server.world, place, user).user)
    return {}


def time_out(server: Server, guild: int, user: int, *, seconds: float) -> Json:
    """A member is timed out for some seconds, a bot as well; 0 ends it."""
    place = finding.guild(server.world, guild)
    until = server.world.now() + timedelta(seconds=seconds) if seconds else None
    guilds.time_out(server.world, place, finding.member(server.world, place, user), until)
    return {}


def outage(server: Server, guild: int, *, begin: bool = True) -> Json:
    """A guild becomes unavailable, or available again."""
    guilds.set_available(server.world, finding.guild(server.world, guild), available=not begin)
    return {}


def delete_guild(server: Server, guild: int) -> Json:
    """A guild is deleted."""
    guilds.delete_guild(server.world, finding.guild(server.world, guild))
    return {}


def create_channel(
    server: Server, guild: int, *, name: str, type: str = "text", category: int = 0, topic: str = "", tags: list[str] | None = None
) -> Json:
    """A new channel."""
    if type not in KINDS or type == "dm":
        raise Unable(f"There is no channel type “{type}”.")
    place = finding.guild(server.world, guild)
    made = forum_tags(server.world, tags or [])
    channel = guilds.create_channel(server.world, place, name, type=KINDS[type], parent=category, topic=topic or None, tags=made)
    return shown.channel(channel)


def rename_channel(server: Server, channel: int, *, name: str) -> Json:
    """A channel gets another name."""
    _, place = finding.guild_channel(server.world, channel)
    place.name = name
    guilds.channel_changed(server.world, place)
    return shown.channel(place)


def delete_channel(server: Server, channel: int) -> Json:
    """A channel is deleted with everything in it."""
    _, place = finding.guild_channel(server.world, channel)
    guilds.delete_channel(server.world, place)
    return {}


def overwrite(server: Server, channel: int, *, who: int = 0, allow: list[str] | None = None, deny: list[str] | None = None) -> Json:
    """Permissions of a role or account in a channel are set; of everyone for 0. None of both takes the overwrite away."""
    guild, place = finding.guild_channel(server.world, channel)
    who = who or guild.id
    if not allow and not deny:
        place.overwrites.pop(who, None)
    else:
        place.overwrites[who] = Overwrite(who, 0 if who in guild.roles else 1, _bits(allow or []), _bits(deny or []))
    guilds.channel_changed(server.world, place)
    return {}


def create_role(server: Server, guild: int, *, name: str, allowed: list[str] | None = None, mentionable: bool = False) -> Json:
    """A new role."""
    place = finding.guild(server.world, guild)
    return shown.role(guilds.create_role(server.world, place, name, allowed=_bits(allowed or []), mentionable=mentionable))


def set_role(server: Server, guild: int, user: int, role: int, *, remove: bool = False) -> Json:
    """A member gets or loses a role."""
    place = finding.guild(server.world, guild)
    member = finding.member(server.world, place, user)
    if role not in place.roles:
        raise Unable(f"There is no role {role}.")
    member.roles = [one for one in member.roles if one != role] + ([] if remove else [role])
    guilds.member_changed(server.world, place, member)
    return {}


def allow_bot(server: Server, guild: int, *, application: int = 0, allowed: list[str]) -> Json:
    """A bot's own role holds exactly these permissions from now on."""
    place, which = finding.guild(server.world, guild), finding.application(server.world, application)
    role = _own_role(server, guild, which.bot.id)
    role.permissions = _bits(allowed)
    guilds.role_changed(server.world, place, role)
    return {}


def change_bot(
    server: Server, guild: int, *, application: int = 0, grant: list[str] | None = None, revoke: list[str] | None = None
) -> Json:
    """A bot's own role gets and loses some permissions. An administrator's role is first spelled out."""
    place, which = finding.guild(server.world, guild), finding.application(server.world, application)
    role = _own_role(server, guild, which.bot.id)
    before = permissions.ALL & ~permissions.ADMINISTRATOR if role.permissions & permissions.ADMINISTRATOR else role.permissions
    role.permissions = before & ~_bits(revoke or []) | _bits(grant or [])
    everyone = place.roles[place.id]
    everyone.permissions &= ~_bits(revoke or [])
    guilds.role_changed(server.world, place, everyone)
    guilds.role_changed(server.world, place, role)
    return {}


def _own_role(server: Server, guild: int, bot: int) -> Role:
    place = finding.guild(server.world, guild)
    found = next((one for one in place.roles.values() if one.bot == bot), None)
    if found is None:
        raise Unable("That bot is not in the guild.")
    return found


# Webhooks


def list_webhooks(server: Server, channel: int) -> list[Json]:
    """The webhooks of a channel, with their tokens."""
    found = [one for one in server.world.webhooks.values() if one.channel == channel]
    return [shown.webhook(one, server.world, owner=True) for one in found]


def create_webhook(server: Server, channel: int, *, name: str, application: int = 0) -> Json:
    """A webhook made by a person, or by an application."""
    _, place = finding.guild_channel(server.world, channel)
    bot = finding.application(server.world, application).bot if application else None
    return shown.webhook(webhooks.create(server.world, place, name, user=bot, application=application), server.world, owner=True)


def delete_webhook(server: Server, webhook: int) -> Json:
    """A webhook is deleted by hand."""
    found = server.world.webhooks.get(webhook)
    if found is None:
        raise Unable(f"There is no webhook {webhook}.")
    webhooks.delete(server.world, found)
    return {}


def renew_webhook_token(server: Server, webhook: int) -> Json:
    """A webhook gets another token, so that the old one is refused (50027)."""
    found = server.world.webhooks.get(webhook)
    if found is None:
        raise Unable(f"There is no webhook {webhook}.")
    found.token = found.token[::-1] + "x"
    return shown.webhook(found, server.world, owner=True)


def fill_webhooks(server: Server, channel: int) -> Json:
    """A channel gets foreign webhooks until there is room for none (30007)."""
    _, place = finding.guild_channel(server.world, channel)
    room = server.world.switches.webhook_cap - len(list_webhooks(server, channel))
    for number in range(room):
        webhooks.create(server.world, place, f"Spare {number + 1}", user=None)
    return {"made": max(0, room)}


def add_emoji(server: Server, guild: int, *, name: str, files: list[Json]) -> Json:
    """A guild gets an emoji."""
    (picture,) = finding.uploads(files)
    kind = picture.content_type or "image/png"
    return shown.emoji(guilds.add_emoji(server.world, finding.guild(server.world, guild), name, picture.data, kind))


def add_sticker(server: Server, guild: int, *, name: str, files: list[Json], description: str = "") -> Json:
    """A guild gets a sticker."""
    (picture,) = finding.uploads(files)
    kind, place = picture.content_type or "image/png", finding.guild(server.world, guild)
    return shown.sticker(guilds.add_sticker(server.world, place, name, picture.data, kind, description=description))
