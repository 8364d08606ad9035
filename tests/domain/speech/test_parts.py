"""A growing reply becomes messages, paragraph by paragraph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.speech.parts import Parts


def said(text, degree=1, limit=2000, step=None):
    """What is said of a text that comes in steps: while it grows, and at the end."""
    parts = Parts(degree, limit)
    steps = [text[at : at + step] for at in range(0, len(text), step)] if step else [text]
    grown = [part for one in steps for part in parts.feed(one)]
    return grown, list(parts.finish())


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
