"""What stands at the start of a line and is no speech: a label, a note or a heading of the prompt, a mark of a thought.

Where lines begin, and what follows from an opening, is in `segmenter`.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import regex

from coterie.kit.folding import simple_fold
from coterie.kit.text import mend

LINE_BREAK = r"[\n\r\x0b\x0c\x85\u2028\u2029]"

_IN_LINE = r"[^\S\n\r\x0b\x0c\x85\u2028\u2029]"
_GAP = _IN_LINE + "{0,16}"
_MOST_BLANKS = 16
_MOST_IN_FRONT = 3
_AROUND_A_COLON = 2 * _MOST_BLANKS + 1
_AROUND_A_NAME = 128
"""More than the emphasis, blanks and parentheses around a name can take."""

_SETS_APART = regex.compile(r"[\s*_\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\u3000-\u303f\uff00-\uffef]")
_BEGINS_SPEECH = regex.compile(r"[\p{L}\"'“‘«„]")
_THOUGHT = regex.compile(r"<(?P<closes>/)?think(?:ing)?>")
_MARKS_AT_END = regex.compile(r"\p{M}+\Z")


class Kind(Enum):
    """What an opening is."""

    OWN = auto()
    OTHER = auto()
    NOTE = auto()
    THOUGHT = auto()
    THOUGHT_END = auto()


@dataclass(frozen=True, slots=True)
class Opening:
    """It takes `length` characters; `emphasis` was opened in it and is open still.

    `label` is what an own name bears: `happy` of `Mira (happy):`, and of `happy (Mira):` (specification 000, copied rendering).
    """

    kind: Kind
    length: int
    emphasis: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """An opening in offsets of the folded text; `label` is from where to where its label stands."""

    kind: Kind
    length: int
    emphasis: str = ""
    label: tuple[int, int] = (0, 0)


class Undecided(Exception):
    """More text is needed."""


class Openings:
    """All that may open a line. Texts are compared decomposed (NFD) and by simple case folding, a run of blanks as one blank.

    Decomposed, since a letter may arrive before the mark that belongs to it.
    """

    def __init__(self, own_names: Iterable[str], other_names: Iterable[str], notes: Sequence[str], worn: Iterable[str] = ()) -> None:
        """`worn` are labels that may stand before an own name in parentheses."""
        own_names = tuple(own_names)
        self._kinds = {_key(name): Kind.OTHER for name in other_names} | {_key(name): Kind.OWN for name in own_names}
        names = _longest_first(key for key in self._kinds if key)
        headings = _longest_first(_key(note.lstrip("#")) for note in notes if note.startswith("#"))
        plain = _longest_first(_key(note) for note in notes if not note.startswith("#"))
        own = _longest_first(map(_key, own_names))
        labels = _longest_first(map(_key, worn))
        self._label = regex.compile(_label(names), regex.DOTALL) if names else None
        self._labelled = regex.compile(_labelled(names, own, labels), regex.DOTALL) if own else None
        self._note = regex.compile(_any(plain)) if plain else None
        self._heading = regex.compile(_heading(headings)) if headings else None
        longest = max((_longest(key) for key in (*names, *labels)), default=0)
        notes_reach = max((_longest(key) for key in (*headings, *plain)), default=0)
        self._reach = _AROUND_A_NAME + max((_MOST_IN_FRONT + 2) * (longest + _AROUND_A_COLON), notes_reach)

    def at(self, text: str, place: int, *, is_start: bool, is_final: bool) -> Opening | None:
        """What stands at this place, which is the start of a line. Raises `Undecided` where text that is still to come decides it.

        Headings count only where nothing has been said (`is_start`).
        """
        window = text[place : place + self._reach]
        # No opening is longer than the window, so a full one is decided whatever follows.
        may_go_on = not is_final and len(window) < self._reach
        taken_apart = unicodedata.normalize("NFD", window + "\n" if is_final else window)
        # A mark that is still to come may have to stand before those at the end.
        folded = simple_fold(_MARKS_AT_END.sub("", taken_apart) if may_go_on else taken_apart)
        found = self._find(folded, is_start=is_start, may_go_on=may_go_on)
        if found is None:
            return None
        start, end = (_source_length(window, offset) for offset in found.label)
        return Opening(found.kind, _source_length(window, found.length), found.emphasis, " ".join(window[start:end].split()))

    def _find(self, folded: str, *, is_start: bool, may_go_on: bool) -> _Found | None:
        if (labelled := _match(self._labelled, folded, may_go_on)) and (found := self._read_labelled(labelled)):
            return found
        if (label := _match(self._label, folded, may_go_on)) and (found := self._read_label(label)):
            return found
        notes = (self._note, self._heading) if is_start else (self._note,)
        for pattern in notes:
            if note := _match(pattern, folded, may_go_on):
                return _Found(Kind.NOTE, note.end())
        thought = _match(_THOUGHT, folded, may_go_on)
        return _Found(Kind.THOUGHT_END if thought["closes"] else Kind.THOUGHT, thought.end()) if thought else None

    def _read_labelled(self, found: "regex.Match[str]") -> _Found | None:
        """An own name with a label, unless the two together are a name of somebody else."""
        is_other = self._kinds.get(" ".join(found["whole"].split())) is Kind.OTHER
        if is_other or not _is_label(found, is_own=True):
            return None
        label = found.span("inside") if found["inside"] is not None else found.span("front")
        return _Found(Kind.OWN, found.start("next"), "" if found["closed"] else found["opened"] or "", label)

    def _read_label(self, found: "regex.Match[str]") -> _Found | None:
        """A label, unless what stands behind its colon says otherwise."""
        kind = self._kinds[" ".join(found["name"].split())]
        if not _is_label(found, is_own=kind is Kind.OWN):
            return None
        return _Found(kind, found.start("next"), "" if found["closed"] else found["opened"] or "")


def _is_label(found: "regex.Match[str]", *, is_own: bool) -> bool:
    """Whether what stands behind the colon lets it be one: `Ren :)`, `https://`, `12:30` are no labels."""
    behind = found["next"]
    if found["colon"] == "：" or _SETS_APART.match(behind) is not None:
        return True
    return is_own and not found["gap"] and _BEGINS_SPEECH.match(behind) is not None


def _match(pattern: "regex.Pattern[str] | None", folded: str, may_go_on: bool) -> "regex.Match[str] | None":
    found = pattern.match(folded, partial=may_go_on) if pattern else None
    if found is not None and found.partial:
        raise Undecided
    return found


def _label(keys: Sequence[str]) -> str:
    """A name with a colon behind it, perhaps emphasised, perhaps with a label in parentheses (`Name (sprite):`)."""
    closing = r"(?(opened)(?P<closed>[*_]{1,3})?|)"
    return (
        rf"(?P<opened>[*_]{{1,3}})?(?P<name>{_any(keys)}){closing}(?P<gap>{_GAP})"
        rf"(?:\([^()\n:：]{{1,64}}\){closing}(?P<gap>{_GAP}))?(?P<colon>[:：])(?P<next>.)"
    )


def _labelled(names: Sequence[str], own: Sequence[str], labels: Sequence[str]) -> str:
    """An own name with a label behind it, or behind one that can be worn (`happy (Mira):`); plain labels may stand in front of both."""
    closing = r"(?(opened)(?P<closed>[*_]{1,3})?|)"
    colon = f"{_GAP}[:：]{_GAP}"
    behind = rf"(?:{_any(own)}){closing}{_GAP}\((?P<inside>[^()\n:：]{{1,64}})\)"
    front = rf"(?P<front>{_any(labels)}){_GAP}\({_GAP}(?:{_any(own)}){_GAP}\)"
    both = rf"{behind}|{front}" if labels else behind
    return (
        rf"(?:(?:{_any(names)}){colon}){{0,{_MOST_IN_FRONT}}}(?P<opened>[*_]{{1,3}})?"
        rf"(?P<whole>{both}){closing}(?P<gap>{_GAP})(?P<colon>[:：])(?P<next>.)"
    )


def _heading(keys: Sequence[str]) -> str:
    """A heading on a line of its own, as Markdown or emphasised."""
    return rf"[#*_]{{1,6}}{_GAP}(?:{_any(keys)}){_GAP}[*_:]{{0,4}}{_GAP}(?={LINE_BREAK})"


def _any(keys: Iterable[str]) -> str:
    blanks = f"{_IN_LINE}{{1,{_MOST_BLANKS}}}"
    return "|".join(blanks.join(map(regex.escape, key.split())) for key in keys)


def _key(text: str) -> str:
    return " ".join(simple_fold(unicodedata.normalize("NFD", mend(text))).split())


def _longest(key: str) -> int:
    return len(key) + _MOST_BLANKS * key.count(" ")


def _longest_first(keys: Iterable[str]) -> list[str]:
    return sorted({key for key in keys if key}, key=len, reverse=True)


def _source_length(window: str, length: int) -> int:
    """How much of the text makes up the first `length` characters of its decomposition."""
    for place, char in enumerate(window):
        if length <= 0:
            return place
        length -= len(unicodedata.normalize("NFD", char))
    return len(window)
