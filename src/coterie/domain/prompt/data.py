"""Names and words of people as data: they keep what they say and lose what they could be taken for."""

import re
from functools import lru_cache

from coterie.kit.text import beginning, mend

_LONGEST_NAME = 80
_BLANKS = re.compile(r"\s+")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_UNSEEN_IN_NAMES = re.compile("[\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff]")
_COLONS = re.compile("[:：﹕︓]")
_HEADINGS = re.compile(r"##+|^[^\S\n]*#(?=\s|\Z)", re.MULTILINE)
_PARENTHESES = re.compile("[()（）]")
_ORDINARY_NAME = re.compile(r"[\w .'’()-]+")

NOBODY = "Somebody"


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A name as a label can hold it: one line, no heading, no colon, at most 80 characters."""
    one_line = _UNSEEN_IN_NAMES.sub("", _seen(name))
    for marks in (re.compile("##+"), _COLONS, _BLANKS):
        one_line = marks.sub(" ", one_line)
    return beginning(one_line.strip(" #"), _LONGEST_NAME).strip() or NOBODY


def plain_label(label: str) -> str:
    """What stands in parentheses behind a name: as plain as a name, and without parentheses of its own."""
    return " ".join(_PARENTHESES.sub(" ", plain_name(label)).split()) or NOBODY


def named(name: str) -> str:
    """A plain name amid words of ours: in quotation marks where it could be read as more than a name."""
    return name if _ORDINARY_NAME.fullmatch(name) else f"“{_unquoted(name)}”"


def plain_words(text: str) -> str:
    """A text that opens no heading: marks of headings are escaped as Markdown does it, wherever they stand."""
    return _HEADINGS.sub(lambda marks: marks.group().replace("#", r"\#"), _seen(text))


# The same history is laid out again for every turn.
@lru_cache(maxsize=2048)
def labelled(label: str, text: str) -> str:
    """`Label: text`. Further lines are indented, so that a line which begins with a label is always one that somebody really said."""
    return f"{label}: " + plain_words(text).strip().replace("\n", "\n  ")


def quoted(text: str, most: int) -> str:
    """A text of people as an excerpt of at most `most` characters, on one line and in quotation marks that it cannot end."""
    words = _unquoted(" ".join(plain_words(text).split()))
    return f"“{words}”" if len(words) <= most else f"“{beginning(words, most - 1).rstrip()}…”"


def _seen(text: str) -> str:
    """The text with one kind of line end, and nothing in it that is not seen."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", mend(text)))


def _unquoted(text: str) -> str:
    return text.replace("“", '"').replace("”", '"')
