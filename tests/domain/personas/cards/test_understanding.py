"""What is understood of a card's object: dialects, versions, wrong types, and a line for everything that is not used."""

import pytest

from coterie.domain.personas.cards import CardRefused, CardVersion, Fate, read_card, to_persona
from coterie.domain.personas.persona import Attribute, SampleDialogue
from fakes.card_files import as_json, v1, v2, v3


def read(card):
    return read_card(as_json(card))


def notes_of(card):
    return {line.part: (line.fate, line.note) for line in read(card).report}


@pytest.mark.parametrize(
    "card",
    [
        {
            "char_name": "Mira",
            "char_persona": "a keeper",
            "world_scenario": "fog",
            "char_greeting": "Hello.",
            "example_dialogue": "You: Hi\nMira: Yes?",
        },
        {"name": "Mira", "context": "a keeper", "greeting": "Hello.", "example_dialogue": "You: Hi\nMira: Yes?", "scenario": "fog"},
        {
            "name": "Mira",
            "description": "a keeper",
            "first_mes": "Hello.",
            "mes_example": "You: Hi\nMira: Yes?",
            "scenario": "fog",
            "fav": "",
        },
    ],
)
def test_all_dialects_of_v1_say_the_same(card):
    content, _ = to_persona(read(card).card)
    assert read(card).card.version is CardVersion.V1
    assert (content.name, content.role) == ("Mira", "a keeper\n\nScenario: fog")
    assert content.sample_dialogues == (SampleDialogue("", "Hello."), SampleDialogue("Hi", "Yes?"))


@pytest.mark.parametrize(
    ("labels", "version", "is_newer"),
    [
        ({"spec": "chara_card_v2", "spec_version": "2.0"}, CardVersion.V2, False),
        ({"spec": "chara_card_v1", "spec_version": "1.0"}, CardVersion.V2, False),
        ({"spec": "chara_card_v3", "spec_version": "3.0"}, CardVersion.V3, False),
        ({"spec": "chara_card_v3", "spec_version": 3}, CardVersion.V3, False),
        ({"spec": "chara_card_v3", "spec_version": "3.00"}, CardVersion.V3, False),
        ({"spec": "chara_card_v3", "spec_version": "2"}, CardVersion.V3, False),
        ({"spec": "chara_card_v3", "spec_version": "new"}, CardVersion.V3, False),
        ({"spec": "chara_card_v3", "spec_version": "3.1"}, CardVersion.V3, True),
        ({"spec": "chara_card_v4", "spec_version": "10.0"}, CardVersion.V3, True),
        ({"spec": "chara_card_v4"}, CardVersion.V3, True),
        ({}, CardVersion.V2, False),
    ],
)
def test_versions_are_compared_as_numbers_and_a_newer_one_is_read(labels, version, is_newer):
    card = {**labels, "data": v2()["data"]}
    assert read(card).card.version is version
    assert ("spec_version" in notes_of(card)) is is_newer


@pytest.mark.parametrize(
    ("value", "text", "fate"),
    [
        (None, "", None),
        (17, "17", Fate.REPAIRED),
        (True, "true", Fate.REPAIRED),
        (["a", "b"], "a\nb", Fate.REPAIRED),
        ({"a": 1}, "", Fate.KEPT),
        ([1, {}], "", Fate.KEPT),
    ],
)
def test_a_text_of_the_wrong_type_is_repaired(value, text, fate):
    card = v2(personality=value)
    assert read(card).card.personality == text
    assert notes_of(card).get("personality", (None,))[0] is fate


@pytest.mark.parametrize(
    ("value", "texts"),
    [("17", ("17",)), (17, ("17",)), (None, ()), ("", ()), (["a", None, 2, ""], ("a", "2")), ({"0": "a"}, ()), ([{}], ())],
)
def test_a_list_of_the_wrong_type_is_repaired(value, texts):
    assert read(v2(alternate_greetings=value)).card.alternate_greetings == texts


@pytest.mark.parametrize(
    "extensions", [None, "", [], 5, {"depth_prompt": {"depth": "", "prompt": 5}}, {"depth_prompt": "x"}, {"coterie": 5}]
)
def test_foreign_extensions_are_never_type_checked(extensions):
    assert read(v3(extensions=extensions)).card.name == "Mira Vale"


def test_every_part_that_is_not_used_gets_a_line():
    book = {"entries": [{"keys": ["fog"], "content": "thick"}, {"keys": ["ship"], "content": "grey"}]}
    card = v3(
        character_book=book,
        assets=[{"type": "emotion", "uri": "ccdefault:", "name": "joy", "ext": "png"}],
        extensions={"regex_scripts": [{"findRegex": "(a+)+$"}], "risuai": {"x": 1}, "empty": {}},
        creator_notes="hello",
        group_only_greetings=["all"],
        tags=["sea"],
        nickname="Mi",
        creation_date=0,
        x_future={},
        x_new=[1],
    )
    notes = notes_of({**card, "root_extra": 1})
    kept = {part for part, (fate, _) in notes.items() if fate is Fate.KEPT}
    assert kept == {
        "character_book", "assets", "extensions.regex_scripts", "extensions.risuai", "creator_notes", "group_only_greetings", "tags",
        "x_new", "root_extra",
    }  # fmt: skip
    assert "2 entries" in notes["character_book"][1]
    assert "1 of them" in notes["extensions.regex_scripts"][1]


def test_a_lorebook_of_one_entry():
    assert notes_of(v3(character_book={"entries": [{"keys": ["fog"], "content": "thick"}]}))["character_book"][1].startswith(
        "A lorebook with 1 entry;"
    )


def test_a_flood_of_unknown_fields_does_not_flood_the_report():
    report = read(v2(**{f"x{at}": at + 1 for at in range(5_000)}, extensions={f"y{at}": 1 for at in range(5_000)})).report
    assert len(report) < 60
    assert {"4980 more fields are not known here; kept as they are."} <= {line.note for line in report}


def test_unknown_names_are_shown_short_and_printable():
    report = read(v2(**{"x" * 500: 1, "a\u0007\u202eb": 1})).report
    assert {line.part for line in report} == {"x" * 59 + "…", "a??b"}


@pytest.mark.parametrize("card", [{"data": {}}, {"data": []}, {"name": "only a name"}, {"spec": 5}, {"description": "x"}])
def test_other_objects_are_no_cards(card):
    with pytest.raises(CardRefused, match="no character card"):
        read(card)


def test_a_card_that_says_it_is_one_may_be_empty():
    content, _ = to_persona(read({"spec": "chara_card_v2", "data": {}}).card, file_name="C:\\cards\\Old Tom.png")
    assert (content.name, content.role, content.sample_dialogues) == ("Old Tom", "", ())


PREDECESSOR = {
    "version": "1.0.0",
    "type": "preset",
    "exported_at": "2026-05-01T00:00:00Z",
    "data": {
        "tomori_nickname": "Mira",
        "attribute_list": ["tall", "keeps a lamp"],
        "attribute_public_flags": [True],
        "sample_dialogues_in": ["Hi", "__UNPAIRED_SAMPLE_DIALOGUE__"],
        "sample_dialogues_out": ["Yes?", "*The lamp turns.*"],
        "trigger_words": ["mira", "keeper"],
        "persona_prompt": "A keeper.",
        "persona_lineage_id": 10_000,
    },
}


def test_the_predecessors_export_becomes_the_persona_it_was():
    content, _ = to_persona(read(PREDECESSOR).card)
    assert (content.name, content.role, content.trigger_words) == ("Mira", "A keeper.", ("mira", "keeper"))
    assert content.attributes == (Attribute("tall", True), Attribute("keeps a lamp"))
    assert content.sample_dialogues == (SampleDialogue("Hi", "Yes?"), SampleDialogue("", "*The lamp turns.*"))
    assert notes_of(PREDECESSOR)["persona_lineage_id"][0] is Fate.KEPT


def test_the_predecessors_chunk_is_raw_utf8_and_the_last_one_counts():
    from fakes.card_files import png, text_chunk

    renamed = {**PREDECESSOR, "data": {**PREDECESSOR["data"], "tomori_nickname": "ミラ"}}
    data = png(text_chunk("TomoriPreset", as_json(PREDECESSOR)), after=[text_chunk("TomoriPreset", as_json(renamed))])
    assert read_card(data).card.name == "ミラ"


def test_a_dialect_under_its_own_name_is_not_reported_as_unknown():
    assert notes_of(v1(char_name="Mira Vale", char_persona="x", metadata={"a": 1})) == {}
