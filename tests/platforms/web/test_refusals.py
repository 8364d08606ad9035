"""One shape for every no."""

import pytest

from coterie.platforms.web.refusals import OUR_ERRORS, status_of
from coterie.ports.stores import StorageUnavailable
from fakes.houses import DEFAULT_ROOM, open_client


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1", 404),
        ("GET", "/v1/", 404),
        ("GET", "/nowhere", 404),
        ("GET", "/v1/sessions/", 404),
        ("DELETE", "/v1/sessions", 405),
        ("PATCH", "/v1/send", 405),
        ("GET", "/v1/personas?workspace=guild", 400),
        ("GET", "/v1/personas?workspace=discord:", 400),
        ("GET", "/v1/personas?workspace=discord:1", 404),
        ("GET", "/v1/personas?workspace=dm:1%00", 400),
        ("GET", "/v1/session/unknown", 404),
        ("GET", "/v1/session/%00", 404),
        ("GET", "/v1/session/" + "x" * 5000, 404),
        ("GET", "/v1/why/%20", 404),
        ("GET", "/v1/why/unknown", 404),
        ("GET", "/v1/personas/nobody", 404),
        ("GET", "/v1/personas/nobody/export", 404),
        ("GET", "/v1/personas/bram/export?format=exe", 400),
        ("GET", "/v1/avatars/..%2f..%2fetc%2fpasswd", 404),
        ("GET", "/v1/avatars/%2fetc%2fpasswd", 404),
    ],
)
async def test_every_refusal_is_one_sentence(client, method, path, status):
    response = await client.request(method, path)
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert response.json()["error"].endswith(".")


async def test_asking_for_an_unknown_workspace_makes_none(house, client):
    await client.get("/v1/personas?workspace=discord:1")
    assert (await client.get("/v1/personas?workspace=discord:1")).status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "type", "status"),
    [
        ("/v1/sessions", b"{", "application/json", 400),
        ("/v1/sessions", b"", "application/json", 400),
        ("/v1/sessions", b"[]", "application/json", 400),
        ("/v1/sessions", b"null", "application/json", 400),
        ("/v1/sessions", b'{"prefix":"chat"}', "text/plain", 400),
        ("/v1/sessions", b'{"prefix":1}', "application/json", 400),
        ("/v1/sessions", b'{"prefix":"dc"}', "application/json", 400),
        ("/v1/sessions", b'{"prefix":"chat","name":"\\ud800"}', "application/json", 400),
        ("/v1/sessions", b'{"prefix":"chat","name":"\\u0000"}', "application/json", 400),
        ("/v1/sessions", b'{"prefix":"chat","name":"\xff"}', "application/json", 400),
        ("/v1/sessions", b'{"prefix":"chat"' + b"[" * 100_000, "application/json", 400),
        ("/v1/personas", b"{", "application/json", 400),
        ("/v1/personas", b"{}", "application/json", 422),
        ("/v1/personas", b'{"name":5}', "application/json", 422),
        ("/v1/personas", b'{"name":"A","trigger_words":"a"}', "application/json", 422),
        ("/v1/personas/import", b"--x--", "multipart/form-data; boundary=x", 422),
        ("/v1/personas/import", b"junk", "multipart/form-data", 400),
        ("/v1/personas/import", b"{}", "application/json", 422),
    ],
)
async def test_a_malformed_body_is_one_sentence(client, path, body, type, status):
    response = await client.post(path, content=body, headers={"Content-Type": type})
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert response.json()["error"].endswith(".")


@pytest.mark.parametrize(
    ("method", "path", "body", "sentence"),
    [
        ("POST", f"/v1/session/{DEFAULT_ROOM}", b"", "The body must be a JSON object (Content-Type: application/json)."),
        ("POST", "/v1/send", b"", "The body must be a JSON object (Content-Type: application/json)."),
        ("POST", "/v1/send", b'{"content":"x"}', "session_id is missing."),
        (
            "POST",
            f"/v1/session/{DEFAULT_ROOM}",
            b'{"role":"' + b"x" * 16_001 + b'"}',
            "role has 16,001 characters; at most 16,000 are taken.",
        ),
        ("POST", f"/v1/session/{DEFAULT_ROOM}", b'{"name":"' + b"x" * 201 + b'"}', "name has 201 characters; at most 200 are taken."),
        (
            "POST",
            "/v1/send",
            b'{"session_id":"s","content":"x","user":{"id":"' + b"x" * 101 + b'"}}',
            "user.id has 101 characters; at most 100 are taken.",
        ),
        ("POST", "/v1/login", b'{"token":"' + b"x" * 1001 + b'"}', "token has 1,001 characters; at most 1,000 are taken."),
    ],
)
async def test_what_is_wrong_with_a_body_is_said_in_our_words(client, method, path, body, sentence):
    response = await client.request(method, path, content=body, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()) == (400, {"error": sentence})


async def test_a_failure_inside_tells_nothing_of_itself(house):
    async def broken():
        raise RuntimeError("token=hunter2 https://discord.com/api/webhooks/1/secret")

    async with open_client(house, health=broken) as client:
        response = await client.get("/healthz")
    assert response.status_code == 500
    assert response.json() == {"error": "Something went wrong inside; the log says what."}
    assert "content-security-policy" in response.headers


class _Unreachable:
    async def list(self, workspace):
        raise StorageUnavailable("The database is locked by another program.")

    async def session(self, session):
        raise StorageUnavailable("The database is locked by another program.")


@pytest.mark.parametrize("path", ["/v1/sessions", f"/v1/session/{DEFAULT_ROOM}", f"/v1/session/{DEFAULT_ROOM}/events"])
async def test_a_storage_that_cannot_be_reached_is_503_and_never_not_found(house, path):
    async with open_client(house, sessions=_Unreachable()) as client:
        response = await client.get(path)
    assert (response.status_code, response.json()) == (503, {"error": "The database is locked by another program."})


def test_every_error_of_ours_has_its_status():
    kinds = [kind for kind, _ in OUR_ERRORS]
    assert all(not issubclass(later, earlier) for place, earlier in enumerate(kinds) for later in kinds[place + 1 :])
    assert [status_of(kind("x")) for kind in kinds] == [status for _, status in OUR_ERRORS]
    assert status_of(RuntimeError("x")) == 500
