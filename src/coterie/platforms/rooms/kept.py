"""The newest events of one room, for those who lost it and come back. Who listens, and what newcomers are told, is not known here."""

from coterie.platforms.rooms.events import Event

_Turn = tuple[str, str]
"""A turn, behind the root at whose end it ends."""


class Kept:
    """At most `length` events under their numbers, oldest first. Those up to the number `lost` are not known any more.

    A line counts as one: what was written on the way to it is kept until it is said.
    """

    def __init__(self, length: int, lost: int) -> None:
        self._length = length
        self.lost = lost
        self._events: dict[int, Event] = {}
        self._written: dict[_Turn, list[int]] = {}
        """The numbers of what each turn has written and not yet said."""

    def take(self, number: int, event: Event) -> None:
        """Something happened."""
        turn = (event.root, event.data.get("turn_id", ""))
        match event.name:
            case "delta":
                self._written.setdefault(turn, []).append(number)
            case "discard" | "line" | "error":
                self._drop(turn)
            case "end":
                for ended in [turn for turn in self._written if turn[0] == event.root]:
                    self._drop(ended)
            case _:
                pass
        self._events[number] = event
        if len(self._events) > self._length:
            self.lost = next(iter(self._events))
            del self._events[self.lost]

    def lose(self, number: int) -> None:
        """Nobody can come back to what was before this."""
        self.lost = number
        self._events.clear()
        self._written.clear()

    def since(self, number: int) -> list[Event] | None:
        """What happened after this number; nothing where more was lost."""
        if number < self.lost:
            return None
        return [event for its_number, event in self._events.items() if its_number > number]

    def _drop(self, turn: _Turn) -> None:
        for number in self._written.pop(turn, ()):
            self._events.pop(number, None)
