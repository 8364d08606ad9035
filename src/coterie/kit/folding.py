"""Text made comparable: canonical composition, simple case folding, script classes, collapsed runs; and the way back to the original.

Nothing here folds compatibility forms (no NFKC: it would turn `Ⓜ` into `M`); width only where asked. Knows no trigger and no chat.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise

import regex
from ahocorasick_rs import AhoCorasick

# The characters that full case folding makes longer (status F); Python knows only full folding.
_GROWS = re.compile("([ßİŉǰΐΰև\u1e96-\u1e9a\u1e9e\u1f50-\u1ffc\ufb00-\ufb17])")
# Status S rows for characters whose lower-case form does not lead there.
_SIMPLE_ROWS = {"\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06"}

_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_SELECTOR_LEADS = (b"\xe1\xa0", b"\xef\xb8", b"\xf3\xa0")
"""What selectors begin with in UTF-8; looking for these first is ten times quicker."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_OTHER_BLANKS = re.compile(r"[^\S ]")
# An ASCII character never joins what stands before it, so text may be composed in pieces that begin with one.
_BEYOND_ASCII = re.compile(r".?[^\x00-\x7f]+", re.DOTALL)
# `\X` looks back over all flags before a flag; taking flags two by two first keeps a text of nothing but flags linear.
_GRAPHEME = regex.compile(r"\p{Regional_Indicator}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*|\X")

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}_]")
_LETTER = regex.compile(r"\p{L}")
_UNSPACED = regex.compile(
    r"[\p{scx=Hira}\p{scx=Kana}\p{scx=Hani}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]",
)


class CharClass(Enum):
    """What a character is for the question where a word ends."""

    SPACED_LETTER = "a letter of a script that puts blanks between words"
    SPACED = "a digit, a mark or an underscore of such a script"
    UNSPACED = "kana (also `ー`), Han, Hangul, Thai, Lao, Khmer, Myanmar"
    OTHER = "no word character: blanks, punctuation, symbols, emoji"


@lru_cache(maxsize=4096)
def char_class(char: str) -> CharClass:
    """The class of one code point, by Unicode's script extensions."""
    if not _WORD.match(char):
        return CharClass.OTHER
    if _UNSPACED.match(char):
        return CharClass.UNSPACED
    return CharClass.SPACED_LETTER if _LETTER.match(char) else CharClass.SPACED


class _Holding(dict[str, bool]):
    """Remembers answers. The search asks for the neighbours of every find, so asking must cost no more than a look-up."""

    def __missing__(self, char: str) -> bool:
        if len(self) >= 8192:
            self.clear()
        found = self[char] = char_class(char) in (CharClass.SPACED_LETTER, CharClass.SPACED)
        return found


holds_on: Callable[[str], bool] = _Holding().__getitem__
"""Whether this is a word character of a script that puts blanks between words: two of them side by side are one word."""


def may_part(one: str, other: str) -> bool:
    """Whether a word may end between these two."""
    return not (holds_on(one) and holds_on(other))


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text made from another. From offset `starts[k]` on, up to the next start, it equals the source from `sources[k]` on.

    Offsets count code points.
    """

    text: str
    starts: Sequence[int] = ()
    sources: Sequence[int] = ()

    def source(self, offset: int) -> int:
        """Where `offset` lies in the source; what was dropped there belongs to what stands before it."""
        part = bisect_right(self.starts, offset) - 1
        return self.sources[part] + offset - self.starts[part] if part >= 0 else offset


def compose(text: str) -> Rewritten:
    """Compose canonically (NFC); lone surrogates become U+FFFD, since they are no text and matchers refuse them."""
    if text.isascii():
        return Rewritten(text)
    try:
        text.encode()  # ten times quicker than a search, and lone surrogates hardly ever come
    except UnicodeEncodeError:
        text = _SURROGATES.sub("\ufffd", text)
    if unicodedata.is_normalized("NFC", text):
        return Rewritten(text)
    pieces: list[str] = []
    starts: list[int] = []
    sources: list[int] = []
    done = length = 0
    for start, end in _uncomposed(text):
        composed = unicodedata.normalize("NFC", text[start:end])
        pieces += (text[done:start], composed)
        length += start - done
        # Each composed character points at the start of the piece, since none of them has a place of its own in it.
        starts += range(length, length + len(composed) + 1)
        sources += (*([start] * len(composed)), end)
        length += len(composed)
        done = end
    return Rewritten("".join((*pieces, text[done:])), starts, sources)


def _uncomposed(text: str) -> Iterable[tuple[int, int]]:
    """The graphemes that NFC changes. Composition never reaches across a grapheme (Unicode UAX #29)."""
    for piece in _BEYOND_ASCII.finditer(text):
        if not unicodedata.is_normalized("NFC", piece.group()):
            for grapheme in _GRAPHEME.finditer(text, *piece.span()):
                if not unicodedata.is_normalized("NFC", grapheme.group()):
                    yield grapheme.span()


def simple_fold(text: str) -> str:
    """Fold case by Unicode's statuses C and S: every code point stays one code point, so no offset moves."""
    # Full folding has only one common fault, and simple folding leaves that letter alone.
    folded = "ß".join(piece.casefold() for piece in text.split("ß"))
    if len(folded) == len(text):  # nothing grew, so every character took its C row
        return folded
    return "".join(_fold_one(piece) if _GROWS.match(piece) else piece.casefold() for piece in _GROWS.split(text))


def _fold_one(char: str) -> str:
    if len(folded := char.casefold()) == 1:
        return folded
    lowered = char.lower()
    return _SIMPLE_ROWS.get(char, lowered if len(lowered) == 1 else char)


def simple_lower(text: str) -> str:
    """Lower case for showing and storing: code point by code point, leaving alone what would grow (`İ`)."""
    return "".join(lowered if len(lowered := char.lower()) == 1 else char for char in text)


_WIDTHS = {
    code: unicodedata.normalize("NFKC", chr(code))
    for code in (0x3000, *range(0xFF00, 0xFFF0))
    if unicodedata.decomposition(chr(code)).startswith(("<wide>", "<narrow>"))
}


def width_fold(text: str) -> str:
    """Replace full-width and half-width forms by the ordinary ones (`Ｒ` by `R`, `ﾚ` by `レ`), and nothing else."""
    return text.translate(_WIDTHS)


def is_stretchable(char: str) -> bool:
    """Whether people repeat this character without meaning another word: letters of spaced scripts, and the blank."""
    return char == " " or char_class(char) is CharClass.SPACED_LETTER


def comparable(text: str) -> Rewritten:
    """Fold a composed text: simple case, every blank a plain one, no variation selectors."""
    folded = simple_fold(text)
    if not folded.isprintable():  # every blank but the plain one is unprintable, and asking is ten times cheaper than looking
        folded = _OTHER_BLANKS.sub(" ", folded)
    if folded.isascii() or not _may_hold_selectors(folded):
        return Rewritten(folded)
    ends = [match.end() for match in _SELECTORS.finditer(folded)]
    return _without(folded, ends) if ends else Rewritten(folded)


def _may_hold_selectors(text: str) -> bool:
    encoded = text.encode()
    return any(lead in encoded for lead in _SELECTOR_LEADS)


def _without(text: str, ends: Sequence[int]) -> Rewritten:
    """Drop the characters that end at these rising offsets."""
    pieces = [text[begin : end - 1] for begin, end in pairwise((0, *ends))]
    starts = [end - dropped for dropped, end in enumerate(ends, 1)]
    return Rewritten("".join((*pieces, text[ends[-1] :])), starts, ends)


class Collapse:
    """Makes one of each run of equal characters, for the stretchable characters of an alphabet.

    Finding doubled characters with an automaton takes a sixth of the time that a pattern with a back reference takes.
    """

    def __init__(self, alphabet: Iterable[str]) -> None:
        doubles = [char * 2 for char in sorted(set(alphabet)) if is_stretchable(char)]
        self._doubles = AhoCorasick(doubles) if doubles else None

    def __call__(self, text: str) -> Rewritten:
        """Collapse the runs of `text`, which must hold no lone surrogate."""
        if self._doubles is None:
            return Rewritten(text)
        doubled = self._doubles.find_matches_as_indexes(text, overlapping=True)
        return _without(text, [end for _, _, end in doubled]) if doubled else Rewritten(text)


# Pairs of characters that one grapheme may hold; where neither half is of these kinds there is always a boundary.
_MAY_JOIN = regex.compile(
    r"[\p{GCB=Prepend}\p{GCB=L}\p{Regional_Indicator}\p{GCB=Extend}\p{GCB=ZWJ}\p{M}\r]."
    r"|.[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=V}\p{GCB=T}\p{M}]",
    regex.DOTALL,
)


class Graphemes:
    """Where a text may be cut without cutting what people see as one character (Unicode UAX #29)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: frozenset[int] | None = None

    def may_cut(self, offset: int) -> bool:
        """Whether a grapheme starts (or the text ends) at this offset; looks at the whole text only where it must, once."""
        pair = self._text[offset - 1 : offset + 1] if offset else ""
        if len(pair) < 2 or (pair.isascii() and pair != "\r\n") or not _MAY_JOIN.match(pair):
            return True
        if self._starts is None:
            self._starts = frozenset(match.start() for match in _GRAPHEME.finditer(self._text))
        return offset in self._starts
