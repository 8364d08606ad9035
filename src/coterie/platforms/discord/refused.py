"""Who cannot write in a channel, and why, so that no model is asked for an answer that nobody would see; and when people are told.

Knows no clock: times are seconds of one that never goes back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from coterie.platforms.discord.webhook_errors import Refusal
from coterie.ports.webhooks import ChannelId

REMEMBERED_FOR = 15 * 60.0
WARNED_EVERY = 10 * 60.0

_MOST_CHANNELS = 2_000


class Way(StrEnum):
    """In which a line leaves. Discord may refuse one and take the other."""

    BOT = "bot"
    WEBHOOK = "webhook"


FELL_BACK = frozenset(
    {
        Refusal.MISSING_PERMISSION,
        Refusal.TOO_MANY_HERE,
        Refusal.TOO_MANY_IN_SERVER,
        Refusal.NO_WEBHOOKS_HERE,
        Refusal.WEBHOOK_VANISHES,
    }
)
"""Where a webhook cannot carry a line, and the bot user still can."""

_ANYBODYS = frozenset({Refusal.NO_ACCESS, Refusal.CHANNEL_GONE})
"""What is wrong with the channel, whichever way a line takes."""
_LASTING = {
    Way.BOT: _ANYBODYS | {Refusal.MAY_NOT_WRITE, Refusal.NO_DIRECT_MESSAGES},
    Way.WEBHOOK: _ANYBODYS | FELL_BACK,
}


@dataclass(frozen=True, slots=True)
class _Closed:
    reason: Refusal
    at: float


class RefusedSends:
    """What was refused lately, by channel or thread and way. Being asked to wait (429) is no refusal and never counts."""

    def __init__(self) -> None:
        self._closed: dict[tuple[ChannelId, Way], _Closed] = {}
        self._warned: dict[ChannelId, float] = {}

    def refused(self, channel: ChannelId, way: Way, reason: Refusal, now: float) -> bool:
        """A send was refused; whether that will last."""
        if reason not in _LASTING[way]:
            return False
        for closed in Way if reason in _ANYBODYS else (way,):
            self._closed[channel, closed] = _Closed(reason, now)
        if len(self._closed) > _MOST_CHANNELS:
            self._closed = {place: closed for place, closed in self._closed.items() if now - closed.at < REMEMBERED_FOR}
        return True

    def why_not(self, channel: ChannelId, ways: Sequence[Way], now: float) -> Refusal | None:
        """Why a line that tries these ways one after the other would reach nobody: each was refused within 15 minutes."""
        closed = [self._closed.get((channel, way)) for way in ways]
        reasons = [one.reason for one in closed if one is not None and now - one.at < REMEMBERED_FOR]
        return reasons[-1] if len(reasons) == len(ways) else None

    def succeeded(self, channel: ChannelId, way: Way) -> None:
        """A send went through, so whatever was wrong with this way, or with the channel, is mended."""
        for other in Way:
            closed = self._closed.get((channel, other))
            if closed is not None and (other is way or closed.reason in _ANYBODYS):
                del self._closed[channel, other]

    def may_warn(self, channel: ChannelId, now: float) -> bool:
        """Whether people of this channel are to be told now: at most once per ten minutes. A yes counts as told."""
        if channel in self._warned and now - self._warned[channel] < WARNED_EVERY:
            return False
        self._warned[channel] = now
        if len(self._warned) > _MOST_CHANNELS:
            self._warned = {place: at for place, at in self._warned.items() if now - at < WARNED_EVERY}
        return True
