"""Texts that no database takes, made harmless: lone surrogates and NUL become U+FFFD. All that is written or looked up comes by here."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

REPLACEMENT = "\ufffd"

_LONE = dict.fromkeys(range(55296, 57344), REPLACEMENT) | {0: REPLACEMENT}


def clean(text: str) -> str:
    """The text as it can be kept; the same object when there is nothing to replace."""
    if "\0" not in text:
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return text.translate(_LONE)


def to_json(value: Any) -> str:
    """JSON that both databases take."""
    try:
        written = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        return to_json(_clean_within(value))
    return written if "\\u0000" not in written else orjson.dumps(_clean_within(value), option=orjson.OPT_NON_STR_KEYS).decode()


def _clean_within(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case Mapping():
            return {_clean_within(key): _clean_within(inner) for key, inner in value.items()}
        case Sequence():
            return [_clean_within(inner) for inner in value]
        case _:
            return value
