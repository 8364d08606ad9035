"""The first point of the main job, in a browser: an address, a cast, a question, two answers from the embedded language model."""

import itertools
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from acceptance.browser.seeing import line, say
from acceptance.running import serving

pytestmark = [pytest.mark.browser, pytest.mark.embedded, pytest.mark.asyncio(loop_scope="module")]


async def test_bram_and_wren_say_what_they_think_of_moths(page: Page, tmp_path: Path):
    with serving(tmp_path / "home", COTERIE_MODEL="embedded") as house:
        await page.goto(house.address)
        await expect(page.get_by_test_id("cast-member")).to_have_count(3)
        await say(page, "bram and wren, what do you think of moths?")
        await page.locator('[data-testid="turn"][data-persona="bram"][data-state="speaking"]').wait_for(timeout=300_000)
        await expect(line(page, "wren")).not_to_have_count(0, timeout=300_000)
        speakers = await line(page).evaluate_all("lines => lines.map(line => line.dataset.persona)")
        assert [speaker for speaker, _ in itertools.groupby(speakers)][:3] == [None, "bram", "wren"]
        for persona in ("bram", "wren"):
            await expect(line(page, persona).first.get_by_test_id("text")).not_to_be_empty()
            await expect(line(page, persona).first.locator(".face img")).to_be_visible()
