"""Interactions: begun by a person, answered by an application, followed up; with the times in which that is possible."""

import secrets

from discord_loopback import permissions, shown
from discord_loopback.acts.drafts import Draft
from discord_loopback.acts.messages import Sender, edit, post
from discord_loopback.happenings import Happening
from discord_loopback.model import EPHEMERAL, LOADING, Application, Channel, Interaction, Message, User
from discord_loopback.refusals import Json, refused
from discord_loopback.world import World

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
ANSWERED = "LOOPBACK_INTERACTION_ANSWERED"
"""Told to pages and clients alone, when an application has answered."""
KEPT = 5_000
"""Interactions that are remembered."""


def begin(
    world: World,
    application: Application,
    kind: int,
    user: User,
    *,
    channel: Channel,
    data: Json,
    message: Message | None = None,
    command_type: int = 1,
    metadata: Json | None = None,
) -> Interaction:
    """Let a person do something with an application, which is told of it."""
    number = world.snowflakes.next()
    owners = {"0": str(channel.guild)} if channel.guild else {"0": "0"}
    made: Json = {"id": str(number), "type": kind, "user": shown.user(user), "authorizing_integration_owners": owners, **(metadata or {})}
    interaction = Interaction(
        number,
        secrets.token_urlsafe(48),
        kind,
        application,
        user,
        channel.id,
        channel.guild,
        world.clock(),
        data,
        message.id if message else 0,
        metadata=made,
        command_type=command_type,
    )
    world.interactions[interaction.token] = interaction
    while len(world.interactions) > KEPT:
        world.interactions.popitem(last=False)
    world.tell(Happening("INTERACTION_CREATE", _payload(world, interaction, channel, message), world.guild_of(channel), only=application))
    return interaction


def _payload(world: World, interaction: Interaction, channel: Channel, message: Message | None) -> Json:
    guild, application, user = world.guild_of(channel), interaction.application, interaction.user
    payload: Json = {
        "application_id": str(application.id),
        "id": str(interaction.id),
        "token": interaction.token,
        "type": interaction.kind,
        "version": 1,
        "channel_id": str(channel.id),
        "channel": {**shown.channel(channel, viewer=application.bot.id), "permissions": str(world.may(user.id, channel))},
        "locale": user.locale,
        "app_permissions": str(world.may(application.bot.id, channel)),
        "authorizing_integration_owners": interaction.metadata["authorizing_integration_owners"],
        "context": 0 if guild else 1,
        "entitlements": [],
        "attachment_size_limit": world.switches.file_limit,
        "data": interaction.data,
    }
    if guild is not None:
        payload["guild_id"] = str(guild.id)
        payload["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
        payload["guild_locale"] = guild.locale
        payload["member"] = {**shown.whole_member(guild.members[user.id]), "permissions": str(world.may(user.id, channel))}
    else:
        payload["user"] = shown.user(user)
    if message is not None:
        payload["message"] = shown.message(message, world)
    return payload


def find(world: World, number: int, token: str) -> Interaction:
    """The interaction that waits for its first answer; 10062 if there is none or its time is over, 40060 if it has one."""
    interaction = world.interactions.get(token)
    if interaction is None or interaction.id != number:
        raise refused(10062)
    if interaction.answer is not None:
        raise refused(40060)
    if world.clock() - interaction.made > world.switches.answer_within:
        raise refused(10062)
    return interaction


def followed(world: World, token: str) -> Interaction:
    """The interaction whose token takes follow-ups; 50027 once it is too old, 10015 where there is none or no answer yet."""
    interaction = world.interactions.get(token)
    if interaction is None or interaction.answer is None:
        raise refused(10015)
    if world.clock() - interaction.made > world.switches.token_lives:
        raise refused(50027)
    return interaction


def _sender(interaction: Interaction) -> Sender:
    return Sender(interaction.application.bot, interaction.application.id, interaction.application.id)


def _eyes(interaction: Interaction, flags: int) -> int:
    return interaction.user.id if flags & EPHEMERAL else 0


def _message_type(interaction: Interaction) -> int:
    if interaction.kind != COMMAND:
        return 19 if interaction.message else 0
    return 20 if interaction.command_type == 1 else 23


def answer(world: World, interaction: Interaction, body: Json, draft: Draft | None) -> Message | None:
    """Give the first answer. Returns the message it made or changed; none for autocompletion, a modal, or a silent one."""
    interaction.answer = body
    channel = world.channel(interaction.channel)
    message: Message | None = None
    match body["type"]:
        case 4:
            message = _say(world, interaction, channel, draft or Draft(), 0)
        case 5:
            flags = int((body.get("data") or {}).get("flags") or 0) & EPHEMERAL
            message = _say(world, interaction, channel, Draft(flags=flags), LOADING)
        case 7:
            message = edit(world, channel, world.message(channel.id, interaction.message), draft or Draft())
            interaction.original = message.id
        case 6:
            interaction.original = interaction.message
        case _:
            pass
    _tell(world, interaction)
    return message


def _say(world: World, interaction: Interaction, channel: Channel, draft: Draft, flags: int) -> Message:
    kind = _message_type(interaction)
    reference: Json | None = None
    if kind == 19:
        reference = {"type": 0, "channel_id": str(channel.id), "message_id": str(interaction.message)}
        if channel.guild:
            reference["guild_id"] = str(channel.guild)
    message = post(
        world,
        channel,
        _sender(interaction),
        draft,
        type=kind,
        reference=reference,
        interaction=interaction.metadata,
        visible_to=_eyes(interaction, draft.flags),
        flags=flags,
    )
    interaction.original = message.id
    return message


def _tell(world: World, interaction: Interaction) -> None:
    answered = interaction.answer or {}
    data: Json = {"id": str(interaction.id), "type": answered.get("type"), "channel_id": str(interaction.channel)}
    if answered.get("type") in (8, 9):
        data["data"] = answered.get("data")
    if interaction.original:
        data["message_id"] = str(interaction.original)
    world.tell(Happening(ANSWERED, data, eyes=interaction.user.id))


def follow_up(world: World, interaction: Interaction, draft: Draft) -> Message:
    """Say something more; the first after a deferred answer takes its place."""
    channel = world.channel(interaction.channel)
    original = world.peek(channel.id, interaction.original)
    if original is not None and original.flags & LOADING:
        return fill(world, interaction, original, draft)
    metadata = {**interaction.metadata, "original_response_message_id": str(interaction.original)}
    return post(world, channel, _sender(interaction), draft, interaction=metadata, visible_to=_eyes(interaction, draft.flags))


def fill(world: World, interaction: Interaction, message: Message, draft: Draft) -> Message:
    """Change a message of an interaction; one that was deferred is complete by it."""
    was_loading = bool(message.flags & LOADING)
    message.flags &= ~LOADING
    return edit(world, world.channel(interaction.channel), message, draft, is_answer=was_loading)


def may_use(world: World, user: User, channel: Channel, command: Json) -> bool:
    """Whether a person may use a command in a channel: where it is offered, and the permissions it asks for."""
    contexts = command.get("contexts")
    if contexts is not None and (0 if channel.guild else 1) not in contexts:
        return False
    if not channel.guild:
        return command.get("dm_permission", True) is not False and not command.get("guild_id")
    needed = command.get("default_member_permissions")
    may = world.may(user.id, channel)
    if not may & permissions.bits(["use_application_commands"]):
        return False
    return needed is None or bool(may & permissions.ADMINISTRATOR) or (int(needed) != 0 and may & int(needed) == int(needed))
