"""An answer that was given its beginning, whichever way the model goes on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.speech.lead import Lead


def said(beginning, *pieces):
    lead = Lead(beginning)
    return "".join([*map(lead.feed, pieces), lead.finish()])


@pytest.mark.parametrize(
    ("beginning", "model", "whole"),
    [
        ("Once upon a time", "there was a moth.", "Once upon a time there was a moth."),
        ("Once upon a time", ", there was a moth.", "Once upon a time, there was a moth."),
        ("Once upon a time", "Once upon a time there was a moth.", "Once upon a time there was a moth."),
        ("Once Upon", "once upon a time", "Once Upon a time"),
        ("Well ", "yes", "Well yes"),
        ("Well,", "yes", "Well, yes"),
        ("It is (", "not) so", "It is (not) so"),
        ("It", "'s late", "It's late"),
        ("He said “", "no”", "He said “no”"),
        ("昔々、", "あるところに", "昔々、あるところに"),
        ("昔々", "あるところに", "昔々あるところに"),
        ("Yes, well", "Yes", "Yes, well"),
        ("Yes", "Yes", "Yes"),
        ("Yes", "", ""),
        ("", "anything at all", "anything at all"),
        ("  ", "anything", "anything"),
    ],
)
def test_beginning_and_answer_read_as_one(beginning, model, whole):
    assert said(beginning, model) == whole
    assert said(beginning, *model) == whole


def test_an_attempt_that_counts_no_more_leaves_nothing_behind():
    lead = Lead("Well,")
    assert lead.feed("We") == ""
    lead.begin_anew()
    assert lead.feed("no") + lead.finish() == "Well, no"
    lead.begin_anew()
    assert lead.feed("yes") + lead.finish() == "Well, yes"


@given(st.text(max_size=12), st.lists(st.text(max_size=6), max_size=5))
def test_however_it_arrives_it_begins_with_the_beginning(beginning, pieces):
    model = "".join(pieces)
    whole = said(beginning, *pieces)
    assert whole == said(beginning, model)
    assert whole.startswith(beginning.strip()) or not model
