"""What flows keep and look up. One Protocol per subject; every method is one question or one atomic change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from coterie.domain.access import ELSEWHERE, Standing
from coterie.domain.conversation import Direction, IncomingMessage, Message
from coterie.domain.ids import Handle, MessageId, PersonaId, PlaceId, SessionId, TurnId, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.sessions.session import Place, Session, SessionChange
from coterie.domain.settings import Settings, Value
from coterie.domain.turns.claims import NO_CLAIMS, Claims
from coterie.domain.turns.plan import Reason, Why


class StoreError(Exception):
    """Something about what is kept. The text is one sentence for a person."""


class StorageUnavailable(StoreError):
    """The database cannot be reached, is locked, full or not ours. Never to be read as "nothing found"."""


class NotFound(StoreError):
    """What was named does not exist."""


class NameTaken(StoreError):
    """Another persona of the workspace has this name (compared by its stored key)."""


class SelfIdTaken(StoreError):
    """Another session has this `self_id`."""


class CastFull(StoreError):
    """The workspace has as many personas as it may have."""


class MainStays(StoreError):
    """A workspace keeps exactly one main persona; it can be replaced, not removed."""


@dataclass(frozen=True, slots=True)
class PersonaDraft:
    """A persona to be made. `avatar` is a path that `media` returned; `original` is the untouched card and its media type."""

    content: PersonaContent
    is_alter: bool = True
    avatar: str | None = None
    original: bytes | None = None
    original_type: str = ""
    preset_lineage_id: int | None = None


@dataclass(frozen=True, slots=True)
class CardOriginal:
    """The file a persona came from, byte for byte. `media_type` is `image/png`, `application/json` or `application/zip`."""

    data: bytes
    media_type: str


class Casts(Protocol):
    """The personas of each workspace."""

    def remembered(self, workspace: WorkspaceId) -> Cast | None:
        """The cast as it was read last, without a question; nothing where it is not known or has changed since."""
        ...

    async def cast(self, workspace: WorkspaceId) -> Cast:
        """The cast, cached by version. A workspace seen for the first time is made, with the bundled cast in it."""
        ...

    async def check(self, workspace: WorkspaceId) -> None:
        """Ask the database whether cast and settings are still those that were read: another process may have changed them."""
        ...

    async def create(self, workspace: WorkspaceId, draft: PersonaDraft) -> Persona:
        """Add an alter, or replace main's content when the draft is not an alter. Raises `NameTaken`, `CastFull`."""
        ...

    async def change(self, workspace: WorkspaceId, handle: Handle, content: PersonaContent, avatar: str | None) -> Persona:
        """Write a persona's content and avatar (the handle stays). Raises `NotFound`, `NameTaken`."""
        ...

    async def play_with(self, workspace: WorkspaceId, handle: Handle, model: str | None, reasoning: str | None) -> Persona:
        """Give a persona a model and a level of its own; nothing: those of where it speaks. Raises `NotFound`."""
        ...

    async def remove(self, workspace: WorkspaceId, handle: Handle) -> Persona:
        """Remove an alter and return what was removed; its old lines keep their name. Raises `NotFound`, `MainStays`."""
        ...

    async def applied_avatar(self, persona: PersonaId) -> str:
        """Which picture of main the bot user wears in its guild, by its path; empty for none."""
        ...

    async def apply_avatar(self, persona: PersonaId, path: str) -> None:
        """The bot user wears this picture now."""
        ...

    async def original(self, persona: PersonaId) -> CardOriginal | None:
        """The card this persona was imported from."""
        ...


class Sessions(Protocol):
    """The conversations."""

    async def session(self, session: SessionId) -> Session:
        """One session. Raises `NotFound`."""
        ...

    async def find(self, workspace: WorkspaceId, name: str) -> Session | None:
        """The oldest session of the workspace with this shown name."""
        ...

    async def of_channel(self, workspace: WorkspaceId, place: PlaceId) -> Session | None:
        """The session of a channel of a server."""
        ...

    async def list(self, workspace: WorkspaceId) -> Sequence[Session]:
        """Every session of the workspace, the one with the newest activity first."""
        ...

    async def create(
        self, session: SessionId, workspace: WorkspaceId, name: str = "", *, is_default: bool = False, place: Place | None = None
    ) -> Session:
        """Add a session, or return the one that is there already."""
        ...

    async def default(self, workspace: WorkspaceId) -> Session | None:
        """The default room."""
        ...

    async def change(self, session: SessionId, change: SessionChange) -> Session:
        """Write only the columns of the change, in one transaction. Raises `NotFound`, `SelfIdTaken`."""
        ...

    async def delete(self, session: SessionId) -> None:
        """Remove a session with its messages, turns and decisions. Raises `NotFound`."""
        ...


class Workspaces(Protocol):
    """Every workspace that was ever seen."""

    async def all(self) -> Mapping[WorkspaceId, str]:
        """All of them, as they were first seen, with the name that is known of each: of a direct message, the person's."""
        ...

    async def has(self, workspace: WorkspaceId) -> bool:
        """Whether it was ever seen."""
        ...


class WorkspaceSettings(Protocol):
    """What each workspace has set."""

    def remembered(self, workspace: WorkspaceId) -> Settings | None:
        """The settings as they were read last, without a question; nothing where they are not known or have changed since."""
        ...

    async def settings(self, workspace: WorkspaceId) -> Settings:
        """The settings, cached."""
        ...

    async def change(self, workspace: WorkspaceId, values: Mapping[str, Value]) -> Settings:
        """Write judged values in one transaction and return all settings."""
        ...


class TurnStatus(StrEnum):
    """Where a turn stands. `waiting` and `running` are unfinished; such turns are taken up again after a restart."""

    WAITING = "waiting"
    RUNNING = "running"
    ANSWERED = "answered"
    SILENT = "silent"
    STOPPED = "stopped"
    SUPERSEDED = "superseded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn to be written with its plan. `counts` says whether it counts towards the cascade limit."""

    id: TurnId
    persona: PersonaId
    reason: Reason
    counts: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as it is kept. `trigger` is the message it answers; `root` the person's message the chain began with.

    `co_triggered` are the personas called by the same message, in order, this one among them.
    """

    id: TurnId
    session: SessionId
    workspace: WorkspaceId
    persona: PersonaId
    reason: Reason
    trigger: MessageId
    root: MessageId
    origin: UserId
    co_triggered: tuple[PersonaId, ...]
    status: TurnStatus
    created_at: datetime
    model: str | None = None
    reasoning: str | None = None
    direction: Direction | None = None
    standing: Standing = ELSEWHERE
    note: str = ""
    """What went wrong, as one sentence."""


@dataclass(frozen=True, slots=True)
class ChannelState:
    """What a channel remembers between turns.

    `cascade_count` is 0 when the last activation is older than 30 minutes.
    """

    cascade_count: int = 0
    last_speaker: PersonaId | None = None
    spoke_before: PersonaId | None = None
    """The persona whose line stood before the newest one."""
    origin: UserId | None = None


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """All that planning needs, from one question."""

    settings: Settings
    state: ChannelState
    replied_to: Message | None
    """The message that is replied to, if it is known."""


@dataclass(frozen=True, slots=True)
class PlanCommit:
    """A plan to be written as one atomic change.

    `message` is what was planned for (a person's message or a persona's line), `resets` whether it starts a new trigger session.
    The count is checked again inside the change: turns beyond `cascade_limit + 1` are not written but skipped as `cascade-limit`.
    What the turns take of what is limited (`claims`) is taken inside it too, all or nothing: where anything is refused, no turn is written.
    """

    workspace: WorkspaceId
    session: SessionId
    message: MessageId
    root: MessageId
    origin: UserId
    turns: tuple[PlannedTurn, ...]
    skipped: tuple[tuple[PersonaId, Why], ...]
    cascade_limit: int
    resets: bool
    at: datetime
    model: str | None = None
    reasoning: str | None = None
    direction: Direction | None = None
    standing: Standing = ELSEWHERE
    claims: Claims = NO_CLAIMS


@dataclass(frozen=True, slots=True)
class Settled:
    """What a commit really wrote: the turns that run, in order, and everyone skipped.

    `refusal` is why no turn runs though somebody was to answer, and `until` when that ends, where it ends by itself. `has_unit`: a unit of
    a quota was taken, and has to be kept or given back when everything that goes back to the message has ended.
    """

    turns: tuple[Turn, ...]
    skipped: tuple[tuple[PersonaId, Why], ...]
    refusal: Why | None = None
    until: datetime | None = None
    has_unit: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A stored plan for `/why`. Personas are given by handle and name as they were, so that a removed one still reads."""

    message: MessageId
    session: SessionId
    at: datetime
    turns: tuple[Turn, ...]
    skipped: tuple[tuple[PersonaId, Why], ...]
    names: Mapping[PersonaId, tuple[Handle, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class History:
    """Messages of a session, oldest first."""

    messages: tuple[Message, ...]


class Conversations(Protocol):
    """Messages, plans and turns."""

    async def hear(self, message: IncomingMessage, *, resets: bool = True) -> bool:
        """Keep a person's message; false when one with this id is there already (a message seen twice is one).

        In the same change the cascade count of the channel becomes 0, unless the message is a stop (`resets=False`).
        """
        ...

    async def passed(self, session: SessionId, at: datetime) -> None:
        """A person said something that is not kept and calls nobody: the cascade count of the channel becomes 0."""
        ...

    async def amend(self, message: MessageId, text: str) -> None:
        """A person's message reads otherwise now; nothing happens where it is not kept."""
        ...

    async def forget(self, messages: Sequence[MessageId]) -> None:
        """Messages were deleted where they were said, except those that wait for an answer; what was decided about them stays."""
        ...

    async def message(self, message: MessageId) -> Message | None:
        """One message."""
        ...

    async def history(self, session: SessionId, limit: int, before: MessageId | None = None) -> History:
        """The newest `limit` messages, or the newest before one of them. Raises `NotFound` for an unknown `before`."""
        ...

    async def facts(self, workspace: WorkspaceId, session: SessionId, reply_to: MessageId | None, now: datetime) -> TurnFacts:
        """Everything planning needs."""
        ...

    async def commit(self, plan: PlanCommit) -> Settled:
        """Write a plan, its turns and its skips, and count the cascade, as one change under the channel's row lock."""
        ...

    async def begin(self, turn: TurnId) -> None:
        """The turn runs."""
        ...

    async def say(self, turn: TurnId, lines: Sequence[Message], status: TurnStatus, at: datetime, note: str = "") -> None:
        """Keep what a turn said and finish it, in one change, so that a restart can say nothing twice.

        With `running` as the status the turn goes on, and may say more.
        """
        ...

    async def unsay(self, turn: TurnId, lines: Sequence[MessageId]) -> None:
        """Lines of a turn are taken back, and the turn is unfinished again."""
        ...

    async def finish(self, turn: TurnId, status: TurnStatus, note: str = "") -> None:
        """The turn ends without a line."""
        ...

    async def spoken(self, turns: Sequence[TurnId]) -> frozenset[TurnId]:
        """Those of these turns that have said something."""
        ...

    async def unfinished(self) -> Sequence[Turn]:
        """Turns that were waiting or running when the process ended, in the order in which they would have run."""
        ...

    async def unplanned(self, since: datetime) -> Sequence[IncomingMessage]:
        """What persons said since then and was never planned, because the process ended while it waited; oldest first."""
        ...

    async def why(self, message: MessageId) -> Decision | None:
        """The plan that was made for a message; nothing if there was none or it is too old."""
        ...

    async def turn(self, turn: TurnId) -> Turn | None:
        """One turn."""
        ...

    async def forget_decisions(self, before: datetime) -> int:
        """Remove plans older than this with their skips; messages stay. Returns how many."""
        ...
