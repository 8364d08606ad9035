"""A model's stream becomes the text that people see. A machine fed with pieces: it waits for nothing and sends nothing.

It keeps back only what it cannot judge yet: the start of a line that may be an opening, and white space at the end.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from coterie.domain.speech.openings import LINE_BREAK, Kind, Opening, Openings, Undecided
from coterie.domain.speech.spoken import Spoken
from coterie.kit.text import mend

MOST_CHARACTERS = 16_000
"""A reply that goes on longer than this is cut: no person waits for its end."""

_BLANKS = regex.compile(r"\s*")
_BREAK = regex.compile(LINE_BREAK)
_THOUGHT_END = regex.compile(r"</think(?:ing)?>", regex.IGNORECASE)
_LANDMARK = regex.compile(rf"{LINE_BREAK}|{_THOUGHT_END.pattern}", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Label:
    """What follows is said under this label; blank where the speaker's own name stood alone."""

    text: str


Piece = str | Label
"""A piece of what a reply shows."""


class Segmenter:
    """One reply of one speaker.

    `own_names` before a colon at the start of a line are removed; a label that one bears in parentheses (`Mira (happy):`, or
    `happy (Mira):` where it is one of `worn`) is told apart from the text.
    `other_names` there cut the reply; where the reply *begins* with one,
    `begins_as_other` is set before anything was shown, or, with `strip_foreign_opening`, the label is removed. `echoes` are texts of the
    prompt that a model may repeat at the start of a line; those that begin with `#` are headings, which are removed as whole lines and
    only where nothing was said before. Thoughts (`<think>`) are not shown. Nothing of this holds inside fenced code.

    The reply `is_over` where it is cut, after `most_characters`, and after as many that were not shown.
    """

    def __init__(
        self,
        own_names: Sequence[str],
        other_names: Sequence[str],
        *,
        echoes: Sequence[str] = (),
        worn: Sequence[str] = (),
        strip_foreign_opening: bool = False,
        most_characters: int = MOST_CHARACTERS,
    ) -> None:
        self.begins_as_other = False
        self._is_cut = False
        self._openings = Openings(own_names, other_names, echoes, worn)
        self._spoken = Spoken(most_characters)
        self._strips_foreign_opening = strip_foreign_opening
        self._half = ""
        self._held = ""
        self._place = 0
        self._is_thinking = False
        self._is_mid_line = False
        self._is_behind_label = False
        self._touches_label = False
        self._emphasis = ""
        self._labels: deque[tuple[int, Label]] = deque()
        """Each with how much was said before it."""
        self._shown = 0

    @property
    def is_over(self) -> bool:
        """Whether the rest of the stream is of no interest."""
        return self._is_cut or self._spoken.is_full

    def feed(self, text: str) -> tuple[Piece, ...]:
        """More of the stream; what can be shown now."""
        text = self._half + text
        # The second half of a surrogate pair may be in the next piece.
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return tuple(self._pieces(self._advance(text.removesuffix(self._half), is_final=False)))

    def finish(self) -> tuple[Piece, ...]:
        """The stream has ended; the rest that can be shown. White space at the end is dropped."""
        return tuple(self._pieces(self._advance(self._half, is_final=True) + self._spoken.rest()))

    def _pieces(self, shown: str) -> Iterator[Piece]:
        """The text with the labels where they stood; one that nothing follows yet waits."""
        while self._labels and self._labels[0][0] < self._shown + len(shown):
            place, label = self._labels.popleft()
            before = place - self._shown
            if before:
                yield shown[:before]
            yield label
            shown, self._shown = shown[before:], place
        if shown:
            self._shown += len(shown)
            yield shown

    def _advance(self, text: str, *, is_final: bool) -> str:
        self._held += mend(text)
        shown: list[str] = []
        while self._place < len(self._held) and not self.is_over:
            try:
                shown.append(self._step(is_final=is_final))
            except Undecided:
                break
        if self._is_cut:
            shown.append(self._spoken.rest())
        self._held, self._place = "" if self.is_over else self._held[self._place :], 0
        return "".join(shown)

    def _step(self, *, is_final: bool) -> str:
        """Judge the next piece of what is held; the text it adds."""
        if self._is_thinking:
            return self._think(is_final=is_final)
        if self._is_mid_line:
            return self._continue_line(is_final=is_final)
        return self._begin_line(is_final=is_final)

    def _begin_line(self, *, is_final: bool) -> str:
        blank = _BLANKS.match(self._held, self._place)
        if blank and blank.group():
            return self._pass_blank(blank.group())
        if self._emphasis and self._closes_emphasis(is_final=is_final):
            self._place += len(self._emphasis)
            self._emphasis = ""
            return ""
        if not self._spoken.is_fenced:
            opening = self._openings.at(self._held, self._place, is_start=not self._spoken.has_begun, is_final=is_final)
            if opening is not None:
                return self._take(opening)
        if self._is_behind_label:
            self._spoken.drop_indent()
        opened, self._emphasis = self._emphasis, ""
        self._is_mid_line, self._is_behind_label = True, False
        return self._spoken.add(opened)

    def _pass_blank(self, blank: str) -> str:
        self._place += len(blank)
        self._touches_label = False
        if _BREAK.search(blank):
            self._is_behind_label = False
        return self._spoken.wait(blank)

    def _closes_emphasis(self, *, is_final: bool) -> bool:
        """Whether the emphasis of `**Name:**` closes here, rather than behind the words of `**Name: hello**`."""
        rest = self._held[self._place : self._place + len(self._emphasis) + 1]
        if not is_final and self._emphasis.startswith(rest):
            raise Undecided
        return rest.startswith(self._emphasis) and (self._touches_label or not rest[len(self._emphasis) :].strip())

    def _take(self, opening: Opening) -> str:
        """Step over what opens a line, or end the reply there."""
        has_begun = self._spoken.has_begun
        if opening.kind is Kind.OTHER and (has_begun or not self._strips_foreign_opening):
            self.begins_as_other = not has_begun
            self._is_cut = True
            return ""
        self._place += opening.length
        if opening.kind is Kind.OWN:
            self._note_label(Label(opening.label))
        self._is_thinking = opening.kind is Kind.THOUGHT
        self._is_behind_label = self._touches_label = True
        self._emphasis = self._emphasis or opening.emphasis
        self._spoken.drop_indent()
        return self._spoken.hide(opening.length)

    def _note_label(self, label: Label) -> None:
        place = self._spoken.length
        if self._labels and self._labels[-1][0] == place:
            self._labels.pop()
        self._labels.append((place, label))

    def _think(self, *, is_final: bool) -> str:
        found = _THOUGHT_END.search(self._held, self._place, partial=not is_final)
        end = found.start() if found else len(self._held)
        if found and not found.partial:
            self._is_thinking, end = False, found.end()
        elif end == self._place:
            raise Undecided
        hidden = end - self._place
        self._place = end
        return self._spoken.hide(hidden)

    def _continue_line(self, *, is_final: bool) -> str:
        """Up to the end of the line, or to the end of a thought that never began."""
        found = _LANDMARK.search(self._held, self._place, partial=not is_final)
        end = found.start() if found else len(self._held)
        text, self._place = self._held[self._place : end], end
        if found is None or found.partial:
            if not text:
                raise Undecided
            return self._spoken.add(text)
        self._place = found.end()
        if _BREAK.match(found.group()):
            self._is_mid_line = False
            return self._spoken.add(text + found.group())
        shown = self._spoken.add(text)
        if self.is_over:
            return shown
        return shown + (self._spoken.add(found.group()) if self._spoken.is_in_code else self._spoken.hide(len(found.group())))
