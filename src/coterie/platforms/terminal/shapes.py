"""What the terminal shows, as plain values, and how the API's JSON becomes them. Every text is made fit for a screen here, at the door."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from coterie.platforms.terminal.plain import one_line, shown_name, shown_text

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was said. `persona` is a handle, or nothing for people; `author` is the speaker's id where the API gave one."""

    message_id: str
    name: str
    text: str
    at: datetime
    persona: str | None = None
    author: str = ""
    reply_to: str | None = None

    @property
    def summary(self) -> str:
        """Who and the first words, on one line."""
        return f"{self.name}: {one_line(self.text, 60)}"


@dataclass(frozen=True, slots=True)
class Member:
    """One persona of the cast. `words` are the trigger words that it really owns."""

    handle: str
    name: str
    is_main: bool
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """A session as the terminal lists it."""

    session_id: str
    name: str
    self_id: str
    model: str
    level: str
    role: str
    is_working: bool
    is_default: bool

    @property
    def title(self) -> str:
        """What the room is called on the screen."""
        return self.name or self.self_id or self.session_id[:13]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why one persona answered a message or did not. `reason` is the stable name, `meaning` says it to people."""

    name: str
    is_turn: bool
    reason: str
    meaning: str
    note: str = ""


def read_message(data: Json, now: datetime) -> Line:
    """A kept message, or the `message` event."""
    author = _object(data, "author")
    persona = author.get("persona")
    return Line(
        message_id=_text(data, "message_id"),
        name=shown_name(_text(author, "name")),
        text=shown_text(_text(data, "text")),
        at=_moment(data.get("created_at"), now),
        persona=persona if isinstance(persona, str) else None,
        author=_text(author, "id"),
        reply_to=_text(data, "reply_to") or None,
    )


def read_line(data: Json, now: datetime) -> Line:
    """The `line` event, which is said now."""
    return Line(_text(data, "message_id"), shown_name(_text(data, "name")), shown_text(_text(data, "text")), now, _text(data, "persona"))


def read_member(data: Json) -> Member:
    """A persona of `/v1/personas`."""
    words = data.get("effective_trigger_words")
    kept = tuple(shown_name(word) for word in words if isinstance(word, str)) if isinstance(words, list) else ()
    return Member(_text(data, "handle"), shown_name(_text(data, "name")), data.get("is_alter") is False, kept)


def read_room(data: Json) -> Room:
    """A session of `/v1/sessions`."""
    return Room(
        session_id=_text(data, "session_id"),
        name=shown_name(_text(data, "name"), ""),
        self_id=shown_name(_text(data, "self_id"), ""),
        model=shown_name(_text(data, "model"), "auto"),
        level=shown_name(_text(data, "reasoning"), "auto"),
        role=shown_text(_text(data, "role")),
        is_working=data.get("state") == "working",
        is_default=data.get("default") is True,
    )


def read_verdicts(data: Json) -> tuple[Verdict, ...]:
    """The answer of `/v1/why`: those who speak in their order, then those who do not."""
    turns = [_verdict(row, "reason", is_turn=True) for row in objects(data, "turns")]
    return (*turns, *(_verdict(row, "why", is_turn=False) for row in objects(data, "skipped")))


def read_running(data: Json) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Of the answer of `/v1/why`: the message, and each turn that runs or waits with the handle of its persona, in their order."""
    turns = [row for row in objects(data, "turns") if _text(row, "status") in {"running", "waiting"}]
    return _text(data, "message_id"), tuple((_text(row, "turn_id"), _text(row, "persona")) for row in turns)


def _verdict(row: Json, reason: str, *, is_turn: bool) -> Verdict:
    name = shown_name(_text(row, "name") or _text(row, "persona"))
    return Verdict(name, is_turn, shown_name(_text(row, reason)), shown_text(_text(row, "meaning")), shown_text(_text(row, "note")))


def read_model_state(health: Json) -> str:
    """The installation's model and how it is, in few words."""
    model = _object(health, "model")
    state = {"loading": "is loading", "failed": "failed"}.get(_text(model, "state"), "is ready")
    return f"{shown_name(_text(model, 'name'), 'the model')} {state}"


def read_trouble(health: Json) -> str:
    """What keeps the house or its model from working, as one sentence; empty when nothing does."""
    for name in ("missing", "troubles"):
        sentences = health.get(name)
        if isinstance(sentences, list) and sentences:
            return shown_text(str(sentences[0]))
    model = _object(health, "model")
    return shown_text(_text(model, "note")) if _text(model, "state") == "failed" else ""


def is_model_loading(health: Json) -> bool:
    """Whether the installation's model cannot answer yet, but will."""
    return _text(_object(health, "model"), "state") == "loading"


def objects(data: Json, name: str) -> list[Json]:
    """The objects of a list; anything else in it is left out."""
    rows = data.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def text_of(data: Json, name: str) -> str:
    """A text, or nothing where there is none."""
    value = data.get(name)
    return value if isinstance(value, str) else ""


_text = text_of


def _object(data: Json, name: str) -> Json:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _moment(value: object, otherwise: datetime) -> datetime:
    """An RFC 3339 time in the zone of this terminal."""
    try:
        return datetime.fromisoformat(str(value)).astimezone(otherwise.tzinfo)
    except ValueError:
        return otherwise
