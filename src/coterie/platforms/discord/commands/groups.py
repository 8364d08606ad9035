"""The groups that commands stand in, and which command stands in which."""

from collections.abc import Iterable

from discord import app_commands
from discord.app_commands import locale_str

from coterie.platforms.discord.commands.answering import Command
from coterie.platforms.discord.commands.auto_trigger import auto_trigger_channels
from coterie.platforms.discord.commands.managing import MANAGERS
from coterie.platforms.discord.commands.models import model_text
from coterie.platforms.discord.commands.providers import ONES_OWN, SERVERS, provider_commands
from coterie.platforms.discord.commands.quota import reset_quota
from coterie.platforms.discord.commands.settings import setting_commands
from coterie.platforms.discord.commands.spotlight import SPOTLIGHT_COMMANDS
from coterie.platforms.discord.commands.user_blacklist import BLACKLIST_COMMANDS
from coterie.platforms.discord.commands.welcome import welcome_channel
from coterie.platforms.discord.commands.whitelist import WHITELIST_COMMANDS

_config = app_commands.Group(
    name="config", description=locale_str("How the cast behaves here (for those who manage the server)."), default_permissions=MANAGERS
)
_server = app_commands.Group(
    name="server",
    description=locale_str("Who may call whom here, and how often (for those who manage the server)."),
    default_permissions=MANAGERS,
)
_provider = app_commands.Group(
    name="provider",
    description=locale_str("The model providers of this server (for those who manage it)."),
    default_permissions=MANAGERS,
)
_model = app_commands.Group(
    name="model", description=locale_str("Which models answer here (for those who manage the server)."), default_permissions=MANAGERS
)
_personal = app_commands.Group(name="personal", description=locale_str("What you have set for yourself."))


def _within(parent: app_commands.Group, name: str, description: locale_str) -> app_commands.Group:
    return app_commands.Group(name=name, description=description, parent=parent)


_GROUPS = (
    _config,
    _server,
    _within(_server, "auto-trigger", locale_str("Where somebody answers without being called.")),
    _within(_server, "cooldown", locale_str("How long has to be waited between calls.")),
    _within(_server, "quota", locale_str("How many messages are answered.")),
    _within(_server, "whitelist", locale_str("In which channels and by whom the cast can be called.")),
    _within(_server, "user-blacklist", locale_str("Who cannot call anybody.")),
    _personal,
    _within(_personal, "spotlight", locale_str("Whom you want to hear in a channel.")),
    _within(_personal, "provider", locale_str("Model providers of your own, which answer you everywhere.")),
    _provider,
    _model,
)

_COMMANDS: Iterable[tuple[str, Command]] = (
    *setting_commands(),
    ("server auto-trigger", auto_trigger_channels),
    ("server quota", reset_quota),
    *(("server whitelist", command) for command in WHITELIST_COMMANDS),
    *(("server user-blacklist", command) for command in BLACKLIST_COMMANDS),
    *(("personal spotlight", command) for command in SPOTLIGHT_COMMANDS),
    ("model", model_text),
    *(("provider", command) for command in provider_commands(SERVERS)),
    *(("personal provider", command) for command in provider_commands(ONES_OWN)),
)


def _filled() -> tuple[app_commands.Group, ...]:
    by_path = {group.qualified_name: group for group in _GROUPS}
    for path, command in _COMMANDS:
        by_path[path].add_command(command)
    _server.add_command(welcome_channel)
    return tuple(group for group in _GROUPS if group.parent is None)


GROUPS = _filled()
"""Those that stand in no other."""
