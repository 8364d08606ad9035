"""A growing reply cut into messages while it grows: which of it is complete and can be said. How long a message may be is `splitting`'s.

What a line wears is decided in `wardrobe`; here it only ends messages.
"""

from dataclasses import dataclass

from coterie.domain.conversation import Appearance
from coterie.domain.speech.fences import open_after
from coterie.domain.speech.splitting import split

WHOLE = 0
"""The degree at which a reply is one message, as far as it fits."""


@dataclass(frozen=True, slots=True)
class Part:
    """One message, and what it wears in place of the speaker's usual look."""

    text: str
    appearance: Appearance | None = None


class Parts:
    """Takes the text of one reply bit by bit and gives back the messages that are complete.

    `degree` is the setting `humanizer`: at 0 a reply is one message, from 1 on each paragraph is one. A paragraph ends at a blank line
    outside of fenced code. One without a letter or digit (a lone "…") is not said alone but goes with the next; none is dropped.
    A message wears one look from its beginning to its end; one that is copied ends with its line, at any degree.
    """

    def __init__(self, degree: int, limit: int) -> None:
        self._is_whole = degree == WHOLE
        self._limit = limit
        self._open = ""
        """What is not said yet."""
        self._line = ""
        """The line that is being written; a part of `_open`."""
        self._ticks = 0
        """Of the fence that is open before that line."""
        self._appearance: Appearance | None = None

    def wear(self, appearance: Appearance | None) -> tuple[Part, ...]:
        """What follows appears like this; the messages that this completed."""
        if appearance == self._appearance:
            return ()
        said = self.finish()
        self._appearance = appearance
        return said

    def feed(self, text: str) -> tuple[Part, ...]:
        """More text; the messages that it completed."""
        if self._is_whole and not self._is_copied:
            self._open += text
            return ()
        said: list[Part] = []
        *ended, last = text.split("\n")
        for rest in ended:
            said += self._end_line(rest)
        self._line += last
        self._open += last
        return tuple(said)

    def finish(self) -> tuple[Part, ...]:
        """The text is at its end; what is left to say."""
        left, self._open, self._line, self._ticks = self._open, "", "", 0
        return tuple(Part(text, self._appearance) for text in split(left, self._limit)) if left.strip() else ()

    @property
    def _is_copied(self) -> bool:
        return self._appearance is not None and self._appearance.is_copied

    def _end_line(self, rest: str) -> tuple[Part, ...]:
        line, self._line = self._line + rest, ""
        self._open += rest + "\n"
        self._ticks = open_after(self._ticks, line)
        if self._ticks:
            return ()
        if self._is_copied and self._open.strip():
            return self.wear(None)
        is_paragraph = not self._is_whole and not line.strip() and any(map(str.isalnum, self._open))
        return self.finish() if is_paragraph else ()
