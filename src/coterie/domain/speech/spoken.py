"""What a reply shows: white space waits until something follows it, and a limit ends it. What may be shown is decided in `segmenter`."""

import regex

from coterie.domain.speech.fences import open_after
from coterie.domain.speech.openings import LINE_BREAK
from coterie.kit.text import beginning

_RESERVE = 64
"""Characters before the limit that wait for what follows, so that the limit cuts none that people see as one."""

_LAST_BREAK = regex.compile(rf".*{LINE_BREAK}", regex.DOTALL)


class Spoken:
    """The text of a reply as it grows, at most `most` characters of it; it is full as well once that many were hidden.

    Each piece is looked at once; lists are joined when something is shown.
    """

    def __init__(self, most: int) -> None:
        self.is_full = False
        self._most = most
        self._parts: list[str] = []
        self._length = self._handed_out = 0
        self._hidden = 0
        self._blanks: list[str] = []
        self._indent: list[str] = []
        self._blank_length = 0
        self._fence = 0
        self._ticks = 0

    @property
    def has_begun(self) -> bool:
        """Whether anything but white space was said."""
        return bool(self._parts)

    @property
    def length(self) -> int:
        """How many characters were said so far, whether they were shown already or not."""
        return self._length

    @property
    def is_fenced(self) -> bool:
        """Whether fenced code is open; asked at the start of a line."""
        return self._fence > 0

    @property
    def is_in_code(self) -> bool:
        """Whether fenced code is open, or a backtick stands right before this."""
        return self._fence > 0 or self._ticks > 0

    def add(self, text: str) -> str:
        """More of the reply, at most one line; what can be shown now."""
        self._look_at_ticks(text)
        solid = text.rstrip()
        shown = self._say(solid) if solid else ""
        return shown if self.is_full else shown + self.wait(text[len(solid) :])

    def wait(self, blank: str) -> str:
        """White space: shown when something follows it; at the start of a reply never. What is shown where it ends the reply."""
        if not blank or not self.has_begun:
            return self.hide(len(blank))
        found = _LAST_BREAK.match(blank)
        if found:
            self._blanks += [*self._indent, found.group()]
            self._indent.clear()
        self._indent.append(blank[found.end() :] if found else blank)
        self._blank_length += len(blank)
        # Whatever follows so much of it would lie behind the limit.
        return self.end() if self._length + self._blank_length >= self._most else ""

    def hide(self, length: int) -> str:
        """So many characters of the reply are not shown at all; what is shown where they end the reply."""
        self._hidden += length
        return self.end() if self._hidden > self._most else ""

    def drop_indent(self) -> None:
        """Forget the white space before the present place in the line."""
        dropped = sum(map(len, self._indent))
        self._indent.clear()
        self._blank_length -= dropped
        self._hidden += dropped

    def rest(self) -> str:
        """What was kept back to the last, when nothing follows."""
        rest = "".join(self._parts)[self._handed_out :]
        self._handed_out = self._length
        return rest

    def end(self) -> str:
        """The reply ends here, whatever follows; the rest of it."""
        self.is_full = True
        return self.rest()

    def _say(self, solid: str) -> str:
        text = "".join((*self._blanks, *self._indent, solid))
        self._blanks.clear()
        self._indent.clear()
        self._blank_length = 0
        self._parts.append(text)
        self._length += len(text)
        if self._length > self._most:
            return self._cut()
        shown = text[: max(self._most - _RESERVE - self._handed_out, 0)]
        self._handed_out += len(shown)
        return shown

    def _cut(self) -> str:
        """The end of a reply that is too long."""
        self.is_full = True
        shown = beginning("".join(self._parts), self._most)[self._handed_out :].rstrip()
        self._handed_out = self._length
        return shown

    def _look_at_ticks(self, text: str) -> None:
        """Follow fences as `fences` has them: a run of backticks counts when its end is known."""
        solid = text.rstrip("`")
        if solid:
            self._fence = open_after(self._fence, "`" * self._ticks + solid)
            self._ticks = 0
        self._ticks += len(text) - len(solid)
