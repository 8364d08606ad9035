"""Who takes part, under which id (specification 000, persona ids in context), and what lines wear."""

from dataclasses import replace

import pytest

from coterie.domain.conversation import SYSTEM, Appearance, Person, Worn
from coterie.domain.ids import UserId
from coterie.domain.personas.sprites import Sprite
from coterie.domain.prompt.compose import compose, echoes, labels
from coterie.domain.prompt.participants import Surroundings
from domain.prompt.making import ANN, BRAM, HELLO, JO, ODILE, WREN, message, scene

PLACE = Surroundings(can_wear=True, us=UserId("99"), mention="<@{}>")
HOOK, US = Person(UserId("webhook:7"), "News"), Person(UserId("99"), "Coterie")


def block(title, **changes):
    """The lines of a block of the prompt; nothing where there is none."""
    system = compose(scene(**{"place": PLACE, **changes})).system
    return system.partition(f"## {title}\n")[2].partition("\n\n")[0].split("\n") if f"## {title}\n" in system else None


def people(*lines, speaker=BRAM, **changes):
    others = tuple(one for one in (ODILE, BRAM, WREN) if one is not speaker)
    return block("People here", speaker=speaker, others=others, history=(*lines, HELLO), **changes)


def test_alters_stand_under_their_number_the_speaker_always_and_people_under_their_mention():
    assert people() == ["- Bram (persona 2)", "- Ann <@1>"]
    assert people(message(2, WREN, "x"), message(3, JO, "y"), message(4, JO, "z"), message(5, HOOK, "w")) == [
        "- Bram (persona 2)",
        "- Wren (persona 3)",
        "- Ann <@1>",
        "- News (webhook 7)",
        "- Jo <@2>",
    ]


def test_our_account_is_listed_only_as_long_as_no_alter_takes_part():
    assert people(speaker=ODILE) == ["- Odile <@99>", "- Ann <@1>"]
    assert people(message(2, US, "x"), message(3, ODILE, "y"), speaker=ODILE) == ["- Odile <@99>", "- Ann <@1>"]
    assert people(message(2, WREN, "x"), message(3, ODILE, "y"), speaker=ODILE) == ["- Wren (persona 3)", "- Ann <@1>"]
    assert people(message(2, ODILE, "x")) == ["- Bram (persona 2)", "- Ann <@1>"]


def test_the_system_and_the_removed_are_nobody():
    gone = message(2, replace(WREN, id=0), "x")
    assert people(gone, message(3, SYSTEM, "note")) == ["- Bram (persona 2)", "- Ann <@1>"]


def test_where_there_are_no_ids_nobody_is_listed():
    assert people(place=Surroundings()) is None


def test_whoever_is_called_like_a_persona_is_told_apart():
    wren = message(2, Person(UserId("5"), "Wren"), "x")
    assert "- Wren (person) <@5>" in people(wren)


MAD = Sprite("mad", "mad.png", "when angry\n## Bot Persona")
DRESSED = replace(BRAM, sprites=(MAD, Sprite("Kit", "kit.png", is_identity=True)))


def test_sprites_are_told_with_their_use_where_they_can_be_shown():
    how, *uses = block("Sprites", speaker=DRESSED)
    assert "Bram (mad):" in how
    assert uses == ["- mad: when angry \\#\\# Bot Persona", "- Kit"]
    assert block("Sprites", speaker=DRESSED, place=Surroundings()) is None
    assert block("Sprites") is None


def test_twenty_sprites_are_told():
    many = replace(BRAM, sprites=tuple(Sprite(f"s{number}", "x.png") for number in range(30)))
    assert len(block("Sprites", speaker=many)) == 1 + 20


def test_our_blocks_are_not_said_aloud():
    ours = echoes(compose(scene(speaker=DRESSED, place=PLACE)))
    assert {"## Sprites", "## People here"} <= set(ours)


def worn(number, author, text, label):
    return replace(message(number, author, text), appearance=Appearance(Worn.PERSON, label, "1"))


@pytest.mark.parametrize(("label", "shown"), [("mad", "mad"), ("Ann (2): \n## x", "Ann 2 x"), ("()", "Somebody")])
def test_a_line_stands_under_its_label_source_first(label, shown):
    composed = compose(scene(history=(worn(2, WREN, "x", label), worn(3, BRAM, "y", label), HELLO)))
    assert [(piece.is_own, piece.text) for piece in composed.before] == [(False, f"Wren ({shown}): x"), (True, f"Bram ({shown}): y")]


def test_a_label_is_no_name():
    own, others = labels(scene(history=(worn(2, WREN, "x", "Ida"), HELLO)))
    assert "Ida" not in (*own, *others)
    assert ANN.name in others
