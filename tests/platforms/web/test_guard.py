"""Who may come in: foreign pages, foreign names, tokens, cookies, and bodies that are too large."""

from dataclasses import replace

import pytest

from coterie.platforms.web.application import create_app
from coterie.platforms.web.guard import COOKIE, TokenNeeded, is_loopback_name
from fakes.houses import open_client

TOKEN = "s3cret-トークン"
BEARER = {"Authorization": f"Bearer {TOKEN}".encode()}
OPEN = ["/healthz", "/", "/static/app.js"]
CLOSED = ["/v1/sessions", "/v1/personas", "/v1/avatars/presets/bram.png", "/metrics", "/openapi.json", "/v1/nowhere"]


@pytest.mark.parametrize("host", ["127.0.0.1:8420", "localhost:8420", "LOCALHOST", "[::1]:8420", "127.8.9.1", "coterie.localhost:1"])
async def test_without_a_token_our_own_names_come_in(house, host):
    async with open_client(house) as client:
        assert (await client.get("/v1/sessions", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.0.9:8420", "0.0.0.0:8420", "", "["]
)
@pytest.mark.parametrize("path", ["/", "/healthz", "/static/app.js", "/v1/sessions", "/v1/nowhere"])
async def test_a_name_that_is_not_ours_is_refused_everywhere(client, host, path):
    response = await client.get(path, headers={"Host": host})
    assert (response.status_code, list(response.json())) == (403, ["error"])


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://127.0.0.1:3000",
        "http://localhost:8420",
        "http://127.0.0.1.evil.example:8420",
        "null",
        "",
        "file://",
        "http://[",
    ],
)
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/v1/send"), ("GET", "/v1/sessions"), ("DELETE", "/v1/personas/bram"), ("GET", "/healthz")]
)
async def test_a_foreign_page_is_refused(house, client, origin, method, path):
    response = await client.request(method, path, headers={"Origin": origin})
    assert (response.status_code, list(response.json())) == (403, ["error"])
    assert "access-control-allow-origin" not in response.headers
    assert len((await client.get("/v1/personas")).json()["personas"]) == 3


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8420", "https://127.0.0.1:8420"])
async def test_our_own_page_comes_in(client, origin):
    assert (await client.get("/v1/sessions", headers={"Origin": origin})).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
    ],
)
async def test_a_foreign_page_cannot_embed_what_browsers_fetch_without_an_origin(client, headers, status):
    assert (await client.get("/v1/avatars/presets/bram.png", headers=headers)).status_code == status


async def test_a_preflight_of_a_foreign_page_is_refused(client):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    assert (await client.options("/v1/send", headers=headers)).status_code == 403


@pytest.mark.parametrize("path", CLOSED)
async def test_with_a_token_everything_asks_for_it(house, path):
    async with open_client(house, token=TOKEN) as client:
        refused = await client.get(path)
        assert (refused.status_code, list(refused.json())) == (401, ["error"])
        assert refused.headers["www-authenticate"] == "Bearer"
        wrong = await client.get(path, headers={"Authorization": "Bearer wrong"})
        assert wrong.status_code == 401
        assert (await client.get(path, headers=BEARER)).status_code in {200, 404}


@pytest.mark.parametrize("path", OPEN)
@pytest.mark.parametrize("is_loopback", [True, False])
async def test_with_a_token_health_and_page_stay_open_under_any_name(house, path, is_loopback):
    async with open_client(house, token=TOKEN, is_loopback=is_loopback) as client:
        assert (await client.get(path, headers={"Host": "box.example"})).status_code == 200


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", f"Basic {TOKEN}", TOKEN, "Bearer \udc80", f"Bearer {TOKEN}x"])
async def test_what_is_not_the_token_is_refused(house, given):
    async with open_client(house, token=TOKEN) as client:
        response = await client.get("/v1/sessions", headers={"Authorization": given.encode("utf-8", "surrogateescape")})
        assert response.status_code == 401


async def test_the_page_logs_in_once_for_a_cookie(house):
    async with open_client(house, token=TOKEN) as client:
        wrong = await client.post("/v1/login", json={"token": "wrong"})
        assert (wrong.status_code, wrong.cookies) == (401, {})
        right = await client.post("/v1/login", json={"token": TOKEN})
        assert right.json() == {"ok": True}
        cookie = right.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert TOKEN not in cookie
        assert (await client.get("/v1/sessions")).status_code == 200
        foreign = await client.get("/v1/sessions", headers={"Origin": "http://127.0.0.1:3000"})
        assert foreign.status_code == 403


async def test_a_cookie_for_another_token_is_refused(house):
    async with open_client(house, token="old") as client:
        old = (await client.post("/v1/login", json={"token": "old"})).cookies[COOKIE]
    async with open_client(house, token=TOKEN) as client:
        assert (await client.get("/v1/sessions", headers={"Cookie": f"{COOKIE}={old}"})).status_code == 401


async def test_logging_in_where_no_token_is_set_is_no_error(client):
    response = await client.post("/v1/login", json={"token": "any"})
    assert (response.status_code, "set-cookie" in response.headers) == (200, False)


def test_no_house_is_open_to_other_machines_without_a_token(house):
    for token in (None, ""):
        with pytest.raises(TokenNeeded, match="COTERIE_API_TOKEN"):
            create_app(replace(house, is_loopback=False, token=token))


async def test_an_empty_token_is_none_and_opens_nothing(house):
    async with open_client(house, token="") as client:
        assert (await client.get("/v1/sessions")).status_code == 200
        assert (await client.get("/v1/sessions", headers={"Host": "evil.example", "Authorization": "Bearer "})).status_code == 403


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/sessions", "/v1/nowhere"])
async def test_every_answer_carries_the_headers(client, path):
    headers = (await client.get(path)).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_a_large_body_is_refused_by_its_announced_length(client):
    response = await client.post("/v1/send", content=b"x" * 3_000_001, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()) == (
        413,
        {"error": "The body is larger than 3,000,000 bytes, which is the most that is taken here."},
    )


async def test_a_large_body_without_a_length_is_cut_off_at_the_bound(client):
    sent = 0

    async def endless():
        nonlocal sent
        while sent < 100:
            sent += 1
            yield b"x" * 100_000

    response = await client.post("/v1/send", content=endless(), headers={"Content-Type": "application/json"})
    assert (response.status_code, list(response.json())) == (413, ["error"])
    assert sent <= 40


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1", "127.255.0.1", "x.localhost"])
def test_names_of_this_machine(name):
    assert is_loopback_name(name)


@pytest.mark.parametrize("name", ["", "localhost.", "0.0.0.0", "::", "10.0.0.1", "mylocalhost", "1"])
def test_names_of_other_machines(name):
    assert not is_loopback_name(name)
