"""Accounts, applications, roles and members on the wire. What does not apply is left out, never null."""

from discord_loopback.model import Application, Member, Overwrite, Role, User
from discord_loopback.refusals import Json
from discord_loopback.snowflakes import written
from discord_loopback.world import World


def user(one: User) -> Json:
    """An account as others see it."""
    shown: Json = {
        "id": str(one.id),
        "username": one.name,
        "discriminator": one.discriminator,
        "avatar": one.avatar,
        "global_name": one.global_name,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }
    if one.bot:
        shown["bot"] = True
    return shown


def self_user(one: User) -> Json:
    """An account as it sees itself."""
    return {
        **user(one),
        "mfa_enabled": False,
        "locale": "en-US",
        "verified": True,
        "email": None,
        "banner": one.banner,
        "accent_color": None,
    }


def application(one: Application, world: World) -> Json:
    """An application as its own bot sees it; flags tell which privileged intents are switched on."""
    flags = sum(1 << bit for bit, intent in ((13, 1 << 8), (15, 1 << 1), (19, 1 << 15)) if one.privileged & intent)
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": None,
        "description": one.description,
        "type": None,
        "bot": user(one.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": flags,
        "flags_new": str(flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(one.owner),
        "team": None,
        "tags": [],
        "approximate_guild_count": sum(one.bot.id in guild.members for guild in world.guilds.values()),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {"0": {}},
    }


def role(one: Role) -> Json:
    """A role."""
    shown: Json = {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(one.permissions),
        "position": one.position,
        "color": one.color,
        "colors": {"primary_color": one.color, "secondary_color": None, "tertiary_color": None},
        "hoist": one.hoist,
        "managed": one.managed,
        "mentionable": one.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if one.bot:
        shown["tags"] = {"bot_id": str(one.bot)}
    return shown


def member(one: Member) -> Json:
    """A member without its user, as in message events."""
    return {
        "avatar": one.avatar,
        "banner": one.banner,
        "communication_disabled_until": written(one.timed_out_until) if one.timed_out_until else None,
        "flags": 0,
        "joined_at": one.joined_text,
        "nick": one.nick,
        "pending": one.pending,
        "premium_since": None,
        "roles": [str(role) for role in one.roles],
        "mute": False,
        "deaf": False,
    }


def whole_member(one: Member) -> Json:
    """A member with its user."""
    return {**member(one), "user": user(one.user)}


def overwrite(one: Overwrite) -> Json:
    """Permissions of a role or member in a channel."""
    return {"id": str(one.id), "type": one.kind, "allow": str(one.allow), "deny": str(one.deny)}
