"""What was said, as a turn may hear it: without those who want not to be read, and people under the names they want."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from coterie.domain.conversation import Message, Person
from coterie.domain.ids import MessageId, UserId
from coterie.domain.settings import Settings
from coterie.flows.world import World
from coterie.ports.stores import Turn


async def read_history(world: World, turn: Turn, limit: int) -> tuple[Message, ...]:
    """The newest messages, oldest first, as the place knows them, or as they are kept."""
    there = await world.platform.history(turn.session, limit)
    said = there if there is not None else (await world.conversations.history(turn.session, limit)).messages
    return await _as_wanted(world, turn, said)


async def read_trigger(world: World, turn: Turn) -> Message | None:
    """The message that a turn was planned for, if it is still there."""
    trigger = await world.conversations.message(turn.trigger)
    if trigger is None:
        return None
    return next(iter(await _as_wanted(world, turn, [trigger])), None)


async def _as_wanted(world: World, turn: Turn, said: Iterable[Message]) -> tuple[Message, ...]:
    """Leave out people whose privacy is full, in servers, and call the others as they want it."""
    messages = tuple(said)
    people = {message.author.id for message in messages if isinstance(message.author, Person)}
    own = await world.people.several(people) if people else {}
    chosen = {person: settings for person, settings in own.items() if settings.chosen}
    if not chosen:
        return messages
    is_in_server = turn.standing.is_in_server
    return tuple(_named(message, chosen) for message in messages if not (is_in_server and _is_hidden(message, turn, chosen)))


def _is_hidden(message: Message, turn: Turn, chosen: dict[UserId, Settings]) -> bool:
    """Whoever gave a command is answered, but nothing else that they said is read."""
    own = chosen.get(message.author.id) if isinstance(message.author, Person) else None
    return own is not None and own.text("privacy") == "full" and message.id != turn.trigger


def _named(message: Message, chosen: dict[UserId, Settings]) -> Message:
    own = chosen.get(message.author.id) if isinstance(message.author, Person) else None
    if own is None or not own.text("nickname") or own.text("privacy") != "minimal":
        return message
    assert isinstance(message.author, Person)
    return replace(message, author=replace(message.author, name=own.text("nickname")))


def heard_by(turn: Turn, history: Sequence[Message], queued: frozenset[MessageId], *, sees_earlier: bool) -> tuple[Message, ...]:
    """What a turn hears: not the messages that wait for their own turn; without `sees_earlier`, nor what others answered to its trigger."""
    place = next((index for index, message in enumerate(history) if message.id == turn.trigger), len(history))

    def is_heard(index: int, message: Message) -> bool:
        if message.id == turn.trigger:
            # A command is nothing that was said.
            return turn.direction is None
        answers_the_same = index > place and message.root == turn.root
        return message.id not in queued and (sees_earlier or not answers_the_same)

    return tuple(message for index, message in enumerate(history) if is_heard(index, message))
