import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coterie.domain.speech.shown_names import (
    HAIR,
    MOST,
    NAMELESS,
    Read,
    decorated,
    fold,
    last_resort,
    parts,
    read_name,
    shown_key,
    webhook_name,
    without_bridge,
)
from coterie.kit.text import utf16_length

TRICKY = ["clyde", "DisCord", "everyone", "HERE", "`", "``", " ", "\n", "(", ")", "é", "e\u0301", "👩‍👩‍👧", "ダ", "𝔵", "\u200b", "\ud800"]
names = st.one_of(st.text(max_size=100), st.lists(st.sampled_from([*TRICKY, "a", "b"]), max_size=40).map("".join))
plain_names = st.text(st.characters(categories=["L", "N", "P", "Zs"], exclude_characters=f"{HAIR}·`"), min_size=1, max_size=60)


def is_taken(name: str) -> bool:
    """Whether Discord takes a name: what its documentation says, what users met, after it stripped what takes no room."""
    bare = re.sub("[\u200b\u200c\u200e\u200f\u2060\ufeff]", "", name).strip(" \t\n")
    return (
        1 <= len(bare) <= MOST
        and utf16_length(bare) <= MOST
        and not any(unicodedata.category(char) in ("Cc", "Cs") for char in bare)
        and not any(word in bare.casefold() for word in ("clyde", "discord"))
        and bare.casefold() not in ("everyone", "here")
        and "``" not in bare
    )


@given(names)
@example("Cly\u200bde")
@example("EVERYONE \u200b")
@example("D\u2060iſcord")
@example("\u200bhere\u200b")
@example("é" * 81)
@example("👩‍👩‍👧" * 20)
@example("x" * 78 + "clyde")
def test_every_name_becomes_one_that_discord_takes(name):
    assert is_taken(webhook_name(name))
    assert is_taken(last_resort(webhook_name(name)))


@given(names, names)
@example("Clyde" * 20, "discord" * 20)
@example("", "")
@example("", "`\u200b`")
@example("here", "here")
def test_decorated_names_are_taken_too_and_keep_their_end(front, inside):
    shown = decorated(front, inside)
    assert is_taken(shown)
    assert shown.endswith(")")


@given(plain_names)
@example("X")
@example("Clyde")
@example("here")
@example("Discord Discord")
def test_a_name_reads_back(name):
    whole = " ".join(name.split())
    if not whole:
        assert webhook_name(name) == NAMELESS
    elif utf16_length(webhook_name(name)) < MOST:
        assert fold(webhook_name(name)) == whole
        assert read_name(webhook_name(name), [name]) == Read(name)
        if utf16_length(whole) <= 40:
            assert fold(last_resort(whole)) == whole


@given(
    plain_names.filter(lambda name: name.isalnum() and len(name) < 30), plain_names.filter(lambda name: name.isalnum() and len(name) < 30)
)
def test_a_decorated_name_reads_back_in_both_directions(source, label):
    if shown_key(source) == shown_key(label):
        return
    assert read_name(decorated(source, label), [source]) == Read(source, label)
    assert read_name(decorated(label, source), [source]) == Read(source, label)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Wren", "Wren"),
        ("  Wren   the\nBird ", "Wren the Bird"),
        ("Clyde", f"C{HAIR}lyde"),
        ("McCLYDEson", f"McC{HAIR}LYDEson"),
        ("DiscordMod", f"D{HAIR}iscordMod"),
        ("here", f"h{HAIR}ere"),
        ("Everyone", f"E{HAIR}veryone"),
        ("Groundsphere", "Groundsphere"),
        ("a```b", f"a`{HAIR}`{HAIR}`b"),
        ("X", "X\u17b5"),
        ("é" * 81, "é" * 80),
        ("𝔵" * 41, "𝔵" * 40),
        ("", NAMELESS),
        (" \u200b\u200a ", NAMELESS),
        ("エリ", "エリ"),
    ],
)
def test_safe_names(name, safe):
    assert webhook_name(name) == safe


def test_no_two_characters_of_a_last_resort_stand_together():
    assert last_resort("Groundsphere") == HAIR.join("Groundsphere")
    assert last_resort(webhook_name("X")) == f"X{HAIR}·"
    assert fold(last_resort("X")) == "X"


@pytest.mark.parametrize(
    ("front", "inside", "shown"),
    [
        ("Ren", "happy", "Ren (happy)"),
        ("bredrumb", "Ren", "bredrumb (Ren)"),
        ("R" * 80, "happy", "R" * 69 + "... (happy)"),
        ("Ren", "h" * 90, "Ren (" + "h" * 61 + "...)"),
        ("R" * 80, "h" * 90, "R" * 10 + "... (" + "h" * 61 + "...)"),
        ("Clyde", "discord", f"C{HAIR}lyde (d{HAIR}iscord)"),
    ],
)
def test_decorated_names(front, inside, shown):
    assert decorated(front, inside) == shown
    assert len(shown) <= MOST


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ("Ren (happy)", ("Ren", "happy")),
        ("Ren(happy)", ("Ren", "happy")),
        ("Ren (v2) (happy)", ("Ren (v2)", "happy")),
        ("bredrumb (Ren (v2))", ("bredrumb", "Ren (v2)")),
        ("Ren", None),
        ("(happy)", None),
        ("Ren ()", None),
        ("Ren (happy) !", None),
        ("Ren happy)", None),
        (f"Ren ({'h' * 64})", ("Ren", "h" * 64)),
        (f"Ren ({'h' * 65})", None),
    ],
)
def test_names_are_taken_apart(shown, found):
    assert parts(shown) == found


@pytest.mark.parametrize(
    ("shown", "persona", "label"),
    [
        ("Ren", "Ren", None),
        ("REN", "Ren", None),
        ("bredrumb (Ren)", "Ren", "bredrumb"),
        ("Ren (bredrumb)", "Ren", "bredrumb"),
        # A persona that speaks as another: the form of today wins.
        ("Mio (Ren)", "Ren", "Mio"),
        ("Ren (v2)", "Ren (v2)", None),
        ("Ren (v2) (happy)", "Ren (v2)", "happy"),
        ("bredrumb (Ren (v2))", "Ren (v2)", "bredrumb"),
        ("[Matrix] Ren", "Ren", None),
        ("[Matrix] bredrumb (Ren)", "Ren", "bredrumb"),
        ("[Moon] Fox", "[Moon] Fox", None),
        (f"C{HAIR}lyde", "Clyde", None),
        (f"happy (C{HAIR}lyde)", "Clyde", "happy"),
        ("Rеn", "Ren", None),
        ("A very long name of a per... (sad)", "A very long name of a persona that nobody types", "sad"),
    ],
)
def test_who_a_name_is(shown, persona, label):
    found = read_name(shown, ["Ren", "Mio", "Ren (v2)", "[Moon] Fox", "Clyde", "A very long name of a persona that nobody types"])
    assert found == Read(persona, label)
    assert found.source_first == (persona if label is None else f"{persona} ({label})")


@pytest.mark.parametrize("shown", ["bredrumb", "Ren the second", "(Ren)", "Renn", "bredrumb (ann)", "... (sad)", "[Matrix]", ""])
def test_names_that_are_nobody(shown):
    assert read_name(shown, ["Ren", "Mio"]) is None


def test_a_cut_name_that_could_be_two_personas_is_nobody():
    assert read_name("Alexand... (sad)", ["Alexandra", "Alexander"]) is None


@pytest.mark.parametrize(
    ("shown", "same"),
    [("Rеn", "ren"), ("Маrк", "маrк"), ("Владимиp", "владимир"), ("Ｒｅｎ", "ren"), ("ao", "ao"), ("аo", "аo")],
)
def test_letters_that_look_alike_are_those_of_most_of_the_word(shown, same):
    assert shown_key(shown) == same


def test_a_mark_of_a_bridge():
    assert without_bridge("[Matrix] Ann") == "Ann"
    assert without_bridge("[Ann]") == "[Ann]"
    assert without_bridge("Ann [afk]") == "Ann [afk]"
