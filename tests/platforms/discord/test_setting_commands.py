"""The commands that settings have on Discord: each shows and sets what its row of the table says, for those who may."""

import pytest

from coterie.domain.ids import UserId, WorkspaceId
from coterie.domain.settings import PERSONAL, SETTINGS
from coterie.platforms.discord.commands.catalogue import commands
from discord_loopback.client import OperationFailed
from platforms.discord.stage_scenes import OnDiscord, answer, everybody_sees

ROWS = [*SETTINGS, *PERSONAL]
LIMIT = "`trigger-cascade-limit`: **{}** – How many further calls may follow the first (a whole number from 0 to 10)"


@pytest.fixture
async def direct(scene: OnDiscord):
    """Ann's direct messages with the bot."""
    return await scene.ann.direct((await scene.loopback.application()).id)


def offered(path: str):
    """A command by its path."""
    first, *rest = path.split()
    found = next(command for command in commands() if command.name == first)
    for name in rest:
        found = next(command for command in found.commands if command.name == name)
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.command} {row.option}")
def test_an_option_takes_what_its_setting_takes(row):
    (option,) = [one for one in offered(row.command).parameters if one.name == row.option]
    kind = {bool: "boolean", int: "integer", str: "string"}[type(row.default)]
    assert (option.type.name, option.required, str(option.description)) == (kind, False, row.label)
    if type(row.default) is int:
        assert (option.min_value, option.max_value) == (row.least, row.most)
    elif row.choices:
        assert [choice.value for choice in option.choices] == [choice or "-" for choice in row.choices]
    elif kind == "string":
        assert (option.min_value, option.max_value, option.autocomplete) == (1, row.most, True)


def test_only_managers_are_shown_what_changes_a_server():
    needed = {command.name: getattr(command, "default_permissions", None) for command in commands()}
    assert needed["config"].manage_guild
    assert needed["server"].manage_guild
    assert needed["personal"] is None


async def test_without_a_value_a_command_shows_and_with_one_it_sets(scene: OnDiscord):
    limit = "config trigger-cascade-limit"
    assert await answer(scene.ann, scene.general, limit) == LIMIT.format(3)
    assert await answer(scene.ann, scene.general, limit, limit=0) == "It is set now.\n" + LIMIT.format(0)
    assert await answer(scene.ann, scene.general, limit) == LIMIT.format(0)
    await scene.ann.write(scene.general, "bram? {{say@bram: and you, wren?}}")
    await scene.general.until_said("and you, wren?", name="Bram")
    await scene.talk.idle()
    assert [name for name, _ in await scene.lines()] == ["ann", "Bram"]


async def test_several_settings_of_one_command_are_set_one_at_a_time(scene: OnDiscord):
    await answer(scene.ann, scene.general, "server quota text-generation", daily_user_quota=5, serverwide_quota_resets_in=7)
    told = await answer(scene.ann, scene.general, "server quota text-generation", serverwide_quota=9)
    assert [line.split(" – ")[0] for line in told.splitlines()] == [
        "It is set now.",
        "`daily_user_quota`: **5**",
        "`serverwide_quota`: **9**",
        "`serverwide_quota_resets_in`: **7**",
    ]
    told = await answer(scene.ann, scene.general, "server cooldown triggers", cooldown_type="per-user")
    assert "`cooldown_type`: **per-user** – " in told
    assert "(one of off, per-user, per-channel, server, server-strict)" in told


@pytest.mark.parametrize("command", ["config humanizer", "server always-reply"])
async def test_whoever_does_not_manage_the_server_is_refused_also_where_everybody_sees_the_command(scene: OnDiscord, command):
    ben = await scene.loopback.person("ben")
    with pytest.raises(OperationFailed, match="no command"):
        await ben.slash(scene.general, command)
    await everybody_sees(scene, command.split()[0])
    options = {"degree": 0} if command.startswith("config") else {"enabled": True}
    for given in ({}, options):
        assert await answer(ben, scene.general, command, **given) == "Only those who may manage this server can do this."
    settings = await scene.storage.settings.settings(WorkspaceId(f"discord:{scene.guild.id}"))
    assert not settings.chosen
    role = await scene.guild.create_role("keeper", allowed=["manage_guild"])
    await scene.guild.set_role(ben.id, role)
    assert (await answer(ben, scene.general, command, **options)).startswith("It is set now.")


async def test_direct_messages_are_ones_own_and_know_no_settings_of_servers(scene: OnDiscord, direct):
    assert "`always-reply`: **on**" in await answer(scene.ann, direct, "server always-reply")
    assert "`always-reply`: **off**" in await answer(scene.ann, direct, "server always-reply", enabled=False)
    assert "`always-reply`: **off**" in await answer(scene.ann, scene.general, "server always-reply")
    for command in {row.command for row in SETTINGS if row.only_servers}:
        assert await answer(scene.ann, direct, command) == "This is there in servers only, not in direct messages."


async def test_a_time_zone_is_offered_and_has_to_be_one(scene: OnDiscord):
    found = await scene.ann.autocomplete(scene.general, "config timezone", "value", "new y")
    assert await found.choices() == ["America/New_York"]
    assert "`timezone`: **Europe/Rome**" in await answer(scene.ann, scene.general, "config timezone", value="Europe/Rome")
    refused = await answer(scene.ann, scene.general, "config timezone", value="Rome/Europe")
    assert refused == "timezone takes the IANA name of a time zone, such as Europe/Rome; there is no Rome/Europe."


async def test_a_model_is_offered_and_has_to_be_ready_and_can_be_given_up(scene: OnDiscord):
    found = await scene.ann.autocomplete(scene.general, "config model", "model", "")
    assert await found.choices() == ["-", "scripted:scripted", "embedded:small"]
    assert "`model`: **embedded:small**" in await answer(scene.ann, scene.general, "config model", model="embedded:small")
    assert "Set OPENAI_API_KEY." in await answer(scene.ann, scene.general, "config model", model="openai:large")
    assert "`model`: **the installation's own**" in await answer(scene.ann, scene.general, "config model", model="-")


async def test_everybody_has_settings_of_their_own_everywhere(scene: OnDiscord, direct):
    ben = await scene.loopback.person("ben")
    assert "`nickname`: **the name they see** – " in await answer(ben, scene.general, "personal nickname")
    assert "`nickname`: **Cap\\*tain**" in await answer(ben, scene.general, "personal nickname", name="Cap*tain")
    assert "`nickname`: **the name they see**" in await answer(scene.ann, direct, "personal nickname")
    assert await answer(ben, scene.general, "personal nickname", name="x") == "nickname takes 2 to 32 characters on one line, or nothing."
    await ben.write(scene.general, "bram, good evening")
    await scene.general.until_said("ok", name="Bram")
    assert "Cap*tain: bram, good evening" in scene.models.only.requests[-1].messages[-1].text
    assert "`nickname`: **the name they see**" in await answer(ben, scene.general, "personal nickname", name="-")
    assert "`privacy`: **partial**" in await answer(ben, scene.general, "personal privacy", level="partial")
    assert (await scene.storage.people.personal(UserId(ben.id))).text("privacy") == "partial"


async def test_a_person_is_answered_in_the_language_they_chose_before_that_of_their_discord(scene: OnDiscord):
    await answer(scene.ann, scene.general, "personal language", language="ja")
    assert (await answer(scene.ann, scene.general, "personal language")).startswith("`language`: **日本語** – お知らせの言語。")
    assert await answer(scene.ann, scene.general, "kill") == "止めるものはありませんでした。"
    await answer(scene.ann, scene.general, "personal language", language="-")
    assert "`language`: **that of your Discord**" in await answer(scene.ann, scene.general, "personal language")
