"""What of a stream people see: never a label of the speaker's own, never a line for somebody else, and nothing twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.speech.segmenter import Segmenter

OWN, OTHERS = ["Mira", "mira"], ["Ren", "Ann", "Ren Ito", "エリ"]


def run(text, size=1, **more):
    """Feed a text in pieces of a size; what was shown, and the machine."""
    machine = Segmenter(OWN, OTHERS, **more)
    shown = ""
    for start in range(0, len(text), size):
        shown += machine.feed(text[start : start + size])
        if machine.is_over:
            break
    return shown + machine.finish(), machine


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Mira: hi", "hi"),
        ("MIRA： hi", "hi"),
        ("**Mira:** hi", "hi"),
        ("**Mira**: hi", "hi"),
        ("*mira* : hi", "hi"),
        ("  Mira:hi\nMira: again", "hi\nagain"),
        ("Mira: Mira: hi", "hi"),
        ("Mira (smiling): hi", "hi"),
        ("Mira:\nhi", "hi"),
        ("Miranda: hi", "Miranda: hi"),
        ("I am Mira: hi", "I am Mira: hi"),
        ("hi\nRen: yo", "hi"),
        ("hi\n\n  Ren : yo\nmore", "hi"),
        ("hi\n**Ren:** yo", "hi"),
        ("hi\nren ito: yo", "hi"),
        ("hi\nエリ：やあ", "hi"),
        ("hi Ren: yo", "hi Ren: yo"),
        ("hi\nRenata: yo", "hi\nRenata: yo"),
        ("```\nRen: x\nMira: y\n```\nRen: yo", "```\nRen: x\nMira: y\n```"),
        ("````md\n```\nRen: x\n```\n````\nok", "````md\n```\nRen: x\n```\n````\nok"),
        ("~~~\nRen: x", "~~~\nRen: x"),
        ("<think>Ren: hm\nno</think>\n\nhello", "hello"),
        ("<THINKING>a</THINKING>b", "b"),
        ("<think>for ever", ""),
        ("<thin> line", "<thin> line"),
        ("   \n\n hi \n\n", " hi"),
        ("Mira", "Mira"),
        ("hi\nRen", "hi\nRen"),
        ("well\n...\nok", "well\n...\nok"),
        ("* one\n* two", "* one\n* two"),
        ("**bold** start", "**bold** start"),
        ("", ""),
        (" \n\t", ""),
        ("a\r\nb", "a\r\nb"),
    ],
)
def test_what_is_shown(text, shown, size):
    assert run(text, size)[0].strip("\n") == shown


@pytest.mark.parametrize("text", ["Ren: I take over", "**Ren:** I", "  Ann: hm", "Mira: Ren: yo", "<think>x</think>Ren: yo"])
def test_a_reply_that_begins_as_somebody_else_is_known_before_anything_is_shown(text):
    shown, machine = run(text)
    assert (shown, machine.begins_as_other, machine.is_over) == ("", True, True)
    again, machine = run(text, strip_foreign_opening=True)
    assert again == text.split(":")[-1].removeprefix("**").strip()
    assert not machine.begins_as_other


def test_only_the_opening_is_forgiven():
    assert run("Ren: yes\nRen: more", strip_foreign_opening=True)[0] == "yes"


def test_a_repeated_piece_of_the_prompt_is_not_shown():
    note = "(Mira, now answer Ann, who said: “hi”)"
    assert run(f"{note}\nhello\n{note}", echoes=[note])[0].strip() == "hello"


def test_an_endless_reply_is_cut():
    shown, machine = run("word " * 100, most_characters=33)
    assert len(shown) == 33
    assert machine.is_over


def test_text_is_shown_as_soon_as_it_is_safe():
    machine = Segmenter(OWN, OTHERS)
    assert machine.feed("He") == "He"
    assert machine.feed("llo ") == "llo"
    assert machine.feed("there\nRe") == " there"
    assert machine.feed("d apples") == "\nRed apples"


TEXTS = st.lists(
    st.sampled_from(
        ["Mira: ", "Ren:", "\n", "\n\n", "```", "~~~~", "`", "**", "hi", " ", "<think>", "</think>", "Re", "Mi", ":", "é", "👩‍👧"]
    ),
    max_size=25,
).map("".join)


@given(text=TEXTS, cuts=st.lists(st.integers(1, 5), min_size=1, max_size=10))
def test_how_the_stream_is_cut_makes_no_difference(text, cuts):
    whole = run(text, 10_000)
    machine, shown, place, turn = Segmenter(OWN, OTHERS), "", 0, 0
    while place < len(text) and not machine.is_over:
        size = cuts[turn % len(cuts)]
        shown += machine.feed(text[place : place + size])
        place, turn = place + size, turn + 1
    shown += machine.finish()
    assert (shown, machine.begins_as_other, machine.is_over) == (whole[0], whole[1].begins_as_other, whole[1].is_over)


@given(text=TEXTS)
def test_what_is_shown_was_said_in_this_order(text):
    shown = iter(run(text)[0])
    rest = iter(text)
    assert all(any(char == said for said in rest) for char in shown)
