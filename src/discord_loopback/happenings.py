"""What the server tells the outside: a named event with its data, and who may hear of it. Carries nothing itself."""

from dataclasses import dataclass

from discord_loopback.model import Application, Channel, Guild
from discord_loopback.refusals import Json

GUILDS, MEMBERS, MODERATION, EXPRESSIONS, WEBHOOKS = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 5
PRESENCES, GUILD_MESSAGES, GUILD_REACTIONS, GUILD_TYPING = 1 << 8, 1 << 9, 1 << 10, 1 << 11
DM_MESSAGES, DM_REACTIONS, DM_TYPING, MESSAGE_CONTENT = 1 << 12, 1 << 13, 1 << 14, 1 << 15
PRIVILEGED = MEMBERS | PRESENCES | MESSAGE_CONTENT
KNOWN_INTENTS = sum(1 << bit for bit in (*range(17), 20, 21, 24, 25))
"""All intents that exist (Discord docs, Gateway)."""


NOBODY = -1
"""`eyes` of a note on the server itself."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An event. It reaches a session that has one of the intents `needs` (0: all do), and whose bot can see `channel`.

    `only` narrows it to one application. With `eyes` it is for one person (or, for `NOBODY`, a note on the server itself), and only pages
    and clients hear of it. `mentioned` and `author` are the accounts whose bots may read the content without the intent.
    """

    name: str
    data: Json
    guild: Guild | None = None
    channel: Channel | None = None
    needs: int = 0
    only: Application | None = None
    eyes: int = 0
    author: int = 0
    mentioned: frozenset[int] = frozenset()
    has_content: bool = False


_CONTENT = {"content": "", "embeds": [], "attachments": [], "components": []}


def without_content(data: Json) -> Json:
    """A message event as a bot without the content intent gets it (Discord docs, Gateway, Message content intent)."""
    blank = {**data, **_CONTENT}
    blank.pop("poll", None)
    return blank
