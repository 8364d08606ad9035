"""What people and personas say to each other, as plain values. Knows no platform and no storage."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from coterie.domain.access import ELSEWHERE, Standing
from coterie.domain.ids import Handle, MessageId, PersonaId, SessionId, TurnId, UserId, WorkspaceId


@dataclass(frozen=True, slots=True)
class Person:
    """A human speaker under the name shown when they spoke."""

    id: UserId
    name: str


@dataclass(frozen=True, slots=True)
class PersonaVoice:
    """A persona as the speaker of a line, under the name shown when it spoke (a rename leaves old lines alone)."""

    id: PersonaId
    handle: Handle
    name: str


@dataclass(frozen=True, slots=True)
class Mention:
    """Someone mentioned in a text by id: a user, or the bot itself."""

    user: UserId
    is_us: bool = False


WEBHOOK = "webhook:"
"""How the id of a speaker begins that is a webhook of somebody else: no user, so nobody to be mentioned or copied."""

SYSTEM = Person(UserId("system"), "System")
"""Nobody: what it says is a note that everybody here can read."""


@dataclass(frozen=True, slots=True)
class Direction:
    """How one turn is to be played, given by hand: `prompt` is an instruction for it, `prefill` how its answer begins.

    With `words` no model is asked: they are what the persona says. A `guest` is the id of a member who has just come and is welcomed,
    under the name `guest_name`.
    """

    prompt: str = ""
    prefill: str = ""
    words: str = ""
    guest: str = ""
    guest_name: str = ""


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A person's message as it arrives, translated from its platform.

    `persona` is set when the sender chose one persona by hand (a manual turn); `model` and `reasoning` are requests for this message alone.
    With a `direction` it is a command: nothing was said, and what is answered is the newest message of the conversation.
    `replied_to` is the persona that said what `reply_to` names, where the platform can tell and nothing is recorded of it.
    `is_auto_hit`: it is the message that the count of an auto-trigger channel waited for.
    """

    id: MessageId
    workspace: WorkspaceId
    session: SessionId
    author: Person
    text: str
    created_at: datetime
    reply_to: MessageId | None = None
    mentions: tuple[Mention, ...] = ()
    persona: Handle | None = None
    model: str | None = None
    reasoning: str | None = None
    direction: Direction | None = None
    replied_to: PersonaId | None = None
    standing: Standing = ELSEWHERE
    is_auto_hit: bool = False


class Worn(StrEnum):
    """What a line wears in place of its speaker's usual look (specification 000, copied rendering)."""

    SPRITE = "sprite"
    """Another picture of the speaker, under its usual name."""
    IDENTITY = "identity"
    """Another picture, with its label in front of the name."""
    PERSONA = "persona"
    """The name and face of another persona."""
    PERSON = "person"
    """The name and face of a person."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """How one line appears. `label` stands in parentheses behind the speaker's name wherever models read the line.

    `face` is the reference of a sprite's picture, or the id of the persona or person that is copied; blank where only the label is known.
    """

    kind: Worn
    label: str
    face: str = ""

    @property
    def is_copied(self) -> bool:
        """Whether it is somebody else's; such a look ends with its line, a sprite stays."""
        return self.kind in (Worn.PERSONA, Worn.PERSON)


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is kept: who really said it, under which shown name.

    `author` is a `PersonaVoice` for our own lines, whatever they wear.
    For them `turn` is the turn that said it, and `root` the person's message it all began with.
    """

    id: MessageId
    session: SessionId
    author: Person | PersonaVoice
    text: str
    created_at: datetime
    reply_to: MessageId | None = None
    turn: TurnId | None = None
    root: MessageId | None = None
    appearance: Appearance | None = None
