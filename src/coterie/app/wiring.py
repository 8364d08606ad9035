"""The house put together: every port with its real thing behind it."""

import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import structlog

from coterie import __version__
from coterie.app.beginnings import bundled_drafts, first_room
from coterie.app.chance import Dice, RandomIds, SystemClock
from coterie.app.environment import Environment, is_secret, model_variables
from coterie.app.home import Home, private_files
from coterie.app.logbook import open_log
from coterie.app.stages import Stages
from coterie.app.tidying import Rounds, tidy
from coterie.app.wellness import troubles
from coterie.domain.ids import LOCAL, SessionId
from coterie.domain.personas.ownership import parse_trigger_words
from coterie.domain.sessions.names import is_discord
from coterie.flows.talk import Talk
from coterie.flows.world import World
from coterie.media.local import LocalPictures
from coterie.platforms.rooms.hub import Hub
from coterie.platforms.rooms.rooms import Rooms
from coterie.platforms.rooms.stage import RoomStage
from coterie.platforms.web.counted import CountedConversations, CountedModels
from coterie.platforms.web.house import Health, House, ModelHealth
from coterie.platforms.web.metrics import Metrics
from coterie.ports.model import ModelError
from coterie.ports.stores import StoreError
from coterie.providers.embedded import EmbeddedModel, Stage
from coterie.providers.models import InstalledModels
from coterie.storage.opening import Storage, open_storage
from coterie.tools.catalogue import toolbox

if TYPE_CHECKING:
    # discord.py takes most of a second to import, which only those wait for who use it.
    from coterie.app.on_discord import OnDiscord

Tell = Callable[[str], None]
"""Says a sentence to the owner."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A house that runs, and what has to happen at its start and its end."""

    house: House
    talk: Talk
    hub: Hub
    models: InstalledModels
    discord: "OnDiscord | None"

    async def begin(self) -> None:
        """Take up what a restart interrupted; connect to Discord and make the default model ready behind everything else."""
        if self.house.owns_rooms:
            await self.talk.resume(_is_room)
        self.models.begin_warming()
        if self.discord is not None:
            self.discord.begin(self.talk)

    async def end_streams(self) -> None:
        """End turns and streams, so that the server has nothing to wait for."""
        if self.discord is not None:
            await self.discord.close()
        await self.talk.close()
        self.hub.close()


@asynccontextmanager
async def open_house(
    environment: Environment, home: Home, *, token: str | None, is_loopback: bool, tell: Tell | None = None
) -> AsyncIterator[Opened]:
    """Open everything; Discord only where somebody is told how that goes. Raises a `StoreError` when the database cannot be used."""
    variables = model_variables(environment, os.environ)
    log = open_log(home, [value for name, value in variables.items() if is_secret(name)])
    with private_files(home):
        storage = await open_storage(
            environment.database_url,
            home.folder,
            bundled_drafts(),
            environment=os.environ,
            base_words=base_words(environment),
            max_personas=environment.max_personas,
        )
    try:
        await first_room(storage)
        clock = SystemClock()
        await tidy(storage, clock, environment.decision_days)
        rounds = Rounds(lambda: tidy(storage, clock, environment.decision_days), lambda what, error: log.error(what, exc_info=error))
        async with _installed_models(variables, storage, environment.embedded_threads) as models:
            discord = None
            if environment.discord_token and tell is not None:
                from coterie.app.on_discord import open_discord

                discord = open_discord(environment, home, storage, models, log=log, tell=tell)
            owns_rooms = await storage.database.claim("rooms")
            if not owns_rooms and tell is not None:
                tell("The rooms belong to another Coterie process on this database; this one speaks on Discord only.")
            opened = _put_together(environment, home, storage, models, log, doors=_Doors(token, is_loopback, owns_rooms), discord=discord)
            if owns_rooms:
                rounds.begin()
            try:
                yield opened
            finally:
                await rounds.close()
            await opened.talk.close()
    finally:
        await storage.close()


@asynccontextmanager
async def _installed_models(variables: Mapping[str, str], storage: Storage, threads: int) -> AsyncIterator[InstalledModels]:
    models = InstalledModels(variables, storage.accounts, EmbeddedModel(threads=threads))
    await models.refresh()
    try:
        yield models
    finally:
        await models.close()


@dataclass(frozen=True, slots=True)
class _Doors:
    token: str | None
    is_loopback: bool
    owns_rooms: bool


def _put_together(
    environment: Environment,
    home: Home,
    storage: Storage,
    models: InstalledModels,
    log: structlog.stdlib.BoundLogger,
    *,
    doors: _Doors,
    discord: "OnDiscord | None",
) -> Opened:
    clock, ids, hub, metrics = SystemClock(), RandomIds(), Hub(secrets.token_hex(4)), Metrics()
    pictures = LocalPictures(home.folder)
    world = World(
        casts=storage.casts,
        sessions=storage.sessions,
        settings=storage.settings,
        access=storage.access,
        people=storage.people,
        limited=storage.limited,
        fundings=storage.accounts,
        conversations=CountedConversations(storage.conversations, metrics, clock),
        models=CountedModels(models, metrics, clock),
        platform=RoomStage(hub) if discord is None else Stages(RoomStage(hub), discord.stage),
        clock=clock,
        ids=ids,
        chance=Dice(),
        tools=toolbox,
        is_open=environment.open_models,
    )
    talk = Talk(world, lambda what, error: log.error(what, exc_info=error))

    async def health() -> Health:
        missing = await _missing(storage)
        found = () if missing else await troubles(storage, home)
        return Health(await _model_health(models), missing, found)

    house = House(
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
        pictures=pictures,
        sprites=storage.sprites,
        rooms=Rooms(talk, hub),
        models=models,
        clock=clock,
        ids=ids,
        health=health,
        version=__version__,
        token=doors.token,
        is_loopback=doors.is_loopback,
        owns_rooms=doors.owns_rooms,
        servers=discord.servers if discord is not None else dict,
        metrics=metrics,
    )
    return Opened(house, talk, hub, models, discord)


async def _is_room(session: SessionId) -> bool:
    return not is_discord(session)


_STATES: Mapping[Stage, Literal["loading", "ready", "failed"]] = {
    Stage.NOT_LOADED: "loading",
    Stage.LOADING: "loading",
    Stage.READY: "ready",
    Stage.FAILED: "failed",
}


async def _model_health(models: InstalledModels) -> ModelHealth:
    """How the default model is; one over the network is only known when it is asked."""
    try:
        name = models.default_name()
        await models.model(name)
    except ModelError as error:
        return ModelHealth("", "failed", str(error))
    if name != models.embedded.info.name:
        return ModelHealth(name)
    state = models.embedded.state
    return ModelHealth(name, _STATES[state.stage], "" if state.stage is Stage.READY else state.sentence)


async def _missing(storage: Storage) -> tuple[str, ...]:
    try:
        await storage.casts.cast(LOCAL)
        await storage.sessions.default(LOCAL)
    except StoreError as error:
        return (str(error),)
    return ()


def base_words(environment: Environment) -> tuple[str, ...]:
    """The words that always call main."""
    return parse_trigger_words(environment.base_trigger_words)
