"""Which name a line wears, so that no two faces end up in one group: a small machine per channel that knows no clock.

Discord shows consecutive messages of one webhook and one name as one group under the first one's face, and strips from names what
cannot be seen. So where the face changes and the name would not, the line wears its alternate name (specification 000, sprites). In a run
of sprites of one persona this alternates: clean, decorated, clean. The state survives turns.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from coterie.domain.speech.shown_names import decorated, fold, webhook_name

GROUPS_FOR = 600.0
"""Seconds after which a line never joins the group before it; Discord's clients part groups after some seven minutes."""

_MOST_CHANNELS = 2_000


@dataclass(frozen=True, slots=True)
class Look:
    """How a line is to appear. `face` tells looks apart: persona and sprite, persona and "plain", a copied identity; with the picture.

    `alternate` is worn where `name` would join another face's group. Both are safe for Discord.
    """

    face: Hashable
    name: str
    alternate: str

    @classmethod
    def of(cls, face: Hashable, name: str, label: str) -> "Look":
        """A look under a canonical name; the alternate is `name (label)`: a sprite's label, or for a plain line the persona's handle."""
        return cls(face, webhook_name(name), decorated(name, label))


@dataclass(frozen=True, slots=True)
class _Last:
    face: Hashable
    name: str
    message: int
    at: float


class NameGroups:
    """What was shown last in each channel (a thread is a channel of its own). Times are seconds of a clock that never goes back."""

    def __init__(self) -> None:
        self._last: dict[int, _Last] = {}

    def name_for(self, channel: int, look: Look, *, newest: int | None, now: float) -> str:
        """The name to wear. `newest` is the id of the channel's newest message as far as known.

        Starts anew, with the clean name, where another message came after our last one. An unknown newest message, or one that is older
        than ours (the gateway lags behind our own sends), counts as nothing in between.
        """
        last = self._last.get(channel)
        if last is None or now - last.at > GROUPS_FOR or (newest is not None and newest > last.message):
            return look.name
        if last.face == look.face:
            # The same run goes on, so that it stays one group; unless another name is meant, as after a rename.
            return last.name if last.name in (look.name, look.alternate) else look.name
        return look.alternate if fold(last.name) == fold(look.name) else look.name

    def shown(self, channel: int, look: Look, name: str, *, message: int, now: float) -> None:
        """A line was sent under this name; `message` is its id."""
        self._last[channel] = _Last(look.face, name, message, now)
        if len(self._last) > _MOST_CHANNELS:
            self._last = {place: last for place, last in self._last.items() if now - last.at <= GROUPS_FOR}

    def interrupted(self, channel: int) -> None:
        """Something else of ours was shown, such as a message of the bot user: the next line starts anew."""
        self._last.pop(channel, None)
