"""The cast speaks in a server: who answers, under which name and face, in which kind of channel."""

import pytest

from discord_loopback.serving import serving
from platforms.discord.stage_scenes import OnDiscord, on_discord


@pytest.fixture
async def scene(storage, tmp_path):
    async with serving() as loopback, on_discord(storage, loopback, tmp_path) as opened:
        yield opened


async def test_two_personas_answer_in_order_each_under_its_own_name(scene: OnDiscord):
    await scene.ann.write(scene.general, "bram and odile, hello {{say@bram: Good evening.}} {{say@odile: Come in.}}")
    await scene.general.until_said("Come in.")
    assert [name for name, _ in await scene.lines()][-2:] == ["Bram", "Coterie"]
