"""Discord wired to this installation: what it keeps where, and what the owner is told of it."""

import asyncio
from collections.abc import Callable, Mapping

import structlog

from coterie.app.chance import Dice, RandomIds, SystemClock
from coterie.app.environment import Environment
from coterie.app.home import Home
from coterie.domain.ids import WorkspaceId
from coterie.flows.talk import Talk
from coterie.media.local import LocalPictures
from coterie.media.outbound import GuardedFetch
from coterie.platforms.discord.client import CannotConnect, Shards, Unreachable
from coterie.platforms.discord.house import DiscordHouse, Door, Store
from coterie.platforms.discord.listening import Memory
from coterie.platforms.discord.stage import DiscordStage
from coterie.ports.model_list import ModelList
from coterie.storage.opening import Storage

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two tries to reach Discord."""


class OnDiscord:
    """The cast on Discord, for as long as this process runs."""

    def __init__(self, house: DiscordHouse, tell: Callable[[str], None]) -> None:
        self._house = house
        self._tell = tell
        self._task: asyncio.Task[None] | None = None

    @property
    def stage(self) -> DiscordStage:
        """Where turns speak."""
        return self._house.stage

    def servers(self) -> Mapping[WorkspaceId, str]:
        """The servers it is in at present, by name."""
        return self._house.servers()

    def begin(self, talk: Talk) -> None:
        """Connect beside everything else; what goes wrong is told, and the rooms go on."""
        self._task = asyncio.create_task(self._run(talk))

    async def close(self) -> None:
        """Leave."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._house.close()

    async def _run(self, talk: Talk) -> None:
        """Tell each time that something changes, and no more often."""
        pause, is_away = _FIRST_PAUSE, False
        while True:
            try:
                await self._house.open(talk)
                self._tell(f"On Discord as {self._house.name}.")
                pause, is_away = _FIRST_PAUSE, False
                await self._house.ended()
            except Unreachable as error:
                if not is_away:
                    self._tell(f"{error} It is tried again for as long as this runs.")
            except CannotConnect as error:
                self._tell(str(error))
                return
            else:
                return
            await asyncio.sleep(pause)
            pause, is_away = min(2 * pause, _LONGEST_PAUSE), True


def open_discord(
    environment: Environment,
    home: Home,
    storage: Storage,
    models: ModelList,
    *,
    log: structlog.stdlib.BoundLogger,
    tell: Callable[[str], None],
) -> OnDiscord:
    """Put it together; nothing is connected yet."""
    ids = tuple(int(number) for number in environment.discord_shard_ids.split(",") if number.strip())
    shards = Shards(environment.discord_shard_count or None, ids)
    door = Door(environment.discord_token, environment.discord_server_url, shards, environment.avatar_public_base_url)
    memory = Memory(storage.casts, storage.settings, storage.posts, storage.access, storage.people)
    store = Store(
        memory,
        storage.conversations,
        storage.sessions,
        storage.webhooks,
        storage.welcomes,
        LocalPictures(home.folder),
        GuardedFetch(),
        storage.limited,
        storage.accounts,
    )
    house = DiscordHouse(
        door, store, models, clock=SystemClock(), ids=RandomIds(), chance=Dice(), report=lambda what, error: log.error(what, exc_info=error)
    )
    return OnDiscord(house, tell)
