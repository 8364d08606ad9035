"""What stands at the start of a line and is no speech: a label, a note or a heading of the prompt, a mark of a thought.

Where lines begin, and what follows from an opening, is in `segmenter`.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

import regex

from coterie.domain.speech.looking import IN_LINE, MOST_BLANKS, Look, Texts
from coterie.kit.folding import simple_fold
from coterie.kit.text import mend

LINE_BREAK = r"[\n\r\x0b\x0c\x85\u2028\u2029]"

_GAP = f"{IN_LINE}{{0,{MOST_BLANKS}}}"
_CLOSING = r"(?P<closed>[*_]{1,3})?"
_MOST_IN_FRONT = 3
_AROUND_A_COLON = 2 * MOST_BLANKS + 1
_AROUND_A_NAME = 128
"""More than the emphasis, blanks and parentheses around a name can take."""

_SETS_APART = regex.compile(r"[\s*_\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\u3000-\u303f\uff00-\uffef]")
_BEGINS_SPEECH = regex.compile(r"[\p{L}\"'“‘«„]")
_THOUGHT = regex.compile(r"<(?P<closes>/)?think(?:ing)?>")
_MARKS_AT_END = regex.compile(r"\p{M}+\Z")


def _either(pattern: str) -> Mapping[bool, "regex.Pattern[str]"]:
    """The pattern by whether emphasis was opened before it, which may close where `<>` stands."""
    return {is_opened: regex.compile(pattern.replace("<>", _CLOSING if is_opened else ""), regex.DOTALL) for is_opened in (False, True)}


_COLON = rf"(?P<gap>{_GAP})(?P<colon>[:：])(?P<next>.)"
_LABEL = r"\((?P<inside>[^()\n:：]{1,64})\)"
_PLAIN_COLON = regex.compile(f"{_GAP}[:：]{_GAP}")
_BEHIND_NAME = _either(rf"<>(?P<gap>{_GAP})(?:{_LABEL}<>(?P<gap>{_GAP}))?(?P<colon>[:：])(?P<next>.)")
"""Behind a name: perhaps the end of its emphasis, perhaps a label in parentheses (`Name (sprite):`), and the colon."""
_BEHIND_OWN = _either(rf"<>{_GAP}{_LABEL}(?P<whole>)<>{_COLON}")
"""Behind an own name: the label that it bears, and the colon. At `whole` both end."""
_OPENS_PARENTHESIS = regex.compile(rf"{_GAP}\({_GAP}")
_CLOSES_PARENTHESIS = _either(rf"{_GAP}\)(?P<whole>)<>{_COLON}")
"""Behind an own name that stands in parentheses behind a label (`happy (Mira):`)."""
_HEADING_MARKS = regex.compile(rf"[#*_]{{1,6}}{_GAP}")
_HEADING_END = regex.compile(rf"{_GAP}[*_:]{{0,4}}{_GAP}(?={LINE_BREAK})")


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

    Decomposed, since a letter may arrive before the mark that belongs to it. Names are compared one by one: a pattern of all of them
    takes longer to compile than a reply to read, and the people of a channel are others in every turn.
    """

    def __init__(self, own_names: Iterable[str], other_names: Iterable[str], notes: Sequence[str], worn: Iterable[str] = ()) -> None:
        """`worn` are labels that may stand before an own name in parentheses."""
        own = [_key(name) for name in own_names]
        self._kinds = {_key(name): Kind.OTHER for name in other_names} | dict.fromkeys(own, Kind.OWN)
        labels = [_key(label) for label in worn]
        headings = [_key(note.lstrip("#")) for note in notes if note.startswith("#")]
        plain = [_key(note) for note in notes if not note.startswith("#")]
        self._names, self._own, self._labels = Texts(self._kinds), Texts(own), Texts(labels)
        self._headings, self._notes = Texts(headings), Texts(plain)
        longest = max((_longest(key) for key in (*self._kinds, *labels)), default=0)
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
        """What stands at the beginning. A kind that more text could make whole is waited for before those behind it."""
        for kind in (self._labelled, self._label, self._note, *((self._heading,) if is_start else ()), self._thought):
            look = Look(folded, may_go_on=may_go_on)
            found: _Found | None
            for found in kind(look):
                if found is not None:
                    return found
                break
            else:
                if look.is_open:
                    raise Undecided
        return None

    def _labelled(self, look: Look) -> Iterator[_Found | None]:
        """An own name with a label behind it, or behind one that can be worn (`happy (Mira):`); plain labels may stand in front of both."""
        for place in self._behind_names(look, 0, _MOST_IN_FRONT):
            for opened, start in look.emphases(place):
                for _, end in self._own.at(look, start):
                    if found := look.match(_BEHIND_OWN[bool(opened)], end):
                        yield self._read_labelled(look.text[start : found.start("whole")], found, opened, found.span("inside"))
                for _, end in self._labels.at(look, start):
                    if found := self._in_parentheses(look, end, is_opened=bool(opened)):
                        yield self._read_labelled(look.text[start : found.start("whole")], found, opened, (start, end))

    def _behind_names(self, look: Look, place: int, most: int) -> Iterator[int]:
        """The places behind so many names with colons, and those behind fewer."""
        for _, end in self._names.at(look, place) if most else ():
            if colon := look.match(_PLAIN_COLON, end):
                yield from self._behind_names(look, colon.end(), most - 1)
        yield place

    def _in_parentheses(self, look: Look, place: int, *, is_opened: bool) -> "regex.Match[str] | None":
        """An own name in parentheses, and the colon."""
        if opens := look.match(_OPENS_PARENTHESIS, place):
            for _, end in self._own.at(look, opens.end()):
                if closes := look.match(_CLOSES_PARENTHESIS[is_opened], end):
                    return closes
        return None

    def _read_labelled(self, whole: str, found: "regex.Match[str]", opened: str, label: tuple[int, int]) -> _Found | None:
        """An own name with a label, unless the two together are a name of somebody else."""
        is_other = self._kinds.get(" ".join(whole.split())) is Kind.OTHER
        if is_other or not _is_label(found, is_own=True):
            return None
        return _Found(Kind.OWN, found.start("next"), _left_open(opened, found), label)

    def _label(self, look: Look) -> Iterator[_Found | None]:
        """A name with a colon behind it, unless what stands behind the colon says otherwise."""
        for opened, start in look.emphases(0):
            for key, end in self._names.at(look, start):
                if found := look.match(_BEHIND_NAME[bool(opened)], end):
                    kind = self._kinds[key]
                    is_label = _is_label(found, is_own=kind is Kind.OWN)
                    yield _Found(kind, found.start("next"), _left_open(opened, found)) if is_label else None

    def _note(self, look: Look) -> Iterator[_Found]:
        for _, end in self._notes.at(look, 0):
            yield _Found(Kind.NOTE, end)

    def _heading(self, look: Look) -> Iterator[_Found]:
        """A heading on a line of its own, as Markdown or emphasised."""
        if marks := look.match(_HEADING_MARKS, 0):
            for _, end in self._headings.at(look, marks.end()):
                if found := look.match(_HEADING_END, end):
                    yield _Found(Kind.NOTE, found.end())

    def _thought(self, look: Look) -> Iterator[_Found]:
        if thought := look.match(_THOUGHT, 0):
            yield _Found(Kind.THOUGHT_END if thought["closes"] else Kind.THOUGHT, thought.end())


def _left_open(opened: str, found: "regex.Match[str]") -> str:
    """The emphasis that was opened before a name and is not closed behind it."""
    return "" if opened and found["closed"] else opened


def _is_label(found: "regex.Match[str]", *, is_own: bool) -> bool:
    """Whether what stands behind the colon lets it be one: `Ren :)`, `https://`, `12:30` are no labels."""
    behind = found["next"]
    if found["colon"] == "：" or _SETS_APART.match(behind) is not None:
        return True
    return is_own and not found["gap"] and _BEGINS_SPEECH.match(behind) is not None


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    return " ".join(simple_fold(unicodedata.normalize("NFD", mend(text))).split())


def _longest(key: str) -> int:
    return len(key) + MOST_BLANKS * key.count(" ")


def _source_length(window: str, length: int) -> int:
    """How much of the text makes up the first `length` characters of its decomposition."""
    for place, char in enumerate(window):
        if length <= 0:
            return place
        length -= len(unicodedata.normalize("NFD", char))
    return len(window)
