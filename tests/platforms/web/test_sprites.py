"""Sprites of a persona over HTTP."""

import io

import pytest
from PIL import Image


def picture(colour):
    data = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(data, "PNG")
    return {"file": ("x.png", data.getvalue(), "image/png")}


async def put(client, name="mad", colour="red", handle="bram", **data):
    return await client.put(f"/v1/personas/{handle}/sprites", files=picture(colour), data={"name": name, **data})


async def listed(client, handle="bram"):
    return (await client.get(f"/v1/personas/{handle}/sprites")).json()["sprites"]


async def is_there(client, sprite):
    return (await client.get(f"/v1/avatars/{sprite['avatar']}")).status_code == 200


async def test_a_sprite_is_put_listed_and_its_picture_served(client):
    response = await put(client, "  Very   mad ", usage_instructions=" when angry ", is_identity="true")
    sprite = response.json()
    assert (response.status_code, sprite["name"], sprite["usage_instructions"], sprite["is_identity"]) == (
        200,
        "Very mad",
        "when angry",
        True,
    )
    assert await listed(client) == [sprite]
    assert await listed(client, "odile") == []
    assert await is_there(client, sprite)


async def test_the_same_name_replaces_it_and_the_old_picture_goes(client):
    before = (await put(client, is_identity="true")).json()
    after = (await put(client, "MAD", "blue")).json()
    assert await listed(client) == [after]
    assert after["is_identity"] is False
    assert not await is_there(client, before)


async def test_a_sprite_is_changed_with_and_without_a_picture(client):
    before, other = (await put(client)).json(), (await put(client, "glad", "green")).json()
    url = "/v1/personas/bram/sprites"
    renamed = await client.patch(url, params={"name": "mad"}, data={"new_name": "furious", "usage_instructions": "rarely"})
    assert renamed.json() == {"name": "furious", "avatar": before["avatar"], "usage_instructions": "rarely", "is_identity": False}
    repainted = await client.patch(url, params={"name": "Furious"}, files=picture("blue"))
    assert (repainted.json()["usage_instructions"], repainted.json()["avatar"] != before["avatar"]) == ("rarely", True)
    assert not await is_there(client, before)
    assert (await client.patch(url, params={"name": "furious"}, data={"new_name": "GLAD"})).status_code == 409
    assert (await client.patch(url, params={"name": "nothing"}, data={"is_identity": "true"})).status_code == 404
    assert [each["name"] for each in await listed(client)] == ["furious", "glad"]
    assert await is_there(client, other)


async def test_a_sprite_is_removed_and_a_picture_that_another_has_stays(client):
    sprite, same = (await put(client)).json(), (await put(client, "glad")).json()
    assert sprite["avatar"] == same["avatar"]
    for name, stays in (("mad", True), ("glad", False)):
        assert (await client.delete("/v1/personas/bram/sprites", params={"name": name})).status_code == 200
        assert await is_there(client, sprite) is stays
    assert (await client.delete("/v1/personas/bram/sprites", params={"name": "mad"})).status_code == 404


async def test_pictures_of_sprites_go_with_their_persona(client):
    sprite = (await put(client)).json()
    await client.delete("/v1/personas/bram")
    assert not await is_there(client, sprite)
    of_main = (await put(client, handle="odile")).json()
    await client.post("/v1/personas", json={"name": "Ida", "is_alter": False})
    assert await listed(client, "odile") == []
    assert not await is_there(client, of_main)


@pytest.mark.parametrize(
    ("files", "data", "status"),
    [
        ({"file": ("x.png", b"no picture", "image/png")}, {"name": "mad"}, 422),
        (picture("red"), {"name": "m(a)d"}, 422),
        (picture("red"), {"name": "mad: very"}, 422),
        (picture("red"), {"name": " "}, 422),
        (picture("red"), {"name": "x" * 65}, 422),
        (picture("red"), {"name": "mad", "usage_instructions": "x" * 501}, 422),
        (picture("red"), {}, 422),
        (picture("red"), {"name": "mad", "is_identity": "perhaps"}, 422),
        ({}, {"name": "mad"}, 422),
    ],
)
async def test_a_refused_sprite_leaves_what_is_there(client, files, data, status):
    there = (await put(client)).json()
    response = await client.put("/v1/personas/bram/sprites", files=files or None, data=data)
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert await listed(client) == [there]
    assert await is_there(client, there)


async def test_a_persona_that_is_not_there_has_none(client):
    assert (await client.get("/v1/personas/nobody/sprites")).status_code == 404
    assert (await put(client, handle="nobody")).status_code == 404
