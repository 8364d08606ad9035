"""The cast over HTTP: list, make, change, remove; and faces."""

import asyncio

import pytest

NEW = {
    "name": "Mira",
    "role": "A lamplighter.",
    "trigger_words": ["mira", "lamp"],
    "attributes": [{"text": "Carries a ladder.", "is_public": True}, {"text": "Afraid of moths.", "is_public": False}],
    "sample_dialogues": [{"user": "Hi", "bot": "Good evening."}, {"user": "", "bot": "It is getting dark."}],
}


async def _personas(client):
    return (await client.get("/v1/personas")).json()["personas"]


async def test_the_bundled_cast_comes_main_first(client):
    cast = await _personas(client)
    assert [(each["handle"], each["is_alter"]) for each in cast] == [("odile", False), ("bram", True), ("wren", True)]
    assert set(cast[1]) == {
        "handle", "name", "is_alter", "trigger_words", "effective_trigger_words", "role", "attributes", "sample_dialogues", "avatar",
        "model", "reasoning", "revision",
    }  # fmt: skip
    assert "coterie" in cast[1]["trigger_words"]
    assert cast[1]["effective_trigger_words"] == ["bram"]
    assert "coterie" in cast[0]["effective_trigger_words"]


async def test_a_made_persona_is_shown_as_it_was_given(client):
    made = await client.post("/v1/personas", json=NEW)
    assert made.status_code == 201
    assert made.json() == {
        **NEW, "handle": "mira", "is_alter": True, "effective_trigger_words": ["mira", "lamp"], "avatar": None, "model": None,
        "reasoning": None, "revision": 1,
    }  # fmt: skip
    assert (await client.get("/v1/personas/mira")).json() == made.json()
    assert (await client.get("/v1/personas/MIRA")).json() == made.json()
    assert len(await _personas(client)) == 4


async def test_a_taken_name_is_409_and_adds_nobody(client):
    response = await client.post("/v1/personas", json={"name": "BRAM"})
    assert (response.status_code, list(response.json())) == (409, ["error"])
    assert len(await _personas(client)) == 3


async def test_a_full_cast_is_409_in_a_sentence(client):
    statuses = [(await client.post("/v1/personas", json={"name": f"Extra {number}"})).status_code for number in range(18)]
    assert statuses == [201] * 17 + [409]


async def test_a_contested_word_is_kept_but_owned_once(client):
    made = (await client.post("/v1/personas", json={"name": "Rival", "trigger_words": ["bram", "rival"]})).json()
    assert (made["trigger_words"], made["effective_trigger_words"]) == (["bram", "rival"], ["rival"])


async def test_a_persona_that_is_no_alter_takes_the_place_of_main(client):
    made = await client.post("/v1/personas", json={**NEW, "is_alter": False})
    assert (made.status_code, made.json()["is_alter"]) == (201, False)
    cast = await _personas(client)
    assert [each["name"] for each in cast] == ["Mira", "Bram", "Wren"]


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": " \u200b "},
        {"name": None},
        {"name": "x" * 81},
        {"name": "A", "role": "x" * 16_001},
        {"name": "A", "trigger_words": ["w"] * 3 + [str(number) for number in range(10)]},
        {"name": "A", "trigger_words": ["x" * 65]},
        {"name": "A", "trigger_words": [1]},
        {"name": "A", "attributes": ["text"]},
        {"name": "A", "attributes": [{"text": "a", "is_public": "yes"}]},
        {"name": "A", "sample_dialogues": [{"user": "u"}]},
        {"name": "A", "sample_dialogues": [{"user": "u", "bot": "b"}] * 16},
        {"name": "A", "is_alter": "true"},
        {"name": "A", "avatar": "presets/nobody.png"},
        {"name": "A", "avatar": "../../etc/passwd"},
    ],
)
async def test_what_a_persona_cannot_have_is_422(client, body):
    response = await client.post("/v1/personas", json=body)
    assert (response.status_code, list(response.json())) == (422, ["error"])
    assert len(await _personas(client)) == 3


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({}, {}),
        ({"name": None, "role": None, "trigger_words": None, "attributes": None, "sample_dialogues": None, "avatar": None}, {}),
        ({"name": "Bramble"}, {"name": "Bramble"}),
        ({"role": ""}, {"role": ""}),
        ({"trigger_words": []}, {"trigger_words": [], "effective_trigger_words": []}),
        ({"attributes": [{"text": "New."}]}, {"attributes": [{"text": "New.", "is_public": False}]}),
        ({"sample_dialogues": [{"bot": "Hm."}]}, {"sample_dialogues": [{"user": "", "bot": "Hm."}]}),
        ({"avatar": "presets/wren.png"}, {"avatar": "presets/wren.png"}),
        ({"avatar": ""}, {"avatar": None}),
    ],
)
async def test_a_change_changes_what_is_sent(client, change, shown):
    before = (await client.get("/v1/personas/bram")).json()
    response = await client.patch("/v1/personas/bram", json=change)
    assert response.status_code == 200
    after = response.json()
    assert {**after, "revision": 0} == {**before, **shown, "revision": 0}
    assert (await client.get("/v1/personas/bram")).json() == after
    assert after["revision"] >= before["revision"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"name": "Wren"}, 409),
        ({"name": ""}, 422),
        ({"role": 5}, 422),
        ({"avatar": "x"}, 422),
        ({"revision": 0}, 409),
        ({"revision": "1"}, 422),
    ],
)
async def test_a_refused_change_changes_nothing(client, change, status):
    before = (await client.get("/v1/personas/bram")).json()
    response = await client.patch("/v1/personas/bram", json={"role": "New.", **change})
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert (await client.get("/v1/personas/bram")).json() == before


async def test_two_changes_of_different_fields_both_count(client):
    await asyncio.gather(
        client.patch("/v1/personas/bram", json={"role": "One."}), client.patch("/v1/personas/bram", json={"attributes": [{"text": "Two."}]})
    )
    after = (await client.get("/v1/personas/bram")).json()
    assert (after["role"], after["attributes"]) == ("One.", [{"text": "Two.", "is_public": False}])


async def test_of_two_changes_to_one_revision_the_second_is_refused(client):
    revision = (await client.get("/v1/personas/bram")).json()["revision"]
    first = await client.patch("/v1/personas/bram", json={"role": "One.", "revision": revision})
    second = await client.patch("/v1/personas/bram", json={"role": "Two.", "revision": revision})
    assert (first.status_code, second.status_code) == (200, 409)
    assert (await client.get("/v1/personas/bram")).json()["role"] == "One."


async def test_a_change_is_seen_by_whoever_talks_next(house, client):
    await client.patch("/v1/personas/bram", json={"role": "Changed."})
    cast = await house.casts.cast("local")
    assert cast.by_handle("bram").content.role == "Changed."


async def test_an_alter_can_go_and_main_cannot(client):
    assert (await client.delete("/v1/personas/bram")).json() == {"ok": True}
    assert (await client.get("/v1/personas/bram")).status_code == 404
    assert (await client.delete("/v1/personas/bram")).status_code == 404
    refused = await client.delete("/v1/personas/odile")
    assert (refused.status_code, list(refused.json())) == (409, ["error"])


async def test_a_bundled_face_is_asked_for_again_after_an_hour(client):
    shown = await client.get("/v1/avatars/presets/bram.png")
    assert shown.headers["cache-control"] == "private, max-age=3600"


async def test_a_stored_face_is_a_picture_that_browsers_keep(house, client):
    avatar = await house.pictures.keep_avatar("local", await house.pictures.read("presets/bram.png"))
    shown = await client.get(f"/v1/avatars/{avatar}")
    assert (shown.status_code, shown.headers["content-type"], shown.content[:4]) == (200, "image/png", b"\x89PNG")
    assert "immutable" in shown.headers["cache-control"]
    for asked in (shown.headers["etag"], f"W/{shown.headers['etag']}", f'"other", {shown.headers["etag"]}', "*"):
        again = await client.get(f"/v1/avatars/{avatar}", headers={"If-None-Match": asked})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", shown.headers["etag"])
    assert (await client.get(f"/v1/avatars/{avatar}", headers={"If-None-Match": '"other"'})).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["presets/nobody.png", "presets/%2e%2e/presets/bram.png", "presets%5c..%5cbram.png", "presets//bram.png", "%00", "%2e%2e", "x" * 301],
)
async def test_a_face_that_is_not_there_is_404(client, path):
    assert (await client.get(f"/v1/avatars/{path}")).status_code == 404


async def test_a_persona_may_have_a_model_and_a_level_of_its_own(client):
    changed = (await client.patch("/v1/personas/bram", json={"model": "openai:small", "reasoning": "Low"})).json()
    assert (changed["model"], changed["reasoning"]) == ("openai:small", "low")
    assert (await client.get("/v1/personas/bram")).json() == changed
    assert (await client.patch("/v1/personas/bram", json={"model": ""})).json()["model"] is None
    for wrong in ({"model": "nobody:x"}, {"reasoning": "a lot"}):
        assert (await client.patch("/v1/personas/bram", json=wrong)).status_code == 422
