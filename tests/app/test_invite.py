"""The link that lets the bot into a server: where the application's id comes from, and what the link asks for."""

import asyncio
import base64
import json
import os
import sys
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from coterie.app.invite import application_in
from coterie.platforms.discord.needs import INTENTS, OPTIONAL_INTENTS, PERMISSIONS, SCOPES, permissions
from discord_loopback.serving import serving

NUMBER = "123456789012345678"
TOKEN = base64.b64encode(NUMBER.encode()).decode().rstrip("=") + ".Gabcde.secret-part_of-it"


async def invite(*options, **variables):
    """Exit status, standard output, standard error."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")} | variables
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "coterie", "invite", *options, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, told = await process.communicate()
    return process.returncode, said.decode(), told.decode()


@pytest.mark.parametrize(
    ("token", "number"),
    [(TOKEN, int(NUMBER)), ("", None), ("abc", None), ("not base64!", None), ("aGVsbG8.x.y", None), ("MTIz.x.y", None), ("ü.x", None)],
)
def test_the_application_is_named_in_the_token(token, number):
    assert application_in(token) == number


async def test_the_link_asks_for_what_the_table_names_and_nothing_else():
    status, said, told = await invite(DISCORD_TOKEN=TOKEN)
    assert (status, told) == (0, "")
    asked = parse_qs(urlsplit(said.splitlines()[0]).query)
    assert asked["client_id"] == [NUMBER]
    assert asked["scope"] == ["bot applications.commands"]
    assert discord.Permissions(int(asked["permissions"][0])) == permissions()
    for need in (*SCOPES, *PERMISSIONS, *INTENTS, *OPTIONAL_INTENTS):
        assert f"  {need.title}: {need.why}" in said.splitlines()
    assert "secret-part" not in said


async def test_for_programs_it_is_one_object():
    status, said, _ = await invite("--json", DISCORD_TOKEN=TOKEN)
    (line,) = said.splitlines()
    found = json.loads(line)
    assert (status, found["application"]) == (0, NUMBER)
    assert found["link"].startswith("https://discord.com/oauth2/authorize?client_id=" + NUMBER)
    assert [one["name"] for one in found["permissions"]] == [need.name for need in PERMISSIONS]


async def test_without_a_token_it_says_where_to_get_one():
    status, said, told = await invite()
    assert (status, said) == (2, "")
    assert told.startswith("DISCORD_TOKEN is not set.")
    status, said, _ = await invite("--json")
    assert json.loads(said)["error"].startswith("DISCORD_TOKEN is not set.")


async def test_another_kind_of_token_is_asked_about():
    async with serving() as loopback:
        made = await loopback.create_application("Other", token="a token of its own kind")
        status, said, told = await invite(DISCORD_TOKEN=made.token, DISCORD_SERVER_URL=loopback.url)
        assert (status, told) == (0, "")
        assert said.startswith(f"The bot talks to {loopback.url} (DISCORD_SERVER_URL)")
        assert f"application {made.id} " in said
        assert "discord.com" not in said
        found = json.loads((await invite("--json", DISCORD_TOKEN=made.token, DISCORD_SERVER_URL=loopback.url))[1])
        assert (found["link"], found["server"], found["application"]) == (None, loopback.url, made.id)
        status, said, told = await invite(DISCORD_TOKEN="wrong", DISCORD_SERVER_URL=loopback.url)
        assert (status, said) == (1, "")
        assert told == f"The server at {loopback.url} refuses the token in DISCORD_TOKEN.\n"


async def test_the_permissions_are_enough_for_a_server_that_gives_no_more(storage, tmp_path):
    from platforms.discord.stage_scenes import on_discord

    async with serving() as loopback, on_discord(storage, loopback, tmp_path) as scene:
        await scene.guild.allow_bot(*(need.name for need in PERMISSIONS))
        await scene.ann.write(scene.general, "odile and bram? {{say@odile: Here.}} {{say@bram: Here too.}}")
        assert (await scene.general.until_said("Here too.")).name == "Bram"
        thread = await scene.ann.begin_thread(scene.general, "moths")
        await scene.ann.write(thread, "odile? {{say: In here.}}")
        await thread.until_said("In here.")
        noted = await scene.ann.slash(scene.general, "bot impersonate-system", text="Night falls.")
        assert (await noted.message()).content == "The note is there for everybody."
