"""Where on Discord a conversation is: channels, threads and direct messages as sessions, both ways. Nothing is sent from here."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

import discord

from coterie.domain.ids import SessionId, WorkspaceId
from coterie.domain.sessions.names import Kind
from coterie.domain.sessions.session import Place
from coterie.ports.stores import NotFound, Sessions
from coterie.ports.webhooks import ChannelId

GUILD = "discord:"
DIRECT = "dm:"
_KEPT = 20_000

Channel = discord.TextChannel | discord.Thread | discord.VoiceChannel | discord.StageChannel | discord.DMChannel
"""Where messages can be written."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A channel, thread or direct message with the session it is."""

    session: SessionId
    workspace: WorkspaceId
    channel: ChannelId
    guild: int | None
    user: int | None

    @property
    def place(self) -> Place:
        """As the session's row holds it."""
        return Place(str(self.channel), str(self.guild or ""), str(self.user or ""))


def spot(channel: int, guild: int | None, user: int | None) -> Spot:
    """The session of a channel in a guild, or of a direct message with a user. The id does not reveal the channel."""
    # The same channel has the same session for ever: SHA-256 of `guild_channel`, or of `channel_user` for a direct message.
    named = f"{guild}_{channel}" if guild else f"{channel}_{user}"
    session = SessionId(f"{Kind.DISCORD}-{hashlib.sha256(named.encode()).hexdigest()}")
    workspace = WorkspaceId(f"{GUILD}{guild}" if guild else f"{DIRECT}{user}")
    return Spot(session, workspace, ChannelId(channel), guild, None if guild else user)


class Places:
    """The places that are known: every one of them has its row in `sessions`."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._known: OrderedDict[SessionId, Spot] = OrderedDict()

    async def know(self, here: Spot, name: str) -> None:
        """Make sure that a place has its session, shown as `name` as long as nobody names it otherwise."""
        if here.session not in self._known:
            await self._sessions.create(here.session, here.workspace, name, place=here.place)
            self._remember(here)

    def forget(self, here: Spot) -> None:
        """The session of a place may be gone."""
        self._known.pop(here.session, None)

    async def find(self, session: SessionId) -> Spot | None:
        """The place of a session, also of one that only the database remembers."""
        found = self._known.get(session)
        if found is None:
            try:
                row = await self._sessions.session(session)
            except NotFound:
                return None
            if not row.channel_id.isdecimal():
                return None
            found = spot(int(row.channel_id), _number(row.guild_id), _number(row.user_id))
            self._remember(found)
        return found

    def _remember(self, here: Spot) -> None:
        self._known[here.session] = here
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
