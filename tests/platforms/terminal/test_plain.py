"""Texts of strangers are data on a screen."""

import pytest

from coterie.platforms.terminal.plain import MOST_MARKS, one_line, shown_name, shown_text


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("漢字🦊é", "漢字🦊é"),
        ("e\u0301 and 👩\u200d👩\u200d👧 and ☺\ufe0f", "e\u0301 and 👩\u200d👩\u200d👧 and ☺\ufe0f"),
        ("[b]bold[/b] [@click=app.quit]x[/]", "[b]bold[/b] [@click=app.quit]x[/]"),
        ("\x1b[2J\x1b]0;title\x07gone", "[2J]0;titlegone"),
        ("\x9b2J\x00\x7f", "2J"),
        ("one\r\ntwo\rthree\u2028four\u2029five\x85six\x0bseven", "one\ntwo\nthree\nfour\nfive\nsix\nseven"),
        ("a\tb", "a    b"),
        ("left \u202eright\u202c \u2066x\u2069", "left right x"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("a" + "\u0301" * 50 + "b", "a" + "\u0301" * MOST_MARKS + "b"),
    ],
)
def test_texts_cannot_command_the_screen(given, shown):
    assert shown_text(given) == shown


@pytest.mark.parametrize(
    ("given", "shown"), [("  Bram\nthe  Baker\x1b ", "Bram the Baker"), ("\u202e\x07 ", "?"), ("", "?"), ("エリ", "エリ")]
)
def test_names_stay_on_one_line(given, shown):
    assert shown_name(given) == shown


@pytest.mark.parametrize(
    ("given", "most", "shown"),
    [
        ("short", 10, "short"),
        ("one\ntwo   three", 20, "one two three"),
        ("moths and lamps", 8, "moths..."),
        ("abcd👩\u200d👩\u200d👧👧", 8, "abcd..."),
        ("x" * 10_000, 12, "xxxxxxxxx..."),
    ],
)
def test_a_summary_is_one_line_cut_between_graphemes(given, most, shown):
    assert one_line(given, most) == shown
