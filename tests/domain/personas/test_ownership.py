"""Trigger words as typed, and their single owner (specification 000, "Single-owner trigger resolution")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.ids import Handle, PersonaId
from coterie.domain.personas.ownership import clean_trigger_words, mentioned_user, parse_trigger_words, settle, word_key
from coterie.domain.personas.persona import Persona, PersonaContent

BASE = ("coterie", "コテリー")


def persona(number: int, *words: str, main: bool = False) -> Persona:
    return Persona(PersonaId(number), Handle(f"p{number}"), not main, PersonaContent(f"P{number}", trigger_words=words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        (" , 、,", ()),
        ("Ren", ("ren",)),
        ("Ren, mira、エリ", ("ren", "mira", "エリ")),
        ("mary ann,bob", ("mary ann", "bob")),
        ("\"ren\", 'mira', `bob`", ("ren", "mira", "bob")),
        ("“ren”,‘mira’,「エリ」,『塔』,｢ｴﾘ｣,«zoë»,‹x›", ("ren", "mira", "エリ", "塔", "ｴﾘ", "zoë", "x")),
        ("\" 'ren' \"", ("ren",)),
        ("\"ren'", ("\"ren'",)),
        ('"', ('"',)),
        ('""', ()),
        ("REN, ren, Ren", ("ren",)),
        ("Straße, STRAẞE", ("straße",)),
        ("Νίκος, ΝΊΚΟΣ", ("νίκος",)),
        ("rene\u0301", ("ren\u00e9",)),
        ("c++, C++", ("c++",)),
        ("mary  ann, mary ann", ("mary  ann",)),
        ("<@!5>, <@5>", ("<@!5>",)),
        ("\ufe0f", ()),
        ("❤\ufe0f, ❤", ("❤\ufe0f",)),
    ],
)
def test_lists_as_typed(text, words):
    assert parse_trigger_words(text) == words


def test_items_of_a_list_are_cleaned_like_typed_ones():
    assert clean_trigger_words(["Ren", "ren, 'Mira'", " "]) == ("ren", "mira")


@given(st.lists(st.text(max_size=12), max_size=6))
def test_cleaning_is_done_once(items):
    words = clean_trigger_words(items)
    assert clean_trigger_words(words) == words
    assert len({word_key(word) for word in words}) == len(words)


def test_a_mention_is_told_from_a_word():
    assert [mentioned_user(word) for word in ("<@5>", " <@!77> ", "<@&5>", "<@x>", "5")] == ["5", "77", None, None, None]


def test_main_owns_the_base_words_even_where_its_list_omits_them():
    main, alter = settle([persona(1, "odile", main=True), persona(2, "coterie", "コテリー", "bram")], BASE)
    assert main.effective_trigger_words == ("odile", "coterie", "コテリー")
    assert alter.effective_trigger_words == ("bram",)


def test_a_base_word_in_mains_own_list_keeps_its_place():
    (main,) = settle([persona(1, "Coterie", "odile", main=True)], BASE)
    assert main.effective_trigger_words == ("coterie", "odile", "コテリー")


def test_main_is_never_trimmed_though_it_came_later():
    main, alter = settle([persona(1, "rose", "lily"), persona(9, "rose", main=True)], ())
    assert (main.id, main.effective_trigger_words) == (9, ("rose",))
    assert alter.effective_trigger_words == ("lily",)


def test_two_identical_alters_the_older_one_wins_and_the_newer_has_nothing():
    cast = settle([persona(3, "coterie", "rose"), persona(1, "coterie", main=True), persona(2, "coterie", "rose")], ("coterie",))
    assert [(one.id, one.effective_trigger_words) for one in cast] == [(1, ("coterie",)), (2, ("rose",)), (3, ())]


def test_words_are_contested_whatever_their_case_or_form():
    cast = settle([persona(1, main=True), persona(2, "Renée", "mary ann"), persona(3, "RENE\u0301E", "mary  ann", "mary")], ())
    assert cast[2].effective_trigger_words == ("mary",)


def test_the_base_words_are_nobody_elses_where_there_is_no_main():
    (alter,) = settle([persona(2, "coterie", "bram")], BASE)
    assert alter.effective_trigger_words == ("bram",)


def test_stored_words_stay_as_they_are():
    (_, alter) = settle([persona(1, "rose", main=True), persona(2, "rose")], ())
    assert alter.content.trigger_words == ("rose",)


@given(st.permutations([persona(number, *"abc"[: number % 4], "x", main=number == 4) for number in range(1, 6)]))
def test_the_order_of_reading_does_not_matter(personas):
    cast = settle(personas, BASE)
    assert [one.id for one in cast] == [4, 1, 2, 3, 5]
    words = [word for one in cast for word in one.effective_trigger_words]
    assert len(words) == len(set(words))
