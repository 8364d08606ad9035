"""How an answer begins that was given its beginning: the beginning first, then what the model says, joined so that both read as one."""

import regex

from coterie.kit.folding import CharClass, char_class, simple_fold

_OPENS = regex.compile(r"[\p{Ps}\p{Pi}]")
_CLINGS = regex.compile(r"[\p{Pe}\p{Pf}.,;:!?…'’%]")


class Lead:
    """A beginning and what follows it. A model that repeats the beginning is forgiven; one that says nothing leaves it unsaid."""

    def __init__(self, beginning: str = "") -> None:
        self._beginning = beginning.strip()
        self._key = simple_fold(self._beginning)
        self.begin_anew()

    def begin_anew(self) -> None:
        """The attempt counts no more."""
        self._held = ""
        self._is_over = not self._beginning

    def feed(self, text: str) -> str:
        """More of what the model says; what can be shown now."""
        if self._is_over:
            return text
        self._held += text
        # Simple folding leaves every character in its place.
        folded = simple_fold(self._held[: len(self._key)])
        if not self._held or (len(folded) < len(self._key) and self._key.startswith(folded)):
            return ""
        self._is_over = True
        if folded == self._key:
            return self._beginning + self._held[len(self._key) :]
        return self._beginning + _joint(self._beginning[-1], self._held[0]) + self._held

    def finish(self) -> str:
        """The model has said everything; what is left."""
        # Whatever is held is a part of the beginning.
        left = self._beginning if self._held and not self._is_over else ""
        self._is_over = True
        return left


def _joint(before: str, behind: str) -> str:
    """What has to stand between two characters."""
    if before.isspace() or behind.isspace() or _OPENS.match(before) or _CLINGS.match(behind):
        return ""
    return "" if CharClass.UNSPACED in (char_class(before), char_class(behind)) else " "
