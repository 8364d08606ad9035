"""What a label asks for (specification 000, copied rendering)."""

from dataclasses import replace

import pytest

from coterie.domain.conversation import Appearance, Person, Worn
from coterie.domain.ids import UserId
from coterie.domain.personas.sprites import Sprite, is_label
from coterie.domain.speech.wardrobe import Wardrobe
from domain.prompt.making import BRAM, ODILE, WREN, persona

HAPPY, SYSTEM_MEMBER = Sprite("Very Happy", "happy.png"), Sprite("Kit", "kit.png", is_identity=True)
SPEAKER = replace(WREN, sprites=(HAPPY, SYSTEM_MEMBER, Sprite("Odile", "odile.png")))
ANN, BEN, HOOK = Person(UserId("100"), "Ann"), Person(UserId("200"), "Ben"), Person(UserId("webhook:300"), "News")
OTHER_ANN, BRAM_TOO, HANDLE_ONLY = Person(UserId("101"), "ann"), Person(UserId("102"), "Bram"), persona(9, "エリ")


def wear(label, *people):
    return Wardrobe.of(SPEAKER, (ODILE, BRAM, HANDLE_ONLY), people).wear(label)


@pytest.mark.parametrize("label", ["Very Happy", "very happy", "VERYHAPPY", " very  happy ", "ｖｅｒｙ happy"])
def test_a_sprite_is_found_whatever_its_case_and_blanks(label):
    assert wear(label) == Appearance(Worn.SPRITE, "Very Happy", "happy.png")


def test_a_sprite_can_be_an_identity_and_comes_before_others():
    assert wear("kit") == Appearance(Worn.IDENTITY, "Kit", "kit.png")
    assert wear("odile") == Appearance(Worn.SPRITE, "Odile", "odile.png")


def test_one_persona_or_person_is_copied():
    assert wear("bram") == Appearance(Worn.PERSONA, "Bram", "2")
    assert wear("エリ") == Appearance(Worn.PERSONA, "エリ", "9")
    assert wear("ben", ANN, BEN) == Appearance(Worn.PERSON, "Ben", "200")
    assert wear("ann", ANN, BEN, ANN) == Appearance(Worn.PERSON, "Ann", "100")


@pytest.mark.parametrize(
    ("label", "people"),
    [
        ("", ()),
        ("nobody", (ANN,)),
        ("ben", (ANN,)),
        ("ann", (ANN, OTHER_ANN)),
        ("bram", (BRAM_TOO,)),
        ("wren", (ANN,)),
        ("news", (HOOK,)),
    ],
)
def test_nobody_several_the_speaker_itself_and_webhooks_are_not_copied(label, people):
    assert wear(label, *people) is None


def test_what_can_be_worn_is_named_as_people_write_it():
    odd = Person(UserId("5"), "a:b (c)")
    assert Wardrobe.of(SPEAKER, (BRAM,), (ANN, odd)).labels == ("Ann", "Bram", "Kit", "Odile", "Very Happy", "bram")


@pytest.mark.parametrize(("name", "fits"), [("mad", True), ("x" * 64, True), ("x" * 65, False), ("", False), (" ", False), ("a(b", False)])
def test_a_label_has_a_form(name, fits):
    assert is_label(name) is fits
