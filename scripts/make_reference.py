"""Writes docs/reference from the code: settings, variables, commands, Discord, reasons, HTTP API. `--check` only says what is behind."""

import sys
from pathlib import Path

import typer

from coterie.app.environment import is_secret, variables
from coterie.app.main import app
from coterie.domain.settings import PERSONAL, SETTINGS, Group, accepts
from coterie.domain.turns.plan import MEANINGS, Reason

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
MADE = "<!-- Made by scripts/make_reference.py. -->\n\n"


def spelled(value):
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def setting_rows(table):
    for setting in table:
        default = spelled(setting.default)
        here = f"; {spelled(setting.default_here)} in `local` and direct messages" if setting.default_here is not None else ""
        label = f"{setting.label}{' (in servers only)' if setting.only_servers else ''}"
        command = f"`/{setting.command}` `{setting.option}`"
        yield f"| `{setting.name}` | {label} | {accepts(setting)} | {default or 'empty'}{here} | {command} |"


def settings_page():
    table = "| Setting | What it does | Takes | Default | On Discord |\n|---|---|---|---|---|\n"
    groups = "".join(
        f"## {group.value.capitalize()}\n\n{table}" + "\n".join(setting_rows(each for each in SETTINGS if each.group is group)) + "\n\n"
        for group in Group
    )
    return (
        "# Settings\n\nOf a workspace: `coterie config NAME VALUE`, the page, `PATCH /v1/settings`, or a command on Discord. "
        "What lists hold beside them: [who may call whom](../how-to/who-may-call-whom.md).\n\n" + groups
        + "## Of a person\n\nEverywhere: the page, `PATCH /v1/people/{user}`, or a command on Discord.\n\n"
        + table + "\n".join(setting_rows(PERSONAL)) + "\n"
    )  # fmt: skip


def variables_page():
    rows = [
        f"| `{row.name}` | {row.meaning}{' (a secret)' if is_secret(row.name) else ''} | {f'`{row.default}`' if row.default else ''} |"
        for row in variables()
    ]
    head = "# Environment variables\n\n`coterie settings` prints this list.\n\n"
    return head + "| Variable | Meaning | Default |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def reasons_page():
    speaks = [f"| `{name.value}` | {meaning} |" for name, meaning in MEANINGS.items() if isinstance(name, Reason)]
    silent = [f"| `{name.value}` | {meaning} |" for name, meaning in MEANINGS.items() if not isinstance(name, Reason)]
    table = "| Reason | Meaning |\n|---|---|\n"
    return (
        "# Reasons\n\nWhy a persona answered, or did not: `coterie why MESSAGE_ID`, `/why`, the mark at a message on the page, "
        "`GET /v1/why/{message_id}`. The names are stable.\n\n## It answers\n\n"
        + table + "\n".join(speaks) + "\n\n## It does not\n\n" + table + "\n".join(silent) + "\n"
    )  # fmt: skip


def command_rows(command, name):
    context = typer.Context(command, info_name=name)
    subcommands = getattr(command, "commands", None)
    if subcommands:
        for key, sub in subcommands.items():
            yield from command_rows(sub, f"{name} {key}")
        return
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"## `{name}`\n\n{(command.help or '').strip()}\n\n`{name} {usage}`\n"
    rows = []
    for param in command.params:
        if param.param_type_name == "argument":
            rows.append(f"| `{param.name.upper()}` | {getattr(param, 'help', None) or ''} |")
        elif "--help" not in param.opts:
            rows.append(f"| `{', '.join(param.opts)}` | {param.help or ''} |")
    if rows:
        yield "| Option | Meaning |\n|---|---|\n" + "\n".join(rows) + "\n"


def commands_page():
    head = "# Commands\n\nExit status: 0 done, 1 failed, 2 wrong use or refused input. `--json`: one object a line on standard output.\n\n"
    return head + "\n".join(command_rows(typer.main.get_command(app), "coterie"))


def takes(option):
    """What an option takes beyond its kind."""
    if option.choices:
        return f" ({', '.join(f'`{choice.value}`' for choice in option.choices)})"
    least, most = option.min_value, option.max_value
    return f" ({least or 0} to {most}{' characters' if option.type.name == 'string' else ''})" if most is not None else ""


def discord_commands(command):
    from discord import app_commands

    if isinstance(command, app_commands.ContextMenu):
        yield f"## “{command.name}”\n\nIn the context menu of a message, under Apps.\n"
    elif isinstance(command, app_commands.Group):
        for inner in command.commands:
            yield from discord_commands(inner)
    else:
        yield f"## `/{command.qualified_name}`\n\n{command.description}\n"
        optional = " (may be left out)"
        rows = [
            f"| `{option.name}`{'' if option.required else optional} | {option.description}{takes(option)} |"
            for option in command.parameters
        ]
        if rows:
            yield "| Option | Meaning |\n|---|---|\n" + "\n".join(rows) + "\n"


def discord_page():
    from coterie.platforms.discord.commands.catalogue import commands
    from coterie.platforms.discord.needs import INTENTS, OPTIONAL_INTENTS, PERMISSIONS, SCOPES

    needs = [f"| {need.title} | {need.why} |" for need in (*SCOPES, *PERMISSIONS, *INTENTS, *OPTIONAL_INTENTS)]
    head = (
        "# Commands on Discord\n\nThe answer is seen by whoever gave the command alone, in the language of their Discord "
        "(English or Japanese), or in the one they chose with `/personal language`. They work in channels, threads and direct messages.\n\n"
        "`/config` and `/server` need the permission *Manage Server*; direct messages with the bot are each person's own. "
        "Without a value a command of a setting shows what is set.\n\n"
    )
    told = "\n".join(line for command in commands() for line in discord_commands(command))
    table = "\n## What the bot needs\n\n`coterie invite` prints the link that asks for exactly this.\n\n| What | Why |\n|---|---|\n"
    return head + told + table + "\n".join(needs) + "\n"


def pages():
    from coterie.platforms.web.openapi_page import http_api_page

    return {
        "settings.md": settings_page(),
        "variables.md": variables_page(),
        "reasons.md": reasons_page(),
        "commands.md": commands_page(),
        "discord.md": discord_page(),
        "http-api.md": http_api_page(),
    }


def main():
    behind = []
    for name, text in pages().items():
        path = FOLDER / name
        if not path.exists() or path.read_text() != MADE + text:
            behind.append(name)
            if "--check" not in sys.argv:
                path.write_text(MADE + text)
    sys.stdout.write(f"{'Behind' if '--check' in sys.argv else 'Written'}: {', '.join(behind) or 'nothing'}\n")
    return 1 if behind and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
