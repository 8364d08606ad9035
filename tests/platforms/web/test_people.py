"""What people set for themselves over HTTP, and what they have used up."""

import pytest

from coterie.domain.ids import UserId, WorkspaceId
from coterie.domain.settings import PERSONAL
from fakes.houses import open_client

GUILD = WorkspaceId("discord:7")


async def test_who_has_set_nothing_has_the_defaults_and_is_not_made_known_by_being_asked_about(house, client):
    shown = (await client.get("/v1/people/5")).json()
    assert shown == {setting.name: setting.default for setting in PERSONAL}
    await house.people.personal(UserId("5"), "ja")
    assert await house.people.locale(UserId("5")) == "ja"


@pytest.mark.parametrize("user", ["5", "owner", "page-0123456789abcdef01234567"])
async def test_a_change_changes_what_is_sent(client, user):
    before = (await client.get(f"/v1/people/{user}")).json()
    change = {"nickname": " Captain ", "privacy": "partial", "language": None, "deliberate-trigger-mode": "on"}
    after = await client.patch(f"/v1/people/{user}", json=change)
    assert (after.status_code, after.json()) == (
        200,
        {**before, "nickname": "Captain", "privacy": "partial", "deliberate-trigger-mode": "on"},
    )
    assert (await client.patch(f"/v1/people/{user}", json={})).json() == after.json()
    assert (await client.get(f"/v1/people/{user}")).json() == after.json()
    assert (await client.get("/v1/people/6")).json() == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"nickname": "x"}, "nickname takes 2 to 32 characters on one line, or nothing."),
        ({"privacy": "none"}, "privacy takes one of minimal, partial, full."),
        ({"privacy": 2}, "privacy takes one of minimal, partial, full."),
        ({"always-reply": True}, f"There is no setting 'always-reply'; there are {', '.join(setting.name for setting in PERSONAL)}."),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(client, change, sentence):
    response = await client.patch("/v1/people/5", json={"language": "ja", **change})
    assert (response.status_code, response.json()) == (422, {"error": sentence})
    assert (await client.get("/v1/people/5")).json()["language"] == ""


@pytest.mark.parametrize("user", ["two%20words", "x" * 201, "a%0Ab"])
async def test_what_can_be_nobodys_id_is_refused(client, user):
    response = await client.get(f"/v1/people/{user}")
    assert (response.status_code, response.json()) == (422, {"error": "user takes an id without blanks, of at most 200 characters."})


async def test_a_quota_begins_anew_for_one_or_for_all(house, client):
    resets = []

    class Counted:
        async def reset(self, workspace, person=None):
            resets.append((workspace, person))

    await house.casts.cast(GUILD)
    async with open_client(house, limited=Counted()) as asked:
        for body in (None, {}, {"user": "5"}):
            assert (await asked.post(f"/v1/quota/reset?workspace={GUILD}", json=body)).json() == {"ok": True}
        refused = await asked.post(f"/v1/quota/reset?workspace={GUILD}", json={"user": "ann"})
    assert (refused.status_code, refused.json()) == (422, {"error": "user: takes a decimal id, as Discord shows it."})
    assert resets == [(GUILD, None), (GUILD, None), (GUILD, "5")]
