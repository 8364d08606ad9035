"""What a session id is made of, and which shown names were made by a machine. Who may make which session is the callers' business."""

import re
from enum import StrEnum


class Kind(StrEnum):
    """What a session is; the value is the prefix of its id."""

    CLI = "cli"
    CHAT = "chat"
    HTTP = "http"
    TEMP = "temp"
    DISCORD = "dc"
    TELEGRAM = "tg"


HASHED = (Kind.DISCORD, Kind.TELEGRAM)
"""Kinds whose id is a SHA-256 of the place they are bound to, so that the same place is always the same session."""

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ID = re.compile(rf"(?P<random>cli|chat|http|temp)-{_UUID}|(?P<hashed>dc|tg)-[0-9a-f]{{64}}", re.IGNORECASE | re.ASCII)
_OF_DISCORD = f"{Kind.DISCORD}-"
_PREFIXES_OF_PLACES = tuple(f"{kind}-" for kind in HASHED)


def kind_of(session_id: str) -> Kind | None:
    """The kind of a well-formed session id: a lower-case prefix and a UUID, or 64 hex digits in either case; else nothing."""
    found = _ID.fullmatch(session_id)
    prefix = (found["random"] or found["hashed"]) if found else ""
    return Kind(prefix) if prefix in set(Kind) else None


def is_discord(session_id: str) -> bool:
    """Whether a session is a place on Discord."""
    return session_id.startswith(_OF_DISCORD)


def is_auto_named(name: str) -> bool:
    """Whether a generated title may replace this name (specification 004): blank, shaped like any session's id, or `tg-…`, `dc-…`.

    A user's own `cli-tools` is a name like any other.
    """
    bare = name.strip()
    return not bare or bare.startswith(_PREFIXES_OF_PLACES) or kind_of(bare) is not None
