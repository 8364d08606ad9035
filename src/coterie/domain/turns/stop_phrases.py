"""Short messages by which people ask the speaking persona to stop. Whether a message may stop a turn at all is in `arrival`."""

import re
from collections.abc import Mapping, Sequence

from coterie.kit.folding import CharClass, char_class, comparable, compose, may_part

STOP_PHRASES: Mapping[str, Sequence[str]] = {
    "en": (
        *("wait", "stop", "enough", "chill", "halt", "pause", "quit"),
        *("that's good", "that's fine", "thats good", "thats fine"),
        *("nevermind", "never mind", "cut it out", "tone it down", "knock it off"),
    ),
    "ja": ("やめて", "ストップ", "もういい", "十分", "いいよ", "待って"),
}
"""By locale; those of all locales count everywhere. Scripts without blanks match anywhere, others as whole words."""

MOST_WORDS = 5
MOST_CHARACTERS = 20
"""A longer message is no stop: so many words, and so many characters of scripts without blanks."""

_DENIED = re.compile(r"\b(?:don'?t|do not|never|can'?t|cannot|won'?t|didn'?t|not) $")


class StopPhrases:
    """A table of phrases, folded once."""

    def __init__(self, table: Mapping[str, Sequence[str]] = STOP_PHRASES) -> None:
        self._phrases = tuple({folded for phrases in table.values() for phrase in phrases if (folded := _folded(phrase))})

    def is_stop(self, text: str) -> bool:
        """Whether the whole message is short and holds a phrase that is not denied (`don't stop`)."""
        folded = _folded(text)
        return _is_short(folded) and any(_stands(phrase, folded) for phrase in self._phrases)


def _folded(text: str) -> str:
    return " ".join(comparable(compose(text).text).text.replace("’", "'").split())


def _is_short(text: str) -> bool:
    unspaced = sum(char_class(char) is CharClass.UNSPACED for char in text)
    words = sum(any(char_class(char) in (CharClass.SPACED_LETTER, CharClass.SPACED) for char in word) for word in text.split())
    return words <= MOST_WORDS and unspaced <= MOST_CHARACTERS


def _stands(phrase: str, text: str) -> bool:
    for match in re.finditer(re.escape(phrase), text):
        start, end = match.span()
        begins = start == 0 or may_part(text[start - 1], text[start])
        ends = end == len(text) or may_part(text[end], text[end - 1])
        if begins and ends and not _DENIED.search(text, 0, start):
            return True
    return False
