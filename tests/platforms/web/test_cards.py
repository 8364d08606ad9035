"""Character cards over HTTP."""

import json

import pytest

CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "Mira", "description": "A lamplighter.", "first_mes": "Good evening.", "extensions": {"other": {"kept": True}}},
}


def _file(card=CARD, name="mira.json", kind="application/json"):
    return {"file": (name, json.dumps(card).encode() if isinstance(card, dict) else card, kind)}


async def test_a_card_becomes_an_alter_with_a_report(client):
    response = await client.post("/v1/personas/import", files=_file(), data={"type": "alter", "triggers": "lamp, ladder、light"})
    assert response.status_code == 201
    answer = response.json()
    assert (answer["persona"]["name"], answer["persona"]["handle"], answer["persona"]["is_alter"]) == ("Mira", "mira", True)
    assert {"lamp", "ladder", "light"} <= set(answer["persona"]["trigger_words"])
    assert answer["report"]
    assert {tuple(row) for row in answer["report"]} == {("part", "fate", "note")}
    assert {row["fate"] for row in answer["report"]} <= {"used", "repaired", "kept", "dropped"}
    assert (await client.get("/v1/personas/mira")).json() == answer["persona"]


async def test_a_card_can_take_the_place_of_main(client):
    answer = await client.post("/v1/personas/import", files=_file(), data={"type": "main"})
    assert (answer.status_code, answer.json()["persona"]["is_alter"]) == (201, False)
    cast = (await client.get("/v1/personas")).json()["personas"]
    assert [each["name"] for each in cast] == ["Mira", "Bram", "Wren"]


@pytest.mark.parametrize(
    ("files", "data", "status"),
    [
        (_file(b"no card at all"), {}, 422),
        (_file(b""), {}, 422),
        (_file({"name": 5}), {"type": "guest"}, 422),
        (_file(), {"triggers": "x" * 2001}, 422),
        ({"other": ("x.json", b"{}")}, {}, 422),
        (_file({**CARD, "data": {**CARD["data"], "name": "Bram"}}), {}, 409),
        (_file(b"x" * (10 * 1024 * 1024 + 1)), {}, 413),
        (_file(b"x" * (11 * 1024 * 1024)), {}, 413),
    ],
)
async def test_a_refused_card_leaves_nothing_behind(client, files, data, status):
    response = await client.post("/v1/personas/import", files=files, data=data)
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert [each["handle"] for each in (await client.get("/v1/personas")).json()["personas"]] == ["odile", "bram", "wren"]


async def test_a_card_that_is_too_large_is_refused_over_a_real_socket_too(served):
    response = await served.post("/v1/personas/import", files=_file(b"x" * (30 * 1024 * 1024)))
    assert (response.status_code, list(response.json())) == (413, ["error"])
    assert "10,485,760" in response.json()["error"]


@pytest.mark.parametrize(
    ("kind", "media_type", "magic"),
    [("png", "image/png", b"\x89PNG"), ("json", "application/json", b"{"), ("charx", "application/zip", b"PK")],
)
async def test_a_persona_goes_out_in_each_format_and_comes_in_again(client, kind, media_type, magic):
    out = await client.get("/v1/personas/bram/export", params={"format": kind})
    assert (out.status_code, out.headers["content-type"]) == (200, media_type)
    assert out.content.startswith(magic)
    assert out.headers["content-disposition"] == f"attachment; filename=\"bram.{kind}\"; filename*=UTF-8''Bram.{kind}"
    assert out.headers["x-content-type-options"] == "nosniff"
    bram = (await client.get("/v1/personas/bram")).json()
    await client.delete("/v1/personas/bram")
    again = await client.post("/v1/personas/import", files={"file": (f"bram.{kind}", out.content)})
    assert again.status_code == 201
    kept = ("name", "role", "attributes", "sample_dialogues")
    assert {key: again.json()["persona"][key] for key in kept} == {key: bram[key] for key in kept}


async def test_png_is_what_goes_out_when_nothing_is_said(client):
    assert (await client.get("/v1/personas/wren/export")).headers["content-type"] == "image/png"


async def test_a_name_in_any_script_names_the_file(client):
    await client.post("/v1/personas", json={"name": 'エリ "x"/../'})
    handle = (await client.get("/v1/personas")).json()["personas"][-1]["handle"]
    out = await client.get(f"/v1/personas/{handle}/export?format=json")
    disposition = out.headers["content-disposition"]
    assert disposition == f"attachment; filename=\"{handle}.json\"; filename*=UTF-8''%E3%82%A8%E3%83%AA%20%22x%22%2F..%2F.json"


async def test_what_a_card_brought_along_goes_out_again(client):
    await client.post("/v1/personas/import", files=_file())
    out = (await client.get("/v1/personas/mira/export?format=json")).json()
    assert out["data"]["extensions"]["other"] == {"kept": True}


async def test_a_face_that_only_the_removed_persona_wore_is_dropped(client):
    card = (await client.get("/v1/personas/bram/export?format=charx")).content
    await client.delete("/v1/personas/bram")
    avatar = (await client.post("/v1/personas/import", files={"file": ("bram.charx", card)})).json()["persona"]["avatar"]
    assert not avatar.startswith("presets/")
    await client.post("/v1/personas", json={"name": "Twin", "avatar": avatar})
    await client.delete("/v1/personas/bram")
    assert (await client.get(f"/v1/avatars/{avatar}")).status_code == 200
    await client.delete("/v1/personas/twin")
    assert (await client.get(f"/v1/avatars/{avatar}")).status_code == 404


async def test_a_bundled_face_stays(client):
    await client.delete("/v1/personas/bram")
    assert (await client.get("/v1/avatars/presets/bram.png")).status_code == 200
