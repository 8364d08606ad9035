"""From a card to a persona: name, role text, trigger words, example dialogue, and the limits on all of them."""

import pytest

from coterie.domain.personas.cards import Fate, read_card, to_persona
from coterie.domain.personas.cards.examples import dialogues_of, example_of
from coterie.domain.personas.cards.words import words_from
from coterie.domain.personas.limits import judge_content
from coterie.domain.personas.persona import SampleDialogue
from fakes.card_files import as_json, v2, v3

BASE = ("coterie", "コテリー")


def persona(card, **options):
    return to_persona(read_card(as_json(card)).card, **options)


@pytest.mark.parametrize(
    ("name", "file_name", "expected"),
    [
        ("Mira", "x.png", "Mira"),
        ('A/B: "C"?', "x.png", 'A/B: "C"?'),
        ("CON", "x.png", "CON"),
        ("..", "x.png", ".."),
        (" Mi\tra\n Vale\0 ", "x.png", "Mi ra Vale"),
        ("Zoe\u0308", "x.png", "Zoë"),
        ("\u202eMira\u200b\ufeff", "x.png", "Mira"),
        ("👩\u200d🚀", "x.png", "👩\u200d🚀"),
        ("", "Fog_keeper.card.png", "Fog keeper"),
        ("\u200b\u3164 ", "../../etc/Fog keeper.PNG", "Fog keeper"),
        ("", "C:\\Users\\me\\Fog.charx", "Fog"),
        ("", "", "Unnamed"),
        ("", ".png", "Unnamed"),
        ("", "\u202e.png", "Unnamed"),
    ],
)
def test_the_name(name, file_name, expected):
    content, report = persona(v2(name=name), file_name=file_name)
    assert content.name == expected
    (line,) = [line for line in report if line.part == "name"]
    assert line.fate is (Fate.USED if name.strip("\u200b\u3164 ") else Fate.REPAIRED)


@pytest.mark.parametrize("name", ["美" * 300, "e\u0301\u0302" * 200, "👨‍👩‍👧‍👦" * 30, "word " * 60, "x" + "\u0301" * 500])
def test_a_long_name_is_cut_between_graphemes_and_reported(name):
    content, report = persona(v2(name=name))
    assert 0 < len(content.name) <= 80
    judge_content(content)
    assert ("name", Fate.REPAIRED) in {(line.part, line.fate) for line in report}
    assert not content.name.endswith("\u200d")


def test_the_role_text_is_put_together_in_a_fixed_order():
    card = v3(
        system_prompt="{{original}}\nSpeak softly. {{ORIGINAL}}",
        description="A keeper, says {{char}}.",
        personality="dry",
        scenario="fog",
        post_history_instructions="Stay with {{user}}. {{original}}",
        extensions={"depth_prompt": {"prompt": "It rains.", "depth": 4}},
    )
    content, report = persona(card)
    paragraphs = ["Speak softly.", "A keeper, says {{char}}.", "Personality: dry", "Scenario: fog", "Stay with {{user}}.", "It rains."]
    assert content.role == "\n\n".join(paragraphs)
    used = [line.part for line in report if line.note == "Part of the role text."]
    assert used == ["system_prompt", "description", "personality", "scenario", "post_history_instructions", "extensions.depth_prompt"]


def test_long_texts_are_shortened_and_reported():
    text = "One line of a story.\n" * 2_000
    content, report = persona(v2(description=text, first_mes=text, mes_example="{{char}}: yes\n{{user}}: no\n" * 20))
    judge_content(content)
    assert len(content.role) <= 16_000
    assert content.role.endswith("story.…")
    assert len(content.sample_dialogues) == 15
    assert content.sample_dialogues[0].bot.endswith("story.…")
    repaired = {line.part for line in report if line.fate is Fate.REPAIRED}
    assert repaired == {"role", "sample_dialogues"}


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["Mira Vale"], ("mira vale", "mira", "vale")),
        (["Mira", "Mi"], ("mira", "mi")),
        (["The Keeper of the Fog"], ("the keeper of the fog", "keeper", "fog")),
        (["Captain Ada von Holt"], ("captain ada von holt", "ada", "holt")),
        (["Mira (WIP) [v2]"], ("mira (wip) [v2]", "mira")),
        (['A/B: "C"?'], ('a/b: "c"?', 'a/b: "c', "a/b")),
        (["エリ"], ("エリ",)),
        (["田中 花子"], ("田中 花子", "田中", "花子")),
        (["ÉLODIE"], ("élodie",)),
        (["Unit 07"], ("unit 07", "unit")),
        (["X"], ("x",)),
        (["The"], ()),
        (["```@everyone"], ()),
        (["@here", "“The”"], ()),
        (["Everyone's Mira"], ("everyone's mira", "everyone's", "mira")),
        (["A"], ()),
        (["Coterie"], ()),
        (["Coterie Prime"], ("coterie prime", "prime")),
        (["Mira, the Brave"], ("mira", "the brave", "brave")),
        (["İrem"], ("i̇rem",)),
        (["w" * 70], ()),
        ([""], ()),
    ],
)
def test_trigger_words_come_from_the_name(names, words):
    assert [word.casefold() for word in words_from(names, BASE)] == [word.casefold() for word in words]


def test_a_nickname_calls_too_and_base_words_never_do():
    content, _ = persona(v3(name="Coterie Vale", nickname="Mi"), base_words=BASE)
    assert content.trigger_words == ("coterie vale", "mi", "vale")


def test_a_persona_without_a_word_is_told_about():
    _, report = persona(v3(name="The"))
    assert [line.note for line in report if line.part == "trigger_words"] == [
        "No trigger word could be made from the name; give it one, or call the persona by choosing it."
    ]


D = SampleDialogue


@pytest.mark.parametrize(
    ("example", "pairs", "unanswered"),
    [
        ("", (), 0),
        ("<START>\n", (), 0),
        ("<START>\n{{user}}: Hi\n{{char}}: Yes?", (D("Hi", "Yes?"),), 0),
        ("<start>{{USER}}: Hi\n{{Char}}:Yes?", (D("Hi", "Yes?"),), 0),
        ("<USER>: Hi\n<BOT>: Yes?\n<START>\n{user}: A\n{bot}: B", (D("Hi", "Yes?"), D("A", "B")), 0),
        ("You: Hi\nMira: Yes?", (D("Hi", "Yes?"),), 0),
        ("You: Hi\nMira Vale: Yes?\nMira: And you?", (D("Hi", "Yes?\nAnd you?"),), 0),
        ("**You:** Hi\n**Mira:** Yes?", (D("Hi", "Yes?"),), 0),
        ("{{user}}: Hi\nthere\n{{char}}: Yes?\n\n*She nods.*", (D("Hi\nthere", "Yes?\n\n*She nods.*"),), 0),
        ("{{char}}: I speak first.\n{{user}}: Hm\n{{char}}: Yes.", (D("", "I speak first."), D("Hm", "Yes.")), 0),
        ("*It rains.*\n{{char}}: Come in.", (D("", "*It rains.*\nCome in."),), 0),
        ("No label at all.", (D("", "No label at all."),), 0),
        ("{{user}}: Nobody answers.", (), 1),
        ("{{user}}: A\n{{char}}:\n{{user}}: B\n{{char}}: C", (D("B", "C"),), 0),
        # Somebody else keeps the own name, and never speaks for the persona.
        ("Tom: Good day.\n{{char}}: Oh, Tom.", (D("Tom: Good day.", "Oh, Tom."),), 0),
        ("{{user}}: Hi\n{{char}}: Yes?\nOld Tom: Me too.\n{{char}}: Fine.", (D("Hi", "Yes?"), D("Old Tom: Me too.", "Fine.")), 0),
        ("太郎：こんにちは\n{{char}}：はい。", (D("", "太郎：こんにちは\nはい。"),), 0),
        ("太郎: こんにちは\n{{char}}: はい。", (D("太郎: こんにちは", "はい。"),), 0),
        # Headings, addresses and times are no speakers.
        (
            "{{char}}: Listen.\nNote: the tide.\nhttps://example.org\n12:30 is late.",
            (D("", "Listen.\nNote: the tide.\nhttps://example.org\n12:30 is late."),),
            0,
        ),
    ],
)
def test_examples_become_pairs(example, pairs, unanswered):
    assert dialogues_of(example, ["Mira Vale", "Mira"]) == (pairs, unanswered)


def test_pairs_become_an_example_that_reads_as_the_same_pairs():
    pairs = (D("Hi", "Yes?"), D("And\nnow?", "Now\nnothing."))
    assert dialogues_of(example_of(pairs), ["Mira"]) == (pairs, 0)


def test_greetings_stand_around_the_examples():
    content, _ = persona(v3(first_mes="One", mes_example="{{user}}: Q\n{{char}}: A", alternate_greetings=["Two", "Three"]))
    assert content.sample_dialogues == (D("", "One"), D("Q", "A"), D("", "Two"), D("", "Three"))


def test_what_an_example_does_not_answer_is_reported():
    _, report = persona(v3(mes_example="{{user}}: Q"))
    assert ("mes_example", Fate.DROPPED) in {(line.part, line.fate) for line in report}
