"""What happens on Discord, and what of it concerns the cast. Most messages do not: they are looked at without a task or a question.

Sentences of people become values in `door`; what follows from them is `flows`.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeVar

import discord

from coterie.domain.access import Access
from coterie.domain.conversation import IncomingMessage, Message
from coterie.domain.ids import MessageId, PersonaId, SessionId, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast
from coterie.domain.settings import Settings
from coterie.domain.triggers.recognise import CastWords
from coterie.flows.called import Words
from coterie.kit.lanes import Lanes, Ticket
from coterie.platforms.discord import door
from coterie.platforms.discord.errands import Errand
from coterie.platforms.discord.places import Places, Spot, spot
from coterie.platforms.discord.rings import Rings
from coterie.ports.access import AccessLists, People
from coterie.ports.clock import Clock
from coterie.ports.posts import PostId, Posts
from coterie.ports.stores import Casts, NotFound, WorkspaceSettings
from coterie.ports.webhooks import ChannelId

T = TypeVar("T")

ANSWERED_WITHIN = timedelta(minutes=3)
"""What reaches us later than this after it was written (a long interruption) is heard, and not answered."""
LOOKED_AGAIN_AFTER = 2.0
"""Seconds after which the version of a guild that talks is asked for: what another process has changed is told, but not for certain."""
_KEPT = 20_000
_KEPT_WORKSPACES = 500


class Talking(Protocol):
    """The conversations, as far as a platform speaks to them."""

    async def receive(self, message: IncomingMessage) -> bool:
        """A person's message arrives."""
        ...

    async def amend(self, session: SessionId, message: MessageId, text: str) -> None:
        """A person changed a message."""
        ...

    async def forget(self, messages: Sequence[MessageId]) -> None:
        """Messages were deleted."""
        ...

    async def overheard(self, session: SessionId) -> None:
        """A person said something that calls nobody."""
        ...

    def is_at_rest(self, session: SessionId) -> bool:
        """Whether such a message would change nothing."""
        ...

    def runs_for(self, session: SessionId, person: UserId) -> bool:
        """Whether a turn runs in a session that goes back to this person, who may go on or stop it."""
        ...


@dataclass(frozen=True, slots=True)
class Memory:
    """What is kept of workspaces and of what was sent."""

    casts: Casts
    settings: WorkspaceSettings
    posts: Posts
    access: AccessLists
    people: People


Recorded = Callable[[Spot], Awaitable[None]]
"""Waits until what can be seen in a channel is recorded."""

Source = Callable[[discord.Message, Cast], PersonaId | None]
"""Which persona said a message that is not recorded, as far as it can be told."""

Follow = Callable[[int, Cast], None]
"""Lets the look of the bot user in a guild follow its cast."""

Report = Callable[[str, Exception], None]
"""Where an unexpected error goes: what was being done, and the error."""


@dataclass(slots=True)
class _Known:
    """What is known of a workspace without asking."""

    cast: Cast
    settings: Settings
    access: Access
    words: CastWords
    at: float

    def is_remembered(self, memory: Memory) -> bool:
        """Whether nothing of it has been changed or heard to be changed since; asks nobody."""
        workspace = self.cast.workspace
        return (
            memory.casts.remembered(workspace) is self.cast
            and memory.settings.remembered(workspace) is self.settings
            and memory.access.remembered(workspace) is self.access
        )


@dataclass(frozen=True, slots=True)
class _Arrival:
    message: discord.Message
    here: Spot


@dataclass(frozen=True, slots=True)
class _Edit:
    here: Spot
    message: MessageId
    text: str


@dataclass(frozen=True, slots=True)
class _Removal:
    here: Spot
    posts: frozenset[int]


_Item = _Arrival | _Edit | _Removal | Errand[Any]


class Listening:
    """The ears of one process. Messages of one channel are taken up one after the other."""

    def __init__(
        self,
        talk: Talking,
        memory: Memory,
        places: Places,
        rings: Rings,
        *,
        recorded: Recorded,
        source: Source,
        follow: Follow,
        clock: Clock,
        report: Report,
    ) -> None:
        self._talk, self._memory, self._places, self._rings = talk, memory, places, rings
        self._recorded, self._source, self._follow, self._clock, self._report = recorded, source, follow, clock, report
        self._spots: OrderedDict[int, Spot] = OrderedDict()
        self._known: OrderedDict[WorkspaceId, _Known] = OrderedDict()
        self._words = Words()
        self._us: discord.ClientUser | None = None
        self._application: int | None = None
        self._arrivals: Lanes[SessionId, _Item] = Lanes(self._take_up, report=self._went_wrong, now=clock.monotonic)

    def are(self, us: discord.ClientUser, application: int | None) -> None:
        """Who we are; what comes in before is not heard."""
        self._us, self._application = us, application

    def hear(self, message: discord.Message) -> None:
        """A message was written. Never waits."""
        us = self._us
        if us is None or message.author.id == us.id or (message.webhook_id and message.application_id == self._application):
            return
        if not door.is_talk(message):
            return
        here = self._spot(message)
        if self._rings.holds(here.channel):
            self._rings.add(here.channel, message.id, as_kept(message, here))
        if message.author.bot or message.webhook_id:
            return
        if self._talk.is_at_rest(here.session) and not self._concerns_us(message, here, us):
            return
        if self._clock.now() - message.created_at <= ANSWERED_WITHIN:
            self._arrivals.submit(here.session, _Arrival(message, here))

    def edited(self, channel: int, post: int, text: str) -> None:
        """A message was changed."""
        self._rings.edit(ChannelId(channel), post, text)
        if (here := self._spots.get(channel)) is not None:
            self._arrivals.submit(here.session, _Edit(here, MessageId(str(post)), text))

    def removed(self, channel: int, posts: set[int]) -> None:
        """Messages were deleted."""
        self._rings.remove(ChannelId(channel), list(posts))
        if (here := self._spots.get(channel)) is not None:
            self._arrivals.submit(here.session, _Removal(here, frozenset(posts)))

    def changed(self, workspace: WorkspaceId) -> None:
        """What was set there, or who may call whom, has changed: it is looked at again with the next message."""
        self._known.pop(workspace, None)

    def missed(self) -> None:
        """Events may have been lost: what is known of channels is read again."""
        self._rings.forget_all()

    async def in_turn(self, session: SessionId, work: Callable[[], Awaitable[T]]) -> T:
        """Do something in a channel behind everything that arrived there before. Raises what `work` raises, and `Overtaken`."""
        return await self._wait(session, Errand(work))

    async def halt(self, session: SessionId, stop: Callable[[], Awaitable[bool]]) -> bool:
        """Take up nothing of what arrived before this, and `stop` what was taken up already; whether there was anything."""
        gone = self._arrivals.discard(session, lambda item: not (isinstance(item, Errand) and item.stays))
        for item in gone:
            if isinstance(item, Errand):
                item.take_back()
        return await self._wait(session, Errand(stop, stays=True)) or bool(gone)

    async def close(self) -> None:
        """Take up nothing more."""
        sessions = self._arrivals.keys()
        for session in sessions:
            for item in self._arrivals.discard(session, lambda _: True):
                if isinstance(item, Errand):
                    item.take_back()
        await self._arrivals.close("closing")

    async def _wait(self, session: SessionId, errand: Errand[T]) -> T:
        self._arrivals.submit(session, errand)
        return await errand.outcome()

    def _spot(self, message: discord.Message) -> Spot:
        found = self._spots.get(message.channel.id)
        if found is None:
            guild = message.guild.id if message.guild else None
            found = spot(message.channel.id, guild, None if guild else message.author.id)
            self._spots[message.channel.id] = found
            if len(self._spots) > _KEPT:
                self._spots.popitem(last=False)
        return found

    def _concerns_us(self, message: discord.Message, here: Spot, us: discord.ClientUser) -> bool:
        """Whether somebody of the cast could answer, or a running turn is meant; where nothing is known yet, it might."""
        known = self._known.get(here.workspace)
        if known is None or here.guild is None or not known.is_remembered(self._memory):
            return True
        if self._clock.monotonic() - known.at > LOOKED_AGAIN_AFTER:
            return True
        if known.settings.flag("always-reply") or message.reference is not None or _may_be_answered_uncalled(known.access, message):
            return True
        if self._talk.runs_for(here.session, UserId(str(message.author.id))):
            return True
        return bool(known.words.called(message.content)) or door.mentions_us(message, us)

    async def _take_up(self, ticket: Ticket[SessionId, _Item]) -> None:
        match ticket.item:
            case Errand() as errand:
                await errand.run()
            case _Arrival(message, here):
                await self._hear_out(message, here)
            case _Edit(here, message_id, text):
                await self._talk.amend(here.session, message_id, text)
            case _Removal(_, posts):
                lines = await self._memory.posts.lines([PostId(post) for post in posts])
                await self._talk.forget([*(MessageId(str(post)) for post in posts), *(line.id for line in lines.values())])

    async def _hear_out(self, message: discord.Message, here: Spot) -> None:
        us = self._us
        assert us is not None
        await self._look(here)
        if not self._concerns_us(message, here, us):
            await self._talk.overheard(here.session)
            return
        reply_to = await self.replied_to(message, here)
        replied_to = await self._speaker(message, here) if reply_to is not None else None
        incoming = door.incoming(message, here, us, reply_to=reply_to, replied_to=replied_to)
        await self._places.know(here, _name_of(message))
        try:
            await self._talk.receive(incoming)
        except NotFound:
            # Somebody removed the session meanwhile; the channel is still there, and begins anew.
            self._places.forget(here)
            await self._places.know(here, _name_of(message))
            await self._talk.receive(incoming)

    async def _look(self, here: Spot) -> None:
        """Know the workspace as it is now. What other processes change is told; what was lost of that is known within two seconds."""
        workspace, known, at = here.workspace, self._known.get(here.workspace), self._clock.monotonic()
        if known is not None and at - known.at <= LOOKED_AGAIN_AFTER:
            at = known.at
        else:
            await self._memory.casts.check(workspace)
        cast, settings = await self._memory.casts.cast(workspace), await self._memory.settings.settings(workspace)
        access = await self._memory.access.access(workspace)
        if here.guild is not None:
            self._follow(here.guild, cast)
        self._known[workspace] = _Known(cast, settings, access, self._words.of(cast), at)
        self._known.move_to_end(workspace)
        if len(self._known) > _KEPT_WORKSPACES:
            self._known.popitem(last=False)

    async def replied_to(self, message: discord.Message, here: Spot) -> MessageId | None:
        """What a message replies to, by our own id."""
        reference = message.reference
        if reference is None or reference.message_id is None or reference.type is not discord.MessageReferenceType.reply:
            return None
        await self._recorded(here)
        line = (await self._memory.posts.lines([PostId(reference.message_id)])).get(PostId(reference.message_id))
        return line.id if line is not None else MessageId(str(reference.message_id))

    async def _speaker(self, message: discord.Message, here: Spot) -> PersonaId | None:
        """Which persona said what a message replies to, by its name; an answer to a command is nobody's line."""
        replied = message.reference.resolved if message.reference is not None else None
        if not isinstance(replied, discord.Message) or not door.is_talk(replied):
            return None
        return self._source(replied, await self._memory.casts.cast(here.workspace))

    async def _went_wrong(self, item: _Item, error: Exception) -> None:
        what = "a command" if isinstance(item, Errand) else f"{type(item).__name__.strip('_').lower()} in channel {item.here.channel}"
        self._report(f"{what} on Discord", error)


def _may_be_answered_uncalled(access: Access, message: discord.Message) -> bool:
    """Whether this is a channel, or for its author one, in which somebody may answer without being called."""
    if not access.auto_channels and not access.spotlights:
        return False
    standing = door.standing_of(message)
    author = UserId(str(message.author.id))
    return access.auto_place(standing) is not None or (author, standing.channel) in access.spotlights


def as_kept(message: discord.Message, here: Spot) -> Message:
    """A person's message as history shows it."""
    reference = message.reference
    reply_to = MessageId(str(reference.message_id)) if reference is not None and reference.message_id else None
    return Message(MessageId(str(message.id)), here.session, door.speaker(message), door.text_of(message), message.created_at, reply_to)


def _name_of(message: discord.Message) -> str:
    return getattr(message.channel, "name", None) or message.author.display_name
