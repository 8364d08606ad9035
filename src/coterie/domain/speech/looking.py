"""One look at a text of which more may come: whether patterns and given texts stand at a place. What they mean is in `openings`."""

from collections.abc import Iterable, Iterator, Sequence

import regex

IN_LINE = r"[^\S\n\r\x0b\x0c\x85\u2028\u2029]"
"""White space that breaks no line."""
MOST_BLANKS = 16
"""How many blanks may stand between two words."""

_BLANKS = regex.compile(rf"{IN_LINE}{{1,{MOST_BLANKS}}}")
_EMPHASIS = regex.compile(r"[*_]{1,3}")


class Look:
    """One look at the beginning of a line. `is_open` once something was seen that more text could make whole."""

    def __init__(self, text: str, *, may_go_on: bool) -> None:
        self.text, self.may_go_on, self.is_open = text, may_go_on, False

    def may_follow(self, is_begun: bool) -> None:
        """Where the text ends, something `is_begun` that could go on."""
        self.is_open = self.is_open or (is_begun and self.may_go_on)

    def match(self, pattern: "regex.Pattern[str]", place: int) -> "regex.Match[str] | None":
        """The pattern at a place."""
        found = pattern.match(self.text, place, partial=self.may_go_on)
        if found is not None and found.partial:
            self.is_open = True
            return None
        return found

    def follow(self, words: Sequence[str], place: int) -> int | None:
        """Where these words end that begin at a place, with a run of blanks between them."""
        for number, word in enumerate(words):
            if number:
                blanks = self.match(_BLANKS, place)
                if blanks is None:
                    return None
                place = blanks.end()
            if not self.text.startswith(word, place):
                self.may_follow(word.startswith(self.text[place:]))
                return None
            place += len(word)
        return place

    def emphases(self, place: int) -> Iterator[tuple[str, int]]:
        """What emphasis may open at a place, the longest first, each with where it ends; last none."""
        found = _EMPHASIS.match(self.text, place)
        longest = found.group() if found else ""
        for length in range(len(longest), -1, -1):
            yield longest[:length], place + length


class Texts:
    """Texts to be found at a place, by the character that they begin with; longer ones first."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[str, Sequence[str]]]] = {}
        for key in sorted({key for key in keys if key}, key=len, reverse=True):
            self._by_first.setdefault(key[0], []).append((key, key.split()))

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def at(self, look: Look, place: int) -> Iterator[tuple[str, int]]:
        """Those that stand there, each with where it ends."""
        if place >= len(look.text):
            look.may_follow(bool(self))
            return
        for key, words in self._by_first.get(look.text[place], ()):
            end = look.follow(words, place)
            if end is not None:
                yield key, end
