"""Macros in what owners and card authors wrote, bound to the speaker when a prompt is made. People's words never pass through here.

Names as in character cards V1 to V3: `{{char}}`, `<BOT>`, `{{user}}`, `{{random:a,b}}`, `{{pick:a,b}}`, `{{roll:2d6}}`, `{{// note}}`,
`{{comment: x}}`, `{{reverse:x}}`, `{{original}}`; `{bot}`, `{char}` and `{user}` as specification 000 writes them. Macros may stand in
the arguments of others.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

_TOKEN = re.compile(
    r"(?P<open>\{\{)|<(?P<angle>char|bot|user)>|\{(?P<single>char|bot|user)\}(?!\}(?!\}))|\{[^{}]*\}(?!\}(?!\}))|(?P<close>\}\})",
    re.IGNORECASE,
)
_COMMA = re.compile(r"(?<!\\),")
_DICE = re.compile(r"\s*(?:(\d{0,2})d)?([1-9]\d{0,5})\s*([+-]\s*\d{1,6})?\s*", re.IGNORECASE)
_DEEPEST = 8
"""Macros within macros beyond this depth are text."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """What macros stand for. `seed` decides what chance picks; `turn` is the part of it that changes each time."""

    char: str
    user: str
    seed: str = ""
    turn: str = ""
    original: str = ""


@dataclass(slots=True)
class _Macro:
    """What stands between a pair of braces, and where in the text it opens."""

    place: int
    inside: list["_Piece"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Value:
    """Text that was put in, and is not read again."""

    text: str


_Piece = str | _Value | _Macro


def expand(text: str, bindings: Bindings) -> str:
    """Replace each known macro once; what is inserted is not read again, and unknown macros stay as they are."""
    return _joined(_parse(text, bindings), bindings)


def _parse(text: str, bindings: Bindings) -> list[_Piece]:
    """The text in pieces; braces that never close are text."""
    open_ones = [_Macro(0)]
    done = 0
    for token in _TOKEN.finditer(text):
        inside = open_ones[-1].inside
        bare = token["angle"] or token["single"]
        inside.append(text[done : token.start()])
        done = token.end()
        if token["open"] and len(open_ones) <= _DEEPEST:
            open_ones.append(_Macro(token.start()))
        elif token["close"] and len(open_ones) > 1:
            closed = open_ones.pop()
            open_ones[-1].inside.append(closed)
        else:
            value = _name(bare.lower(), bindings) if bare else None
            inside.append(token.group() if value is None else _Value(value))
    open_ones[-1].inside.append(text[done:])
    pieces = open_ones[0].inside
    for unclosed in open_ones[1:]:
        pieces += ["{{", *unclosed.inside]
    return pieces


def _joined(pieces: Sequence[_Piece], bindings: Bindings) -> str:
    return "".join(_text(piece, bindings) for piece in pieces)


def _text(piece: _Piece, bindings: Bindings) -> str:
    match piece:
        case str():
            return piece
        case _Value(text):
            return text
        case _Macro():
            value = _value(piece, bindings)
            return "{{" + _joined(piece.inside, bindings) + "}}" if value is None else value


def _name(name: str, bindings: Bindings) -> str | None:
    return {"char": bindings.char, "bot": bindings.char, "user": bindings.user, "original": bindings.original}.get(name)


def _value(macro: _Macro, bindings: Bindings) -> str | None:
    """What a macro stands for; nothing for one that is not known."""
    first = macro.inside[0]
    head = first if isinstance(first, str) else ""
    if head.lstrip().startswith("//"):
        return ""
    name, colon, rest = head.partition(":")
    name = name.strip().lower()
    if not colon:
        return _name(name, bindings) if len(macro.inside) == 1 else None
    argument = [rest, *macro.inside[1:]]
    match name:
        case "comment" | "hidden_key":
            return ""
        case "reverse":
            return _joined(argument, bindings)[::-1]
        case "random":
            return _choice(argument, f"{bindings.seed}/{bindings.turn}/{macro.place}", bindings)
        case "pick":
            return _choice(argument, f"{bindings.seed}/{macro.place}", bindings)
        case "roll":
            return _rolled(_joined(argument, bindings), f"{bindings.seed}/{bindings.turn}/{macro.place}")
        case _:
            return None


def _choice(argument: Sequence[_Piece], key: str, bindings: Bindings) -> str:
    """One of the options: between commas (`\\,` is a comma of an option), or between double colons as cards in the wild have it."""
    has_colons = any(isinstance(piece, str) and "::" in piece for piece in argument)
    options = list(_options(argument, has_colons=has_colons))
    chosen = options[_chance(key) % len(options)]
    return _joined(chosen, bindings).strip()


def _options(argument: Sequence[_Piece], *, has_colons: bool) -> Iterator[list[_Piece]]:
    """The argument cut at its separators; those within macros and within what was put in are none."""
    option: list[_Piece] = []
    for place, piece in enumerate(argument):
        if not isinstance(piece, str):
            option.append(piece)
            continue
        text = piece.lstrip(":") if place == 0 else piece
        first, *further = text.split("::") if has_colons else _COMMA.split(text)
        option.append(first.replace("\\,", ","))
        for part in further:
            yield option
            option = [part.replace("\\,", ",")]
    yield option


def _rolled(dice: str, key: str) -> str | None:
    """The sum of some dice: `6`, `d6`, `2d6`, `2d6+3`."""
    found = _DICE.fullmatch(dice)
    if found is None:
        return None
    count, sides, bonus = int(found[1] or 1), int(found[2]), int((found[3] or "0").replace(" ", ""))
    return str(sum(1 + _chance(f"{key}/{die}") % sides for die in range(count)) + bonus) if count else None


def _chance(key: str) -> int:
    """A large number that depends on nothing but the key."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest())
