import pytest

from coterie.domain.ids import LOCAL
from storage.talking import ROOM, Scene


@pytest.fixture
async def scene(storage):
    """A room in `local` with the cast of three."""
    await storage.sessions.create(ROOM, LOCAL, is_default=True)
    return Scene(storage)
