"""Routes of messages: sent, read, edited, deleted; and typing."""

from dataclasses import replace
from datetime import timedelta
from itertools import islice

from discord_loopback import permissions as p
from discord_loopback import shown
from discord_loopback.acts import messages
from discord_loopback.acts.drafts import Draft, read_draft
from discord_loopback.forms import Form, snowflake
from discord_loopback.happenings import MESSAGE_CONTENT, without_content
from discord_loopback.model import CATEGORY, CROSSPOSTED, POSTS, SUPPRESS_EMBEDS, Channel, Message
from discord_loopback.refusals import Json, refused
from discord_loopback.rest.call import Answer, Call
from discord_loopback.snowflakes import snowflake_at
from discord_loopback.world import World

SYSTEM = frozenset(range(1, 100)) - {19, 20, 23}
"""Message types that nobody wrote."""


def check_may_send(call: Call, channel: Channel, draft: Draft) -> None:
    """Whether the login may send this draft here."""
    if channel.type in POSTS or channel.type == CATEGORY:
        raise refused(50008)
    needed = p.SEND_IN_THREADS if channel.thread is not None else p.SEND_MESSAGES
    if draft.uploads:
        needed |= p.ATTACH_FILES
    call.need(channel, needed)
    if channel.thread is not None and channel.thread.locked and not call.world.may(call.me.bot.id, channel) & p.MANAGE_THREADS:
        raise refused(160005)


def create(call: Call) -> Answer:
    """POST /channels/{channel}/messages."""
    channel = call.channel()
    draft = read_draft(call.form, call.uploads, call.world)
    check_may_send(call, channel, draft)
    if draft.reference and draft.reference.get("type") == 1:
        return shown.message(_forward(call, channel, draft), call.world)
    if draft.is_empty:
        raise refused(50006)
    if draft.is_unique and (already := _with_nonce(call, channel, draft.nonce)):
        return shown.message(already, call.world)
    reference = reply_reference(call, channel, draft.reference)
    if draft.embeds and not call.world.may(call.me.bot.id, channel) & p.EMBED_LINKS:
        draft = without_embeds(draft)
    sender = messages.Sender(call.me.bot)
    message = messages.post(call.world, channel, sender, draft, type=19 if reference else 0, reference=reference)
    return shown.message(message, call.world)


def without_embeds(draft: Draft) -> Draft:
    """What Discord shows of a draft of a bot that may not embed links: 50013 where nothing is left, else the rest, without a word of it."""
    rest = replace(draft, embeds=None)
    if rest.is_empty:
        raise refused(50013)
    return rest


def _with_nonce(call: Call, channel: Channel, nonce: str | int | None) -> Message | None:
    newest = islice(reversed(call.world.messages[channel.id].values()), 200)
    recent = call.world.now() - timedelta(minutes=5)
    for one in newest:
        if nonce is not None and one.nonce == nonce and one.author.id == call.me.bot.id and one.made > recent:
            return one
    return None


def reply_reference(call: Call, channel: Channel, reference: Json | None) -> Json | None:
    """The reference of a reply as it is stored; 50035 for a message that is not there, unless that may be."""
    if not reference:
        return None
    form = Form(call.form)
    which = snowflake(form, ("message_reference", "message_id"), reference.get("message_id"))
    form.done()
    replied = call.world.peek(channel.id, which)
    if replied is None:
        if reference.get("fail_if_not_exists", True) is False:
            return None
        form.wrong("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    elif replied.type in SYSTEM:
        form.wrong("message_reference", "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", "Cannot reply to a system message")
    elif not call.world.may(call.me.bot.id, channel) & p.READ_HISTORY:
        raise refused(50013)
    form.done()
    stored: Json = {"type": 0, "channel_id": str(channel.id), "message_id": str(which)}
    if channel.guild:
        stored["guild_id"] = str(channel.guild)
    return stored


def _forward(call: Call, channel: Channel, draft: Draft) -> Message:
    reference = draft.reference or {}
    form = Form(call.form)
    source = call.world.channel(snowflake(form, ("message_reference", "channel_id"), reference.get("channel_id")))
    form.done()
    call.need(source, p.READ_HISTORY)
    which = call.world.message(source.id, int(reference.get("message_id") or 0))
    return forward(call, channel, source, which)


def forward(call: Call, channel: Channel, source: Channel, which: Message) -> Message:
    """Send a message on, as a snapshot."""
    stored, snapshot = snapshot_of(call.world, source, which)
    sender = messages.Sender(call.me.bot)
    return messages.post(call.world, channel, sender, Draft(), reference=stored, snapshot=snapshot, flags=1 << 14)


def snapshot_of(world: World, source: Channel, which: Message) -> tuple[Json, Json]:
    """The reference and the snapshot of a message that is forwarded."""
    whole = shown.message(which, world, nested=True)
    kept = ("type", "content", "mentions", "mention_roles", "attachments", "embeds", "timestamp", "edited_timestamp", "flags", "components")
    stored: Json = {"type": 1, "channel_id": str(source.id), "message_id": str(which.id)}
    if source.guild:
        stored["guild_id"] = str(source.guild)
    return stored, {key: whole[key] for key in (*kept, "sticker_items") if key in whole}


def history(call: Call) -> Answer:
    """GET /channels/{channel}/messages, newest first; empty without the right to read history."""
    channel = call.channel()
    limit = call.number("limit", 50, least=1, most=100)
    if not call.world.may(call.me.bot.id, channel) & p.READ_HISTORY:
        return []
    stored = [one for one in call.world.messages.get(channel.id, {}).values() if not one.visible_to]
    form = Form({})
    after, before, around = (snowflake(form, name, call.query.get(name)) for name in ("after", "before", "around"))
    form.done()
    if around:
        older = [one for one in stored if one.id <= around][-(limit // 2 + 1) :]
        found = older + [one for one in stored if one.id > around][: limit - len(older)]
    elif after:
        found = [one for one in stored if one.id > after][:limit]
    else:
        found = ([one for one in stored if one.id < before] if before else stored)[-limit:]
    return [as_read(call, one) for one in reversed(found)]


def as_read(call: Call, message: Message) -> Json:
    """A message as the login reads it: without its content where the intent for that is not switched on (Discord docs, Gateway)."""
    whole, bot = shown.message(message, call.world, viewer=call.me.bot.id), call.me.bot
    may = call.me.privileged & MESSAGE_CONTENT or not message.guild or bot in message.mentions
    return whole if may or bot.id in (message.author.id, message.application) else without_content(whole)


def read(call: Call) -> Answer:
    """GET /channels/{channel}/messages/{message}."""
    channel = call.channel(p.READ_HISTORY)
    return as_read(call, call.message(channel))


def edit(call: Call) -> Answer:
    """PATCH /channels/{channel}/messages/{message}; others' messages take only the flag that hides embeds, from who may manage them."""
    channel = call.channel()
    message = call.message(channel)
    check_not_archived(channel)
    if message.author.id != call.me.bot.id:
        if set(call.form) - {"flags"}:
            raise refused(50005)
        call.need(channel, p.MANAGE_MESSAGES)
        message.flags = message.flags & ~SUPPRESS_EMBEDS | (int(call.form.get("flags") or 0) & SUPPRESS_EMBEDS)
        if message.flags & SUPPRESS_EMBEDS:
            message.embeds = []
        messages.tell(call.world, channel, message, "MESSAGE_UPDATE")
        return shown.message(message, call.world, viewer=call.me.bot.id)
    draft = read_draft(call.form, call.uploads, call.world)
    if draft.embeds and not call.world.may(call.me.bot.id, channel) & p.EMBED_LINKS:
        # An edit is never refused for that (discord-api-docs #2601).
        draft = replace(draft, embeds=None)
    check_stays(message, draft)
    return shown.message(messages.edit(call.world, channel, message, draft), call.world, viewer=call.me.bot.id)


def check_stays(message: Message, draft: Draft) -> None:
    """Refuse an edit that would leave nothing to see (50006)."""
    content = message.content if draft.content is None else draft.content
    embeds = message.embeds if draft.embeds is None else draft.embeds
    files = message.attachments if draft.kept is None else [one for one in message.attachments if one.id in draft.kept]
    components = message.components if draft.components is None else draft.components
    if not (content or embeds or files or components or draft.uploads or message.stickers or message.poll):
        raise refused(50006)


def check_not_archived(channel: Channel) -> None:
    """Refuse what an archived thread does not take (50083)."""
    if channel.thread is not None and channel.thread.archived:
        raise refused(50083)


def delete(call: Call) -> Answer:
    """DELETE /channels/{channel}/messages/{message}."""
    channel = call.channel()
    message = call.message(channel)
    if message.author.id != call.me.bot.id:
        call.need(channel, p.MANAGE_MESSAGES)
    messages.delete(call.world, channel, message)
    return None


def bulk_delete(call: Call) -> Answer:
    """POST /channels/{channel}/messages/bulk-delete."""
    channel = call.channel(p.MANAGE_MESSAGES)
    if not channel.guild:
        raise refused(50003)
    form = Form(call.form)
    wanted = [snowflake(form, ("messages", place), one) for place, one in enumerate(call.form.get("messages") or [])]
    form.done()
    if not 2 <= len(wanted) <= 100:
        raise refused(50016)
    if min(wanted) < snowflake_at(call.world.clock() - 14 * 24 * 3600):
        raise refused(50034)
    messages.bulk_delete(call.world, channel, wanted)
    return None


def crosspost(call: Call) -> Answer:
    """POST /channels/{channel}/messages/{message}/crosspost."""
    channel = call.channel(p.SEND_MESSAGES)
    message = call.message(channel)
    if channel.type != 5:
        raise refused(50024)
    message.flags |= CROSSPOSTED
    messages.tell(call.world, channel, message, "MESSAGE_UPDATE")
    return shown.message(message, call.world)


def typing(call: Call) -> Answer:
    """POST /channels/{channel}/typing."""
    channel = call.channel(p.SEND_IN_THREADS if call.world.channel(call.id("channel")).thread else p.SEND_MESSAGES)
    messages.type_in(call.world, channel, call.me.bot)
    return None
