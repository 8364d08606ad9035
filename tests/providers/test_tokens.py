"""The estimate of tokens, against figures of real vocabularies (o200k and Claude's, taken by hand)."""

import pytest

from coterie.providers.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("", 0),
        ("Hello, how are you today?", 7),
        ("2026-11-30 10:55", 12),
        ("こんにちは、元気ですか？", 12),
        ("Здравствуйте, как дела?", 8),
        ("🎉🎉🎉", 6),
        ("{}{}[]!!??", 10),
    ],
)
def test_the_estimate_is_never_below_the_truth(text: str, real: int) -> None:
    assert real <= estimate_tokens(text) <= 3 * real + 2


def test_half_a_surrogate_pair_is_counted_too() -> None:
    assert estimate_tokens("\ud800") > 0


def test_the_estimate_grows_with_the_text() -> None:
    assert estimate_tokens("word " * 300) > estimate_tokens("word " * 30) > estimate_tokens("word " * 3)
