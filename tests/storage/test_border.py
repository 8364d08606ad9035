import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.storage.border import clean, to_json

ANYTHING = st.text(st.characters())
"""Also lone surrogates and NUL."""


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("", ""),
        ("plain", "plain"),
        ("コテリー Ⓜ️ 👩‍👩‍👧", "コテリー Ⓜ️ 👩‍👩‍👧"),
        ("a\0b", "a\ufffdb"),
        ("x\ud83d", "x\ufffd"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\x01\x7f\ufffe\uffff", "\x01\x7f\ufffe\uffff"),
    ],
)
def test_what_no_database_takes_is_replaced(given_text, kept):
    assert clean(given_text) == kept


@given(ANYTHING)
def test_a_cleaned_text_can_be_written_and_stays_as_it_is(text):
    kept = clean(text)
    kept.encode()
    assert "\0" not in kept
    assert len(kept) == len(text)
    assert clean(kept) is kept


def texts_in(value):
    match value:
        case str():
            yield value
        case list():
            for inner in value:
                yield from texts_in(inner)
        case dict():
            for key, inner in value.items():
                yield key
                yield from texts_in(inner)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | ANYTHING,
        lambda inner: st.lists(inner) | st.dictionaries(ANYTHING, inner),
    )
)
def test_json_is_clean_all_through(value):
    written = to_json(value)
    written.encode()
    assert all(clean(text) is text for text in texts_in(json.loads(written)))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (["a\0"], '["a\ufffd"]'),
        ({"x\ud800": "\udfff"}, '{"x\ufffd":"\ufffd"}'),
        (["\\u0000 as people write it"], '["\\\\u0000 as people write it"]'),
        ({"n": [1, True, None, 1.5]}, '{"n":[1,true,null,1.5]}'),
    ],
)
def test_json_as_it_is_kept(value, written):
    assert to_json(value) == written
