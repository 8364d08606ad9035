"""Discord as the place where turns speak: main as the bot user, alters through the channel's webhook, each line once.

A line is kept before it comes here, and its post is recorded when Discord has it; between the two it is on its way, and a restart looks for
it (`delivered`). Decides nothing about who speaks.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

import discord

from coterie.domain.conversation import IncomingMessage, Message, Person, PersonaVoice
from coterie.domain.ids import Handle, MessageId, PersonaId, SessionId, TurnId, UserId
from coterie.domain.personas.persona import Cast, Persona
from coterie.domain.prompt.participants import Surroundings
from coterie.domain.speech.name_groups import NameGroups
from coterie.domain.turns.plan import Why
from coterie.kit.text import head
from coterie.platforms.discord.bot_lines import BotLine, BotLines
from coterie.platforms.discord.commands.language import tongue_of
from coterie.platforms.discord.declining import Declining
from coterie.platforms.discord.dress import Dress, Dresses, shown_sprite
from coterie.platforms.discord.faces import Face
from coterie.platforms.discord.lines import Line, Sent, Target
from coterie.platforms.discord.notices import reply_notice
from coterie.platforms.discord.places import Places, Spot
from coterie.platforms.discord.refused import FELL_BACK, RefusedSends, Way
from coterie.platforms.discord.rings import Rings
from coterie.platforms.discord.tools import Stickers, tools_for
from coterie.platforms.discord.typing import TypingSigns
from coterie.platforms.discord.webhook_errors import SENTENCES, OutcomeUnknown, Refusal, WebhooksRefused
from coterie.platforms.discord.webhooks import Webhooks
from coterie.ports.clock import Clock
from coterie.ports.platform import Limits, NotSaid
from coterie.ports.posts import Post, PostId, Posts
from coterie.ports.stores import Casts, Settled
from coterie.ports.tools import Tool
from coterie.ports.webhooks import ChannelId, WebhookId

LIMITS = Limits(1_900, in_parts=True)
"""Of Discord's 2,000 characters some are left for a name in front, where no webhook can carry the line."""
_NONCE = 25
"""The longest nonce that Discord takes."""
_MENTION = re.compile(r"<@!?(\d{1,20})>")
_WITH_WEBHOOKS = (discord.TextChannel, discord.Thread)

Report = Callable[[str, Exception], None]


@dataclass(frozen=True, slots=True)
class Voices:
    """All ways in which a line can leave."""

    bot: BotLines
    webhooks: Webhooks
    dresses: Dresses


@dataclass(slots=True)
class DiscordStage:
    """The `Platform` of sessions on Discord."""

    client: discord.Client
    places: Places
    rings: Rings
    posts: Posts
    casts: Casts
    voices: Voices
    clock: Clock
    report: Report
    declining: Declining
    refused: RefusedSends = field(default_factory=RefusedSends)
    groups: NameGroups = field(default_factory=NameGroups)
    guests: dict[MessageId, int] = field(default_factory=dict)
    """Whom a greeting welcomes that is under way, by the message it began with."""
    sends: dict[ChannelId, set[asyncio.Future[None]]] = field(default_factory=dict)
    signs: TypingSigns = field(init=False)
    stickers: Stickers = field(init=False)

    def __post_init__(self) -> None:
        self.signs = TypingSigns(self.client)
        self.stickers = Stickers(self.client, self.clock.monotonic)

    def limits(self, session: SessionId) -> Limits:
        """What one message may hold."""
        return LIMITS

    async def history(self, session: SessionId, limit: int) -> tuple[Message, ...] | None:
        """What was said in the channel, by whomever."""
        here = await self.places.find(session)
        return None if here is None else await self.rings.newest(here, limit)

    async def surroundings(self, session: SessionId) -> Surroundings:
        """Where a webhook can speak, a line can have a name and face of its own."""
        here = await self.places.find(session)
        us = self.client.user
        if here is None or us is None:
            return Surroundings()
        return Surroundings(self._has_webhooks(here), UserId(str(us.id)), "<@{}>")

    async def can_show(self, session: SessionId, persona: Persona, picture: str) -> bool:
        """Whether the picture is there."""
        here = await self.places.find(session)
        if here is None or here.guild is None:
            return False
        return await self.voices.dresses.can_show(here.guild, await self.casts.cast(here.workspace), persona, picture)

    async def tools(self, session: SessionId, persona: Persona, later: Callable[[str], None]) -> tuple[Tool, ...]:
        """Stickers of the server, said last as the specification wants it, and cards."""
        here = await self.places.find(session)
        if here is None:
            return ()

        async def show(card: discord.Embed) -> None:
            await self.show_card(here, persona, card)

        return tools_for(await self.stickers.of(here.guild), later, show)

    async def prepare(self, session: SessionId, persona: Persona) -> None:
        """Raise `NotSaid` where the channel is known not to take lines of the persona, so that no model is asked in vain."""
        here = await self._here(session)
        if self._is_timed_out(here):
            raise NotSaid("I am in time-out in this server, so I say nothing until it ends.")
        why = self.refused.why_not(here.channel, self.ways(here, persona), self.clock.monotonic())
        if why is not None:
            raise NotSaid(SENTENCES[why])

    def ways(self, here: Spot, persona: Persona) -> tuple[Way, ...]:
        """In which lines of a persona leave, one where the other is refused."""
        return (Way.WEBHOOK, Way.BOT) if persona.is_alter and self._has_webhooks(here) else (Way.BOT,)

    async def heard(self, message: IncomingMessage) -> None:
        """Discord showed it already."""

    async def planned(
        self, session: SessionId, root: MessageId, message: MessageId, settled: Settled, handles: dict[PersonaId, Handle]
    ) -> None:
        """Show that somebody will answer."""
        guest = next((turn.direction.guest for turn in settled.turns if turn.direction is not None and turn.direction.guest), "")
        if guest:
            self.guests[root] = int(guest)
        here = await self.places.find(session) if settled.turns else None
        if here is not None:
            self.signs.begin(here, root)

    async def declined(self, message: IncomingMessage, why: Why, until: datetime | None) -> None:
        """Whoever wrote the message is told in private."""
        await self.declining.tell(message, why, until)

    async def delta(self, session: SessionId, root: MessageId, turn: TurnId, text: str) -> None:
        """Nothing of a message that is not complete is shown."""

    async def discard(self, session: SessionId, root: MessageId, turn: TurnId) -> None:
        """So there is nothing to take back."""

    async def say(self, session: SessionId, root: MessageId, avatar: str | None, line: Message) -> None:
        """Say a line and record its post. Raises `NotSaid`."""
        here = await self._here(session)
        with self._under_way(here):
            try:
                post = await self._said(here, line)
            except WebhooksRefused as error:
                raise NotSaid(error.sentence) from error
            await self.record(here, post, line)

    async def recorded(self, here: Spot) -> None:
        """Wait until the record knows what can be seen in a channel by now: people may answer a line before Discord has answered us."""
        if sends := self.sends.get(here.channel):
            await asyncio.wait(tuple(sends))

    @contextmanager
    def _under_way(self, here: Spot) -> Iterator[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sends.setdefault(here.channel, set()).add(done)
        try:
            yield
        finally:
            done.set_result(None)
            self.sends[here.channel].discard(done)
            if not self.sends[here.channel]:
                del self.sends[here.channel]

    async def record(self, here: Spot, post: Post, line: Message) -> None:
        """Discord has the line."""
        # The bot user has one look for all.
        self.rings.add(here.channel, post.id, replace(line, appearance=None) if post.webhook is None else line)
        await self.posts.keep(post)

    async def show_card(self, here: Spot, persona: Persona, card: discord.Embed) -> None:
        """Show a card as the persona at once, by the webhook where there is one (specification 000, tool-call embeds).

        It is no line and is not looked for after a restart; who talks here next reads of it. Raises `WebhooksRefused`.
        """
        text, now = f"[card: {card.title or ''}] {card.description or ''}", self.clock.now()
        line = Message(MessageId(""), here.session, PersonaVoice(persona.id, persona.handle, persona.name), text, now)
        try:
            dress = await self._dress(here, await self.casts.cast(here.workspace), persona, line) if self._has_webhooks(here) else None
            if dress is not None:
                self.rings.add(here.channel, (await self._send(here, dress, Line("", embeds=(card,)))).message, line)
                return
        except WebhooksRefused as error:
            if error.kind not in FELL_BACK:
                raise
        if here.guild is None or persona.is_alter:
            card = card.copy().set_author(name=persona.name)
        post = await self._send_as_bot(here, BotLine("", nonce_of(f"{here.channel} {text} {now}"), embed=card))
        self.groups.interrupted(here.channel)
        self.rings.add(here.channel, post, line)

    async def unsay(self, session: SessionId, root: MessageId, lines: tuple[MessageId, ...]) -> None:
        """Remove the messages that carry these lines."""
        here = await self._here(session)
        for post in await self.posts.of_lines(lines):
            self.rings.remove(here.channel, [post.id])
            if post.webhook is None:
                await self.voices.bot.delete(here, post.id)
                continue
            try:
                await self.voices.webhooks.delete(Sent(self._target(here), post.id, post.webhook, ""))
            except WebhooksRefused as error:
                self.report(f"the removal of message {post.id}", error)

    async def failed(self, session: SessionId, root: MessageId, turn: TurnId | None, sentence: str) -> None:
        """Tell people what went wrong, not more often than every ten minutes."""
        here = await self.places.find(session)
        if here is not None:
            await self.warn(here, sentence)

    async def ended(self, session: SessionId, root: MessageId, status: str) -> None:
        """Nobody answers any more."""
        self.guests.pop(root, None)
        self.signs.end(session, root)

    async def warn(self, here: Spot, sentence: str) -> None:
        """A notice in the language of the server, at most once per ten minutes and channel. What cannot be sent is not sent."""
        if self._is_timed_out(here) or not self.refused.may_warn(here.channel, self.clock.monotonic()):
            return
        guild = self.client.get_guild(here.guild) if here.guild else None
        said = tongue_of(guild.preferred_locale).say(sentence) if guild is not None else sentence
        notice = discord.Embed(description=said, colour=discord.Colour.orange())
        with suppress(WebhooksRefused):
            await self._send_as_bot(here, BotLine("", nonce_of(f"{here.channel} {sentence}"), embed=notice))

    def _is_timed_out(self, here: Spot) -> bool:
        guild = self.client.get_guild(here.guild) if here.guild else None
        until = guild.me.timed_out_until if guild is not None and guild.me is not None else None
        return until is not None and until > self.clock.now()

    @contextmanager
    def _by(self, way: Way, here: Spot) -> Iterator[None]:
        """Remember how a send in this way fares."""
        try:
            yield
        except WebhooksRefused as error:
            # A time-out ends by itself, and is known without a try.
            if not self._is_timed_out(here):
                self.refused.refused(here.channel, way, error.kind, self.clock.monotonic())
            raise
        self.refused.succeeded(here.channel, way)

    async def _here(self, session: SessionId) -> Spot:
        here = await self.places.find(session)
        if here is None:
            raise NotSaid(SENTENCES[Refusal.CHANNEL_GONE])
        return here

    async def _said(self, here: Spot, line: Message) -> Post:
        """Send the line by the voice that suits it."""
        assert isinstance(line.author, PersonaVoice)
        cast = await self.casts.cast(here.workspace)
        persona = cast.by_id(line.author.id)
        if here.guild is None:
            return await self._by_bot(here, line, with_name=True)
        is_alter = persona is not None and persona.is_alter
        try:
            dress = await self._dress(here, cast, persona, line) if persona is not None and self._has_webhooks(here) else None
            if dress is not None:
                return await self._by_webhook(here, dress, line)
        except WebhooksRefused as error:
            if error.kind not in FELL_BACK:
                raise
            await self.warn(here, error.sentence)
        return await self._by_bot(here, line, with_name=is_alter)

    async def _dress(self, here: Spot, cast: Cast, persona: Persona, line: Message) -> Dress | None:
        """What a webhook shows the line in; nothing where the bot user says it."""
        assert here.guild is not None
        dresses = self.voices.dresses
        worn = await dresses.worn(here.guild, cast, persona, line.appearance) if line.appearance is not None else None
        if worn is not None or not persona.is_alter:
            return worn
        return await dresses.plain(here.guild, cast, persona)

    async def _by_bot(self, here: Spot, line: Message, *, with_name: bool) -> Post:
        sticker = await self.stickers.in_line(here.guild, line.text)
        if sticker is not None:
            # Nothing stands behind the name but what it names.
            text = self._in_front(line, colon="") if with_name else ""
        else:
            text = f"{self._in_front(line)} {line.text}" if with_name else line.text
        answered = int(line.reply_to) if line.reply_to and line.reply_to.isdecimal() else None
        message = await self._send_as_bot(here, BotLine(text, nonce_of(line.id), self._pings(here, line), answered, sticker=sticker))
        self.groups.interrupted(here.channel)
        return Post(PostId(message), line.id, here.channel)

    async def _send_as_bot(self, here: Spot, line: BotLine) -> int:
        with self._by(Way.BOT, here):
            return await self.voices.bot.send(here, line)

    def _in_front(self, line: Message, colon: str = ":") -> str:
        """The name of who speaks, where no webhook can bear it."""
        return f"**{discord.utils.escape_markdown(head(line.author.name, 60))}{colon}**"

    async def _by_webhook(self, here: Spot, dress: Dress, line: Message) -> Post:
        notice = reply_notice(here, line, self.rings.find(here.channel, line.reply_to) if line.reply_to else None)
        # No webhook can send a sticker; its address shows it.
        sticker = await self.stickers.in_line(here.guild, line.text)
        text = line.text if sticker is None else sticker.url
        sent = await self._send(here, dress, Line("", text, self._pings(here, line), embeds=(notice,) if notice else ()))
        return Post(PostId(sent.message), line.id, here.channel, WebhookId(sent.webhook), shown_sprite(line))

    async def _send(self, here: Spot, dress: Dress, line: Line) -> Sent:
        """Send something through the webhook, in a dress and under the name that suits it here."""
        now, target, face = self.clock.monotonic(), self._target(here), dress.face
        name = self.groups.name_for(here.channel, dress.look, newest=getattr(self._channel(here), "last_message_id", None), now=now)
        outgoing = replace(line, name=name)
        with self._by(Way.WEBHOOK, here):
            try:
                sent = await self.voices.webhooks.send(target, outgoing, face)
            except OutcomeUnknown as unknown:
                found = await self.voices.webhooks.find(unknown.attempt)
                sent = found or await self._once_more(target, outgoing, face)
        self.groups.shown(here.channel, dress.look, name, message=sent.message, now=now)
        return sent

    async def _once_more(self, target: Target, line: Line, face: Face) -> Sent:
        try:
            return await self.voices.webhooks.send(target, line, face)
        except OutcomeUnknown as unknown:
            raise WebhooksRefused(Refusal.UNREACHABLE) from unknown

    def _has_webhooks(self, here: Spot) -> bool:
        return here.guild is not None and isinstance(self._channel(here), _WITH_WEBHOOKS)

    def _channel(self, here: Spot) -> object:
        return self.client.get_channel(here.channel)

    def _target(self, here: Spot) -> Target:
        channel = self.client.get_channel(here.channel)
        return Target.of(channel) if isinstance(channel, discord.Thread) else Target(here.channel)

    def _pings(self, here: Spot, line: Message) -> tuple[int, ...]:
        """Those mentioned in the line who take part in the talk, or in a greeting the guest alone; nobody else is pinged."""
        mentioned = {int(user) for user in _MENTION.findall(line.text)}
        if line.root is not None and (guest := self.guests.get(line.root)) is not None:
            return (guest,) if guest in mentioned else ()
        there = {said.author.id for said in self.rings.known(here.channel) if isinstance(said.author, Person)} if mentioned else set()
        return tuple(sorted(user for user in mentioned if str(user) in there))[:100]


def nonce_of(line: str) -> str:
    """A nonce that is the same for the same line, also after a restart."""
    return hashlib.sha256(line.encode()).hexdigest()[:_NONCE]
