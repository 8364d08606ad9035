"""Health, figures, and the page."""

from coterie.platforms.web.house import Health, ModelHealth
from fakes.houses import DEFAULT_ROOM, open_client


async def test_a_usable_house_is_healthy_while_its_model_loads(house):
    async def loading():
        return Health(ModelHealth("embedded:smollm2", "loading", "Opening the weights."))

    async with open_client(house, health=loading) as client:
        response = await client.get("/healthz")
    assert (response.status_code, response.json()) == (
        200,
        {
            "status": "ok",
            "version": "0.1.0",
            "missing": [],
            "troubles": [],
            "model": {"name": "embedded:smollm2", "state": "loading", "note": "Opening the weights."},
        },
    )


async def test_a_house_that_lacks_something_says_what(house):
    async def broken():
        return Health(ModelHealth("embedded:smollm2", "failed", "No weights."), missing=("The database cannot be reached.",))

    async with open_client(house, health=broken) as client:
        response = await client.get("/healthz")
    assert (response.status_code, response.json()["status"]) == (503, "unusable")
    assert response.json()["missing"] == ["The database cannot be reached."]


async def test_a_house_that_can_keep_nothing_new_is_degraded(house):
    async def full():
        return Health(ModelHealth("scripted:scripted"), troubles=("The disk is full.",))

    async with open_client(house, health=full) as client:
        response = await client.get("/healthz")
    assert (response.status_code, response.json()["status"], response.json()["troubles"]) == (200, "degraded", ["The disk is full."])


async def test_the_page_and_its_files_are_served_and_asked_for_each_time(client):
    page = await client.get("/")
    assert (page.status_code, page.headers["content-type"], page.headers["cache-control"]) == (200, "text/html; charset=utf-8", "no-cache")
    script = await client.get("/static/app.js")
    assert (script.status_code, script.headers["cache-control"]) == (200, "no-cache")
    assert script.headers["content-type"].startswith("text/javascript")
    again = await client.get("/static/app.js", headers={"If-None-Match": script.headers["etag"]})
    assert again.status_code == 304


async def test_nothing_beside_the_page_is_served(house, client):
    (house.page.parent / "secret.txt").write_text("x")
    for path in ("/static/../secret.txt", "/static/%2e%2e/secret.txt", "/static/..%2fsecret.txt", "/static/"):
        assert (await client.get(path)).status_code == 404


async def test_the_documents_of_the_framework_are_not_served(client):
    assert [(await client.get(path)).status_code for path in ("/docs", "/redoc")] == [404, 404]
    document = (await client.get("/openapi.json")).json()
    assert document["info"] == {**document["info"], "title": "Coterie", "version": "0.1.0"}


async def test_figures_count_requests_by_route_and_not_by_address(client):
    await client.get(f"/v1/session/{DEFAULT_ROOM}")
    await client.get("/v1/session/unknown")
    await client.request("BREW", "/v1/nowhere")
    response = await client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    lines = response.text.splitlines()
    assert 'coterie_http_requests_total{method="GET",route="/v1/session/{session_id}",status="200"} 1.0' in lines
    assert 'coterie_http_requests_total{method="GET",route="/v1/session/{session_id}",status="404"} 1.0' in lines
    assert 'coterie_http_requests_total{method="other",route="",status="404"} 1.0' in lines
    assert any(line.startswith("process_resident_memory_bytes ") for line in lines)
