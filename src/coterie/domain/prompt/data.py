"""Names and words of people as data: they keep what they say and lose what they could be taken for."""

import re

_LONGEST_NAME = 80
_BLANKS = re.compile(r"\s+")
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_HEADING = re.compile(r"^([ \t]*)(?=#)", re.MULTILINE)

NOBODY = "Somebody"


def plain_name(name: str) -> str:
    """A name as a label can hold it: one line, no heading, no colon at its end, at most 80 characters."""
    one_line = _BLANKS.sub(" ", _UNSEEN.sub("", name)).strip().lstrip("#").strip().rstrip(":：").strip()
    return one_line[:_LONGEST_NAME] or NOBODY


def plain_words(text: str) -> str:
    """A text that opens no heading: a `#` at the start of a line is escaped as Markdown does it."""
    return _HEADING.sub(r"\1\\", _UNSEEN.sub("", text))


def labelled(name: str, text: str) -> str:
    """`Name: text`. Further lines are indented, so that a line which begins with a label is always one that somebody really said."""
    return f"{plain_name(name)}: " + plain_words(text).strip().replace("\n", "\n  ")
