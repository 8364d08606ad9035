"""Labels at the start of lines (specification 000, copied rendering): which there are, and that nobody sees half of one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.speech.segmenter import Label, Segmenter

OWN, OTHERS, WORN = ["Mira", "mira-2", "Mira Vale"], ["Ren", "Ann", "Mira (person)"], ["happy", "very sad", "Ren", "Ann"]


def heard(text, size=1, *, is_final=True):
    """The pieces of a text that comes in steps, neighbouring texts joined; labels as tuples of one."""
    machine = Segmenter(OWN, OTHERS, worn=WORN)
    pieces = []
    for start in range(0, len(text), size):
        pieces += machine.feed(text[start : start + size])
        if machine.is_over:
            break
    if is_final:
        pieces += machine.finish()
    joined = []
    for piece in pieces:
        if isinstance(piece, Label):
            joined.append((piece.text,))
        elif joined and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Mira (happy): hi", [("happy",), "hi"]),
        ("mira (HAPPY): hi", [("HAPPY",), "hi"]),
        ("  Mira(happy) ： hi", [("happy",), "hi"]),
        ("Mira ( very   sad ): hi", [("very sad",), "hi"]),
        ("Mira Vale (happy): hi", [("happy",), "hi"]),
        ("mira-2 (happy): hi", [("happy",), "hi"]),
        ("**Mira (happy):** hi", [("happy",), "hi"]),
        ("**Mira** (happy): hi", [("happy",), "hi"]),
        ("Mira (Zoe\u0301): hi", [("Zoe\u0301",), "hi"]),
        ("Mira (喜び)：やあ", [("喜び",), "やあ"]),
        # Plain labels in front.
        ("Mira: Mira (happy): hi", [("happy",), "hi"]),
        ("Ren: Mira (happy): hi", [("happy",), "hi"]),
        ("Ann: Ren: Mira (happy): hi", [("happy",), "hi"]),
        ("Ren: happy (Mira): hi", [("happy",), "hi"]),
        # The other way round, for what can be worn.
        ("happy (Mira): hi", [("happy",), "hi"]),
        ("Very Sad (mira): hi", [("Very Sad",), "hi"]),
        ("Ren (Mira): hi", [("Ren",), "hi"]),
        ("unknown (Mira): hi", ["unknown (Mira): hi"]),
        # Later lines, and back.
        ("one\nMira (happy): two\nthree\nMira: four", ["one", ("happy",), "\ntwo\nthree", ("",), "\nfour"]),
        ("Mira (happy):\nhi", [("happy",), "hi"]),
        ("one\nMira (happy):", ["one"]),
        # Nothing else is one.
        ("Well, Mira (happy): hi", ["Well, Mira (happy): hi"]),
        ("Mira (happy) hi", ["Mira (happy) hi"]),
        ("Mira (happy)", ["Mira (happy)"]),
        ("Mira (a:b): hi", ["Mira (a:b): hi"]),
        ("Mira (a (b)): hi", ["Mira (a (b)): hi"]),
        (f"Mira ({'x' * 65}): hi", [f"Mira ({'x' * 65}): hi"]),
        ("Mira (happy) :)", ["Mira (happy) :)"]),
        ("Miranda (happy): hi", ["Miranda (happy): hi"]),
        ("one\nRen (happy): hi", ["one"]),
        ("one\nMira (person): hi", ["one"]),
        ("one\nRen: hi Mira (happy): hi", ["one"]),
        ("```\nMira (happy): hi\n```", ["```\nMira (happy): hi\n```"]),
    ],
)
def test_a_label_is_told_apart_from_the_text(text, pieces, size):
    assert heard(text, size) == pieces


@pytest.mark.parametrize("label", ["Mira (happy): hi", "very sad (Mira): hi", "Ren: Mira (happy): hi", "**Mira (happy):** hi"])
def test_half_a_label_is_never_shown(label):
    for length in range(len(label) - 1):
        assert heard(f"one\n{label[:length]}", is_final=False) == ["one"], label[:length]


def test_prose_that_begins_like_nothing_known_is_not_held_back():
    assert heard("happily ever", is_final=False) == ["happily ever"]
    assert heard("Hello (there", is_final=False) == ["Hello (there"]


SCRAPS = [
    "Mira (happy): ",
    "Mira (",
    "very ",
    "sad",
    " (Mira)",
    ": ",
    ":",
    "Ren",
    "Ren: ",
    "Mira: ",
    "hi",
    "\n",
    "\n\n",
    " ",
    "```",
    "**",
    "(",
    ")",
    "happy",
]


@given(st.lists(st.sampled_from(SCRAPS), max_size=20).map("".join), st.integers(1, 9))
def test_how_a_stream_is_cut_makes_no_difference_to_its_labels(text, size):
    assert heard(text, size) == heard(text, 10_000)
