"""A growing reply cut into messages while it grows: which of it is complete and can be said. How long a message may be is `splitting`'s."""

from coterie.domain.speech.fences import open_after
from coterie.domain.speech.splitting import split

WHOLE = 0
"""The degree at which a reply is one message, as far as it fits."""


class Parts:
    """Takes the text of one reply bit by bit and gives back the messages that are complete.

    `degree` is the setting `humanizer`: at 0 a reply is one message, from 1 on each paragraph is one. A paragraph ends at a blank line
    outside of fenced code. One without a letter or digit (a lone "…") is not said alone but goes with the next; none is dropped.
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

    def feed(self, text: str) -> tuple[str, ...]:
        """More text; the messages that it completed."""
        if self._is_whole:
            self._open += text
            return ()
        said: list[str] = []
        *ended, last = text.split("\n")
        for rest in ended:
            said += self._end_line(rest)
        self._line += last
        self._open += last
        return tuple(said)

    def finish(self) -> tuple[str, ...]:
        """The text is at its end; what is left to say."""
        left, self._open, self._line, self._ticks = self._open, "", "", 0
        return split(left, self._limit) if left.strip() else ()

    def _end_line(self, rest: str) -> tuple[str, ...]:
        line, self._line = self._line + rest, ""
        self._open += rest + "\n"
        self._ticks = open_after(self._ticks, line)
        is_paragraph = not line.strip() and not self._ticks and any(map(str.isalnum, self._open))
        return self.finish() if is_paragraph else ()
