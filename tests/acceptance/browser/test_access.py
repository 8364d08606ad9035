"""Who may call whom in a server, set on the page: a real browser, a real server process, a server of Discord that was seen before."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from acceptance.browser.seeing import watch
from acceptance.running import Running, serving
from coterie.domain.ids import SessionId, WorkspaceId
from coterie.domain.sessions.session import Place
from coterie.storage.opening import open_storage
from fakes.houses import BUNDLED_DRAFTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

GUILD, CHANNEL = WorkspaceId("discord:700000000000000007"), "700000000000000011"
SHOTS = os.environ.get("COTERIE_TEST_SHOTS", "")
"""A folder for pictures of the page, for those who want to look."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seen_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose cast was called in a channel of a server, and in direct messages."""
    home = tmp_path_factory.mktemp("server")
    storage = await open_storage("", home, BUNDLED_DRAFTS, environment={})
    await storage.sessions.create(SessionId("dc-" + "a" * 64), GUILD, "greenhouse", place=Place(CHANNEL, GUILD.split(":")[1], ""))
    await storage.sessions.create(SessionId("dc-" + "b" * 64), WorkspaceId("dm:5"), "Ann", place=Place("12", "", "5"))
    await storage.close()
    return home


@pytest.fixture(scope="module")
def house(seen_home: Path) -> Iterator[Running]:
    with serving(seen_home) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module", params=[(1280, 900), (375, 812)], ids=["desk", "phone"])
async def settings(browser: Browser, house: Running, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    """The settings of the server."""
    width, height = request.param
    context = await browser.new_context(
        viewport={"width": width, "height": height}, is_mobile=width < 500, has_touch=width < 500, reduced_motion="reduce"
    )
    watched = watch(await context.new_page())
    await watched.page.goto(house.address)
    if width < 500:
        # What the button does is there when the page has loaded what it shows.
        await expect(watched.page.get_by_test_id("cast-member").first).to_be_attached()
        await watched.page.get_by_test_id("rooms-open").click()
    await watched.page.get_by_test_id("settings-open").click()
    await watched.page.get_by_test_id("workspace").select_option(GUILD)
    await expect(part(watched.page, "access")).to_have_count(1)
    yield watched.page
    await context.close()
    assert watched.troubles == []


@pytest.fixture
def asked(house: Running) -> Iterator[httpx2.Client]:
    """The API, and lists that are empty again afterwards."""
    with house.api() as api:
        api.params = {"workspace": GUILD}
        yield api
        api.patch("/v1/settings", json={"cooldown-type": "off"}).raise_for_status()


def part(page: Page, name: str) -> Locator:
    return page.locator(f'[data-part="{name}"]')


def listing(page: Page, name: str) -> Locator:
    return page.locator(f'[data-testid="access"][data-list="{name}"]')


async def shot(page: Page, name: str) -> None:
    if SHOTS:
        await page.screenshot(path=f"{SHOTS}/{name}-{page.viewport_size['width']}.png")


async def test_a_server_has_settings_of_its_own_in_parts(settings: Page, asked: httpx2.Client):
    await expect(settings.get_by_test_id("part")).to_have_count(5)
    await expect(settings.get_by_test_id("workspace").locator("option")).to_have_text(
        ["Here: the rooms of this page", "The server 700000000000000007", "Direct messages with Ann"]
    )
    await part(settings, "how often").locator("summary").click()
    kind = settings.locator('[data-setting="cooldown-type"]')
    await expect(kind.locator("option")).to_have_count(5)
    await kind.locator("select").select_option("per-user")
    await expect(kind.get_by_test_id("setting-result")).to_have_text("Saved.")
    await shot(settings, "often")
    assert asked.get("/v1/settings").json()["cooldown-type"] == "per-user"
    assert asked.get("/v1/settings", params={"workspace": "local"}).json()["cooldown-type"] == "off"
    await part(settings, "quotas").locator("summary").click()
    await settings.get_by_test_id("quota-reset").click()
    await expect(settings.get_by_test_id("quota-result")).to_have_text("It begins anew.")
    await settings.get_by_test_id("workspace").select_option("local")
    await expect(settings.get_by_test_id("part")).to_have_count(2)


async def test_rows_are_added_and_removed_and_what_is_refused_is_told(settings: Page, asked: httpx2.Client):
    await part(settings, "access").locator("summary").click()
    channels = listing(settings, "channels")
    await channels.get_by_test_id("access-channel").fill("the greenhouse")
    await channels.get_by_test_id("access-add").click()
    await expect(channels.get_by_test_id("access-result")).to_have_text("channel takes a decimal id, as Discord shows it.")
    await channels.get_by_test_id("access-channel").fill(CHANNEL)
    await channels.get_by_test_id("access-cooldown").select_option("per-user")
    await channels.get_by_test_id("access-add").click()
    await expect(channels.get_by_test_id("access-row")).to_have_text([f"#greenhouse {CHANNEL} per-user, 5 s"])
    await expect(channels.get_by_test_id("access-result")).to_be_hidden()
    kept = listing(settings, "personas")
    for channel in (CHANNEL, "12"):
        await kept.get_by_test_id("access-persona").select_option("bram")
        await kept.get_by_test_id("access-channel").fill(channel)
        await kept.get_by_test_id("access-add").click()
        await expect(kept.get_by_test_id("access-row").filter(has_text=channel)).to_have_count(1)
    spotlights = listing(settings, "spotlights")
    await spotlights.get_by_test_id("access-person").fill("5")
    await spotlights.get_by_test_id("access-channel").fill(CHANNEL)
    await spotlights.get_by_label("Wren", exact=True).check()
    await spotlights.get_by_test_id("access-persona").select_option("wren")
    await spotlights.get_by_test_id("access-add").click()
    await expect(spotlights.get_by_test_id("access-row")).to_contain_text("5 hears Wren in #greenhouse")
    await spotlights.scroll_into_view_if_needed()
    await shot(settings, "spotlights")
    await channels.scroll_into_view_if_needed()
    await shot(settings, "access")
    assert await settings.locator(".sheet-body").evaluate("body => body.scrollWidth <= body.clientWidth")
    access = asked.get("/v1/access").json()
    assert access["channels"] == [{"channel": CHANNEL, "cooldown": {"type": "per-user", "length": 5}}]
    assert access["personas"] == [{"persona": "bram", "channels": ["12", CHANNEL]}]
    assert [(row["personas"], row["auto"], row["expires_at"]) for row in access["spotlights"]] == [(["wren"], "wren", None)]
    for name, rows in (("channels", 1), ("personas", 2), ("spotlights", 1)):
        for left in reversed(range(rows)):
            await listing(settings, name).get_by_test_id("access-remove").first.click()
            await expect(listing(settings, name).get_by_test_id("access-row")).to_have_count(left)
    assert [rows for rows in asked.get("/v1/access").json().values() if rows] == []


async def test_the_other_lists_take_a_row(settings: Page, asked: httpx2.Client):
    await part(settings, "access").locator("summary").click()
    for name, field, shown in (("roles", "role", "3"), ("blacklist", "person", "4")):
        await listing(settings, name).get_by_test_id(f"access-{field}").fill(shown)
        await listing(settings, name).get_by_test_id("access-add").click()
        await expect(listing(settings, name).get_by_test_id("access-row")).to_have_text([shown])
        await listing(settings, name).get_by_test_id("access-remove").click()
        await expect(listing(settings, name).get_by_test_id("access-row")).to_have_count(0)
    auto = listing(settings, "auto_trigger_channels")
    await auto.get_by_test_id("access-channel").fill(CHANNEL)
    await auto.get_by_test_id("access-add").click()
    await expect(auto.get_by_test_id("access-row")).to_have_text([f"Main in #greenhouse {CHANNEL}"])
    await auto.get_by_test_id("access-remove").click()
    await expect(auto.get_by_test_id("access-row")).to_have_count(0)
    assert [rows for rows in asked.get("/v1/access").json().values() if rows] == []
