"""Routes of webhooks: with a login, and with a token alone; and what executes them."""

import secrets

from discord_loopback import permissions as p
from discord_loopback import shown
from discord_loopback.acts import interactions, messages, threads, webhooks
from discord_loopback.acts.drafts import Draft, read_draft
from discord_loopback.forms import Form, snowflake
from discord_loopback.model import POSTS, THREADS, Channel, Interaction, Message, Webhook
from discord_loopback.refusals import refused
from discord_loopback.rest.call import Answer, Call
from discord_loopback.rest.images import read_image
from discord_loopback.rest.messages import check_stays


def create(call: Call) -> Answer:
    """POST /channels/{channel}/webhooks."""
    channel = call.channel(p.MANAGE_WEBHOOKS)
    if not channel.guild or channel.type in THREADS or channel.type == 4:
        raise refused(50024)
    form = Form(call.form)
    name = webhooks.check_name(form, "name", call.form.get("name"), call.world, needed=True)
    form.done()
    assert name is not None
    webhook = webhooks.create(call.world, channel, name, user=call.me.bot, application=call.me.id)
    _set_avatar(call, webhook)
    return shown.webhook(webhook, call.world, owner=True) | {"user": shown.user(call.me.bot)}


def _set_avatar(call: Call, webhook: Webhook) -> None:
    if "avatar" in call.form:
        webhook.avatar = read_image(call, "avatar", f"avatars/{webhook.id}")


def _with_login(call: Call, webhook: Webhook) -> Answer:
    whole = shown.webhook(webhook, call.world, owner=not webhook.application or webhook.application == call.me.id)
    return {**whole, "user": shown.user(webhook.user)} if webhook.user else whole


def of_channel(call: Call) -> Answer:
    """GET /channels/{channel}/webhooks."""
    channel = call.channel(p.MANAGE_WEBHOOKS)
    return [_with_login(call, one) for one in call.world.webhooks.values() if one.channel == channel.id]


def of_guild(call: Call) -> Answer:
    """GET /guilds/{guild}/webhooks."""
    guild = call.guild(p.MANAGE_WEBHOOKS)
    return [_with_login(call, one) for one in call.world.webhooks.values() if one.guild == guild.id]


def _managed(call: Call) -> Webhook:
    webhook = call.world.webhooks.get(call.id("webhook"))
    if webhook is None:
        raise refused(10015)
    call.need(call.world.channel(webhook.channel), p.MANAGE_WEBHOOKS)
    return webhook


def by_token(call: Call) -> Webhook:
    """The webhook of the path; 10015 if there is none, 50027 for a wrong token."""
    webhook = call.world.webhooks.get(call.id("webhook"))
    if webhook is None:
        raise refused(10015)
    if not secrets.compare_digest(webhook.token, call.ids["token"]):
        raise refused(50027)
    return webhook


def read(call: Call) -> Answer:
    """GET /webhooks/{webhook}, with a token or a login."""
    if "token" in call.ids:
        return shown.webhook(by_token(call), call.world, owner=True)
    return _with_login(call, _managed(call))


def modify(call: Call) -> Answer:
    """PATCH /webhooks/{webhook}; with a token it cannot move."""
    webhook = by_token(call) if "token" in call.ids else _managed(call)
    form = Form(call.form)
    name = webhooks.check_name(form, "name", call.form.get("name"), call.world)
    target = snowflake(form, "channel_id", call.form.get("channel_id")) if "token" not in call.ids else 0
    form.done()
    if target and target != webhook.channel:
        channel = call.world.channel(target)
        call.need(channel, p.MANAGE_WEBHOOKS)
        webhook.channel = channel.id
    webhook.name = name or webhook.name
    _set_avatar(call, webhook)
    webhooks.tell(call.world, call.world.channel(webhook.channel))
    return shown.webhook(webhook, call.world, owner=True) if "token" in call.ids else _with_login(call, webhook)


def delete(call: Call) -> Answer:
    """DELETE /webhooks/{webhook}, with a token or a login."""
    webhooks.delete(call.world, by_token(call) if "token" in call.ids else _managed(call))
    return None


# Executing


def execute(call: Call) -> Answer:
    """POST /webhooks/{webhook}/{token}: a webhook's message, or an application's follow-up; both without a login."""
    if call.id("webhook") in call.world.applications:
        interaction = _interaction(call)
        draft = read_draft(call.form, call.uploads, call.world, may_hide=True)
        if draft.is_empty:
            raise refused(50006)
        return shown.message(interactions.follow_up(call.world, interaction, draft), call.world)
    webhook = by_token(call)
    draft = _read(call, webhook)
    name, avatar = _worn(call)
    author = webhooks.worn(call.world, webhook, name, avatar)
    sender = messages.Sender(author, webhook.id, webhook.application, avatar)
    channel = _target(call, webhook, draft, sender)
    message = messages.post(call.world, channel, sender, draft)
    return shown.message(message, call.world) if call.is_on("wait") else None


def _read(call: Call, webhook: Webhook) -> Draft:
    body = {key: value for key, value in call.form.items() if key not in ("message_reference", "sticker_ids", "nonce", "enforce_nonce")}
    if not webhook.application and not call.is_on("with_components"):
        body.pop("components", None)
    draft = read_draft(body, call.uploads, call.world, may_press=bool(webhook.application))
    if draft.is_empty:
        raise refused(50006)
    return draft


def _worn(call: Call) -> tuple[str | None, str | None]:
    form = Form(call.form)
    name = webhooks.check_name(form, "username", call.form.get("username") or None, call.world)
    form.address("avatar_url", call.form.get("avatar_url"))
    form.done()
    return name, call.form.get("avatar_url") or None


def _target(call: Call, webhook: Webhook, draft: Draft, sender: messages.Sender) -> Channel:
    """Where the message goes: the channel, a thread of it, or a post that begins with it."""
    channel = call.world.channel(webhook.channel)
    form = Form(call.form)
    number = snowflake(form, "thread_id", call.query.get("thread_id"))
    name = form.text("thread_name", call.form.get("thread_name"), least=1, most=100)
    form.done()
    if channel.type in POSTS and not number and not name:
        raise refused(220001)
    if name and number:
        raise refused(220002)
    if name and channel.type not in POSTS:
        raise refused(220003)
    if name:
        tags = [int(one) for one in call.form.get("applied_tags") or []]
        return threads.begin(call.world, channel, sender.user, name, kind=threads.kind_in(channel), tags=tags)
    return _thread(call, channel, number) if number else channel


def _thread(call: Call, channel: Channel, number: int) -> Channel:
    thread = call.world.channels.get(number)
    if thread is None or thread.parent != channel.id or thread.thread is None:
        raise refused(10003)
    if thread.thread.locked and thread.thread.archived:
        raise refused(160005)
    return thread


# Messages by token


def _interaction(call: Call) -> Interaction:
    interaction = interactions.followed(call.world, call.ids["token"])
    if interaction.application.id != call.id("webhook"):
        raise refused(10015)
    return interaction


def _found(call: Call) -> tuple[Channel, Message, Interaction | None]:
    """The message of the path, in the webhook's channel or the thread that the query names, or of an interaction."""
    if call.id("webhook") in call.world.applications:
        interaction = _interaction(call)
        channel = call.world.channel(interaction.channel)
        number = interaction.original if call.ids["message"] == "@original" else call.id("message")
        message = call.world.message(channel.id, number)
        if message.application != interaction.application.id and message.author.id != interaction.application.bot.id:
            raise refused(10008)
        return channel, message, interaction
    webhook = by_token(call)
    channel = call.world.channel(webhook.channel)
    form = Form({})
    number = snowflake(form, "thread_id", call.query.get("thread_id"))
    form.done()
    channel = _thread(call, channel, number) if number else channel
    message = call.world.message(channel.id, call.id("message"))
    if message.webhook != webhook.id:
        raise refused(10008)
    return channel, message, None


def read_message(call: Call) -> Answer:
    """GET …/messages/{message}."""
    return shown.message(_found(call)[1], call.world)


def edit_message(call: Call) -> Answer:
    """PATCH …/messages/{message}."""
    channel, message, interaction = _found(call)
    draft = read_draft(call.form, call.uploads, call.world)
    if interaction is not None:
        return shown.message(interactions.fill(call.world, interaction, message, draft), call.world)
    if channel.thread is not None and channel.thread.archived:
        raise refused(50083)
    check_stays(message, draft)
    return shown.message(messages.edit(call.world, channel, message, draft), call.world)


def delete_message(call: Call) -> Answer:
    """DELETE …/messages/{message}."""
    channel, message, _ = _found(call)
    messages.delete(call.world, channel, message)
    return None
