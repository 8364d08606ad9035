"""A real Chromium, headless, for the scenes on the page."""

import os
import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from acceptance.browser.seeing import Watched, watch

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

PATIENCE_MS = 60_000
"""How long a scene waits for what must come; a busy machine may take it."""
expect.set_options(timeout=PATIENCE_MS)


def chromium_path() -> str | None:
    """Where a Chromium is: `CHROMIUM`, or one of the usual names on the path."""
    return os.environ.get("CHROMIUM") or next((found for name in NAMES if (found := shutil.which(name))), None)


def pass_over() -> None:
    """There is no Chromium here: say so, or fail where nothing may be passed over."""
    missing = "there is no Chromium: install one, or name it in CHROMIUM"
    if os.environ.get("COTERIE_TEST_SKIP_NOTHING"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """One browser for a module; each scene has a context of its own, as strangers to each other."""
    async with async_playwright() as playwright:
        path = chromium_path() or playwright.chromium.executable_path
        if not shutil.which(path):
            pass_over()
        browser = await playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def watched(browser: Browser) -> AsyncIterator[Watched]:
    """A page on a desk, of which everything that goes wrong inside is kept; nothing may."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    watched = watch(await context.new_page())
    yield watched
    await context.close()
    assert watched.troubles == []


@pytest.fixture
def page(watched: Watched) -> Page:
    return watched.page
