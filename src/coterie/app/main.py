"""The command line. Each command imports what it needs when it runs, so that `--help` is quick."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from coterie.domain.settings import SETTINGS, accepts

app = typer.Typer(
    name="coterie",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
persona = typer.Typer(help="The personas of a workspace.", no_args_is_help=True)
subscription = typer.Typer(help="Who may use this installation's models where they are not open to all.", no_args_is_help=True)
db = typer.Typer(help="The database.", no_args_is_help=True)
app.add_typer(persona, name="persona")
app.add_typer(db, name="db")
app.add_typer(subscription, name="subscription")

Home = Annotated[str, typer.Option("--home", envvar="COTERIE_HOME", help="The folder that holds everything.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object per line on standard output, nothing else there.")]
Workspace = Annotated[str, typer.Option("--workspace", help="local, discord:GUILD or dm:USER.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        from coterie import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def every_command(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """A cast of AI personas for your own chat: one main persona, many alters, each with its own name, face and trigger words."""


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; other than loopback needs COTERIE_API_TOKEN.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8420,
    home: Home = "",
) -> None:
    """Run Coterie: the page, the HTTP API and everything behind them."""
    from coterie.app import serving

    raise typer.Exit(serving.serve(home, host, port))


@app.command()
def chat(
    room: Annotated[str, typer.Option("--room", help="A session id or a room's name; by default the default room.")] = "",
    name: Annotated[str, typer.Option("--as", help="Your name.")] = "",
    home: Home = "",
) -> None:
    """Talk in the terminal."""
    from coterie.app import commands

    raise typer.Exit(commands.chat(home, room, name))


@app.command()
def say(
    text: Annotated[str, typer.Argument(help="What you say; - reads standard input.")],
    room: Annotated[
        str, typer.Option("--room", help="A session id or a room's name (made when unknown); by default the default room.")
    ] = "",
    name: Annotated[str, typer.Option("--as", help="Your name.")] = "",
    home: Home = "",
    json: Json = False,
) -> None:
    """Say something once and print what the personas answer."""
    from coterie.app import commands

    raise typer.Exit(commands.say(home, text, room, name, json=json))


@app.command()
def why(
    message_id: Annotated[str, typer.Argument(help="The id of a message; without it the newest one of the room is meant.")] = "",
    room: Annotated[str, typer.Option("--room", help="A session id or a room's name; on Discord a channel's name.")] = "",
    workspace: Workspace = "local",
    home: Home = "",
    json: Json = False,
) -> None:
    """Say why each persona answered a message, or did not."""
    from coterie.app import commands

    raise typer.Exit(commands.why(home, message_id, room, workspace, json=json))


@app.command()
def settings(json: Json = False) -> None:
    """List every environment variable with its default and meaning."""
    from coterie.app import listings

    raise typer.Exit(listings.variables_listing(json=json))


_WHAT_SETTINGS_TAKE = "\n".join(["\b", *(f"{setting.name}: {accepts(setting)}" for setting in SETTINGS)])


@app.command(epilog=_WHAT_SETTINGS_TAKE)
def config(
    name: Annotated[str, typer.Argument(help="The setting; without it all are listed.")] = "",
    value: Annotated[str | None, typer.Argument(help="Its new value; without it the present one is shown.")] = None,
    workspace: Workspace = "local",
    home: Home = "",
    json: Json = False,
) -> None:
    """Show or change the settings of a workspace."""
    from coterie.app import commands

    raise typer.Exit(commands.config(home, workspace, name, value, json=json))


@app.command()
def access(workspace: Workspace = "local", home: Home = "", json: Json = False) -> None:
    """List who may call whom, and where; it is changed on Discord, on the page, or over HTTP."""
    from coterie.app import access as accessing

    raise typer.Exit(accessing.lists(home, workspace, json=json))


@app.command()
def invite(json: Json = False) -> None:
    """Print the link that lets the bot into a server on Discord, and why it asks for what it asks."""
    from coterie.app import invite as inviting

    raise typer.Exit(inviting.invite(json=json))


@app.command()
def models(home: Home = "", json: Json = False) -> None:
    """List the models that can be used, and what the others lack."""
    from coterie.app import commands

    raise typer.Exit(commands.models(home, json=json))


@persona.command("list")
def persona_list(workspace: Workspace = "local", home: Home = "", json: Json = False) -> None:
    """List the cast."""
    from coterie.app import personas

    raise typer.Exit(personas.list_all(home, workspace, json=json))


@persona.command("show")
def persona_show(handle: str, workspace: Workspace = "local", home: Home = "", json: Json = False) -> None:
    """Show one persona."""
    from coterie.app import personas

    raise typer.Exit(personas.show(home, workspace, handle, json=json))


@persona.command("import")
def persona_import(
    *,
    file: Annotated[Path, typer.Argument(help="A character card: .png, .json or .charx, 10 MB at most.")],
    kind: Annotated[str, typer.Option("--as", help="alter adds a persona; main replaces what the main persona is.")] = "alter",
    triggers: Annotated[str, typer.Option(help="Further trigger words, with commas between them.")] = "",
    workspace: Workspace = "local",
    home: Home = "",
    json: Json = False,
) -> None:
    """Make a persona from a character card that other software wrote."""
    from coterie.app import personas

    raise typer.Exit(personas.import_card(home, workspace, file, kind, triggers, json=json))


@persona.command("export")
def persona_export(
    handle: str,
    file: Annotated[Path, typer.Argument(help="Where to write it; the ending (.png, .json, .charx) chooses the format.")],
    workspace: Workspace = "local",
    home: Home = "",
    json: Json = False,
) -> None:
    """Write a persona as a character card."""
    from coterie.app import personas

    raise typer.Exit(personas.export_card(home, workspace, handle, file, json=json))


@persona.command("remove")
def persona_remove(handle: str, workspace: Workspace = "local", home: Home = "", json: Json = False) -> None:
    """Remove an alter; what it said stays under its name."""
    from coterie.app import personas

    raise typer.Exit(personas.remove(home, workspace, handle, json=json))


Holder = Annotated[str, typer.Argument(help="discord:GUILD, dm:USER, or user:ID for a person.")]


@subscription.command("grant")
def subscription_grant(
    holder: Holder,
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=36_500, help="How long from now; without it, until it is revoked.")
    ] = None,
    home: Home = "",
    json: Json = False,
) -> None:
    """Let a server or a person use this installation's models (see COTERIE_OPEN_MODELS)."""
    from coterie.app import subscriptions

    raise typer.Exit(subscriptions.grant(home, holder, days, json=json))


@subscription.command("revoke")
def subscription_revoke(holder: Holder, home: Home = "", json: Json = False) -> None:
    """End a subscription."""
    from coterie.app import subscriptions

    raise typer.Exit(subscriptions.revoke(home, holder, json=json))


@subscription.command("list")
def subscription_list(home: Home = "", json: Json = False) -> None:
    """List every subscription, also those that have run out."""
    from coterie.app import subscriptions

    raise typer.Exit(subscriptions.list_all(home, json=json))


@db.command("upgrade")
def db_upgrade(home: Home = "") -> None:
    """Bring the database to this version; a SQLite file is backed up first."""
    from coterie.app import database

    raise typer.Exit(database.upgrade(home))


@db.command("check")
def db_check(home: Home = "") -> None:
    """Say which version the database has and whether it is sound."""
    from coterie.app import database

    raise typer.Exit(database.check(home))


@db.command("backup")
def db_backup(home: Home = "") -> None:
    """Copy the SQLite database into the home's backups folder, also while Coterie runs."""
    from coterie.app import database

    raise typer.Exit(database.backup(home))


def main() -> None:
    """The entry point of the `coterie` command. Arguments are texts; what is none (bytes that are not UTF-8) goes no further."""
    broken = next((argument for argument in sys.argv[1:] if not is_text(argument)), None)
    if broken is not None:
        from coterie.app import console

        shown = broken.encode(errors="surrogateescape").decode(errors="backslashreplace")
        sys.exit(console.refused(f"The argument {shown} is not valid UTF-8.", json="--json" in sys.argv))
    app()


def is_text(argument: str) -> bool:
    """Whether an argument can be written as UTF-8; bytes that are none reach a process as half surrogates (PEP 383)."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True
