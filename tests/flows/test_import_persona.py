"""Cards that come in, from three other programs and worse, and leave again; over real picture files."""

import asyncio
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from coterie.domain.ids import LOCAL
from coterie.domain.personas.cards import CardFormat, CardRefused, Fate
from coterie.domain.personas.persona import SampleDialogue
from coterie.flows.manage.export_persona import export_persona
from coterie.flows.manage.import_persona import import_persona
from coterie.media.local import LocalPictures
from coterie.ports.stores import NameTaken, NotFound, StorageUnavailable
from fakes.card_files import as_base64, as_json, charx, png, png_card, text_chunk, texts_in, v1, v2, v3
from fakes.casts_for_cards import BRAM, ODILE, CastsForCards, local_cast

CARDS = Path(__file__).parent.parent / "fixtures" / "cards"


class House:
    """A cast, a folder for pictures, and the two flows over them."""

    def __init__(self, folder, casts=None):
        self.casts = casts if casts is not None else local_cast()[0]
        self.pictures = LocalPictures(folder)
        self.folder = folder

    async def brings_in(self, data, file_name="card.png", **options):
        return await import_persona(self.casts, self.pictures, LOCAL, data, file_name, **options)

    async def takes_out(self, handle, card_format=CardFormat.PNG):
        return await export_persona(self.casts, self.pictures, LOCAL, handle, card_format)

    @property
    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def lines(imported, part):
    return [(line.fate, line.note) for line in imported.report if line.part == part]


def a_picture(size=(900, 600), kind="PNG"):
    target = io.BytesIO()
    Image.new("RGB", size, (10, 60, 90)).save(target, kind)
    return target.getvalue()


def a_card_with_a_face(**changes):
    face = a_picture()
    return face[:-12] + text_chunk("chara", as_base64(v2(**changes))) + face[-12:]


# (file, name, beginning of the role, words, greetings)
MADE_ELSEWHERE = [
    ("tavern_card.png", "Marlo Finch", "{{char}} repairs clocks", ("marlo finch", "marlo", "finch"), 1),
    ("tavern_card.json", "Marlo Finch", "{{char}} repairs clocks", ("marlo finch", "marlo", "finch"), 1),
    ("aichar.png", "Sanna Öberg", "A baker who names", ("sanna öberg", "sanna", "öberg"), 1),
    ("aichar_tavernai.json", "Sanna Öberg", "A baker who names", ("sanna öberg", "sanna", "öberg"), 1),
    ("aichar_sillytavern.json", "Sanna Öberg", "A baker who names", ("sanna öberg", "sanna", "öberg"), 1),
    ("aichar_textgenerationwebui.json", "Sanna Öberg", "cheerful, blunt", ("sanna öberg", "sanna", "öberg"), 1),
    ("aichar_pygmalion.json", "Sanna Öberg", "cheerful, blunt", ("sanna öberg", "sanna", "öberg"), 1),
    ("aichar_aicompanion.json", "Sanna Öberg", "cheerful, blunt", ("sanna öberg", "sanna", "öberg"), 1),
    ("aichar_neutral.json", "Sanna Öberg", "A baker who names", ("sanna öberg", "sanna", "öberg"), 1),
    ("ccardlib_v1.json", "Tove", "{{char}} draws maps", ("tove",), 1),
    ("ccardlib_v2.json", "Tove", "Answer like somebody who is drawing.", ("tove",), 3),
    ("ccardlib_v3.json", "Tove", "Answer like somebody who is drawing.", ("tove", "tove of the maps", "maps"), 3),
]


@pytest.mark.parametrize("made", MADE_ELSEWHERE, ids=[case[0] for case in MADE_ELSEWHERE])
async def test_a_card_of_another_program_becomes_a_persona_and_leaves_whole(house, made):
    file, name, role, words, greetings = made
    data = (CARDS / file).read_bytes()
    imported = await house.brings_in(data, file)
    content = imported.persona.content
    assert (content.name, content.trigger_words) == (name, words)
    assert content.role.startswith(role)
    assert [dialogue.user for dialogue in content.sample_dialogues].count("") == greetings
    assert [dialogue for dialogue in content.sample_dialogues if dialogue.user and dialogue.bot]
    assert imported.persona.effective_trigger_words == words
    original = await house.casts.original(imported.persona.id)
    assert (original.data, original.media_type) == (data, "image/png" if file.endswith("png") else "application/json")
    again = House(house.folder / "elsewhere")
    for card_format in CardFormat:
        exported = await house.takes_out(imported.persona.handle, card_format)
        again.casts = local_cast()[0]
        assert (await again.brings_in(exported)).persona.content == content
        if file.endswith(card_format):
            assert exported == data or set(dict(texts_in(exported)[0])) == {"ccv3", "chara"}


async def test_what_is_kept_unread_is_said(house):
    imported = await house.brings_in((CARDS / "ccardlib_v3.json").read_bytes())
    kept = {line.part for line in imported.report if line.fate is Fate.KEPT}
    assert kept == {"creator_notes", "tags", "creator", "character_version", "extensions.made_up", "character_book", "group_only_greetings"}


async def test_the_face_is_stored_as_a_small_png_and_found_again(house):
    imported = await house.brings_in(a_card_with_a_face())
    assert lines(imported, "picture") == [(Fate.USED, "The persona's face.")]
    stored = await house.pictures.read(imported.persona.avatar)
    with Image.open(io.BytesIO(stored)) as picture:
        assert (picture.format, picture.size, picture.info) == ("PNG", (512, 341), {})
    assert len(house.files) == 1


async def test_an_alter_without_a_picture_wears_mains_and_the_report_says_so(house):
    imported = await house.brings_in(as_json(v1()), "mira.json")
    assert imported.persona.avatar == ODILE.avatar
    assert lines(imported, "picture") == [(Fate.REPAIRED, "The card brings no picture along; the main persona's is used.")]


async def test_a_card_with_a_broken_picture_is_still_a_persona(house):
    data = png(text_chunk("chara", as_base64(v2()))).replace(b"IDATx", b"IDATy")
    imported = await house.brings_in(data)
    assert imported.persona.avatar == ODILE.avatar
    ((fate, note),) = lines(imported, "picture")
    assert (fate, note) == (Fate.REPAIRED, "The picture is damaged, or it is no PNG, JPEG, WEBP or GIF. So the main persona's is used.")
    assert not house.files
    exported = await house.takes_out(imported.persona.handle)
    with Image.open(io.BytesIO(exported)) as picture:
        picture.load()


async def test_a_huge_text_in_the_file_does_not_cost_the_picture(house):
    face = a_picture()
    data = face[:-12] + text_chunk("chara", as_base64(v2(x="y" * 5_000_000))) + face[-12:]
    assert (await house.brings_in(data)).persona.avatar.startswith("servers/local/personas/")


async def test_words_of_others_are_left_out_and_named(house):
    imported = await house.brings_in(as_json(v2(name="Bram Coterie Stone")), extra_triggers=("Odile, pebbles", "stone"))
    assert imported.persona.content.trigger_words == ("pebbles", "stone", "bram coterie stone")
    assert lines(imported, "trigger_words")[1:] == [
        (Fate.DROPPED, "'odile' belongs to Odile already."),
        (Fate.DROPPED, "'bram' belongs to Bram already."),
    ]


async def test_main_is_replaced_and_its_own_words_are_free_for_that(house):
    imported = await house.brings_in(as_json(v2(name="Odile Bram")), is_alter=False)
    assert (imported.persona.is_alter, imported.persona.handle, imported.persona.avatar) == (False, "odile", ODILE.avatar)
    assert imported.persona.content.trigger_words == ("odile bram", "odile")
    assert lines(imported, "picture") == [(Fate.REPAIRED, "The card brings no picture along; the present one stays.")]
    assert len(house.casts.personas) == 2


async def test_an_empty_cast_takes_a_main_without_a_face(tmp_path):
    imported = await House(tmp_path, CastsForCards()).brings_in(as_json(v1()), is_alter=False)
    assert (imported.persona.avatar, imported.persona.name) == (None, "Mira Vale")


async def test_added_words_beyond_the_limit_are_reported(house):
    imported = await house.brings_in(as_json(v1()), extra_triggers=tuple(f"word{at}" for at in range(12)))
    assert len(imported.persona.content.trigger_words) == 10
    assert (Fate.REPAIRED, "10 of 15 trigger words fit; the others are left out.") in lines(imported, "trigger_words")


@pytest.mark.parametrize("failure", [NameTaken("There is one."), StorageUnavailable("The database is locked."), asyncio.CancelledError()])
async def test_a_failure_leaves_nothing_behind(house, failure):
    house.casts.failure = failure
    with pytest.raises(type(failure)):
        await house.brings_in(a_card_with_a_face())
    assert (house.files, house.casts.personas, house.casts.originals) == ([], [ODILE, BRAM], {})


async def test_a_name_that_is_taken_costs_the_first_owner_nothing(house):
    first = await house.brings_in(a_card_with_a_face())
    with pytest.raises(NameTaken):
        await house.brings_in(a_card_with_a_face())
    assert await house.pictures.read(first.persona.avatar) is not None


@pytest.mark.parametrize("data", [b"", b"<html>", png(), png_card({"a": 1}), charx(v3())[:-9]])
async def test_a_refused_file_touches_nothing(house, data):
    with pytest.raises(CardRefused):
        await house.brings_in(data)
    assert (house.files, house.casts.personas) == ([], [ODILE, BRAM])


async def test_a_renamed_persona_leaves_with_its_new_name_and_all_it_had(house):
    card = v3(character_book={"entries": []}, x_future={"a": 1}, extensions={"foreign": {"b": ""}})
    imported = await house.brings_in(as_json(card))
    content = replace(imported.persona.content, name="Ada")
    await house.casts.change(LOCAL, imported.persona.handle, content, imported.persona.avatar)
    exported = json.loads(await house.takes_out(imported.persona.handle, CardFormat.JSON))
    assert exported == {**card, "data": {**card["data"], "name": "Ada"}}


async def test_the_picture_leaves_as_it_came_and_a_new_one_instead_of_it(house):
    imported = await house.brings_in(a_card_with_a_face())
    handle = imported.persona.handle
    with Image.open(io.BytesIO(await house.takes_out(handle))) as picture:
        assert picture.size == (900, 600)
    path = await house.pictures.keep_avatar(LOCAL, a_picture((40, 30)))
    await house.casts.change(LOCAL, handle, imported.persona.content, path)
    exported = await house.takes_out(handle)
    with Image.open(io.BytesIO(exported)) as picture:
        assert picture.size == (40, 30)
    assert set(dict(texts_in(exported)[0])) == {"ccv3", "chara"}


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "GIF"])
async def test_an_archive_may_bring_any_usual_picture(house, kind):
    icon = {"type": "icon", "uri": "embeded://assets/icon/images/main.bin", "name": "main", "ext": kind.lower()}
    data = charx(v3(assets=[icon]), ("assets/icon/images/main.bin", a_picture(kind=kind)))
    imported = await house.brings_in(data)
    with Image.open(io.BytesIO(await house.pictures.read(imported.persona.avatar))) as picture:
        assert (picture.format, picture.size) == ("PNG", (512, 341))
    assert await house.takes_out(imported.persona.handle, CardFormat.CHARX) == data
    with Image.open(io.BytesIO(await house.takes_out(imported.persona.handle))) as picture:
        picture.load()


async def test_a_bundled_persona_leaves_with_its_bundled_face(house):
    exported = await house.takes_out("bram")
    with Image.open(io.BytesIO(exported)) as picture, Image.open(io.BytesIO(await house.pictures.read("presets/bram.png"))) as face:
        assert picture.tobytes() == face.tobytes()
    again = await House(house.folder, CastsForCards(ODILE)).brings_in(exported)
    assert again.persona.content == BRAM.content


async def test_a_persona_whose_face_is_gone_leaves_with_mains(house):
    imported = await house.brings_in(a_card_with_a_face())
    await house.pictures.drop(imported.persona.avatar)
    await house.casts.change(LOCAL, imported.persona.handle, imported.persona.content, None)
    with Image.open(io.BytesIO(await house.takes_out(imported.persona.handle))) as picture:
        picture.load()


async def test_only_a_persona_that_exists_leaves(house):
    with pytest.raises(NotFound, match="'nobody'"):
        await house.takes_out("nobody")


async def test_examples_of_a_third_speaker_keep_the_name(house):
    imported = await house.brings_in(as_json(v2(first_mes="", mes_example="<START>\nOld Tom: Ahoy.\n{{char}}: Tom, inside.")))
    assert imported.persona.content.sample_dialogues == (SampleDialogue("Old Tom: Ahoy.", "Tom, inside."),)
