"""`coterie invite`: the link that lets the bot into a server."""

import base64
import binascii
from dataclasses import asdict

from coterie.app.console import CommandFailed, out, out_json, refuse, run
from coterie.app.environment import EnvironmentRefused, read_environment

NO_TOKEN = (
    "DISCORD_TOKEN is not set. On https://discord.com/developers/applications make an application, "
    "press “Reset Token” on its page “Bot”, and set DISCORD_TOKEN to what it shows."
)

_ELSEWHERE = (
    "The bot talks to {server} (DISCORD_SERVER_URL), where no link of Discord's leads: application {application} is let in there. "
    "The loopback server needs no invitation; the application that it begins with is in its guild."
)


def invite(*, json: bool) -> int:
    """Print the link, and each thing that it asks for with its reason."""

    async def work() -> int | None:
        from coterie.platforms.discord.needs import INTENTS, OPTIONAL_INTENTS, PERMISSIONS, SCOPES, invite_link

        try:
            environment = read_environment()
        except EnvironmentRefused as error:
            raise CommandFailed(str(error), 2) from error
        if not environment.discord_token:
            refuse(NO_TOKEN)
        token, server = environment.discord_token, environment.discord_server_url
        application = application_in(token) or await _application_of(token, server)
        link = None if server else invite_link(application)
        tables = {"scopes": SCOPES, "permissions": PERMISSIONS, "intents": INTENTS, "optional_intents": OPTIONAL_INTENTS}
        if json:
            needed = {name: [asdict(need) for need in table] for name, table in tables.items()}
            out_json({"link": link, "server": server or None, "application": str(application), **needed})
            return None
        out(link or _ELSEWHERE.format(server=server, application=application))
        titles = (
            "Scopes",
            "Permissions",
            "To switch on beforehand, on the page “Bot”",
            "To switch on there as well, if you want what it is for",
        )
        for title, table in zip(titles, tables.values(), strict=True):
            out(f"\n{title}:")
            for need in table:
                out(f"  {need.title}: {need.why}")
        return None

    return run(work, json=json)


def application_in(token: str) -> int | None:
    """The application's id, which is the first part of a bot's token in Base64 (Discord docs, Authentication)."""
    part = token.partition(".")[0]
    try:
        text = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        return None
    return int(text) if text.isascii() and text.isdigit() and 15 <= len(text) <= 20 else None


async def _application_of(token: str, server: str) -> int:
    """The same as Discord says it. Raises `CommandFailed`."""
    from coterie.platforms.discord.client import CannotConnect, application_of

    try:
        return await application_of(token, server)
    except CannotConnect as error:
        raise CommandFailed(str(error)) from error
