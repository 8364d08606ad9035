"""A model's stream becomes the text that people see. A machine fed with pieces: it waits for nothing and sends nothing.

It keeps back only what it cannot judge yet: the start of a line that may be a label, a fence or a thought, and white space at the end.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import regex

MOST_CHARACTERS = 16_000
"""A reply that goes on longer than this is cut: no person waits for its end."""

_THOUGHTS = ("<think>", "<thinking>")
_THOUGHT_ENDS = regex.compile(r"</think(?:ing)?>\s*", regex.IGNORECASE)
_LONGEST_END = len("</thinking>")


class _Kind(Enum):
    OWN = auto()
    OTHER = auto()
    ECHO = auto()


@dataclass(frozen=True, slots=True)
class _Fence:
    mark: str
    length: int


class _Undecided(Exception):
    """More text is needed."""


class Segmenter:
    """One reply of one speaker.

    `own_names` before a colon at the start of a line are removed. `other_names` there cut the reply; where the reply *begins* with one,
    `begins_as_other` is set before anything was shown, or, with `strip_foreign_opening`, the label is removed. `echoes` are texts of the
    prompt that a model may repeat as a line of its own. Nothing of this holds inside fenced code.
    """

    def __init__(
        self,
        own_names: Sequence[str],
        other_names: Sequence[str],
        *,
        echoes: Sequence[str] = (),
        strip_foreign_opening: bool = False,
        most_characters: int = MOST_CHARACTERS,
    ) -> None:
        self.begins_as_other = False
        self.is_over = False
        self._labels = [(kind, _label(names)) for kind, names in ((_Kind.OWN, own_names), (_Kind.OTHER, other_names)) if names]
        self._labels += [(_Kind.ECHO, regex.compile("|".join(map(regex.escape, _longest_first(echoes)))))] if echoes else []
        self._strips_foreign_opening = strip_foreign_opening
        self._left = most_characters
        self._held = ""
        self._blank = ""
        self._is_mid_line = False
        self._is_thinking = False
        self._is_behind_label = False
        self._has_spoken = False
        self._expects_closing = ""
        self._fence: _Fence | None = None

    def feed(self, text: str) -> str:
        """More of the stream; the text that can be shown now."""
        return self._advance(text, is_final=False)

    def finish(self) -> str:
        """The stream has ended; the rest that can be shown. White space at the end is dropped."""
        return self._advance("", is_final=True)

    def _advance(self, text: str, *, is_final: bool) -> str:
        self._held += text
        shown: list[str] = []
        while self._held and not self.is_over:
            try:
                shown.append(self._step(is_final=is_final))
            except _Undecided:
                break
        if self.is_over:
            self._held = ""
        return "".join(shown)

    def _step(self, *, is_final: bool) -> str:
        """Judge the next piece of what is held; the text it adds."""
        if self._is_thinking:
            return self._think(is_final=is_final)
        if self._is_mid_line:
            line, newline, self._held = self._held.partition("\n")
            self._is_mid_line = not newline
            return self._show(line + newline)
        return self._begin_line(is_final=is_final)

    def _begin_line(self, *, is_final: bool) -> str:
        lead = self._held.lstrip(" \t\r")
        indent = self._held[: len(self._held) - len(lead)]
        if lead.startswith("\n"):
            self._held, self._is_behind_label = lead[1:], False
            return self._show(indent + "\n")
        if not lead and not is_final:
            raise _Undecided
        if self._fence is None and self._label(lead, is_final=is_final):
            return ""
        if not self._has_spoken and self._opens_thought(lead, is_final=is_final):
            return ""
        self._look_at_fence(lead, is_final=is_final)
        if self._is_behind_label:
            self._held = lead
        self._is_mid_line, self._is_behind_label = True, False
        return ""

    def _label(self, lead: str, *, is_final: bool) -> bool:
        """Take a label, if one stands here; true when the line has to be looked at again behind it."""
        if self._expects_closing and lead.startswith(self._expects_closing):
            # The emphasis of `**Name:**` closes behind the colon.
            self._held = lead[len(self._expects_closing) :].lstrip(" \t")
            self._expects_closing = ""
            return True
        for kind, pattern in self._labels:
            found = pattern.match(lead, partial=not is_final)
            if found is None:
                continue
            if found.partial:
                raise _Undecided
            self._take(kind, lead, found)
            return True
        self._expects_closing = ""
        return False

    def _take(self, kind: _Kind, lead: str, found: "regex.Match[str]") -> None:
        if kind is _Kind.OTHER and (self._has_spoken or not self._strips_foreign_opening):
            self.begins_as_other = not self._has_spoken
            self.is_over = True
            return
        marks = found.groupdict()
        self._expects_closing = "" if marks.get("closed") else (marks.get("opened") or "")
        self._held, self._is_behind_label = lead[found.end() :], True

    def _opens_thought(self, lead: str, *, is_final: bool) -> bool:
        low = lead.lower()
        for tag in _THOUGHTS:
            if low.startswith(tag):
                self._held, self._is_thinking = lead[len(tag) :], True
                return True
        if not is_final and any(tag.startswith(low) for tag in _THOUGHTS):
            raise _Undecided
        return False

    def _think(self, *, is_final: bool) -> str:
        end = _THOUGHT_ENDS.search(self._held)
        if end is None:
            # Keep what may be the beginning of the end.
            self._held = "" if is_final else self._held[-_LONGEST_END:]
            raise _Undecided
        self._held, self._is_thinking = self._held[end.end() :], False
        return ""

    def _look_at_fence(self, lead: str, *, is_final: bool) -> None:
        mark = lead[:1]
        if mark not in ("`", "~") or not mark:
            return
        length = len(lead) - len(lead.lstrip(mark))
        if length == len(lead) and not is_final:
            raise _Undecided
        if length < 3:
            return
        if self._fence is None:
            self._fence = _Fence(mark, length)
        elif self._fence.mark == mark and length >= self._fence.length:
            self._fence = None

    def _show(self, text: str) -> str:
        """The text, after the white space that waited for it; white space at its own end waits in turn."""
        solid = text.rstrip()
        blank = text[len(solid) :]
        if not solid:
            self._blank += blank if self._has_spoken else ""
            return ""
        if not self._has_spoken:
            solid = solid.lstrip("\n\r")
        shown = (self._blank + solid)[: self._left]
        self._left -= len(shown)
        self._blank, self._has_spoken = blank, True
        self.is_over = self._left <= 0
        return shown


def _label(names: Sequence[str]) -> "regex.Pattern[str]":
    """A name with a colon behind it, perhaps emphasised, perhaps with a label in parentheses (`Name (sprite):`), in any letter case."""
    any_name = "|".join(regex.escape(name) for name in _longest_first(names))
    emphasis = r"(?P<opened>[*_]{1,3})?"
    return regex.compile(
        rf"{emphasis}(?:{any_name})(?P<closed>[*_]{{1,3}})?[ \t]*(?:\([^()\n:：]{{1,64}}\)[ \t]*)?[:：][ \t]*", regex.IGNORECASE
    )


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(set(names), key=len, reverse=True)
