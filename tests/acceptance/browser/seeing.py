"""What the scenes on the page say and look at."""

from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import ConsoleMessage, Locator, Page, Route

import coterie.platforms.web

STATIC = Path(coterie.platforms.web.__file__).parent / "static"
NOWHERE = "http://page.test/"
"""An address that no network knows: its files come from the folder."""


@dataclass
class Watched:
    """A page, and the errors it met: exceptions, and what the content security policy refused."""

    page: Page
    troubles: list[str] = field(default_factory=list)


def watch(page: Page) -> Watched:
    watched = Watched(page)
    page.on("pageerror", lambda error: watched.troubles.append(str(error)))

    def hear(message: ConsoleMessage) -> None:
        # The browser also writes a line for every answer of 400 and above; those are the scenes' own business.
        if message.type == "error" and "Failed to load resource" not in message.text:
            watched.troubles.append(message.text)

    page.on("console", hear)
    return watched


async def serve_pieces(page: Page) -> None:
    """Let the page's modules be imported without a server."""

    async def fulfil(route: Route) -> None:
        name = route.request.url.removeprefix(NOWHERE + "static/")
        if name == route.request.url:
            await route.fulfill(body="<!doctype html><title>pieces</title><main></main>", content_type="text/html")
        else:
            await route.fulfill(path=STATIC / name)

    await page.route(NOWHERE + "**", fulfil)
    await page.goto(NOWHERE)


async def say(page: Page, text: str) -> None:
    await page.get_by_test_id("composer-text").fill(text)
    await page.keyboard.press("Enter")


def line(page: Page, persona: str | None = None) -> Locator:
    """The lines of a persona; without one, of everyone."""
    return page.locator(f'[data-testid="line"][data-persona="{persona}"]') if persona else page.get_by_test_id("line")


def turn(page: Page, persona: str, state: str) -> Locator:
    """A persona's turn that waits, types or speaks."""
    return page.locator(f'[data-testid="turn"][data-persona="{persona}"][data-state="{state}"]')


async def ids(page: Page) -> list[str]:
    """The messages on the page, in order."""
    return await line(page).evaluate_all("lines => lines.map(line => line.dataset.message)")
