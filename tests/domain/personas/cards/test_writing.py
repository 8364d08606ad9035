"""Cards that leave: what other programs find in them, and that nothing a card came with is lost on the way."""

import base64
import io
import json
import zipfile
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from coterie.domain.personas.cards import CardFormat, read_card, to_persona, write_card
from coterie.domain.personas.limits import judge_content, tidy_content
from coterie.domain.personas.persona import Attribute, PersonaContent, SampleDialogue
from fakes.card_files import as_base64, as_json, charx, png, png_card, text_chunk, texts_in, v1, v2, v3

PNG, JSON, CHARX = CardFormat.PNG, CardFormat.JSON, CardFormat.CHARX
ICON = {"type": "icon", "uri": "embeded://assets/icon/images/main.png", "name": "main", "ext": "png"}
JOY = {"type": "emotion", "uri": "embeded://assets/emotion/images/joy.png", "name": "joy", "ext": "png"}
BOOK = {"name": "Fog", "entries": [{"keys": ["fog"], "content": "@@depth 4\n@@role user\n\nThick.", "extensions": {"probability": 50}}]}
RICH = {
    "character_book": BOOK,
    "extensions": {"talkativeness": "0.5", "depth_prompt": {"depth": "", "prompt": "It rains."}, "risuai": {"x": [1, 2.5, None, True]}},
    "x_future": {"a": []},
    "tags": ["sea"],
    "creator": "us",
}
WREN = PersonaContent(
    name="Wren",
    role="A cartographer.",
    trigger_words=("wren", "maps"),
    attributes=(Attribute("tall", is_public=True), Attribute("secretly afraid of moths")),
    sample_dialogues=(SampleDialogue("Where?", "There."), SampleDialogue("", "*unrolls a map*")),
)


def persona(data):
    return to_persona(read_card(data).card)[0]


def export(content, card_format, data=None, **options):
    return write_card(content, card_format, original=data, **{"picture": png(), "is_new_picture": False, **options})


def cards_in(data):
    """The objects in a PNG by keyword, decoded as other programs do."""
    return {keyword: json.loads(base64.b64decode(text)) for keyword, text in texts_in(data)[0]}


def card_json(data):
    return json.loads(zipfile.ZipFile(io.BytesIO(data)).read("card.json"))


def test_a_persona_of_our_own_becomes_a_card_that_others_read():
    data = export(WREN, PNG)
    cards, (_, kinds) = cards_in(data), texts_in(data)
    assert list(cards) == ["ccv3", "chara"]
    assert kinds[-3:] == [b"tEXt", b"tEXt", b"IEND"]
    assert (cards["ccv3"]["spec"], cards["ccv3"]["spec_version"]) == ("chara_card_v3", "3.0")
    assert (cards["chara"]["spec"], cards["chara"]["spec_version"]) == ("chara_card_v2", "2.0")
    body = cards["chara"]["data"]
    assert body == cards["ccv3"]["data"]
    assert (body["name"], body["description"], body["first_mes"]) == ("Wren", "A cartographer.", "*unrolls a map*")
    assert body["personality"] == "tall\nsecretly afraid of moths"
    assert body["mes_example"] == "<START>\n{{user}}: Where?\n{{char}}: There."
    assert body["extensions"]["coterie"]["trigger_words"] == ["wren", "maps"]
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()
        assert picture.text.keys() == {"ccv3", "chara"}


@pytest.mark.parametrize("card_format", CardFormat)
def test_a_persona_of_our_own_comes_back_as_it_was(card_format):
    assert persona(export(WREN, card_format)) == WREN
    assert persona(export(WREN, card_format, picture=None)) == WREN


def test_a_persona_without_a_face_gets_a_plain_one():
    with Image.open(io.BytesIO(export(WREN, PNG, picture=None))) as picture:
        picture.load()
        assert picture.size == (256, 256)


def test_an_archive_of_our_own_holds_the_face_as_its_main_icon():
    data = export(WREN, CHARX)
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.testzip() is None
    assert archive.namelist() == ["card.json", "assets/icon/images/main.png"]
    assert card_json(data)["data"]["assets"] == [ICON]
    assert read_card(data).picture == png()
    assert "assets" not in card_json(export(WREN, CHARX, picture=None))["data"]


ORIGINALS = {
    "v1.json": as_json(v1(fav=True, metadata={"a": 1})),
    "v2.json": as_json(v2(**RICH)),
    "v3.json": as_json(v3(**RICH)),
    "v1.png": png_card(v1(fav=True)),
    "v2.png": png_card(v2(**RICH)),
    "v3.png": png_card(v3(**RICH), "ccv3"),
    "both.png": png(text_chunk("chara", as_base64(v2(**RICH))), text_chunk("ccv3", as_base64(v3(**RICH)))),
    "v3.charx": charx(
        v3(**RICH, assets=[ICON, JOY]), ("assets/icon/images/main.png", png()), ("assets/emotion/images/joy.png", b"joy"), ("x.risum", b"x")
    ),
}


def whole(data):
    """The object of a card, however it is packed."""
    return read_card(data).card.raw


def body(data):
    raw = whole(data)
    return raw.get("data", raw)


def everything(data):
    """The fields of a card at its root and under `data`, the latter first."""
    return {**whole(data), **body(data)}


@pytest.mark.parametrize("name", [name for name in ORIGINALS if name != "v1.png" and name not in ("v2.png", "v3.png")])
def test_an_untouched_persona_leaves_as_the_file_it_came_in(name):
    data = ORIGINALS[name]
    assert export(persona(data), CardFormat(name.split(".")[1]), data) == data


@pytest.mark.parametrize(("name", "added"), [("v1.png", "ccv3"), ("v2.png", "ccv3"), ("v3.png", "chara")])
def test_an_untouched_picture_gets_the_copy_it_was_missing(name, added):
    data = ORIGINALS[name]
    exported = export(persona(data), PNG, data)
    assert exported.startswith(data[:-12])
    assert set(cards_in(exported)) == {"chara", "ccv3"}
    assert set(cards_in(exported)) - set(cards_in(data)) == {added}


def test_a_later_card_as_an_older_one_says_the_same_without_decorators():
    cards = cards_in(export(persona(ORIGINALS["v3.png"]), PNG, ORIGINALS["v3.png"]))
    assert cards["chara"]["data"]["character_book"]["entries"][0]["content"] == "Thick."
    assert {**cards["chara"]["data"], "character_book": BOOK} == cards["ccv3"]["data"]


@pytest.mark.parametrize("name", ["v1.json", "v2.json", "v3.json", "v3.charx"])
def test_a_renamed_persona_leaves_with_its_new_name_and_not_one_other_difference(name):
    data = ORIGINALS[name]
    exported = export(replace(persona(data), name="Ada"), CardFormat(name.split(".")[1]), data)
    expected = json.loads(json.dumps(whole(data)))
    (expected.get("data") or expected)["name"] = "Ada"
    assert whole(exported) == expected
    assert persona(exported).trigger_words == ("ada",)


@pytest.mark.parametrize("card_format", CardFormat)
@pytest.mark.parametrize("name", ORIGINALS)
def test_a_renamed_persona_takes_along_all_it_came_with_into_any_format(name, card_format):
    data = ORIGINALS[name]
    after = everything(export(replace(persona(data), name="Ada"), card_format, data))
    assert [asset["name"] for asset in after.get("assets", []) if asset["type"] == "emotion"] == (["joy"] if name == "v3.charx" else [])
    for field, value in everything(data).items():
        if field not in ("assets", "spec", "spec_version", "data"):
            assert after[field] == ("Ada" if field == "name" else value), field


def test_words_that_an_owner_chose_are_said_in_our_block():
    data = ORIGINALS["v2.json"]
    content = replace(persona(data), trigger_words=("fog",))
    exported = export(content, JSON, data)
    assert persona(exported) == content
    assert body(exported)["extensions"].pop("coterie")["trigger_words"] == ["fog"]


@pytest.mark.parametrize("card_format", CardFormat)
@pytest.mark.parametrize("name", ORIGINALS)
def test_an_edited_persona_comes_back_as_edited(name, card_format):
    data = ORIGINALS[name]
    content = replace(
        WREN, sample_dialogues=(SampleDialogue("", "One"), SampleDialogue("", "Two"), SampleDialogue("Tom: Hi", "Yes, {{user}}?"))
    )
    exported = export(content, card_format, data)
    assert persona(exported) == content
    after = body(exported)
    assert (after["name"], after["description"], after["personality"], after["first_mes"]) == ("Wren", "A cartographer.", "", "One")
    assert after["alternate_greetings"] == ["Two"]
    if "v1" not in name:
        assert after["character_book"] == BOOK
        assert after["x_future"] == {"a": []}
        assert after["extensions"]["risuai"] == RICH["extensions"]["risuai"]
    # And once more, from what was exported.
    assert persona(export(replace(content, role="Shorter."), card_format, exported)) == replace(content, role="Shorter.")
    assert persona(export(persona(data), card_format, exported)) == persona(data)


def test_mirrors_at_the_root_follow_an_edit():
    data = as_json({**v2(), "name": "Mira Vale", "description": "old", "fav": True})
    exported = whole(export(replace(persona(data), name="Ada", role="New."), JSON, data))
    assert (exported["name"], exported["description"], exported["fav"]) == ("Ada", "New.", True)
    assert (exported["data"]["name"], exported["data"]["description"]) == ("Ada", "New.")


def test_a_dialect_keeps_its_own_names():
    data = as_json({"char_name": "Mira", "char_persona": "a keeper", "char_greeting": "Hello."})
    exported = whole(export(PersonaContent("Ada", "New.", ("ada",), (), (SampleDialogue("", "Hello."),)), JSON, data))
    assert exported == {"char_name": "Ada", "char_persona": "New.", "char_greeting": "Hello."}


def test_what_another_program_edited_wins_over_our_block():
    card = json.loads(export(WREN, JSON))
    card["data"]["description"] = "A sailor."
    edited = persona(as_json(card))
    assert edited == replace(WREN, role="A sailor.")
    card["data"]["first_mes"] = "Ahoy."
    assert persona(as_json(card)).sample_dialogues == (SampleDialogue("", "Ahoy."), SampleDialogue("Where?", "There."))


@pytest.mark.parametrize(
    "block", [5, [], {}, {"role": 5, "trigger_words": 5, "attributes": [5, {"text": 1}], "sample_dialogues": {"a": 1}}]
)
def test_a_block_that_is_not_ours_does_no_harm(block):
    assert persona(as_json(v3(extensions={"coterie": block}))) == persona(as_json(v3()))


def test_old_asset_chunks_leave_with_the_picture_also_a_new_one():
    asset = text_chunk("chara-ext-asset_:0", as_base64(b"joy"))
    uri = {**JOY, "uri": "__asset:0"}
    data = png(asset, text_chunk("ccv3", as_base64(v3(assets=[uri]))))
    kept = export(replace(persona(data), name="Ada"), PNG, data)
    assert asset in kept
    new_face = png(text_chunk("Comment", b"new"))
    moved = export(persona(data), PNG, data, picture=new_face, is_new_picture=True)
    assert asset in moved
    assert text_chunk("Comment", b"new") in moved
    assert body(export(persona(data), JSON, data))["assets"] == [{**uri, "uri": "data:image/png;base64,am95"}]


def test_files_of_an_archive_leave_with_every_format():
    data = ORIGINALS["v3.charx"]
    assert card_json(export(persona(data), CHARX, data)) == whole(data)
    for card_format in (JSON, PNG):
        assets = body(export(persona(data), card_format, data))["assets"]
        assert assets[1] == {**JOY, "uri": "data:image/png;base64,am95"}
    renamed = zipfile.ZipFile(io.BytesIO(export(replace(persona(data), name="Ada"), CHARX, data)))
    assert renamed.read("assets/emotion/images/joy.png") == b"joy"
    assert renamed.read("x.risum") == b"x"


def test_files_too_large_to_be_written_into_a_card_stay_behind_their_address():
    data = charx(v3(assets=[JOY]), ("assets/emotion/images/joy.png", b"\0" * 5_000_000))
    assert body(export(persona(data), JSON, data))["assets"] == [JOY]


def test_a_new_face_takes_the_place_of_an_archives_icon():
    data = ORIGINALS["v3.charx"]
    face = png(text_chunk("Comment", b"new"))
    exported = export(persona(data), CHARX, data, picture=face, is_new_picture=True)
    assert read_card(exported).picture == face
    assert [asset["name"] for asset in card_json(exported)["data"]["assets"]] == ["main", "joy"]


def test_wicked_names_do_not_leave_in_an_archive_that_we_pack():
    data = charx(v3(), ("../../a.png", b"evil"), ("good.png", b"good"))
    assert zipfile.ZipFile(io.BytesIO(export(replace(persona(data), name="Ada"), CHARX, data))).namelist() == ["card.json", "good.png"]


def test_what_stands_before_an_archive_stays_there():
    data = charx(v3(), prefix=b"\xff\xd8\xff\xe0 a picture \xff\xd9")
    exported = export(replace(persona(data), name="Ada"), CHARX, data)
    assert exported.startswith(b"\xff\xd8\xff\xe0 a picture \xff\xd9PK\x03\x04")
    assert persona(exported).name == "Ada"


def test_a_card_that_would_become_too_large_leaves_in_one_copy():
    data = png_card(v3(notes="x" * 4_000_000), "ccv3")
    assert set(cards_in(export(replace(persona(data), name="Ada"), PNG, data))) == {"ccv3"}


def test_the_predecessors_card_leaves_as_a_common_one_with_what_it_had():
    envelope = {"type": "preset", "version": "1.0.0", "data": {"tomori_nickname": "Mira", "persona_prompt": "A keeper.", "nai_tags": ["a"]}}
    data = png(text_chunk("TomoriPreset", as_json(envelope)))
    exported = export(persona(data), PNG, data)
    assert set(cards_in(exported)) == {"ccv3", "chara"}
    assert persona(exported) == persona(data)
    assert body(exported)["extensions"]["tomori_preset"] == envelope["data"]


EDITABLE = {
    "name", "description", "personality", "scenario", "first_mes", "mes_example", "alternate_greetings", "extensions", "assets",
    "spec", "spec_version", "data",
}  # fmt: skip
TEXT = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=60)
MACROS = st.lists(
    st.sampled_from(["{{user}}: ", "{{char}}: ", "<START>", "\n", "a: b", " ", "Tom: ", "x", "{{original}}"]), max_size=12
).map("".join)
CONTENT = st.builds(
    PersonaContent,
    name=st.one_of(TEXT, st.sampled_from(["Mira Vale", "The"])).filter(lambda name: bool(tidy_content(PersonaContent(name)).name)),
    role=st.one_of(TEXT, MACROS),
    trigger_words=st.lists(TEXT, max_size=4).map(tuple),
    attributes=st.lists(st.builds(Attribute, TEXT, st.booleans()), max_size=3).map(tuple),
    sample_dialogues=st.lists(st.builds(SampleDialogue, st.one_of(TEXT, MACROS), st.one_of(TEXT, MACROS)), max_size=4).map(tuple),
).map(tidy_content)


@given(CONTENT, st.sampled_from(CardFormat))
def test_any_content_comes_back_from_any_format(content, card_format):
    judge_content(content)
    assert persona(export(content, card_format)) == content


@given(CONTENT, st.sampled_from(sorted(ORIGINALS)), st.sampled_from(CardFormat), st.sets(st.sampled_from(PersonaContent.__slots__)))
def test_any_edit_of_any_card_comes_back_and_loses_nothing(content, name, card_format, fields):
    data = ORIGINALS[name]
    edited = replace(persona(data), **{field: getattr(content, field) for field in fields})
    exported = export(edited, card_format, data)
    expected = replace(edited, trigger_words=persona(exported).trigger_words) if "trigger_words" not in fields else edited
    assert persona(exported) == expected
    before, after = everything(data), everything(exported)
    for field in before.keys() - EDITABLE:
        assert after[field] == before[field], field
