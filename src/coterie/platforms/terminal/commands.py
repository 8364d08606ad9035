"""What a typed text means: something to say, a command, or neither. Pure; `doings` does it, `completion` offers the rest of a line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Field = Literal["name", "self_id", "role"]


@dataclass(frozen=True, slots=True)
class Say:
    """Say this in the room."""

    text: str


@dataclass(frozen=True, slots=True)
class Help:
    """List the commands and keys."""


@dataclass(frozen=True, slots=True)
class ShowRooms:
    """List the sessions."""


@dataclass(frozen=True, slots=True)
class NewRoom:
    """Make a session and go there; an empty name leaves it unnamed."""

    name: str


@dataclass(frozen=True, slots=True)
class GoTo:
    """Switch to a session by name, `self_id` or id."""

    room: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Write a field of this session; `None` puts its present value into the composer, to be edited there."""

    field: Field
    value: str | None


@dataclass(frozen=True, slots=True)
class ShowCast:
    """Show the personas of this room."""


@dataclass(frozen=True, slots=True)
class AskWhy:
    """Why personas answered a message or did not; without one, the newest message of a person."""

    message: str


@dataclass(frozen=True, slots=True)
class SpeakAs:
    """Go on under another name; an empty one is the owner's again."""

    name: str


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """The next text replies to this message; without one, to the newest line of a persona."""

    message: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop what runs and clear what waits."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Neither a text nor a command; the sentence says why. Nothing is sent."""

    sentence: str


Talking = Say | SpeakAs | ReplyTo | Stop
Looking = Help | ShowCast | AskWhy
Going = ShowRooms | NewRoom | GoTo | Edit
Meaning = Talking | Looking | Going | Quit | Unclear


@dataclass(frozen=True, slots=True)
class Command:
    """A row of `/help` and of completion. `takes` says what may follow the word, if anything may."""

    word: str
    takes: str
    about: str

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"/{self.word} {self.takes}".rstrip()


COMMANDS: tuple[Command, ...] = (
    Command("help", "", "Show this list."),
    Command("session", "", "List the sessions; Enter goes to one."),
    Command("session new", "[NAME]", "Make a session and go there."),
    Command("session switch", "NAME|ID", "Go to another session."),
    Command("session name", "TEXT", "Name this session."),
    Command("session id", "SELF_ID", 'Give this session a handle; "" clears it.'),
    Command("session role", "TEXT", 'Write the role its main speaker plays here; "" clears it.'),
    Command("cast", "", "Show who is here and by which words they are called."),
    Command("why", "[MESSAGE]", "Show why personas answered a message or did not."),
    Command("as", "[NAME]", "Go on speaking under another name; without one, under your own."),
    Command("reply", "[MESSAGE]", "Let your next text reply to a message."),
    Command("stop", "", "Stop what is being said."),
    Command("quit", "", "Leave."),
)
KEYS: tuple[tuple[str, str], ...] = (
    ("Enter", "Send, or run the command."),
    ("Ctrl+J", "Begin a new line; Alt+Enter and, in some terminals, Shift+Enter too."),
    ("Tab", "Complete a command."),
    ("Esc", "Close what is open, else stop what is being said."),
    ("Ctrl+X", "Stop what is being said."),
    ("PgUp, PgDn", "Look back and forth."),
    ("Ctrl+Q", "Leave; Ctrl+C twice does too."),
)
NOTHING = '""'
"""How "no value" is typed."""


def read_typed(text: str) -> Meaning:
    """What a text in the composer means. It is a command when it begins with one `/`; `//` says a text that begins with one."""
    stripped = text.strip()
    if stripped.startswith("//"):
        return Say(stripped[1:])
    if not stripped.startswith("/"):
        return Say(text.strip("\n")) if stripped else Unclear("There is nothing to say.")
    word, rest = _cut(stripped[1:])
    if word.lower() == "session":
        return _session(rest)
    if word.lower() in _BARE:
        return _BARE[word.lower()] if not rest else Unclear(f"/{word.lower()} takes nothing behind it.")
    if word.lower() in _WITH_REST:
        return _WITH_REST[word.lower()](rest)
    return Unclear(f"There is no command /{word}; /help lists them, and // says a text that begins with a slash.")


_BARE: Mapping[str, Meaning] = {"help": Help(), "cast": ShowCast(), "stop": Stop(), "quit": Quit()}
_WITH_REST: Mapping[str, Callable[[str], Meaning]] = {"why": AskWhy, "as": SpeakAs, "reply": ReplyTo}
_FIELDS: Mapping[str, Field] = {"name": "name", "id": "self_id", "role": "role"}


def _session(rest: str) -> Meaning:
    word, value = _cut(rest)
    match word.lower():
        case "":
            return ShowRooms()
        case "new":
            return NewRoom(value)
        case "switch":
            return GoTo(value) if value else Unclear("/session switch takes a name, a self_id or an id.")
        case "name" | "id" | "role" as field:
            return Edit(_FIELDS[field], ("" if value == NOTHING else value) if value else None)
        case _:
            return Unclear(f"/session knows new, switch, name, id and role, not {word}.")


def _cut(text: str) -> tuple[str, str]:
    """The first word, and what follows it."""
    word, *rest = text.split(maxsplit=1) or [""]
    return word, "".join(rest).strip()
