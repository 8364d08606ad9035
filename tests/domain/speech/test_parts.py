"""A growing reply becomes messages, paragraph by paragraph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.conversation import Appearance, Worn
from coterie.domain.speech.parts import Part, Parts

SPRITE, IDENTITY, COPY = Appearance(Worn.SPRITE, "happy"), Appearance(Worn.IDENTITY, "Kit"), Appearance(Worn.PERSON, "Ann", "1")


def said(text, degree=1, limit=2000, step=None):
    """What is said of a text that comes in steps: while it grows, and at the end."""
    parts = Parts(degree, limit)
    steps = [text[at : at + step] for at in range(0, len(text), step)] if step else [text]
    grown = [part.text for one in steps for part in parts.feed(one)]
    return grown, [part.text for part in parts.finish()]


@pytest.mark.parametrize(
    ("text", "grown", "left"),
    [
        ("", [], []),
        ("\n\n \n", [], []),
        ("one", [], ["one"]),
        ("one\n\ntwo", ["one"], ["two"]),
        ("one\nstill one\n \n\ntwo\n", ["one\nstill one"], ["two"]),
        ("one\n\ntwo\n\n", ["one", "two"], []),
        ("- a\n- b\n\nafter", ["- a\n- b"], ["after"]),
        ("```py\nx = 1\n\ny = 2\n```\n\nafter", ["```py\nx = 1\n\ny = 2\n```"], ["after"]),
        ("well\n\n…\n\nok", ["well"], ["…\n\nok"]),
        ("…", [], ["…"]),
    ],
)
@pytest.mark.parametrize("step", [1, 3, None])
def test_a_paragraph_is_a_message(text, grown, left, step):
    assert said(text, step=step) == (grown, left)


def test_at_degree_0_nothing_is_said_before_the_end():
    assert said("one\n\ntwo", degree=0) == ([], ["one\n\ntwo"])


def test_a_long_paragraph_is_cut():
    grown, left = said("word " * 30 + "\n\nend", limit=60)
    assert len(grown) == 3
    assert left == ["end"]


@given(st.text(alphabet="ab `…\n", max_size=120), st.integers(1, 7), st.integers(0, 1))
def test_nothing_is_lost_and_the_steps_do_not_matter(text, step, degree):
    assert said(text, degree, step=step) == said(text, degree)
    grown, left = said(text, degree)
    if "```" not in text:
        assert "".join("".join(grown + left).split()) == "".join(text.split())


def worn(*script, degree=1):
    """What is said of texts and changes of look, with what each wears."""
    parts, said = Parts(degree, 2000), []
    for step in script:
        said += parts.feed(step) if isinstance(step, str) else parts.wear(step)
    return [(part.text, part.appearance) for part in (*said, *parts.finish())]


@pytest.mark.parametrize("degree", [0, 1, 3])
def test_a_change_of_look_ends_a_message(degree):
    assert worn("one", SPRITE, "\ntwo", IDENTITY, "\nthree", None, "\nfour", degree=degree) == [
        ("one", None),
        ("two", SPRITE),
        ("three", IDENTITY),
        ("four", None),
    ]


def test_the_same_look_again_ends_nothing():
    assert worn(SPRITE, "one", SPRITE, "\ntwo") == [("one\ntwo", SPRITE)]


@pytest.mark.parametrize("degree", [0, 1])
def test_a_copied_look_ends_with_its_line_and_a_sprite_does_not(degree):
    assert worn("one", COPY, "\ntwo\nthree\nfour", degree=degree) == [("one", None), ("two", COPY), ("three\nfour", None)]
    assert worn(SPRITE, "one\ntwo", degree=degree) == [("one\ntwo", SPRITE)]
    assert worn(SPRITE, "one", COPY, "\ntwo\nthree", degree=degree) == [("one", SPRITE), ("two", COPY), ("three", None)]


def test_a_sprite_stays_for_further_paragraphs_and_for_all_parts_of_a_long_one():
    assert worn(SPRITE, "one\n\ntwo") == [("one", SPRITE), ("two", SPRITE)]
    parts = Parts(0, 40)
    parts.wear(COPY)
    assert {part.appearance for part in parts.feed("word " * 30 + "\n")} == {COPY}
    assert parts.feed("more") == ()
    assert parts.finish() == (Part("more"),)


def test_a_line_within_copied_code_does_not_end_it():
    assert worn(COPY, "```\na\nb\n```\nafter") == [("```\na\nb\n```", COPY), ("after", None)]
