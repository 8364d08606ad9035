"""What in a message is not speech. In the tables, what should be left as speech stands outside the marks ‹ and ›."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.triggers.not_text import what_is_not_text


def marked(text: str, *, directives: bool = False) -> str:
    """The text with each span that is not speech between ‹ and ›."""
    shown, done = "", 0
    for start, end in what_is_not_text(text, directives=directives):
        shown += f"{text[done:start]}‹{text[start:end]}›"
        done = end
    return shown + text[done:]


@pytest.mark.parametrize(
    "expected",
    [
        "plain words, nothing else",
        # Inline code.
        "say ‹`ren`› now",
        "‹``ren ` mia``› bob",
        "‹`a`` ren`› mia",
        "‹`ren\nmia`› bob",
        "a ` ren",
        "it`s ‹``ren``› here",
        "`` ren ` mia",
        # Fences.
        "‹```\nren\n```› mia",
        "‹```ren```› mia",
        "‹```py\nren›",
        "‹```ren` mia›",
        "‹````\n```\nren\n````› mia",
        "‹```ren`````› mia",
        "‹```````›",
        "hey ‹```ren```› mia`` bob",
        "~~~\nren\n~~~",
        "‹`` ``` ``› ren",
        # Addresses.
        "see ‹https://ren.example/mia?bob=1#wren› bob",
        "‹http://ren›",
        "‹HTTP://ren› mia",
        "<‹https://ren.example/x›> mia",
        "‹https://x.example/レンですよ、元気› mia",
        "‹https://x.example/a`b`› ren",
        "‹https://x.example/a›\u3000ren",
        "‹https://x.example/a›\nren",
        "www.ren.example ren@example.org http:/ren",
        # Discord's markup.
        "‹<:ren:123456789012345678>› ‹<a:mia:5>› :ren:",
        "‹<@5>› ‹<@!5>› ‹<@&6>› ‹<#7>› ‹</ren mia:8>› ‹<t:1700000000>› ‹<t:1700000000:R>› ‹<id:guide>›",
        "a < ren > b, <ren>, <@ren>, <:ren:>",
        # Quoted lines.
        "‹> ren said›\nmia",
        "so:\n‹> ren›\n‹> mia›\nbob",
        ">ren\n > mia\n>\nbob > wren",
        "‹>>> ren\nmia\n\nbob›",
        "hi\n‹>>> ren\nmia›",
        ">>>ren\nmia",
        "‹> ``` ren›\nmia",
        "‹> https://x.example/ mia›\nren",
        "‹```\n> ren\n```› mia",
        "a\r\n‹> ren\r›\nmia",
    ],
)
def test_what_is_not_speech(expected):
    assert marked(re.sub("[‹›]", "", expected)) == expected


def test_directives_are_speech_unless_the_scripted_model_is_active():
    text = "mia {{say: ren}} bob"
    assert marked(text) == text
    assert marked(text, directives=True) == "mia ‹{{say: ren}}› bob"


@pytest.mark.parametrize(
    "expected",
    [
        "‹{{say@ren: hello}}›‹{{empty@ren}}› mia",
        '‹{{tool: clock {"a": {"b": "}} ren"}}}}› mia',
        "‹{{say: ``` }}› mia ‹`ren`›",
        "‹{{say: a\n> ren}}› mia",
        "‹``` {{say: ren}} ```› mia",
        "{{ren}} {{say ren}}",
    ],
)
def test_a_directive_is_whole_and_opens_nothing(expected):
    assert marked(re.sub("[‹›]", "", expected), directives=True) == expected


@given(st.text(st.sampled_from("`> <:@#/t123ahttps\n.レ{}|sy \0"), max_size=60), st.booleans())
def test_spans_lie_within_the_text_in_order_and_apart(text, directives):
    spans = what_is_not_text(text, directives=directives)
    flat = [offset for span in spans for offset in span]
    assert flat == sorted(flat)
    assert all(start < end <= len(text) for start, end in spans)


@given(st.lists(st.sampled_from(["`", "``", "```", "> ", ">>> ", "<@1", "http://", "\n", "x ", "{{say: ", "<:a:"]), max_size=400))
def test_a_text_of_nothing_but_openings_is_read(parts):
    what_is_not_text("".join(parts), directives=True)
