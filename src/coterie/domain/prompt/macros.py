"""Macros in what owners and card authors wrote, bound to the speaker when a prompt is made. People's words never pass through here.

Names as in character cards V1 to V3: `{{char}}`, `<BOT>`, `{{user}}`, `{{random:a,b}}`, `{{pick:a,b}}`, `{{roll:d6}}`, `{{// note}}`,
`{{comment: x}}`, `{{reverse:x}}`, `{{original}}`; `{bot}`, `{char}` and `{user}` as specification 000 writes them.
"""

import re
from dataclasses import dataclass
from zlib import crc32

_MACRO = re.compile(r"\{\{(?P<double>[^{}]*)\}\}|<(?P<angle>char|bot|user)>|\{(?P<single>char|bot|user)\}", re.IGNORECASE)
_COMMA = re.compile(r"(?<!\\),")
_DIE = re.compile(r"\s*(?:1?d)?([1-9]\d{0,5})\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bindings:
    """What macros stand for. `seed` decides what chance picks; `turn` is the part of it that changes each time."""

    char: str
    user: str
    seed: str = ""
    turn: str = ""
    original: str = ""


def expand(text: str, bindings: Bindings) -> str:
    """Replace each known macro once, from left to right; what is inserted is not read again, and unknown macros stay as they are."""

    def value(found: re.Match[str]) -> str:
        bare = found["angle"] or found["single"]
        known = _name(bare.lower(), bindings) if bare else _double(found["double"], found.start(), bindings)
        return found[0] if known is None else known

    return _MACRO.sub(value, text)


def _name(name: str, bindings: Bindings) -> str | None:
    return {"char": bindings.char, "bot": bindings.char, "user": bindings.user, "original": bindings.original}.get(name)


def _double(inside: str, place: int, bindings: Bindings) -> str | None:
    if inside.lstrip().startswith("//"):
        return ""
    name, colon, argument = inside.partition(":")
    name = name.strip().lower()
    if not colon:
        return _name(name, bindings)
    match name:
        case "comment" | "hidden_key":
            return ""
        case "reverse":
            return argument[::-1]
        case "random":
            return _choice(argument, f"{bindings.seed}/{bindings.turn}/{place}")
        case "pick":
            return _choice(argument, f"{bindings.seed}/{place}")
        case "roll":
            die = _DIE.fullmatch(argument)
            return str(1 + crc32(f"{bindings.seed}/{bindings.turn}/{place}".encode()) % int(die[1])) if die else None
        case _:
            return None


def _choice(argument: str, key: str) -> str:
    """One of the options: between commas (`\\,` is a comma of an option), or between double colons as cards in the wild have it."""
    options = argument.lstrip(":").split("::") if "::" in argument else _COMMA.split(argument)
    return options[crc32(key.encode()) % len(options)].replace("\\,", ",").strip()
