"""The loopback server's page in a real Chromium."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Locator, Page, async_playwright, expect

from acceptance.browser.conftest import PATIENCE_MS, QUIET, chromium_path, pass_over
from acceptance.browser.seeing import watch


@asynccontextmanager
async def page_at(address: str) -> AsyncIterator[Page]:
    """The page on a desk, of which everything that goes wrong inside is kept; nothing may."""
    path = chromium_path()
    if path is None or not shutil.which(path):
        pass_over()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(QUIET))
        watched = watch(await browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce"))
        watched.page.set_default_timeout(PATIENCE_MS)
        await watched.page.goto(address)
        await expect(watched.page.locator("#title")).to_have_text("# general")
        yield watched.page
        await browser.close()
        assert watched.troubles == []


def messages(page: Page) -> Locator:
    """Every message that is shown."""
    return page.get_by_test_id("message")


async def joined(page: Page) -> list[str | None]:
    """Whether each message is shown as going on from the one before."""
    return await messages(page).evaluate_all("all => all.map(one => one.dataset.joined)")
