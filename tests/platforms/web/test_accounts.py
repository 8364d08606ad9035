"""Whose account answers: servers, people and subscriptions over HTTP."""

import pytest

from coterie.domain.ids import SessionId, UserId, WorkspaceId
from coterie.domain.turns.funding import Entry, person_holder, workspace_holder

GUILD, ANN = WorkspaceId("discord:1"), UserId("7")
THERE = {"workspace": GUILD}


@pytest.fixture
async def guild(house):
    await house.sessions.create(SessionId(f"dc-{'0' * 64}"), GUILD)


async def test_a_server_has_accounts_of_its_own_and_shows_no_key(house, client, guild):
    answer = await client.put("/v1/providers/openai", params=THERE, json={"key": "sk-1", "model": "small"})
    assert (answer.status_code, answer.json()["has_key"], answer.json()["variables"]) == (200, True, [])
    assert "sk-1" not in answer.text
    (kept,) = await house.accounts.list(workspace_holder(GUILD))
    assert (kept.key, kept.model) == ("sk-1", "small")
    assert await house.accounts.list() == []
    assert not (await client.get("/v1/providers/openai")).json()["has_key"]
    assert (await client.get("/v1/providers/openai", params=THERE)).json() == answer.json()
    assert (await client.delete("/v1/providers/openai", params=THERE)).status_code == 200
    assert (await client.delete("/v1/providers/openai", params=THERE)).status_code == 404


async def test_several_keys_are_kept_one_on_a_line(house, client, guild):
    assert (await client.put("/v1/providers/openai", params=THERE, json={"key": "a\n b\n\nc "})).status_code == 200
    (kept,) = await house.accounts.list(workspace_holder(GUILD))
    assert kept.key == "a\nb\nc"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"key": "bad"}, "OpenAI refuses the key"),
        ({"key": "k", "base_url": "http://10.0.0.1"}, "for this installation only"),
        ({"key": "\n".join("abcdefghijkl")}, "up to 10"),
        ({"key": "ü"}, "printable ASCII"),
    ],
)
async def test_what_a_server_cannot_save_is_one_sentence_and_nothing_is_kept(house, client, guild, body, says):
    response = await client.put("/v1/providers/openai", params=THERE, json=body)
    assert response.status_code == 422
    assert says in response.json()["error"]
    assert await house.accounts.list(workspace_holder(GUILD)) == []


async def test_a_person_has_one_provider_that_answers(house, client):
    await client.put(f"/v1/people/{ANN}/providers/openai", json={"key": "k", "model": "m", "is_enabled": True})
    assert (await house.fundings.personal(ANN)).entry == Entry("openai", "m")
    listed = (await client.get(f"/v1/people/{ANN}/providers")).json()["providers"]
    assert [(each["name"], each["is_enabled"]) for each in listed] == [("openai", True), ("scripted", False)]
    await client.put(f"/v1/people/{ANN}/providers/openai", json={"is_enabled": False})
    assert (await house.fundings.personal(ANN)).entry is None
    (kept,) = await house.accounts.list(person_holder(ANN))
    assert (kept.key, kept.model) == ("k", "m")
    assert (await client.delete(f"/v1/people/{ANN}/providers/openai")).status_code == 200


async def test_a_subscription_is_chosen_in_place_of_a_key_and_granted_by_the_operator(house, client, guild):
    assert (await client.put("/v1/providers/openai", params=THERE, json={"is_subscription": True})).status_code == 200
    assert (await client.put("/v1/providers/openai", json={"is_subscription": True})).status_code == 422
    assert (await client.get("/v1/subscriptions")).json() == {"subscriptions": []}
    answer = await client.put(f"/v1/subscriptions/{GUILD}", json={"days": 30})
    assert answer.status_code == 200
    assert (await client.put(f"/v1/subscriptions/user:{ANN}", json={})).json() == {"holder": f"user:{ANN}", "until": None}
    assert {each["holder"] for each in (await client.get("/v1/subscriptions")).json()["subscriptions"]} == {GUILD, f"user:{ANN}"}
    funding = await house.fundings.server(GUILD)
    assert funding.entries == {"openai": Entry("openai", is_subscription=True)}
    assert funding.grant is not None
    assert (await client.delete(f"/v1/subscriptions/{GUILD}")).status_code == 200
    assert (await client.delete(f"/v1/subscriptions/{GUILD}")).status_code == 404
    assert (await client.put("/v1/subscriptions/local", json={})).status_code == 400
    assert (await client.put(f"/v1/subscriptions/{GUILD}", json={"days": 0})).status_code == 422
