"""Settings, providers and models over HTTP."""

import json

import pytest

from coterie.domain.settings import SETTINGS
from fakes.houses import open_client
from fakes.models import ListedModels


async def test_settings_are_every_row_of_the_table(client):
    settings = (await client.get("/v1/settings")).json()
    assert list(settings) == [setting.name for setting in SETTINGS]
    assert settings["trigger-match-limit"] == 3
    assert settings["always-reply"] is True


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"always-reply": None},
        {"trigger-match-limit": 1},
        {"trigger-match-limit": 10, "trigger-cascade-limit": 0, "see-earlier-replies": False},
        {"model": "scripted:scripted"},
        {"model": ""},
    ],
)
async def test_a_change_changes_what_is_sent(client, change):
    before = (await client.get("/v1/settings")).json()
    after = await client.patch("/v1/settings", json=change)
    assert after.status_code == 200
    assert after.json() == {**before, **{name: value for name, value in change.items() if value is not None}}
    assert (await client.get("/v1/settings")).json() == after.json()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"trigger-match-limit": 0}, "trigger-match-limit takes a whole number from 1 to 10."),
        ({"trigger-match-limit": 11}, "trigger-match-limit takes a whole number from 1 to 10."),
        ({"trigger-match-limit": "3"}, "trigger-match-limit takes a whole number from 1 to 10."),
        ({"trigger-match-limit": True}, "trigger-match-limit takes a whole number from 1 to 10."),
        ({"trigger-match-limit": 3.5}, "trigger-match-limit takes a whole number from 1 to 10."),
        ({"always-reply": 1}, "always-reply takes true or false."),
        ({"model": 5}, "model takes a text of at most 200 characters."),
        ({"model": "x" * 201}, "model takes a text of at most 200 characters."),
        ({"model": "nobody:x"}, "model takes provider:model with a known provider, or nothing."),
        ({"model": "scripted:a\nb"}, "model takes a text on one line."),
        ({"model": "scripted:\ud800"}, "model takes a text on one line."),
    ],
)
async def test_a_value_out_of_bounds_is_422_with_the_bounds_and_changes_nothing(client, change, sentence):
    before = (await client.get("/v1/settings")).json()
    body = {"see-earlier-replies": False, **change}
    response = await client.patch("/v1/settings", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()) == (422, {"error": sentence})
    assert (await client.get("/v1/settings")).json() == before


async def test_what_contradicts_what_is_set_is_refused_and_changes_nothing(client):
    await client.patch("/v1/settings", json={"auto-trigger-threshold": 5, "auto-trigger-threshold-max": 9})
    refused = await client.patch("/v1/settings", json={"auto-trigger-threshold": 10, "always-reply": False})
    assert (refused.status_code, refused.json()["error"][:30]) == (422, "auto-trigger-threshold would b")
    settings = (await client.get("/v1/settings")).json()
    assert (settings["auto-trigger-threshold"], settings["always-reply"]) == (5, True)


async def test_the_document_marks_what_only_servers_have_and_says_where_each_setting_stands(client):
    document = (await client.get("/openapi.json")).json()
    shown = document["paths"]["/v1/settings"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]["properties"]
    assert {name for name, schema in shown.items() if schema["x-only-servers"]} == {row.name for row in SETTINGS if row.only_servers}
    assert shown["cooldown-type"]["description"].endswith("server, server-strict. In servers only.")
    assert (shown["cooldown-type"]["x-group"], shown["model"]["x-group"]) == ("how often", "talk")


async def test_an_unknown_setting_is_refused_with_the_names_there_are(client):
    response = await client.patch("/v1/settings", json={"colour": "red"})
    assert response.status_code == 422
    assert "trigger-match-limit" in response.json()["error"]


async def _provider(client, name="openai"):
    return (await client.get(f"/v1/providers/{name}")).json()


async def test_providers_are_listed_without_any_key(client):
    await client.put("/v1/providers/openai", json={"key": "sk-secret"})
    listing = await client.get("/v1/providers")
    assert "sk-secret" not in listing.text
    openai, scripted = listing.json()["providers"]
    assert openai == await _provider(client)
    assert (openai["name"], openai["has_key"], openai["needs_key"]) == ("openai", True, True)
    assert (scripted["has_key"], scripted["needs_key"]) == (False, False)


async def test_an_account_is_checked_then_kept_then_used(house, client):
    answer = await client.put("/v1/providers/openai", json={"key": " sk-1 ", "base_url": "http://127.0.0.1:1/v1/", "model": "small"})
    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["has_key"], shown["base_url"], shown["model"]) == (True, "http://127.0.0.1:1/v1", "small")
    assert "key" not in shown
    kept = (await house.accounts.list())[0]
    assert (kept.key, kept.base_url, kept.model) == ("sk-1", "http://127.0.0.1:1/v1", "small")
    assert (house.models.checked, house.models.refreshed) == ([kept], 1)


async def test_a_refused_account_keeps_what_was_there(house, client):
    await client.put("/v1/providers/openai", json={"key": "good"})
    response = await client.put("/v1/providers/openai", json={"key": "bad"})
    assert (response.status_code, response.json()) == (422, {"error": "OpenAI refuses the key in OPENAI_API_KEY."})
    assert [account.key for account in await house.accounts.list()] == ["good"]
    assert house.models.refreshed == 1


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, ("k", "http://a.example", "m")),
        ({"key": None, "base_url": None, "model": None}, ("k", "http://a.example", "m")),
        ({"model": "n"}, ("k", "http://a.example", "n")),
        ({"base_url": "http://a.example/"}, ("k", "http://a.example", "m")),
        ({"base_url": "http://b.example"}, ("", "http://b.example", "m")),
        ({"base_url": ""}, ("", "", "m")),
        ({"base_url": "http://b.example", "key": "l"}, ("l", "http://b.example", "m")),
        ({"key": ""}, ("", "http://a.example", "m")),
    ],
)
async def test_what_is_left_out_stays_but_a_key_never_goes_to_a_new_address(house, client, change, kept):
    await client.put("/v1/providers/openai", json={"key": "k", "base_url": "http://a.example", "model": "m"})
    assert (await client.put("/v1/providers/openai", json=change)).status_code == 200
    account = (await house.accounts.list())[0]
    assert (account.key, account.base_url, account.model) == kept


@pytest.mark.parametrize(
    "body",
    [
        {"key": "two words"},
        {"key": "schlüssel"},
        {"key": "a\nb"},
        {"key": 5},
        {"key": "x" * 1001},
        {"base_url": "ftp://a.example"},
        {"base_url": "a.example"},
        {"base_url": "http://"},
        {"base_url": "http://user:pw@a.example"},
        {"base_url": "http://a.example:port"},
        {"base_url": "http://[a"},
        {"base_url": "http://a.example/ x"},
        {"base_url": "http://a.example#f"},
        {"model": "a\nb"},
    ],
)
async def test_an_account_that_cannot_be_is_422_before_anything_is_asked(house, client, body):
    response = await client.put("/v1/providers/openai", json=body)
    assert (response.status_code, list(response.json())) == (422, ["error"])
    assert (list(await house.accounts.list()), house.models.checked) == ([], [])


async def test_a_forgotten_account_is_gone(house, client):
    await client.put("/v1/providers/openai", json={"key": "k"})
    assert (await client.delete("/v1/providers/openai")).json() == {"ok": True}
    assert (await _provider(client))["has_key"] is False
    assert (await client.delete("/v1/providers/openai")).status_code == 404
    assert house.models.refreshed == 2


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_an_unknown_provider_is_404_with_the_names_there_are(client, method):
    response = await client.request(method, "/v1/providers/nobody", json={} if method == "PUT" else None)
    assert response.status_code == 404
    assert "openai, scripted" in response.json()["error"]


async def test_a_default_that_does_not_exist_keeps_the_others_choosable(house):
    async with open_client(house, models=ListedModels("nobody:x")) as client:
        answer = (await client.get("/v1/models")).json()
    assert (answer["default"], len(answer["models"])) == ("", 2)


async def test_models_say_what_they_lack(client):
    assert (await client.get("/v1/models")).json() == {
        "default": "scripted:scripted",
        "models": [
            {"name": "scripted:scripted", "title": "Scripted", "needs": ""},
            {"name": "openai:gpt", "title": "OpenAI gpt", "needs": "Set OPENAI_API_KEY."},
        ],
    }
