"""What people see of the cast on Discord, on the loopback server's page in a real Chromium."""

import pytest
from playwright.async_api import Page, expect

from fakes.loopback_pages import joined, messages, page_at
from platforms.discord.sprite_scenes import dress, says
from platforms.discord.stage_scenes import OnDiscord

pytestmark = pytest.mark.browser


@pytest.fixture
async def page(scene: OnDiscord):
    async with page_at(scene.loopback.url) as opened:
        yield opened


async def heads(page: Page) -> list[tuple[str, str]]:
    """The name above each block of messages, and the colour in the middle of its face."""
    found = await messages(page).evaluate_all(
        """async all => {
            const shown = [];
            for (const one of all.filter(one => one.dataset.joined === "no")) {
                const name = one.querySelector(".name").textContent, letter = one.querySelector(".letter");
                if (letter) {
                    shown.push([name, getComputedStyle(letter).backgroundColor]);
                    continue;
                }
                const face = one.querySelector("img.face");
                await face.decode();
                const canvas = document.createElement("canvas");
                canvas.width = canvas.height = 1;
                const pen = canvas.getContext("2d");
                pen.drawImage(face, 0, 0, 1, 1);
                shown.push([name, [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).join(" ")]);
            }
            return shown;
        }"""
    )
    return [(name, colour) for name, colour in found]


RED, BLUE, GREEN = "255 0 0", "0 0 255", "0 128 0"


async def test_each_look_is_seen_with_its_own_face(scene: OnDiscord, page: Page, tmp_path):
    await dress(scene, tmp_path, "bram")
    await says(scene, "Bram (a): One.", "Still one.", "Bram (b): Two.", "Bram (a): Three.", "Bram (kit): Four.")
    await expect(messages(page)).to_have_count(6)
    assert await joined(page) == ["no", "no", "yes", "no", "no", "no"]
    assert (await heads(page))[1:] == [("Bram", RED), ("Bram (b)", BLUE), ("Bram", RED), ("Kit (Bram)", GREEN)]


async def test_two_personas_of_one_webhook_and_the_bot_are_told_apart(scene: OnDiscord, page: Page):
    await scene.ann.write(scene.general, "bram, wren and odile {{say@bram: B.}} {{say@wren: W.}} {{say@odile: O.}}")
    await scene.general.until_said("O.")
    await expect(messages(page)).to_have_count(4)
    assert [name for name, _ in await heads(page)][1:3] == ["Bram", "Wren"]
    assert len({colour for _, colour in await heads(page)}) == 4
    assert len({message.webhook for message in (await scene.general.messages())[1:3]}) == 1
