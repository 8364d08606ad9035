"""Carries happenings to the sessions that may hear them; each payload is encoded once. Knows no sockets."""

from collections.abc import Callable

import orjson

from discord_loopback import permissions
from discord_loopback.gateway.sessions import Session
from discord_loopback.happenings import MESSAGE_CONTENT, Happening, without_content
from discord_loopback.refusals import Json
from discord_loopback.snowflakes import shard_of
from discord_loopback.traffic import Sent
from discord_loopback.world import World

Changed = Callable[[Json], Json]


class Hub:
    """All sessions. `hold` names events that are kept back until `release`, so that others overtake them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sessions: dict[str, Session] = {}
        self._held_names: frozenset[str] = frozenset()
        self._held: list[Happening] = []
        world.listeners.append(self.hear)

    def hold(self, names: frozenset[str]) -> None:
        """Keep events of these names back from now on."""
        self._held_names = names

    def release(self) -> None:
        """Let the events that were kept back go, in their order, and keep none back."""
        self._held_names = frozenset()
        held, self._held = self._held, []
        for happening in held:
            self._carry(happening)

    def hear(self, happening: Happening) -> None:
        """Carry one happening, or keep it back."""
        if happening.name in self._held_names:
            self._held.append(happening)
        elif not happening.eyes:
            self._carry(happening)

    def _carry(self, happening: Happening) -> None:
        whole = blank = b""
        for session in list(self.sessions.values()):
            if not self._may_hear(session, happening):
                continue
            if happening.has_content and not self._may_read(session, happening):
                blank = blank or orjson.dumps(without_content(happening.data))
                self._dispatch(session, happening, blank, without_content)
            else:
                whole = whole or orjson.dumps(happening.data)
                self._dispatch(session, happening, whole, None)

    def _dispatch(self, session: Session, happening: Happening, body: bytes, changed: Changed | None) -> None:
        session.say(happening.name, body, twice=self.world.switches.duplicate_events)
        if self.world.switches.record:
            data = changed(happening.data) if changed else happening.data
            self.world.traffic.events.append(Sent(self.world.clock(), session.id, session.sequence, happening.name, data))

    def _may_hear(self, session: Session, happening: Happening) -> bool:
        if happening.only is not None and happening.only is not session.application:
            return False
        if happening.needs and not session.intents & happening.needs:
            return False
        guild, bot = happening.guild, session.application.bot.id
        if guild is not None:
            if bot not in guild.members or shard_of(guild.id, session.shards) != session.shard:
                return False
        elif session.shard != 0:
            return False
        return happening.channel is None or bool(self.world.may(bot, happening.channel) & permissions.VIEW_CHANNEL)

    def _may_read(self, session: Session, happening: Happening) -> bool:
        bot = session.application.bot.id
        return bool(
            session.intents & MESSAGE_CONTENT
            or happening.guild is None
            or happening.author in (bot, session.application.id)
            or bot in happening.mentioned
        )

    def of(self, application: int = 0) -> list[Session]:
        """The sessions of an application; of all for 0."""
        return [one for one in self.sessions.values() if application in (0, one.application.id)]

    def cut(self, application: int = 0, code: int = 0) -> int:
        """End connections as a fault would, with a close code or without; their sessions can be resumed. Returns how many."""
        speaking = [one for one in self.of(application) if one.hang is not None]
        for session in speaking:
            if session.hang is not None:
                session.hang(code)
        return len(speaking)

    def ask(self, opcode: int, data: object, application: int = 0) -> int:
        """Send an opcode to every connection, such as 7 (reconnect) or 9 (invalid session). Returns to how many."""
        payload = orjson.dumps({"op": opcode, "d": data, "s": None, "t": None})
        speaking = [one for one in self.of(application) if one.outlet is not None]
        for session in speaking:
            if session.outlet is not None:
                session.outlet(payload)
        return len(speaking)

    def forget(self, session: Session) -> None:
        """End a session for good."""
        self.sessions.pop(session.id, None)

    def forget_old(self) -> None:
        """End the sessions whose connection has been gone too long."""
        oldest = self.world.clock() - self.world.switches.keep_sessions
        for session in [one for one in self.sessions.values() if one.outlet is None and one.left_at < oldest]:
            self.forget(session)
