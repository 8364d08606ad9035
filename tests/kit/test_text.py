from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.kit.text import beginning, boundaries, ending, graphemes, head, mend, utf16_length

OFFICIAL = Path(__file__).parent.parent / "data" / "GraphemeBreakTest-18.0.0.txt"
FAMILY = "👨‍👩‍👧"

PIECES = ("a", "é", "e", "\u0301", "\u200d", "👩", "👧", "🏽", "🇩", "🇪", "क", "्", "ष", "\r", "\n", " ", "漢", "ﷺ", "\ufe0f")
TEXTS = st.text(st.sampled_from(PIECES))


def official_cases() -> list[tuple[str, ...]]:
    """Each line of Unicode's file: hexadecimal code points, ÷ where a grapheme ends, × where none does."""
    lines = (line.partition("#")[0].strip() for line in OFFICIAL.read_text("utf-8").splitlines())
    return [tuple(as_text(part) for part in line.split("÷") if part.strip()) for line in lines if line]


def as_text(points: str) -> str:
    return "".join(chr(int(point, 16)) for point in points.split() if point != "×")


def test_graphemes_are_those_of_unicodes_official_file():
    cases = official_cases()
    assert len(cases) == 853
    assert [case for case in cases if tuple(graphemes("".join(case))) != case] == []


@given(TEXTS)
def test_graphemes_joined_are_the_text_and_boundaries_lie_between_them(text):
    parts = list(graphemes(text))
    assert "".join(parts) == text
    assert list(boundaries(text)) == [sum(map(len, parts[: count + 1])) for count in range(len(parts))]


@pytest.mark.parametrize(("text", "units"), [("", 0), ("abc", 3), ("é", 1), ("漢", 1), ("👍", 2), (FAMILY, 8), ("a\ud83d", 2)])
def test_length_in_utf16_units(text, units):
    assert utf16_length(text) == units


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("hello", 5, "hello"),
        ("hello", 4, "hell"),
        ("e\u0301e\u0301", 3, "e\u0301"),
        ("👍👍", 3, "👍"),
        ("👍👍", 4, "👍👍"),
        (f"{FAMILY}{FAMILY}", 15, FAMILY),
        ("🇩🇪🇫🇷", 7, "🇩🇪"),
        ("a\r\nb", 2, "a"),
        (FAMILY, 5, "👨‍👩"),
        ("👍", 1, "👍"),
        ("z" + "\u0301" * 99, 10, "z" + "\u0301" * 9),
    ],
)
def test_the_head_of_a_text_cuts_no_grapheme_unless_one_alone_is_too_long(text, most, expected):
    assert head(text, most) == expected


@given(TEXTS, st.integers(2, 40))
def test_the_head_fits_and_is_as_long_as_can_be(text, most):
    kept = head(text, most)
    assert text.startswith(kept)
    assert utf16_length(kept) <= most
    following = next(graphemes(text[len(kept) :]), "")
    assert not following or utf16_length(kept + following) > most


@pytest.mark.parametrize(
    ("text", "most", "begins", "ends"),
    [
        ("hello", 5, "hello", "hello"),
        ("hello", 2, "he", "lo"),
        ("hello", 0, "", ""),
        (FAMILY + "x" + FAMILY, 5, FAMILY, FAMILY),
        (FAMILY + "x" + FAMILY, 6, FAMILY + "x", "x" + FAMILY),
        ("🇩🇪🇫🇷🇮🇹", 3, "🇩🇪", "🇮🇹"),
        ("a\r\nb", 2, "a", "b"),
        ("z" + "\u0301" * 99, 10, "z" + "\u0301" * 9, "\u0301" * 10),
    ],
)
def test_both_ends_of_a_text_in_code_points(text, most, begins, ends):
    assert (beginning(text, most), ending(text, most)) == (begins, ends)


@given(TEXTS, st.integers(0, 40))
def test_both_ends_are_as_long_as_can_be(text, most):
    offsets = [0, *boundaries(text)]
    begins = max(offset for offset in offsets if offset <= most)
    ends = min(offset for offset in offsets if len(text) - offset <= most)
    assert beginning(text, most) == (text[:begins] or text[:most])
    assert ending(text, most) == (text[ends:] or text[max(len(text) - most, 0) :])


@pytest.mark.parametrize(
    ("text", "expected"),
    [("plain 漢👍", "plain 漢👍"), ("a\x00b", "ab"), ("x\ud83d", "x\ufffd"), ("\ud83d\ude00!", "😀!"), ("\ude00\ud83d", "\ufffd\ufffd")],
)
def test_what_cannot_be_stored_is_mended(text, expected):
    assert mend(text) == expected
