"""What waits in a session's lane: messages to be planned, and turns to be run. Everything a turn needs travels with it."""

from dataclasses import dataclass
from enum import StrEnum

from coterie.domain.conversation import IncomingMessage
from coterie.domain.ids import MessageId, PersonaId, SessionId, UserId, WorkspaceId
from coterie.domain.turns.plan import PersonaChosen, Reason
from coterie.kit.lanes import Lanes, Ticket
from coterie.ports.stores import Turn


@dataclass(frozen=True, slots=True)
class Heard:
    """A person's message. `forced` is the persona that answers whatever is said: a follow-up, or the answer to a stop."""

    message: IncomingMessage
    forced: PersonaId | None = None
    reason: Reason = Reason.CHOSEN

    @property
    def occasion(self) -> PersonaChosen | None:
        """What its plan is made for in place of what it says."""
        return None if self.forced is None else PersonaChosen(self.forced, self.reason)

    @property
    def root(self) -> MessageId:
        """The message itself."""
        return self.message.id

    @property
    def session(self) -> SessionId:
        """Where it was said."""
        return self.message.session

    @property
    def workspace(self) -> WorkspaceId:
        """The workspace of that."""
        return self.message.workspace

    @property
    def person(self) -> UserId:
        """Who said it."""
        return self.message.author.id


@dataclass(frozen=True, slots=True)
class Due:
    """A planned turn."""

    turn: Turn

    @property
    def root(self) -> MessageId:
        """The person's message it all began with."""
        return self.turn.root

    @property
    def session(self) -> SessionId:
        """Where it is said."""
        return self.turn.session

    @property
    def workspace(self) -> WorkspaceId:
        """The workspace of that."""
        return self.turn.workspace

    @property
    def person(self) -> UserId:
        """The person it all began with."""
        return self.turn.origin


Work = Heard | Due
WorkLanes = Lanes[SessionId, Work]
WorkTicket = Ticket[SessionId, Work]


class EndedBy(StrEnum):
    """Why a running item was cancelled. One that is abandoned by its lane was `stale`."""

    STOPPED = "stopped"
    SUPERSEDED = "superseded"
    CLOSING = "closing"
