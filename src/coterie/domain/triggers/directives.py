"""Reads the directives of the scripted model (`{{say: …}}`) out of a person's text.

Not here: what a model does with them (providers), and trigger matching, which only leaves their spans out.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

DirectiveName = Literal["say", "sleep", "empty", "fail", "tool", "slow"]
Failure = Literal["busy", "refused", "broken"]

_OPENING = re.compile(r"\{\{\s*(say|sleep|empty|fail|tool|slow)(?:@([A-Za-z0-9_-]+))?\s*(:|(?=\}\}))")
_TOOL_NAME = re.compile(r"\s*([^\s{}]+)\s*")
_CLOSING = re.compile(r"\s*\}\}")
_JSON = json.JSONDecoder()
FAILURES: Mapping[str, Failure] = {"busy": "busy", "refused": "refused", "broken": "broken"}


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive. Only the field that belongs to its name is filled; `start` and `end` span the text with its braces."""

    name: DirectiveName
    handle: str
    """Whose turn it is for, in lower case; empty means everyone's."""
    start: int
    end: int
    text: str = ""
    """`say`: what to answer. `tool`: the name of the tool. `fail`: how to fail, as it was written."""
    number: float = 0.0
    """`sleep`: seconds. `slow`: characters a second."""
    failure: Failure | None = None
    """Nothing for a word that is not known: the model says so, where an answer would look like success."""
    arguments: Mapping[str, Any] = field(default_factory=dict)


def read_directives(text: str) -> tuple[Directive, ...]:
    """Every well-formed directive of a text, from left to right; anything malformed is ordinary text.

    A `say` ends at the first `}}`; the JSON of a `tool` is read as JSON first, so that braces inside it are its own.
    """
    return tuple(_scan(text))


def directive_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where directives stand, as half-open code point offsets: not to be counted as trigger text while the scripted model is active."""
    return tuple((directive.start, directive.end) for directive in read_directives(text))


def chosen(directives: Sequence[Directive], name: DirectiveName, handle: str) -> tuple[Directive, ...]:
    """The directives of one name that count in a turn of `handle`: those addressed to it, else those addressed to nobody."""
    named = [directive for directive in directives if directive.name == name]
    own = tuple(directive for directive in named if directive.handle and directive.handle == handle.lower())
    return own or tuple(directive for directive in named if not directive.handle)


def _scan(text: str) -> Iterator[Directive]:
    position = 0
    while opening := _OPENING.search(text, position):
        directive = _read(text, opening)
        if directive is not None:
            yield directive
        position = opening.end() if directive is None else directive.end


def _read(text: str, opening: re.Match[str]) -> Directive | None:
    """The directive that begins here, if the rest of it is well formed."""
    if opening[1] == "tool":
        return _read_tool(text, opening)
    close = text.find("}}", opening.end())
    if close < 0:
        return None
    handle, start, end = (opening[2] or "").lower(), opening.start(), close + 2
    argument = text[opening.end() : close].strip()
    match opening[1]:
        case "say" if opening[3]:
            return Directive("say", handle, start, end, text=argument.replace("\\n", "\n"))
        case "empty" if not argument:
            return Directive("empty", handle, start, end)
        case "fail":
            return Directive("fail", handle, start, end, text=argument, failure=FAILURES.get(argument))
        case "sleep" if (number := _number(argument)) is not None and number >= 0:
            return Directive("sleep", handle, start, end, number=number)
        case "slow" if (number := _number(argument)) is not None and number > 0:
            return Directive("slow", handle, start, end, number=number)
        case _:
            return None


def _read_tool(text: str, opening: re.Match[str]) -> Directive | None:
    """`{{tool: NAME JSON}}`; without JSON the arguments are an empty object."""
    name = _TOOL_NAME.match(text, opening.end()) if opening[3] else None
    if name is None:
        return None
    arguments: object = {}
    position = name.end()
    if not text.startswith("}}", position):
        try:
            arguments, position = _JSON.raw_decode(text, position)
        except (ValueError, RecursionError):
            return None
    closing = _CLOSING.match(text, position)
    if closing is None or not isinstance(arguments, dict):
        return None
    return Directive("tool", (opening[2] or "").lower(), opening.start(), closing.end(), text=name[1], arguments=arguments)


def _number(text: str) -> float | None:
    """A finite decimal number."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
