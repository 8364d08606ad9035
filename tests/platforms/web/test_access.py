"""The lists of a server over HTTP: rows come and go, every answer shows them all, and what cannot be is refused in one sentence."""

from datetime import timedelta

import pytest

from coterie.domain.access import MAX_ROWS, Access, Spotlight
from coterie.domain.ids import LOCAL, PersonaId, PlaceId, RoleId, UserId, WorkspaceId
from fakes.houses import open_client

GUILD = WorkspaceId("discord:7")
EMPTY = {"channels": [], "roles": [], "personas": [], "blacklist": [], "auto_trigger_channels": [], "spotlights": []}


@pytest.fixture
async def server(house, client):
    """What is asked of the lists of a server that was seen."""
    await house.casts.cast(GUILD)

    async def ask(method, path="", **body):
        response = await client.request(method, f"/v1/access{path}?workspace={GUILD}", json=body)
        return response.status_code, response.json()

    return ask


async def test_every_list_is_written_row_by_row_and_emptied_again(server):
    own = {"type": "per-user", "length": 60}
    spotlight = {"user": "5", "channel": "11", "personas": ["odile", "wren"], "auto": "wren", "expires_at": "2026-01-02T05:04:05.000Z"}
    rows = [
        ("/channels/11", {}, "channels", [{"channel": "11", "cooldown": None}]),
        ("/channels/9", {"cooldown": own}, "channels", [{"channel": "9", "cooldown": own}, {"channel": "11", "cooldown": None}]),
        ("/roles/3", {}, "roles", ["3"]),
        ("/blacklist/4", {}, "blacklist", ["4"]),
        ("/personas/bram", {"channels": ["12", "11"]}, "personas", [{"persona": "bram", "channels": ["11", "12"]}]),
        ("/auto-trigger-channels/11", {"persona": "wren"}, "auto_trigger_channels", [{"channel": "11", "persona": "wren"}]),
        ("/auto-trigger-channels/11", {}, "auto_trigger_channels", [{"channel": "11", "persona": None}]),
        ("/spotlights/5/11", {"personas": ["wren", "odile"], "auto": "wren", "hours": 2}, "spotlights", [spotlight]),
    ]
    expected = EMPTY
    for path, body, name, listed in rows:
        expected = {**expected, name: listed}
        assert await server("PUT", path, **body) == (200, expected)
        assert await server("GET") == (200, expected)
    for path, _, name, _ in rows:
        rest = [row for row in expected[name] if path != f"/{name}/{row.get('channel')}"] if name == "channels" else []
        expected = {**expected, name: rest}
        for _ in range(2):
            assert await server("DELETE", path) == (200, expected)
    assert await server("GET") == (200, EMPTY)


async def test_lists_of_one_workspace_are_no_others(server, client):
    await server("PUT", "/roles/3")
    assert (await client.get("/v1/access")).json() == EMPTY


async def test_a_spotlight_for_good_and_one_that_has_run_out(server, house):
    status, shown = await server("PUT", "/spotlights/5/11", personas=["bram"], hours=0)
    assert (status, shown["spotlights"][0]["expires_at"], shown["spotlights"][0]["auto"]) == (200, None, None)
    bram = (await house.casts.cast(GUILD)).by_handle("bram").id
    over = Spotlight(frozenset({bram}), None, house.clock.now() - timedelta(hours=1))
    await house.access.change(GUILD, lambda access: access.shining(UserId("5"), PlaceId("11"), over))
    assert await server("GET") == (200, EMPTY)


async def test_a_persona_kept_to_no_channel_is_heard_everywhere(server):
    await server("PUT", "/personas/bram", channels=["11"])
    assert await server("PUT", "/personas/bram", channels=[]) == (200, EMPTY)


@pytest.mark.parametrize(
    ("call", "body", "status", "sentence"),
    [
        ("PUT /channels/eleven", None, 422, "channel takes a decimal id, as Discord shows it."),
        ("DELETE /channels/011", None, 422, "channel takes a decimal id, as Discord shows it."),
        ("PUT /channels/" + "1" * 21, None, 422, "channel takes a decimal id, as Discord shows it."),
        ("PUT /channels/٣", None, 422, "channel takes a decimal id, as Discord shows it."),
        ("PUT /roles/-1", None, 422, "role takes a decimal id, as Discord shows it."),
        ("PUT /blacklist/ann", None, 422, "user takes a decimal id, as Discord shows it."),
        ("PUT /spotlights/ann/1", {"personas": ["bram"]}, 422, "user takes a decimal id, as Discord shows it."),
        ("PUT /channels/1", {"cooldown": {"type": "sometimes"}}, 422, "cooldown-type takes one of off, per-user, "),
        ("PUT /channels/1", {"cooldown": {"type": "server", "length": 0}}, 422, "cooldown-length takes a whole number from 1 to 86400."),
        ("PUT /channels/1", {"cooldown": {"type": "server", "length": True}}, 422, "cooldown-length takes a whole number"),
        ("PUT /channels/1", {"cooldown": {}}, 422, "cooldown.type is missing."),
        ("PUT /personas/nobody", {"channels": ["1"]}, 404, "There is no persona with this handle; the cast is odile, bram, wren."),
        ("DELETE /personas/nobody", None, 404, "There is no persona with this handle; the cast is odile, bram, wren."),
        ("PUT /personas/bram", {"channels": ["hall"]}, 422, "channels.0: takes a decimal id, as Discord shows it."),
        ("PUT /personas/bram", {"channels": ["1"] * 501}, 422, "channels: list should have at most 500 items"),
        ("PUT /personas/bram", {}, 422, "channels is missing."),
        ("PUT /auto-trigger-channels/1", {"persona": "nobody"}, 404, "There is no persona with this handle"),
        ("PUT /spotlights/1/1", {"personas": []}, 422, "personas: list should have at least 1 item"),
        ("PUT /spotlights/1/1", {"personas": ["nobody"]}, 404, "There is no persona with this handle"),
        ("PUT /spotlights/1/1", {"personas": ["bram"], "auto": "wren"}, 422, "auto takes one of the personas of the spotlight."),
        ("PUT /spotlights/1/1", {"personas": ["bram"], "hours": -1}, 422, "hours: input should be greater than or equal to 0."),
        ("PUT /spotlights/1/1", {"personas": ["bram"], "hours": 87_601}, 422, "hours: input should be less than or equal to 87600."),
    ],
)
async def test_what_cannot_be_listed_is_refused_and_changes_nothing(server, call, body, status, sentence):
    method, path = call.split(" ")
    answered, answer = await server(method, path, **(body or {}))
    assert (answered, list(answer)) == (status, ["error"])
    assert answer["error"].startswith(sentence)
    assert await server("GET") == (200, EMPTY)


async def test_a_full_list_takes_what_is_in_it_and_nothing_more(server, house):
    full = frozenset(RoleId(str(number)) for number in range(1, MAX_ROWS + 1))
    lights = {(UserId("5"), PlaceId(str(number))): Spotlight(frozenset({PersonaId(1)})) for number in range(1, MAX_ROWS + 1)}
    await house.access.change(GUILD, lambda _: Access(roles=full))
    assert (await server("PUT", "/roles/500"))[0] == 200
    assert await server("PUT", "/roles/501") == (409, {"error": "The list of roles holds 500 rows, which is the most; remove one first."})
    bram = (await house.casts.cast(GUILD)).by_handle("bram").id
    await house.access.change(GUILD, lambda _: Access(spotlights={place: Spotlight(frozenset({bram})) for place in lights}))
    assert (await server("PUT", "/spotlights/5/501", personas=["bram"]))[0] == 409
    assert (await server("PUT", "/spotlights/6/1", personas=["bram"]))[0] == 200


async def test_a_server_nobody_has_called_anybody_in_is_set_up_where_discord_shows_it(house):
    fresh = WorkspaceId("discord:8")
    async with open_client(house, servers=lambda: {fresh: "The greenhouse"}) as client:
        assert (await client.get(f"/v1/access?workspace={fresh}")).json() == EMPTY
        assert (await client.put(f"/v1/access/roles/3?workspace={fresh}")).json() == {**EMPTY, "roles": ["3"]}
        listed = (await client.get("/v1/workspaces")).json()["workspaces"]
    assert listed == [{"workspace": LOCAL, "name": ""}, {"workspace": fresh, "name": "The greenhouse"}]
    async with open_client(house) as client:
        assert (await client.get("/v1/workspaces")).json()["workspaces"][1] == {"workspace": fresh, "name": ""}
        assert (await client.get("/v1/access?workspace=discord:9")).status_code == 404
