"""A Python client for tests: people, admins, faults, traffic; in the server's own process or over its internal API."""

from discord_loopback.client.channels import Channel
from discord_loopback.client.links import Link, NotSeen, OperationFailed, Remote
from discord_loopback.client.loopback import Application, Guild, Loopback
from discord_loopback.client.people import Interaction, Person
from discord_loopback.client.seen import Message, file

__all__ = [
    "Application",
    "Channel",
    "Guild",
    "Interaction",
    "Link",
    "Loopback",
    "Message",
    "NotSeen",
    "OperationFailed",
    "Person",
    "Remote",
    "file",
]
