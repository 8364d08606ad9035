"""What counts as asking to stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.turns.stop_phrases import STOP_PHRASES, StopPhrases

STANDARD = StopPhrases()


@pytest.mark.parametrize(
    "text",
    [
        *("stop", "STOP!!", "Wait", "okay stop", "please stop", "alright, stop", "bram, enough", "halt.", "quit it", "chill"),
        *("that's enough", "That’s good", "that's fine", "thats fine", "never mind", "Never  mind", "nevermind", "cut it out!"),
        *("tone it down", "knock it off", "stop\nthat", "one two three four stop", "stopして", "Stop talking, bram"),
        *("やめて", "もういいよ", "ストップ!", "ちょっと待って", "もう十分です", "ねえ、やめてください"),
        "やめて" + "あ" * 17,
    ],
)
def test_a_stop(text):
    assert STANDARD.is_stop(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "go on", "stopped", "nonstop", "unstoppable", "waiter", "await", "quite", "chilly", "enough_", "that's goodness"),
        *(
            "wait, I meant the blue one",
            "one two three four five stop",
            "do not stop",
            "don't stop",
            "Don’t stop!",
            "never stop",
            "can't wait",
        ),
        *("やめ", "続けて", "やめて" + "あ" * 18, "待ち合わせ"),
    ],
)
def test_no_stop(text):
    assert not STANDARD.is_stop(text)


def test_a_denied_phrase_does_not_hide_another():
    assert STANDARD.is_stop("can't wait, stop")


def test_an_own_table_replaces_the_standard_one():
    own = StopPhrases({"de": ("halt die klappe", "stopp"), "xx": ("", "  ")})
    assert own.is_stop("Stopp!")
    assert own.is_stop("HALT die   Klappe")
    assert not own.is_stop("stop")
    assert not own.is_stop("")


def test_every_standard_phrase_stops_by_itself():
    assert all(STANDARD.is_stop(phrase) for phrases in STOP_PHRASES.values() for phrase in phrases)


@given(st.text(max_size=60))
def test_any_text_can_be_asked(text):
    STANDARD.is_stop(text)
