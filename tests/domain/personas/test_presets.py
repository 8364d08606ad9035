"""The bundled cast keeps what its users rely on."""

import itertools
from importlib.resources import files

import pytest
from PIL import Image

from coterie.domain.ids import LOCAL
from coterie.domain.personas.persona import Cast
from coterie.domain.personas.presets import BUNDLED


def test_it_is_one_main_and_two_alters_under_reserved_ids():
    assert [(preset.content.name, preset.is_alter, preset.lineage_id) for preset in BUNDLED] == [
        ("Odile", False, 101),
        ("Bram", True, 102),
        ("Wren", True, 103),
    ]


@pytest.mark.parametrize("preset", BUNDLED, ids=lambda preset: preset.content.name)
def test_each_has_its_own_word_before_the_shared_one(preset):
    shared = Cast(LOCAL).base_words[0]
    assert preset.content.trigger_words == (preset.content.name.lower(), shared)


@pytest.mark.parametrize("preset", BUNDLED, ids=lambda preset: preset.content.name)
def test_a_small_model_can_hold_it(preset):
    content = preset.content
    assert 60 <= len(content.role.split()) <= 120
    assert content.role.startswith(f"You are {content.name}, ")
    assert 2 <= len(content.attributes) <= 3
    assert any(attribute.is_public for attribute in content.attributes)
    assert 2 <= len(content.sample_dialogues) <= 3
    assert all(0 < len(dialogue.bot) <= 160 and dialogue.user for dialogue in content.sample_dialogues)


@pytest.mark.parametrize("preset", BUNDLED, ids=lambda preset: preset.content.name)
def test_its_attributes_name_it_so_that_they_also_read_in_the_block_of_another(preset):
    assert all(preset.content.name in attribute.text for attribute in preset.content.attributes)


def test_no_two_say_the_same():
    lines = [dialogue.bot for preset in BUNDLED for dialogue in preset.content.sample_dialogues]
    assert len(set(lines)) == len(lines)
    for one, other in itertools.combinations(BUNDLED, 2):
        assert one.avatar != other.avatar


@pytest.mark.parametrize("preset", BUNDLED, ids=lambda preset: preset.content.name)
def test_its_face_is_a_small_square_png(preset):
    file = files("coterie.media").joinpath(preset.avatar)
    data = file.read_bytes()
    assert len(data) < 60_000
    with file.open("rb") as stream, Image.open(stream) as picture:
        assert (picture.format, picture.size) == ("PNG", (512, 512))
