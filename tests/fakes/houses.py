"""A house to put the HTTP API on: real stores, rooms that answer by heart."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx2

from coterie.domain.ids import LOCAL, SessionId
from coterie.domain.personas.presets import BUNDLED
from coterie.media.local import LocalPictures
from coterie.platforms.web.application import create_app
from coterie.platforms.web.house import Health, House, ModelHealth
from coterie.ports.stores import PersonaDraft
from coterie.storage.opening import open_storage
from fakes.models import ListedModels
from fakes.rooms import PlayedRooms

DEFAULT_ROOM = SessionId("chat-00000000-0000-4000-8000-000000000000")
BUNDLED_DRAFTS = tuple(
    PersonaDraft(preset.content, is_alter=preset.is_alter, avatar=preset.avatar, preset_lineage_id=preset.lineage_id) for preset in BUNDLED
)
ADDRESS = "http://127.0.0.1:8420"


class StoppedClock:
    """Always the same moment."""

    def now(self) -> datetime:
        return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0


class CountedIds:
    """Ids in order."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def message(self) -> str:
        return f"m{next(self._numbers):06}"

    def turn(self) -> str:
        return f"t{next(self._numbers):06}"

    def session(self, prefix: str) -> str:
        return f"{prefix}-00000000-0000-4000-8000-{next(self._numbers):012}"


async def _healthy() -> Health:
    return Health(ModelHealth("scripted:scripted"))


async def build(folder: Path) -> None:
    """A database with the bundled cast, a default room, and a page of two files; made once, then copied."""
    storage = await open_storage("", folder, BUNDLED_DRAFTS, environment={})
    await storage.sessions.create(DEFAULT_ROOM, LOCAL, "Room", is_default=True)
    await storage.casts.cast(LOCAL)
    await storage.close()
    (folder / "index.html").write_text("<!doctype html><title>Coterie</title>")
    (folder / "app.js").write_text("1;")


@asynccontextmanager
async def furnished(folder: Path) -> AsyncIterator[House]:
    """A house in a folder that `build` has made, or in a copy of it."""
    storage = await open_storage("", folder, BUNDLED_DRAFTS, environment={})
    yield House(
        casts=storage.casts,
        sessions=storage.sessions,
        workspaces=storage.workspaces,
        settings=storage.settings,
        access=storage.access,
        people=storage.people,
        limited=storage.limited,
        conversations=storage.conversations,
        accounts=storage.accounts,
        fundings=storage.accounts,
        pictures=LocalPictures(folder),
        sprites=storage.sprites,
        rooms=PlayedRooms(storage.conversations),
        models=ListedModels(),
        clock=StoppedClock(),
        ids=CountedIds(),
        health=_healthy,
        version="0.1.0",
        page=folder,
    )
    await storage.close()


def open_client(house: House, **changes) -> httpx2.AsyncClient:
    """A client that calls the app without a socket between."""
    transport = httpx2.ASGITransport(app=create_app(replace(house, **changes)), raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url=ADDRESS)
