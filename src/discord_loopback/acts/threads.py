"""Threads: begun, joined, left, archived; and the small changes that every message in one brings."""

from collections import OrderedDict
from datetime import datetime

from discord_loopback import shown
from discord_loopback.happenings import GUILDS, MEMBERS, Happening
from discord_loopback.model import ANNOUNCEMENT, ANNOUNCEMENT_THREAD, PUBLIC_THREAD, Channel, Guild, Message, ThreadState, User
from discord_loopback.refusals import refused
from discord_loopback.world import World

LONGEST_LIST = 50
"""Members a thread's count goes up to (Discord docs, Thread fields)."""


def kind_in(parent: Channel) -> int:
    """The type of a public thread in a channel."""
    return ANNOUNCEMENT_THREAD if parent.type == ANNOUNCEMENT else PUBLIC_THREAD


def begin(
    world: World,
    parent: Channel,
    owner: User,
    name: str,
    *,
    kind: int,
    id: int = 0,
    archive_after: int = 0,
    tags: list[int] | None = None,
    invitable: bool = True,
    slowmode: int = 0,
) -> Channel:
    """Begin a thread in a channel; one that begins at a message has its id. Its owner is in it."""
    if id in world.channels:
        raise refused(160004)
    now = world.now()
    state = ThreadState(owner.id, now, archive_after=archive_after or 4320, invitable=invitable, applied_tags=tags or [])
    thread = Channel(id or world.snowflakes.next(), kind, name, parent.guild, parent=parent.id, thread=state, slowmode=slowmode)
    guild = world.guild(parent.guild)
    world.channels[thread.id] = guild.channels[thread.id] = thread
    world.messages[thread.id] = OrderedDict()
    if owner.id in guild.members:
        state.members[owner.id] = now
    if parent.type in (15, 16):
        parent.last_message = thread.id
    _tell_each(world, guild, thread, "THREAD_CREATE", newly=True)
    return thread


def _tell_each(world: World, guild: Guild, thread: Channel, name: str, *, newly: bool = False) -> None:
    data = shown.thread(thread)
    if newly:
        data["newly_created"] = True
    assert thread.thread is not None
    inside = [one.bot.id for one in world.applications.values() if one.bot.id in thread.thread.members]
    for application in [one for one in world.applications.values() if one.bot.id in inside]:
        mine = {**data, "member": shown.thread_member(thread, application.bot.id)}
        world.tell(Happening(name, mine, guild, thread, needs=GUILDS, only=application))
    outside = [one for one in world.applications.values() if one.bot.id not in inside]
    for application in outside:
        world.tell(Happening(name, data, guild, thread, needs=GUILDS, only=application))
    if not world.applications:
        world.tell(Happening(name, data, guild, thread, needs=GUILDS))


def join(world: World, thread: Channel, user: User) -> None:
    """Let a user be in a thread; nothing happens where they are."""
    assert thread.thread is not None
    if user.id in thread.thread.members:
        return
    thread.thread.members[user.id] = world.now()
    _members_changed(world, thread, added=user)


def leave(world: World, thread: Channel, user: User) -> None:
    """Let a user be no longer in a thread."""
    assert thread.thread is not None
    if thread.thread.members.pop(user.id, None) is not None:
        _members_changed(world, thread, removed=user)


def _members_changed(world: World, thread: Channel, *, added: User | None = None, removed: User | None = None) -> None:
    assert thread.thread is not None
    guild = world.guild(thread.guild)
    data = {"id": str(thread.id), "guild_id": str(guild.id), "member_count": min(LONGEST_LIST, len(thread.thread.members))}
    if added is not None:
        data["added_members"] = [_membership(world, thread, guild, added)]
    if removed is not None:
        data["removed_member_ids"] = [str(removed.id)]
    changed = added or removed
    bot = next((one for one in world.applications.values() if changed is not None and one.bot.id == changed.id), None)
    if bot is not None and added is not None:
        # A bot that is put into a thread first hears of the thread itself.
        mine = {**shown.thread(thread), "member": shown.thread_member(thread, bot.bot.id)}
        world.tell(Happening("THREAD_CREATE", mine, guild, thread, needs=GUILDS, only=bot))
    for application in world.applications.values():
        own = GUILDS if application is bot else MEMBERS
        world.tell(Happening("THREAD_MEMBERS_UPDATE", data, guild, thread, needs=own, only=application))


def _membership(world: World, thread: Channel, guild: Guild, user: User) -> dict[str, object]:
    shape = shown.thread_member(thread, user.id)
    member = guild.members.get(user.id)
    return {**shape, "member": shown.whole_member(member), "presence": None} if member else shape


def update(
    world: World,
    thread: Channel,
    *,
    name: str | None = None,
    archived: bool | None = None,
    locked: bool | None = None,
    archive_after: int | None = None,
    slowmode: int | None = None,
    tags: list[int] | None = None,
) -> Channel:
    """Change a thread and tell of it."""
    state = thread.thread
    assert state is not None
    thread.name = thread.name if name is None else name
    thread.slowmode = thread.slowmode if slowmode is None else slowmode
    state.locked = state.locked if locked is None else locked
    state.archive_after = archive_after or state.archive_after
    state.applied_tags = state.applied_tags if tags is None else tags
    if archived is not None and archived != state.archived:
        state.archived = archived
        state.archived_at = world.now()
    _tell_each(world, world.guild(thread.guild), thread, "THREAD_UPDATE")
    return thread


def delete(world: World, thread: Channel) -> None:
    """Remove a thread with its messages."""
    guild = world.guild(thread.guild)
    data = {"id": str(thread.id), "guild_id": str(guild.id), "parent_id": str(thread.parent), "type": thread.type}
    happening = Happening("THREAD_DELETE", data, guild, world.place_of(thread), needs=GUILDS)
    del guild.channels[thread.id], world.channels[thread.id]
    world.messages.pop(thread.id, None)
    world.tell(happening)


def hears_of_message(world: World, thread: Channel, message: Message) -> None:
    """What a message changes in its thread: the counts, its author's membership, and an archived thread comes back."""
    state = thread.thread
    assert state is not None
    if message.type != 21:
        state.sent += 1
    if state.archived:
        update(world, thread, archived=False)
    if not message.webhook and message.author.id not in state.members and message.author.id in world.guild(thread.guild).members:
        join(world, thread, message.author)


def archived_before(world: World, parent: Channel, kinds: frozenset[int], before: datetime | None) -> list[Channel]:
    """Archived threads of some kinds in a channel, newest archived first."""
    threads = [
        one
        for one in world.guild(parent.guild).channels.values()
        if one.parent == parent.id and one.type in kinds and one.thread is not None and one.thread.archived
    ]
    threads = [one for one in threads if one.thread is not None and (before is None or one.thread.archived_at < before)]
    return sorted(threads, key=lambda one: one.thread.archived_at if one.thread else world.now(), reverse=True)
