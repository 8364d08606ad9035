"""The house put together: every port with its real thing behind it."""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from coterie import __version__
from coterie.app.chance import RandomIds, SystemClock
from coterie.app.environment import Environment, model_variables
from coterie.app.home import Home
from coterie.app.logbook import open_log
from coterie.domain.ids import LOCAL, SessionId
from coterie.domain.personas.presets import BUNDLED
from coterie.flows.talk import Talk
from coterie.flows.world import World
from coterie.media.local import LocalPictures
from coterie.platforms.rooms.hub import Hub
from coterie.platforms.rooms.rooms import Rooms
from coterie.platforms.rooms.stage import RoomStage
from coterie.platforms.web.counted import CountedConversations, CountedModels
from coterie.platforms.web.house import Health, House, ModelHealth
from coterie.platforms.web.metrics import Metrics
from coterie.ports.stores import PersonaDraft, StoreError
from coterie.providers.embedded import EmbeddedModel
from coterie.providers.models import InstalledModels
from coterie.storage.opening import Storage, open_storage
from coterie.tools.catalogue import TOOLS

DEFAULT_ROOM = "Lounge"


@dataclass(frozen=True, slots=True)
class Opened:
    """A house that runs, and what has to happen at its start and its end."""

    house: House
    talk: Talk
    hub: Hub
    models: InstalledModels

    async def begin(self) -> None:
        """Take up what a restart interrupted, and let the embedded model load behind everything else."""
        await self.talk.resume()
        self.models.warm_up()

    async def end_streams(self) -> None:
        """End turns and streams, so that the server has nothing to wait for."""
        await self.talk.close()
        self.hub.close()


@asynccontextmanager
async def open_house(environment: Environment, home: Home, *, token: str | None, is_loopback: bool) -> AsyncIterator[Opened]:
    """Open everything. Raises a `StoreError` when the database cannot be used."""
    variables = model_variables(environment, os.environ)
    log = open_log(home, [value for name, value in variables.items() if name.endswith(("_KEY", "_TOKEN", "_SECRET"))])
    words = tuple(word.strip() for word in environment.base_trigger_words.replace("、", ",").split(",") if word.strip())
    storage = await open_storage(
        environment.database_url,
        home.folder,
        bundled_drafts(),
        environment=os.environ,
        base_words=words,
        max_personas=environment.max_personas,
    )
    try:
        async with _models(environment, storage, variables) as models:
            opened = _put_together(home, storage, models, token=token, is_loopback=is_loopback, report=log.error)
            await first_room(storage)
            await storage.conversations.forget_decisions(SystemClock().now() - timedelta(days=environment.decision_days))
            yield opened
            await opened.talk.close()
    finally:
        await storage.close()
