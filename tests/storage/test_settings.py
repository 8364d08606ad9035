import asyncio
from datetime import UTC, datetime

import pytest

from coterie.domain.ids import LOCAL, SessionId, WorkspaceId
from coterie.domain.settings import BY_NAME
from coterie.storage.schema.workspaces import server_chat_configs, server_settings

GUILD = WorkspaceId("discord:1")


@pytest.mark.parametrize(("workspace", "answers_alone"), [(LOCAL, True), (WorkspaceId("dm:5"), True), (GUILD, False)])
async def test_a_workspace_that_set_nothing_has_the_defaults(storage, workspace, answers_alone):
    settings = await storage.settings.settings(workspace)
    assert settings.chosen == {}
    assert settings.flag("always-reply") is answers_alone
    assert settings.number("trigger-match-limit") == 3


async def test_what_is_set_is_returned_and_stays(storage, elsewhere):
    values = {"trigger-match-limit": 5, "trigger-cascade-limit": 0, "message-fetch-limit": 20, "see-earlier-replies": False, "model": "a:b"}
    changed = await storage.settings.change(GUILD, values)
    assert changed.chosen == values
    assert (await storage.settings.settings(GUILD)).chosen == values
    assert (await elsewhere.settings.settings(GUILD)).chosen == values
    assert (await storage.settings.settings(LOCAL)).chosen == {}


async def test_a_change_leaves_other_settings_alone(storage):
    await storage.settings.change(LOCAL, {"trigger-match-limit": 5, "always-reply": False})
    await storage.settings.change(LOCAL, {"trigger-cascade-limit": 7, "see-earlier-replies": False})
    await storage.settings.change(LOCAL, {"trigger-match-limit": 6})
    assert (await storage.settings.settings(LOCAL)).chosen == {
        "trigger-match-limit": 6,
        "trigger-cascade-limit": 7,
        "always-reply": False,
        "see-earlier-replies": False,
    }


async def test_the_settings_of_the_specification_are_in_its_columns(storage):
    await storage.settings.change(LOCAL, {"trigger-match-limit": 5, "trigger-cascade-limit": 7, "always-reply": False})
    row = await storage.database.read(lambda connection: connection.execute(server_chat_configs.select()).one())
    assert (row.match_limit, row.cascade_limit, row.message_fetch_limit) == (5, 7, None)


async def test_a_setting_that_this_program_does_not_know_is_kept_and_not_shown(storage):
    await storage.settings.change(LOCAL, {"always-reply": False})
    put = server_settings.update().values(chosen={"always-reply": False, "mood": 2})
    await storage.database.write(lambda connection: connection.execute(put).rowcount)
    await storage.settings.change(LOCAL, {"see-earlier-replies": False})
    assert (await storage.settings.settings(LOCAL)).chosen == {"always-reply": False, "see-earlier-replies": False}
    chosen = await storage.database.read(lambda connection: connection.execute(server_settings.select()).one().chosen)
    assert chosen["mood"] == 2


async def test_every_setting_can_be_kept(storage):
    values = {name: setting.default for name, setting in BY_NAME.items()}
    assert (await storage.settings.change(LOCAL, values)).chosen == values


async def test_two_changes_at_once_both_stay(storage, elsewhere):
    await storage.casts.cast(LOCAL)
    await asyncio.gather(
        storage.settings.change(LOCAL, {"always-reply": False}), elsewhere.settings.change(LOCAL, {"see-earlier-replies": False})
    )
    facts = await storage.conversations.facts(LOCAL, SessionId("none"), None, datetime.now(UTC))
    assert facts.settings.chosen == {"always-reply": False, "see-earlier-replies": False}
    assert (await storage.settings.settings(LOCAL)).chosen == facts.settings.chosen
