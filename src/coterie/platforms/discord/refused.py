"""Which channels cannot be written to, so that no model is asked for an answer that nobody would see; and when people are told.

Knows no clock: times are seconds of one that never goes back.
"""

from coterie.platforms.discord.webhook_errors import Refusal
from coterie.ports.webhooks import ChannelId

REMEMBERED_FOR = 15 * 60.0
WARNED_EVERY = 10 * 60.0

_LASTING = frozenset({Refusal.NO_ACCESS, Refusal.CHANNEL_GONE})
_CODES = frozenset({50013, 50001, 10003})
_MOST_CHANNELS = 2_000


class RefusedSends:
    """What was refused lately, by channel or thread. Being asked to wait (429) is no refusal and never counts."""

    def __init__(self) -> None:
        self._refused: dict[ChannelId, float] = {}
        self._warned: dict[ChannelId, float] = {}

    def refused(self, channel: ChannelId, reason: Refusal | int, now: float) -> bool:
        """A send was refused; whether that will last. `reason` is why a webhook was refused, or Discord's code to a message of the bot.

        The bot may lack the right to use webhooks and still write by itself, so 50013 lasts only where a message of its own was refused;
        50001 and 10003 last in any case.
        """
        lasts = reason in _LASTING if isinstance(reason, Refusal) else reason in _CODES
        if lasts:
            self._refused[channel] = now
            self._refused = _recent(self._refused, now, REMEMBERED_FOR)
        return lasts

    def may_send(self, channel: ChannelId, now: float) -> bool:
        """False within 15 minutes of a lasting refusal."""
        return channel not in self._refused or now - self._refused[channel] >= REMEMBERED_FOR

    def succeeded(self, channel: ChannelId) -> None:
        """A send went through, so whatever was wrong is mended."""
        self._refused.pop(channel, None)

    def may_warn(self, channel: ChannelId, now: float) -> bool:
        """Whether people of this channel are to be told now: at most once per ten minutes. A yes counts as told."""
        if channel in self._warned and now - self._warned[channel] < WARNED_EVERY:
            return False
        self._warned[channel] = now
        self._warned = _recent(self._warned, now, WARNED_EVERY)
        return True


def _recent(times: dict[ChannelId, float], now: float, age: float) -> dict[ChannelId, float]:
    return {channel: at for channel, at in times.items() if now - at < age} if len(times) > _MOST_CHANNELS else times
