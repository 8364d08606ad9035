"""What each field of a session may hold, and how a partial update is judged (specification 004). Uniqueness is the storage's to keep."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from coterie.domain.sessions.precedence import AUTO
from coterie.domain.sessions.session import SessionChange

LEVELS: Final = ("none", "low", "medium", "high", "xhigh", "max")
"""How much a model may reason, in rising order; what a request may ask for."""

SESSION_LEVELS: Final = (AUTO, *LEVELS)
"""What a session may hold: `auto` takes the level from whoever dispatches the turn."""

MAX_SELF_ID: Final = 32

_SELF_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_SELF_ID}}}", re.ASCII)


class FieldRefused(Exception):
    """A field does not take this value; the text is one sentence for a person."""


def normalise_self_id(text: str) -> str:
    """Trim, judge, lower-case. Empty means none. Raises `FieldRefused`.

    The judgement comes before the lower-casing, since some characters outside ASCII become ASCII by it (the Kelvin sign).
    """
    bare = text.strip()
    if bare and not _SELF_ID.fullmatch(bare):
        raise FieldRefused(f"self_id takes up to {MAX_SELF_ID} of the letters a-z, digits, '-' and '_'.")
    return bare.lower()


def which_role(role: str | None, rule: str | None) -> str | None:
    """The persona body that a client means: `rule`, the older name, wins when both are sent (specification 004)."""
    return role if rule is None else rule


def judge_change(body: Mapping[str, object], knows_model: Callable[[str], bool]) -> SessionChange:
    """Turn the body of a partial update into a change. Raises `FieldRefused` for the first field that is wrong.

    A key that is absent or null leaves its field alone, and a key that is not known is ignored. `knows_model` is asked about
    everything but `auto`.
    """
    self_id, name, model, reasoning = (_text(body, key) for key in ("self_id", "name", "model", "reasoning"))
    role = which_role(_text(body, "role"), _text(body, "rule"))
    return SessionChange(
        self_id=None if self_id is None else normalise_self_id(self_id),
        name=None if name is None else _blank_as_empty(name),
        model=None if model is None else _judge_model(model, knows_model),
        reasoning=None if reasoning is None else _judge_level(reasoning),
        role=None if role is None else _blank_as_empty(role),
    )


def _text(body: Mapping[str, object], key: str) -> str | None:
    value = body.get(key)
    if value is not None and not isinstance(value, str):
        raise FieldRefused(f"{key} takes a text.")
    return value


def _judge_model(model: str, knows_model: Callable[[str], bool]) -> str:
    bare = model.strip() or AUTO
    if bare != AUTO and not knows_model(bare):
        raise FieldRefused("model takes provider:model with a known provider, or auto.")
    return bare


def _judge_level(level: str) -> str:
    if level not in SESSION_LEVELS:
        raise FieldRefused(f"reasoning takes one of {', '.join(SESSION_LEVELS)}.")
    return level


def _blank_as_empty(text: str) -> str:
    """A blank text is one that was never set; the default is computed where it is needed, so that a better one reaches old sessions."""
    return text if text.strip() else ""
