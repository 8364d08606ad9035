"""What is there at the first start: the bundled cast and one room."""

from coterie.app.chance import RandomIds
from coterie.domain.ids import LOCAL, SessionId
from coterie.domain.personas.presets import BUNDLED
from coterie.ports.stores import PersonaDraft
from coterie.storage.opening import Storage

DEFAULT_ROOM = "Lounge"


def bundled_drafts() -> tuple[PersonaDraft, ...]:
    """The first cast of a workspace, main first."""
    return tuple(PersonaDraft(preset.content, preset.is_alter, preset.avatar, preset_lineage_id=preset.lineage_id) for preset in BUNDLED)


async def first_room(storage: Storage) -> None:
    """The room that is there at the first start."""
    await storage.casts.cast(LOCAL)
    if await storage.sessions.default(LOCAL) is None:
        await storage.sessions.create(SessionId(RandomIds().session("chat")), LOCAL, DEFAULT_ROOM, is_default=True)
