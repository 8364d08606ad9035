"""What people do with messages and threads. They are not asked for permissions: a test says what happened, not whether it may.

The page asks (`looking.allowed`, `looking.visible`) and offers a person only what Discord would.
"""

from discord_loopback import shown
from discord_loopback.acts import guilds, messages, threads
from discord_loopback.acts.drafts import Draft, read_draft
from discord_loopback.acts.webhooks import worn
from discord_loopback.control import finding
from discord_loopback.control.finding import Unable
from discord_loopback.model import DM, FORUM, MEDIA, POSTS, PRIVATE_THREAD, Channel, Message
from discord_loopback.refusals import Json
from discord_loopback.rest.messages import snapshot_of
from discord_loopback.rest.threads import begin_alone, begin_at
from discord_loopback.server import Server
from discord_loopback.world import World


def seen(message: Message, world: World, *, viewer: int = 0) -> Json:
    """A message with what only this server knows of it, under `loopback`."""
    whole = shown.message(message, world, viewer=viewer)
    whole["loopback"] = {"avatar_source": message.avatar_source, "visible_to": str(message.visible_to)}
    return whole


def _reference(world: World, channel: Channel, reply_to: int) -> Json | None:
    if not reply_to:
        return None
    finding.message(world, channel.id, reply_to)
    reference: Json = {"type": 0, "channel_id": str(channel.id), "message_id": str(reply_to)}
    return reference | ({"guild_id": str(channel.guild)} if channel.guild else {})


def _place(server: Server, person: int, channel: int) -> Channel:
    found = finding.channel(server.world, channel)
    if found.type in POSTS:
        raise Unable("A forum takes posts, not messages.")
    if found.guild:
        finding.member(server.world, server.world.guilds[found.guild], person)
    elif all(one.id != person for one in found.recipients):
        raise Unable("That direct message is between others.")
    return found


def write(
    server: Server,
    person: int,
    channel: int,
    *,
    content: str = "",
    reply_to: int = 0,
    ping: bool = True,
    files: list[Json] | None = None,
    stickers: list[str] | None = None,
    embeds: list[Json] | None = None,
) -> Json:
    """A person writes; `reply_to` makes it a reply, `ping` tells whether that one is pinged."""
    world, place = server.world, _place(server, person, channel)
    body: Json = {"content": content, "sticker_ids": stickers or []}
    if embeds:
        body["embeds"] = embeds
    if reply_to and not ping:
        body["allowed_mentions"] = {"parse": ["users", "roles", "everyone"], "replied_user": False}
    draft = read_draft(body, finding.uploads(files or []), world)
    if draft.is_empty:
        raise Unable("There is nothing to send.")
    reference = _reference(world, place, reply_to)
    sender = messages.Sender(finding.user(world, person))
    return seen(messages.post(world, place, sender, draft, type=19 if reference else 0, reference=reference), world)


def write_many(server: Server, person: int, channel: int, *, contents: list[str]) -> Json:
    """A person writes many messages at once; returns how many."""
    place, sender = _place(server, person, channel), messages.Sender(finding.user(server.world, person))
    for content in contents:
        messages.post(server.world, place, sender, Draft(content=content))
    return {"written": len(contents)}


def forward(server: Server, person: int, channel: int, message: int, *, to: int) -> Json:
    """A person sends a message on to another channel."""
    world, source, target = server.world, finding.channel(server.world, channel), _place(server, person, to)
    reference, snapshot = snapshot_of(world, source, finding.message(world, source.id, message))
    sender = messages.Sender(finding.user(world, person))
    return seen(messages.post(world, target, sender, Draft(), reference=reference, snapshot=snapshot, flags=1 << 14), world)


def edit(server: Server, channel: int, message: int, *, content: str) -> Json:
    """A message's text is changed by who wrote it."""
    world, place = server.world, finding.channel(server.world, channel)
    found = finding.message(world, place.id, message)
    return seen(messages.edit(world, place, found, read_draft({"content": content}, (), world)), world)


def delete(server: Server, channel: int, message: int) -> Json:
    """A message is deleted."""
    place = finding.channel(server.world, channel)
    messages.delete(server.world, place, finding.message(server.world, place.id, message))
    return {}


def delete_many(server: Server, channel: int, *, ids: list[str]) -> Json:
    """Messages are deleted in bulk, as a moderator's tool does."""
    messages.bulk_delete(server.world, finding.channel(server.world, channel), [int(one) for one in ids])
    return {}


def react(server: Server, person: int, channel: int, message: int, *, emoji: str, remove: bool = False) -> Json:
    """A person gives or takes back a reaction: a character, or `name:id`."""
    world, place = server.world, finding.channel(server.world, channel)
    act = messages.unreact if remove else messages.react
    act(world, place, finding.message(world, place.id, message), emoji, finding.user(world, person))
    return {}


def pin(server: Server, channel: int, message: int, *, pinned: bool = True) -> Json:
    """A message is pinned or unpinned."""
    place = finding.channel(server.world, channel)
    messages.pin(server.world, place, finding.message(server.world, place.id, message), pinned=pinned)
    return {}


def type_(server: Server, person: int, channel: int) -> Json:
    """A person types."""
    place = finding.channel(server.world, channel)
    messages.type_in(server.world, place, finding.user(server.world, person))
    return {}


def begin_thread(server: Server, person: int, channel: int, *, name: str, message: int = 0, private: bool = False) -> Json:
    """A person begins a thread, at a message or without one."""
    world, (_, parent) = server.world, finding.guild_channel(server.world, channel)
    owner = finding.user(world, person)
    if message:
        return shown.thread(begin_at(world, parent, message, owner, name))
    kind = PRIVATE_THREAD if private else threads.kind_in(parent)
    return shown.thread(begin_alone(world, parent, owner, name, kind=kind))


def post(server: Server, person: int, channel: int, *, name: str, content: str, tags: list[str] | None = None) -> Json:
    """A person begins a post in a forum."""
    world, (_, forum) = server.world, finding.guild_channel(server.world, channel)
    if forum.type not in (FORUM, MEDIA):
        raise Unable("Only forums take posts.")
    owner, applied = finding.user(world, person), [int(tag["id"]) for tag in forum.tags if tag["name"] in (tags or [])]
    thread = threads.begin(world, forum, owner, name, kind=threads.kind_in(forum), tags=applied)
    messages.post(world, thread, messages.Sender(owner), read_draft({"content": content}, (), world))
    return shown.thread(thread)


def _thread(server: Server, thread: int) -> Channel:
    found = finding.channel(server.world, thread)
    if found.thread is None:
        raise Unable("That is no thread.")
    return found


def enter_thread(server: Server, person: int, thread: int, *, leave: bool = False) -> Json:
    """A person, or a bot that a person adds, joins or leaves a thread."""
    act = threads.leave if leave else threads.join
    act(server.world, _thread(server, thread), finding.user(server.world, person))
    return {}


def set_thread(server: Server, thread: int, *, archived: bool | None = None, locked: bool | None = None, name: str | None = None) -> Json:
    """A moderator archives, locks or renames a thread."""
    return shown.thread(threads.update(server.world, _thread(server, thread), archived=archived, locked=locked, name=name))


def direct(server: Server, person: int, other: int) -> Json:
    """A person opens direct messages with another account."""
    world = server.world
    channel = world.direct(finding.user(world, person), finding.user(world, other))
    assert channel.type == DM
    return shown.channel(channel)


def nick(server: Server, guild: int, person: int, *, name: str) -> Json:
    """A member's nickname is changed; an empty one takes it away."""
    place = finding.guild(server.world, guild)
    member = finding.member(server.world, place, person)
    member.nick = name or None
    guilds.member_changed(server.world, place, member)
    return shown.whole_member(member)


def repost(
    server: Server,
    channel: int,
    message: int,
    *,
    webhook: int,
    name: str,
    content: str = "",
    avatar_url: str = "",
    delete_first: bool = False,
) -> Json:
    """A proxy service replaces a person's message with a webhook's of its own; `delete_first` lets the deletion be heard first."""
    world, place = server.world, finding.channel(server.world, channel)
    hook = world.webhooks.get(webhook)
    if hook is None:
        raise Unable(f"There is no webhook {webhook}.")
    original = finding.message(world, place.id, message)
    if delete_first:
        messages.delete(world, place, original)
    sender = messages.Sender(worn(world, hook, name, avatar_url or None), hook.id, hook.application, avatar_url or None)
    made = messages.post(world, place, sender, Draft(content=content or original.content))
    if not delete_first:
        messages.delete(world, place, original)
    return seen(made, world)
