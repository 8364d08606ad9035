"""A server with a guild and one bot that is logged in without a gateway: all that webhooks need."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord

from coterie.platforms.discord.lines import Line, Target
from coterie.platforms.discord.webhooks import Webhooks
from coterie.ports.webhooks import ChannelId
from discord_loopback.control import admins, faults, looking, people
from discord_loopback.pictures import plain_face
from discord_loopback.server import Server

PERMISSIONS = ["view_channel", "send_messages", "manage_webhooks", "read_message_history"]
RED, BLUE = plain_face(0xCC2222), plain_face(0x2222CC)


@dataclass
class House:
    """One server, seen from outside and by the bot."""

    server: Server
    client: discord.Client
    guild: int
    person: int
    application: int

    def channel(self, name="talk", type="text"):
        return int(admins.create_channel(self.server, self.guild, name=name, type=type)["id"])

    def thread(self, channel, name="aside"):
        return int(people.begin_thread(self.server, self.person, channel, name=name)["id"])

    def messages(self, place):
        return looking.messages(self.server, place)

    def said(self, place):
        return [(message["author"]["username"], message["content"]) for message in self.messages(place)]

    def webhooks(self, channel):
        return admins.list_webhooks(self.server, channel)

    def fault(self, kind, method="*", route="*", **more):
        return faults.fault(self.server, kind=kind, method=method, route=route, **more)["id"]

    def asked(self, method, pattern):
        """How many requests of a method had a path that matches."""
        return sum(one.method == method and bool(re.fullmatch(pattern, one.path)) for one in self.server.world.traffic.exchanges)

    def face(self, place, number=-1):
        """The bytes of the face that a message shows; nothing where it shows none."""
        author = self.messages(place)[number]["author"]
        stored = self.server.world.files.get(f"avatars/{author['id']}/{author['avatar']}")
        return stored.data if stored else None


POSTS = r"/webhooks/\d+/[^/]+"
CHANGES = r"/webhooks/\d+/[^/]+"
MAKES = r"/channels/\d+/webhooks"


@asynccontextmanager
async def open_house() -> AsyncIterator[House]:
    """Everything, listening; closed again at the end."""
    server = Server()
    base = await server.start()
    discord.http.Route.BASE, discord.Asset.BASE = f"{base}/api/v10", f"{base}/cdn"
    owner = int(admins.create_person(server, name="ann")["id"])
    guild = int(admins.create_guild(server, name="House", owner=owner)["id"])
    made = admins.create_application(server, name="coterie")
    admins.install(server, guild, int(made["id"]), allowed=PERMISSIONS)
    client = discord.Client(intents=discord.Intents.none())
    await client.login(made["token"])
    try:
        yield House(server, client, guild, owner, int(made["id"]))
    finally:
        await client.close()
        await server.stop()


@asynccontextmanager
async def speaking(house, kept, **more) -> AsyncIterator[Webhooks]:
    """The webhooks of a process."""
    webhooks = Webhooks(house.client, kept, **({"settle": 0.0} | more))
    try:
        yield webhooks
    finally:
        await webhooks.close()


def at(channel, thread=None):
    return Target(ChannelId(channel), ChannelId(thread) if thread else None)


def line(name="Wren", text="hello", **more):
    return Line(name, text, **more)
