"""Keys of names, and handles."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.ids import PersonaId
from coterie.domain.personas.naming import handle_for, name_key

SEVEN = PersonaId(7)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ren", "REN"),
        ("Ren", "  ren\n"),
        ("Ren", "Ｒｅｎ"),
        ("Ren", "\u3000Ren\u3000"),
        ("Renée", "Rene\u0301e"),
        ("レン", "ﾚﾝ"),
        ("ガ", "ｶﾞ"),
        ("Νίκος", "ΝΊΚΟΣ"),
        ("groß", "GROẞ"),
        ("\u00c5ke", "\u212bke"),
    ],
)
def test_names_that_are_the_same(one, other):
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ren", "René"), ("groß", "gross"), ("Ⓜ", "M"), ("Mary Ann", "MaryAnn"), ("ﬁn", "fin"), ("エリ", "えり"), ("I", "ı"), ("x²", "x2")],
)
def test_names_that_differ(one, other):
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("name", "handle"),
    [
        ("Odile", "odile"),
        ("Mary Ann", "mary-ann"),
        ("  Evil   Lilya!  ", "evil-lilya"),
        ("Zoë", "zoe"),
        ("Straße", "strasse"),
        ("Łukasz Ørsted", "lukasz-orsted"),
        ("Ｒｅｎ", "ren"),
        ("snake_case-x", "snake_case-x"),
        ("エリ Mk2", "mk2"),
        ("エリ", "persona-7"),
        ("🦊", "persona-7"),
        ("---", "persona-7"),
        ('A/B: "C"?', "a-b-c"),
        ("..", "persona-7"),
        ("x" * 40, "x" * 32),
        ("x" * 31 + " y", "x" * 31),
    ],
)
def test_handles(name, handle):
    assert handle_for(name, (), SEVEN) == handle


def test_collisions_count_upwards_and_stay_within_the_length():
    assert handle_for("Ren", {"ren"}, SEVEN) == "ren-2"
    assert handle_for("Ren", {"ren", "ren-2", "ren-3"}, SEVEN) == "ren-4"
    assert handle_for("エリ", {"persona-7"}, SEVEN) == "persona-7-2"
    assert handle_for("y" * 40, {"y" * 32}, SEVEN) == "y" * 30 + "-2"


@given(st.text(max_size=100), st.sets(st.integers(1, 12)))
def test_any_name_gets_a_handle_under_the_rules(name, numbers):
    first = handle_for(name, (), SEVEN)
    taken = {first, *(f"{first[:29]}-{number}" for number in numbers)}
    second = handle_for(name, taken, SEVEN)
    assert second not in taken
    assert all(re.fullmatch("[a-z0-9_-]{1,32}", handle) for handle in (first, second))


@given(st.text(max_size=60))
def test_a_key_is_its_own_key(name):
    assert name_key(name_key(name)) == name_key(name)
