"""What happens in a room, as the events of `/v1/send` and `/v1/session/{id}/events`. Shapes only; who hears them is in `hub`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from coterie.domain.conversation import Message, PersonaVoice

Status = Literal["answered", "silent", "stopped", "superseded", "failed"]
EventName = Literal["plan", "delta", "discard", "line", "error", "end", "message", "resync"]


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `root` is the person's message it belongs to; `data` is what goes over the wire; `id` rises within a session."""

    name: EventName
    root: str
    data: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


def rfc3339(moment: datetime) -> str:
    """A moment as RFC 3339 in UTC, with milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def message_json(message: Message) -> dict[str, Any]:
    """A kept message as `/v1/session/{id}/messages` shows it; `persona` is a handle, or null for people."""
    author = message.author
    return {
        "message_id": message.id,
        "author": {
            "id": str(author.id),
            "name": author.name,
            "persona": author.handle if isinstance(author, PersonaVoice) else None,
        },
        "text": message.text,
        "created_at": rfc3339(message.created_at),
        "reply_to": message.reply_to,
        "turn_id": message.turn,
    }


def plan_event(root: str, message: str, turns: Sequence[Mapping[str, str]], skipped: Sequence[Mapping[str, str]]) -> Event:
    """`turns` hold persona, reason and turn_id; `skipped` persona and why. A chain's plan tells the message at which it began as `root`."""
    data = {"message_id": message, "turns": list(turns), "skipped": list(skipped)}
    return Event("plan", root, data | ({"root": root} if root != message else {}))


def delta_event(root: str, turn: str, text: str) -> Event:
    """More text of a turn."""
    return Event("delta", root, {"turn_id": turn, "text": text})


def discard_event(root: str, turn: str) -> Event:
    """The deltas of a turn are taken back."""
    return Event("discard", root, {"turn_id": turn})


def line_event(root: str, turn: str, *, persona: str, name: str, avatar: str | None, text: str, message: str) -> Event:
    """A finished line."""
    data = {"turn_id": turn, "persona": persona, "name": name, "avatar": avatar, "text": text, "message_id": message}
    return Event("line", root, data)


def error_event(root: str, turn: str | None, sentence: str) -> Event:
    """A turn failed (with its id) or the whole message did (without)."""
    return Event("error", root, {"error": sentence} | ({"turn_id": turn} if turn else {}))


def end_event(root: str, status: str) -> Event:
    """Nothing more comes of `root`; `message_id` tells listeners of a whole session which message ended."""
    return Event("end", root, {"status": status, "message_id": root})


def message_event(message: Message) -> Event:
    """What a person said, for listeners of a session."""
    kept = message_json(message)
    return Event("message", message.id, {key: kept[key] for key in ("message_id", "author", "text", "created_at", "reply_to")})


def resync_event() -> Event:
    """The listener missed more than is kept; it should read the messages again."""
    return Event("resync", "")
