"""Webhooks: made, changed, removed; and what name one may have."""

import hashlib
import secrets

from discord_loopback.forms import Form
from discord_loopback.happenings import WEBHOOKS, Happening
from discord_loopback.model import Channel, User, Webhook
from discord_loopback.refusals import refused
from discord_loopback.world import World

FORBIDDEN = ("clyde", "discord")
"""What no webhook's name may contain, in any case (Discord docs, Webhook)."""
ALSO_REFUSED = ("everyone", "here")


def check_name(form: Form, where: str, value: object, world: World, *, needed: bool = False) -> str | None:
    """A webhook's name or the name one wears: 1-80 characters and none of the forbidden parts."""
    name = form.text(where, value, least=1, most=80, needed=needed)
    if name is None:
        return None
    for part in FORBIDDEN:
        if part in name.casefold():
            form.wrong(where, "USERNAME_INVALID_CONTAINS", f'Username cannot contain "{part}"')
    if world.switches.refuse_here_and_everyone and any(part in name.casefold() for part in ALSO_REFUSED):
        form.wrong(where, "USERNAME_INVALID", f'Username cannot be "{name}"')
    return name.strip()


def create(world: World, channel: Channel, name: str, *, user: User | None, application: int = 0, avatar: str | None = None) -> Webhook:
    """A webhook of a channel; 30007 where there are too many."""
    if sum(one.channel == channel.id for one in world.webhooks.values()) >= world.switches.webhook_cap:
        raise refused(30007)
    webhook = Webhook(
        world.snowflakes.next(), secrets.token_urlsafe(51), channel.guild, channel.id, name, None, user=user, application=application
    )
    webhook.avatar = avatar
    world.webhooks[webhook.id] = webhook
    tell(world, channel)
    return webhook


def tell(world: World, channel: Channel) -> None:
    """WEBHOOKS_UPDATE of a channel."""
    data = {"guild_id": str(channel.guild), "channel_id": str(channel.id)}
    world.tell(Happening("WEBHOOKS_UPDATE", data, world.guild_of(channel), channel, needs=WEBHOOKS))


def delete(world: World, webhook: Webhook) -> None:
    """Remove a webhook; its messages stay."""
    del world.webhooks[webhook.id]
    if webhook.channel in world.channels:
        tell(world, world.channels[webhook.channel])


def worn(world: World, webhook: Webhook, name: str | None, avatar_url: str | None) -> User:
    """The author of one execution: the webhook's id under the name and face it wears."""
    avatar = webhook.avatar
    if avatar_url:
        avatar = hashlib.md5(avatar_url.encode(), usedforsecurity=False).hexdigest()
        world.name_avatar(avatar, avatar_url)
    return User(webhook.id, name or webhook.name, bot=True, avatar=avatar, discriminator="0000")
