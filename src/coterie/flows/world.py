"""All that flows may ask of the world, in one value."""

from dataclasses import dataclass

from coterie.ports.access import AccessLists, Limited, People
from coterie.ports.accounts import Fundings
from coterie.ports.clock import Chance, Clock, Ids
from coterie.ports.model import Models
from coterie.ports.platform import Platform
from coterie.ports.stores import Casts, Conversations, Sessions, WorkspaceSettings
from coterie.ports.tools import Toolbox, empty


@dataclass(frozen=True, slots=True)
class World:
    """The collaborators of every flow."""

    casts: Casts
    sessions: Sessions
    settings: WorkspaceSettings
    access: AccessLists
    people: People
    limited: Limited
    fundings: Fundings
    conversations: Conversations
    models: Models
    platform: Platform
    clock: Clock
    ids: Ids
    chance: Chance
    tools: Toolbox = empty
    is_open: bool = True
    """Whether this installation's models answer every server and person; else only where a subscription was granted."""
