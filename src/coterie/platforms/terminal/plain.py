"""Texts and names of people and models as a terminal may show them: data, never commands to the screen. Widths are the screen's affair."""

import re
import unicodedata

from coterie.kit.text import head, mend

TAB_COLUMNS = 4
MOST_MARKS = 6
"""Combining marks on one letter. No script needs more; piles of them paint over the neighbours."""

# C0 and C1 controls (ESC and CSI among them) and DEL, but not the line break; see ECMA-48.
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
# Marks that turn the reading direction of what follows, beyond the text they came with (Unicode UAX #9), and interlinear annotation.
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")


def shown_text(text: str) -> str:
    """A text without control characters, direction turners and half surrogates; every line break is `\\n`, tabs are blanks."""
    text = _BREAKS.sub("\n", text).replace("\t", " " * TAB_COLUMNS)
    text = _CONTROLS.sub("", text)
    return text if text.isascii() else _levelled(_TURNS.sub("", mend(text)))


def shown_name(name: str, otherwise: str = "?") -> str:
    """A name on one line; `otherwise` where nothing visible is left of it."""
    return " ".join(shown_text(name).split()) or otherwise


def one_line(text: str, most: int = 200) -> str:
    """A text on one line of at most `most` characters; a longer one is cut between graphemes and says so."""
    line = " ".join(shown_text(text[: most * 8]).split())
    return line if len(line) <= most else head(line, most - 3) + "..."


def _levelled(text: str) -> str:
    """Without the marks beyond `MOST_MARKS` on one letter."""
    marks, kept = 0, []
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)
