"""Routes of threads: begun at a message, without one, as a forum's post; joined, left, listed."""

from datetime import datetime

from discord_loopback import permissions as p
from discord_loopback import shown
from discord_loopback.acts import messages, threads
from discord_loopback.acts.drafts import Draft, read_draft
from discord_loopback.forms import Form
from discord_loopback.model import ANNOUNCEMENT, ANNOUNCEMENT_THREAD, HAS_THREAD, POSTS, PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, User
from discord_loopback.refusals import Json, refused
from discord_loopback.rest.call import Answer, Call
from discord_loopback.rest.channels import ARCHIVE_AFTER
from discord_loopback.rest.messages import check_not_archived
from discord_loopback.world import World


def begin_at(world: World, channel: Channel, message_id: int, owner: User, name: str, *, archive_after: int = 0) -> Channel:
    """Begin a thread at a message: it has the message's id, and shows the message as its first."""
    message = world.message(channel.id, message_id)
    thread = threads.begin(world, channel, owner, name, kind=threads.kind_in(channel), id=message.id, archive_after=archive_after)
    message.flags |= HAS_THREAD
    messages.tell(world, channel, message, "MESSAGE_UPDATE")
    reference: Json = {"type": 0, "channel_id": str(channel.id), "message_id": str(message.id), "guild_id": str(channel.guild)}
    messages.post(world, thread, messages.Sender(owner), Draft(), type=21, reference=reference)
    return thread


def begin_alone(
    world: World, channel: Channel, owner: User, name: str, *, kind: int, archive_after: int = 0, invitable: bool = True
) -> Channel:
    """Begin a thread without a message; a public one is announced in the channel."""
    thread = threads.begin(world, channel, owner, name, kind=kind, archive_after=archive_after, invitable=invitable)
    if kind != PRIVATE_THREAD:
        reference: Json = {"type": 0, "channel_id": str(thread.id), "guild_id": str(channel.guild)}
        messages.post(world, channel, messages.Sender(owner), Draft(content=name), type=18, reference=reference)
    return thread


def _named(call: Call) -> tuple[str, int]:
    form = Form(call.form)
    name = form.text("name", call.form.get("name"), least=1, most=100, needed=True)
    after = form.choice("auto_archive_duration", call.form.get("auto_archive_duration"), ARCHIVE_AFTER)
    form.done()
    return name or "", after or 0


def from_message(call: Call) -> Answer:
    """POST /channels/{channel}/messages/{message}/threads."""
    channel = call.channel(p.PUBLIC_THREADS)
    if channel.type not in (TEXT, ANNOUNCEMENT):
        raise refused(50024)
    name, after = _named(call)
    thread = begin_at(call.world, channel, call.message(channel).id, call.me.bot, name, archive_after=after)
    call.status = 201
    return shown.thread(thread, viewer=call.me.bot.id)


def create(call: Call) -> Answer:
    """POST /channels/{channel}/threads: without a message, or a post with its first one."""
    channel = call.channel()
    call.status = 201
    name, after = _named(call)
    if channel.type in POSTS:
        return _post(call, channel, name, after)
    if channel.type not in (TEXT, ANNOUNCEMENT):
        raise refused(50024)
    kind = call.form.get("type") or (PRIVATE_THREAD if channel.type == TEXT else ANNOUNCEMENT_THREAD)
    if kind not in (PRIVATE_THREAD, threads.kind_in(channel)):
        raise refused(50024)
    call.need(channel, p.PRIVATE_THREADS if kind == PRIVATE_THREAD else p.PUBLIC_THREADS)
    invitable = call.form.get("invitable") is not False
    thread = begin_alone(call.world, channel, call.me.bot, name, kind=kind, archive_after=after, invitable=invitable)
    return shown.thread(thread, viewer=call.me.bot.id)


def _post(call: Call, forum: Channel, name: str, after: int) -> Answer:
    call.need(forum, p.SEND_MESSAGES)
    draft = read_draft(call.form.get("message") or {}, call.uploads, call.world)
    if draft.is_empty:
        raise refused(50006)
    tags = [int(one) for one in call.form.get("applied_tags") or []]
    thread = threads.begin(call.world, forum, call.me.bot, name, kind=PUBLIC_THREAD, archive_after=after, tags=tags)
    first = messages.post(call.world, thread, messages.Sender(call.me.bot), draft)
    return {**shown.thread(thread, viewer=call.me.bot.id), "message": shown.message(first, call.world)}


def _thread(call: Call) -> Channel:
    thread = call.channel()
    if thread.thread is None:
        raise refused(50024)
    return thread


def join(call: Call) -> Answer:
    """PUT …/thread-members/@me and /{user}."""
    thread = _thread(call)
    check_not_archived(thread)
    threads.join(call.world, thread, call.world.user(call.id("user")) if "user" in call.ids else call.me.bot)
    return None


def leave(call: Call) -> Answer:
    """DELETE …/thread-members/@me and /{user}."""
    thread = _thread(call)
    check_not_archived(thread)
    if "user" in call.ids and call.id("user") != call.me.bot.id:
        call.need(thread, p.MANAGE_THREADS)
    threads.leave(call.world, thread, call.world.user(call.id("user")) if "user" in call.ids else call.me.bot)
    return None


def members(call: Call) -> Answer:
    """GET …/thread-members and /{user}."""
    thread = _thread(call)
    state = thread.thread
    assert state is not None
    if "user" in call.ids:
        if call.id("user") not in state.members:
            raise refused(10007)
        return _member(call, thread, call.id("user"))
    return [_member(call, thread, one) for one in state.members]


def _member(call: Call, thread: Channel, who: int) -> Json:
    shape = shown.thread_member(thread, who)
    if not call.is_on("with_member"):
        return shape
    return {**shape, "member": shown.whole_member(call.world.guild(thread.guild).members[who])}


def _listed(call: Call, found: list[Channel], *, more: bool) -> Json:
    mine = [shown.thread_member(one, call.me.bot.id) for one in found if one.thread and call.me.bot.id in one.thread.members]
    return {"threads": [shown.thread(one, viewer=call.me.bot.id) for one in found], "members": mine, "has_more": more}


def active(call: Call) -> Answer:
    """GET /guilds/{guild}/threads/active."""
    guild = call.guild()
    found = [one for one in guild.channels.values() if one.thread and not one.thread.archived and call.world.may(call.me.bot.id, one)]
    return _listed(call, found, more=False)


def archived(call: Call) -> Answer:
    """GET …/threads/archived/public and /private, and the login's own private ones."""
    channel = call.channel(p.READ_HISTORY)
    is_private, is_own = call.path.endswith("/private"), "/users/@me/" in call.path
    if is_private and not is_own:
        call.need(channel, p.MANAGE_THREADS)
    before = call.query.get("before")
    when = datetime.fromisoformat(before) if before and not before.isdigit() else None
    kinds = frozenset((PRIVATE_THREAD,)) if is_private else frozenset((PUBLIC_THREAD, ANNOUNCEMENT_THREAD))
    found = threads.archived_before(call.world, channel, kinds, when)
    if is_own:
        found = [one for one in found if one.thread and call.me.bot.id in one.thread.members]
    limit = call.number("limit", 50, least=2, most=100)
    return _listed(call, found[:limit], more=len(found) > limit)
