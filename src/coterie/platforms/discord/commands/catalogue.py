"""Every command once, and how Discord comes to know of them: told when they differ from what it has, never on every start."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from discord import app_commands
from discord.http import Route

from coterie.platforms.discord.commands.about import help_, ping
from coterie.platforms.discord.commands.answering import Tree
from coterie.platforms.discord.commands.bot import bot
from coterie.platforms.discord.commands.groups import GROUPS
from coterie.platforms.discord.commands.kill import kill
from coterie.platforms.discord.commands.language import Translator
from coterie.platforms.discord.commands.menus import TakingOut
from coterie.platforms.discord.commands.persona import persona
from coterie.platforms.discord.commands.respond import respond
from coterie.platforms.discord.commands.why import why, why_menu

_MEANINGFUL = ("name", "description", "required", "autocomplete", "min_length", "max_length", "min_value", "max_value", "nsfw")
_TRANSLATED = ("name_localizations", "description_localizations")

Offered = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu


def commands() -> tuple[Offered, ...]:
    """Every command, in the order in which people read of them."""
    return (respond(), bot, kill, why, why_menu, persona, *GROUPS, ping, help_)


async def register(tree: Tree) -> None:
    """Put every command and menu into the register, and the texts into the hands of the translator."""
    for command in commands():
        tree.add_command(command)
    tree.client.add_dynamic_items(TakingOut)
    await tree.set_translator(Translator())


async def keep_current(tree: Tree) -> bool:
    """Tell Discord of the commands if what it has differs; whether that was so. Raises discord.py's errors.

    They are global, so that they are there in direct messages too; Discord allows 200 new ones a day, which a restart must not use up.
    """
    client = tree.client
    route = Route("GET", "/applications/{application_id}/commands", application_id=client.application_id)
    there = await client.http.request(route, params={"with_localizations": "true"})
    translator = tree.translator
    assert translator is not None
    ours = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    if fingerprint(there) == fingerprint(ours):
        return False
    await tree.sync()
    return True


def fingerprint(of: Iterable[Mapping[str, Any]]) -> str:
    """A hash of all that people can see of commands, whatever Discord adds to them."""
    kept = sorted((_command(command) for command in of), key=lambda command: (command["type"], command["name"]))
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def _command(command: Mapping[str, Any]) -> dict[str, Any]:
    needed = command.get("default_member_permissions")
    return _option(command) | {
        "needed": None if needed is None else str(needed),
        "contexts": sorted(command.get("contexts") or ()),
        "installs": sorted(command.get("integration_types") or ()),
    }


def _option(option: Mapping[str, Any]) -> dict[str, Any]:
    """What counts of a command or one of its options; what is absent, empty, null or false is all the same."""
    kept: dict[str, Any] = {name: option[name] for name in _MEANINGFUL if option.get(name)}
    kept |= {name: {str(key): text for key, text in option[name].items()} for name in _TRANSLATED if option.get(name)}
    kept["type"] = int(option.get("type") or 1)
    kept["choices"] = [(choice["name"], choice["value"]) for choice in option.get("choices") or ()]
    kept["options"] = [_option(inner) for inner in option.get("options") or ()]
    return kept
