"""The name a webhook message carries: a persona's name made safe for Discord, decorated, and read back again.

Which of two names is worn next to a line of the same name is decided in `name_groups`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from coterie.domain.personas.naming import name_key
from coterie.kit.text import head, mend, utf16_length

MOST = 80
"""The longest name of a webhook, in code points and in UTF-16 units (Discord docs, Webhook)."""

MOST_INSIDE = 64
"""The longest label in parentheses (specification 000's grammar of render modifiers)."""

NAMELESS = "Persona"
"""What is shown where nothing of a name is left."""

HAIR = "\u200a"
"""A hair space: no eye sees it, and it parts the words that Discord refuses."""

_PAD = "\u17b5"
"""Takes no room; makes a single character two. Not trimmed as a blank would be."""

_LAST_RESORT_END = f"{HAIR}·"
_CUT = "..."

# Characters without width, which Discord strips from names before it judges them.
_WIDTHLESS = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_UNSEEN = f"[{_WIDTHLESS}]*"
_ENDS = re.compile(rf"\A[\s{_WIDTHLESS}]+|[\s{_WIDTHLESS}]+\Z")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_HIDDEN = re.compile(f"[{HAIR}{_PAD}\u00ad\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def _spelled(word: str) -> str:
    return _UNSEEN.join(word)


_REFUSED_INSIDE = re.compile(f"(?P<first>[cd])(?P<rest>{_UNSEEN}(?:{_spelled('lyde')}|{_spelled('iscord')}))", re.IGNORECASE)
_REFUSED_WHOLE = re.compile(f"(?P<first>[eh])(?P<rest>{_UNSEEN}(?:{_spelled('veryone')}|{_spelled('ere')}))", re.IGNORECASE)
_TICKS = re.compile(f"`(?={_UNSEEN}`)")
_BRIDGED = re.compile(r"\[[^\[\]]{1,32}\]\s+(?=\S)")
_LATIN_OF = {
    **dict(zip("асеорхуіјѕһԁԛԝ", "aceopxyijshdqw", strict=True)),
    **dict(zip("АВСЕНІЈКМОРЅТХУ", "ABCEHIJKMOPSTXY", strict=True)),
}
_CYRILLIC_OF = {latin: cyrillic for cyrillic, latin in _LATIN_OF.items()}
_WORD = re.compile(r"[^\W\d_]+")


def webhook_name(name: str) -> str:
    """The name as Discord takes it for a webhook: 1 to 80 characters, nothing refused in it. Read back by `fold`.

    Parted by a hair space: `clyde` and `discord` anywhere, `everyone` and `here` alone, runs of backticks (Discord docs, Webhook, and what
    users met: names that contain these are refused with 50035). A single character is padded; a blank name becomes `NAMELESS`.
    """
    safe = _ENDS.sub("", head(_parted(_one_line(name)), MOST))
    if not _HIDDEN.sub("", safe).strip():
        return NAMELESS
    if whole := _REFUSED_WHOLE.fullmatch(safe):
        return whole["first"] + HAIR + whole["rest"]
    return safe + _PAD if len(safe) == 1 else safe


def last_resort(name: str) -> str:
    """Another safe form, for a name that Discord refused all the same: no two of its characters stand side by side."""
    plain = fold(name) or NAMELESS
    if len(plain) == 1:
        return plain + _LAST_RESORT_END
    return head(HAIR.join(plain), MOST).strip()


def decorated(front: str, inside: str) -> str:
    """`front (inside)`, safe for Discord. The front is cut with `...` so that what stands in parentheses stays whole.

    A sprite is `decorated(source, label)`; a copied identity, or a sprite that is an identity, is `decorated(target, source)`.
    """
    end = f" ({_fitted(_parted(_one_line(inside)), MOST_INSIDE)})"
    return _fitted(_parted(_one_line(front)) or NAMELESS, MOST - utf16_length(end)) + end


def fold(shown: str) -> str:
    """A shown name without what was put in to make it safe: hair spaces, paddings, characters without width; blanks collapsed."""
    return " ".join(_HIDDEN.sub("", shown.removesuffix(_LAST_RESORT_END)).split())


@lru_cache(maxsize=4096)
def shown_key(shown: str) -> str:
    """The key under which two shown names are the same: folded, look-alike letters too, without regard to case and width."""
    return name_key(_without_look_alikes(fold(shown)))


def without_bridge(shown: str) -> str:
    """The name without the mark of a bridge in front of it: `[Matrix] Ann` is Ann."""
    bare = shown.strip()
    found = _BRIDGED.match(bare)
    return bare[found.end() :] if found else bare


def parts(shown: str) -> tuple[str, str] | None:
    """`name (inside)` taken apart, both without blanks around them; nothing where a name is not of this form.

    Parentheses within `inside` are taken as part of it where they are balanced.
    """
    text = fold(shown)
    if not text.endswith(")"):
        return None
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if depth == 0:
            front, inside = text[:place].strip(), text[place + 1 : -1].strip()
            return (front, inside) if front and 0 < len(inside) <= MOST_INSIDE else None
    return None


@dataclass(frozen=True, slots=True)
class Read:
    """Who stands behind a shown name: `persona` as it was given to `read_name`, and the label beside it, if any."""

    persona: str
    label: str | None = None

    @property
    def source_first(self) -> str:
        """The label for prompts, always `Source (label)` (specification 000)."""
        return self.persona if self.label is None else f"{self.persona} ({self.label})"


def read_name(shown: str, personas: Iterable[str]) -> Read | None:
    """Which of the personas a shown name is, or nothing. Says nothing about who really sent the message: a record knows that.

    The whole name comes first; then `target (Persona)`, the form of today; then `Persona (label)`, the older one and that of sprites
    (specification 000). Where both parts are personas, the first reading wins. A bridge's mark is left out where it is no part of a name.
    """
    names = tuple(personas)
    for text in dict.fromkeys((shown, without_bridge(shown))):
        if found := _read(text, names):
            return found
    return None


def _read(shown: str, names: tuple[str, ...]) -> Read | None:
    if whole := _borne(shown, names):
        return Read(whole)
    if (both := parts(shown)) is None:
        return None
    front, inside = both
    if source := _borne(inside, names):
        return Read(source, without_bridge(front))
    return Read(source, inside) if (source := _borne(front, names)) else None


def _borne(shown: str, names: tuple[str, ...]) -> str | None:
    """The persona that bears this name; a name that was cut with `...` is the one persona's that begins so."""
    key = shown_key(shown)
    for name in names:
        if key in (shown_key(name), shown_key(webhook_name(name))):
            return name
    if not key.endswith(_CUT):
        return None
    stem = key.removesuffix(_CUT)
    found = [name for name in names if stem and shown_key(name).startswith(stem)]
    return found[0] if len(found) == 1 else None


def _one_line(name: str) -> str:
    return _ENDS.sub("", " ".join(_CONTROLS.sub(" ", mend(name)).split()))


def _parted(name: str) -> str:
    return _TICKS.sub(f"`{HAIR}", _REFUSED_INSIDE.sub(rf"\g<first>{HAIR}\g<rest>", name))


def _fitted(name: str, most: int) -> str:
    """At most so many UTF-16 units, cut with `...` where it is longer."""
    return name if utf16_length(name) <= most else head(name, most - len(_CUT)).rstrip() + _CUT


def _without_look_alikes(name: str) -> str:
    """Words of Latin and Cyrillic letters in the alphabet that most of their letters have; the predecessor's way to break groups."""
    return name if name.isascii() else _WORD.sub(lambda word: _one_alphabet(word.group()), name)


def _one_alphabet(word: str) -> str:
    latin = sum("a" <= char.lower() <= "z" for char in word)
    cyrillic = sum("\u0400" <= char <= "\u052f" for char in word)
    if not latin or not cyrillic or latin == cyrillic:
        return word
    table = _LATIN_OF if latin > cyrillic else _CYRILLIC_OF
    return "".join(table.get(char, char) for char in word)
