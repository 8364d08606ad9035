"""The cast on Discord, in this process: real flows and storage, the real library, the loopback server on a real socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from coterie.app.beginnings import bundled_drafts
from coterie.app.chance import Dice, RandomIds, SystemClock
from coterie.domain.ids import MessageId
from coterie.domain.turns.funding import INSTALLATION
from coterie.flows.talk import Talk
from coterie.flows.world import World
from coterie.media.local import LocalPictures
from coterie.media.outbound import GuardedFetch
from coterie.platforms.discord.house import DiscordHouse, Door, Patience, Store
from coterie.platforms.discord.listening import Memory
from coterie.platforms.discord.welcoming import Waits
from coterie.ports.clock import Chance
from coterie.ports.model import ModelRefused
from coterie.ports.model_list import ListedModel, ListedProvider
from coterie.providers.scripted import ScriptedModel
from coterie.storage.opening import Storage, open_storage
from discord_loopback.client import Application, Channel, Guild, Loopback, Person
from flows.scenes import Gate, OneModel, Overheard

PATIENCE = Patience(guild=0.05, face=60.0, welcome=Waits(greeting=0.2, look=0.05, longest_look=0.05, rules=30.0))
"""There is one guild, a busy machine may take its time to change a face, and a test does not wait a minute for a greeting."""


class Offered:
    """The models that can be chosen: two that are ready, and one that wants a key."""

    def default_name(self):
        return "scripted:scripted"

    def knows(self, name):
        return name.split(":")[0] in {"scripted", "embedded", "openai"}

    def providers(self):
        return [
            ListedProvider("openai", "OpenAI", default_model="gpt", default_base_url="https://api.example/v1"),
            ListedProvider("scripted", "Scripted", needs_key=False, default_model="scripted"),
        ]

    async def check(self, account, holder=INSTALLATION):
        if "bad" in account.key:
            raise ModelRefused("OpenAI refuses this key.")

    async def check_subscription(self, account):
        """The operator has an account with everybody."""

    async def list(self):
        return [ListedModel("scripted:scripted"), ListedModel("embedded:small"), ListedModel("openai:large", needs="Set OPENAI_API_KEY.")]


@dataclass
class OnDiscord:
    """What a test does and sees."""

    loopback: Loopback
    house: DiscordHouse
    talk: Talk
    storage: Storage
    gate: Gate
    models: OneModel
    guild: Guild
    general: Channel
    ann: Person
    problems: list

    async def is_kept(self, message, text: str) -> None:
        """Wait until a message is kept with this text."""
        for _ in range(3000):
            kept = await self.storage.conversations.message(MessageId(message.id))
            if kept is not None and kept.text == text:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"{text!r} is not kept")

    async def lines(self, channel: Channel | None = None) -> list[tuple[str, str]]:
        """Who said what in a channel, as people see it."""
        return [(message.name, message.content) for message in await (channel or self.general).messages()]


@asynccontextmanager
async def at_home(database_url: str, folder) -> AsyncIterator[Storage]:
    """A storage whose workspaces begin with the bundled cast, faces and all."""
    storage = await open_storage(database_url, folder, bundled_drafts(), environment={})
    yield storage
    await storage.close()


@asynccontextmanager
async def on_discord(
    storage: Storage,
    loopback: Loopback,
    folder,
    *,
    bot: Application | None = None,
    chance: Chance | None = None,
    patience: Patience = PATIENCE,
) -> AsyncIterator[OnDiscord]:
    """The cast, connected; nothing may have gone wrong that no test looked at."""
    problems, gate, clock = [], Gate(), SystemClock()
    bot = bot or await loopback.application()
    memory = Memory(storage.casts, storage.settings, storage.posts, storage.access, storage.people)
    store = Store(
        memory,
        storage.conversations,
        storage.sessions,
        storage.webhooks,
        storage.welcomes,
        LocalPictures(folder),
        GuardedFetch(),
        storage.limited,
        storage.accounts,
    )

    def report(what, error):
        problems.append((what, error))

    house = DiscordHouse(
        Door(bot.token, loopback.url, patience=patience),
        store,
        Offered(),
        clock=clock,
        ids=RandomIds(),
        chance=chance or Dice(),
        report=report,
    )
    models = OneModel(Overheard(ScriptedModel(gate)))
    world = World(
        casts=storage.casts,
        sessions=storage.sessions,
        settings=storage.settings,
        access=storage.access,
        people=storage.people,
        limited=storage.limited,
        fundings=storage.accounts,
        conversations=storage.conversations,
        models=models,
        platform=house.stage,
        clock=clock,
        ids=RandomIds(),
        chance=chance or Dice(),
    )
    talk = Talk(world, report)
    try:
        await house.open(talk)
        await bot.until_online()
        await house.opened.wait()
        guild = await loopback.guild()
        yield OnDiscord(
            loopback, house, talk, storage, gate, models, guild, await guild.channel("general"), await loopback.person("ann"), problems
        )
        assert not problems, problems
        assert not await loopback.unknown_routes()
    finally:
        await house.close()
        await talk.close()


async def answer(person: Person, channel: Channel, command: str, /, **options) -> str:
    """What a person alone is told."""
    message = await (await person.slash(channel, command, **options)).message()
    assert message.is_ephemeral
    return message.content


async def everybody_sees(scene: OnDiscord, command: str) -> None:
    """Let a command be shown to all members, as those who manage a server may."""
    bot = await scene.loopback.application()
    commands = f"{scene.loopback.url}/api/v10/applications/{bot.id}/commands"
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {bot.token}"}) as http:
        (found,) = [one for one in await (await http.get(commands)).json(content_type=None) if one["name"] == command]
        assert (await http.patch(f"{commands}/{found['id']}", json={"default_member_permissions": None})).status == 200
