"""`/ping` and `/help`: whether the bot is there, and what it is good for. Neither asks anything that could keep it waiting."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import locale_str

from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import at_once
from coterie.platforms.discord.commands.language import tongue_of

if TYPE_CHECKING:
    from coterie.platforms.discord.client import Client
    from coterie.platforms.discord.commands.desk import At

_FEW = 3
"""Of how many commands of one group each is named."""

INTRODUCTION = (
    "I am a cast of personas, each with its own name, face and trigger words. Say a persona's name, reply to one of its lines, "
    "or mention me for the main one; name several, and they answer one after the other."
)


@app_commands.command(name="ping", description=locale_str("Whether the bot is there, and how fast."))
async def ping(interaction: "At") -> None:
    """The time of one round trip to Discord."""
    seconds = interaction.client.latency
    tongue = tongue_of(interaction.locale)
    if math.isfinite(seconds):
        await at_once(interaction, tongue.say("I am here: {milliseconds} ms to Discord.", milliseconds=round(seconds * 1000)))
    else:
        await at_once(interaction, tongue.say("I am here."))


@app_commands.command(name="help", description=locale_str("What the bot is, how to call a persona, and its commands."))
async def help_(interaction: "At") -> None:
    """Everything that can be asked for, in one message."""
    tongue = tongue_of(interaction.locale)
    commands = [f"`/{name}` – {tongue.say(text)}" for name, text in described(interaction.client.tree)]
    menus = tongue.say("Why somebody answered or did not: right-click a message, Apps, “Why?”.")
    await at_once(interaction, "\n".join([_introduction(tongue), "", *commands, "", menus]))


def _introduction(tongue: Tongue) -> str:
    return tongue.say(INTRODUCTION)


def described(tree: "app_commands.CommandTree[Client]") -> Iterator[tuple[str, str]]:
    """The slash commands with what they do, in English; a group of many as one."""
    for command in tree.get_commands(type=discord.AppCommandType.chat_input):
        if isinstance(command, app_commands.Group) and len(command.commands) <= _FEW:
            yield from ((inner.qualified_name, inner.description) for inner in command.commands)
        else:
            yield f"{command.name} …" if isinstance(command, app_commands.Group) else command.name, command.description
