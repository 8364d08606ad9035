import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coterie.domain.speech.fences import fences
from coterie.domain.speech.splitting import LEAST_LIMIT, split
from coterie.kit.text import graphemes, utf16_length

FAMILY = "👨‍👩‍👧"
LINK = "[a link](http://example.org/a_(b)?c=d)"
ADDRESS = "https://example.org/" + "x" * 30


def fits(parts: tuple[str, ...], limit: int = 2000) -> bool:
    return all(part.strip() and len(part) <= limit and utf16_length(part) <= limit for part in parts)


def has_balanced_fences(part: str) -> bool:
    opened = 0
    for run in re.finditer("`{3,}", part):
        opened = len(run.group()) if not opened else 0 if len(run.group()) >= opened else opened
    return not opened


def has_code_in_each_fence(text: str) -> bool:
    return all(text[block.body : block.body_end].strip() for block in fences(text))


@pytest.mark.parametrize("text", ["", " ", "\n\n \t", "\u2003"])
def test_a_blank_text_has_no_part(text):
    assert split(text) == ()


@pytest.mark.parametrize("text", ["hello", "well\n...\nok", "…", ".", "a\n\nb", "```py\nx = 1\n```", "  - item", "x" * 2000, "👍" * 1000])
def test_what_fits_is_one_part(text):
    assert split(text) == (text.strip(),)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "one two three. " * 2 + "four five six seven\n\neight nine ten",
            ("one two three. one two three. four five six seven", "eight nine ten"),
        ),
        ("first line of the text here\nsecond line of the text here", ("first line of the text here", "second line of the text here")),
        ("A first sentence stands here. A second one stands there.", ("A first sentence stands here.", "A second one stands there.")),
        ("nothing but words and more words and even more words", ("nothing but words and more words and even more", "words")),
        (
            "これは最初の文です。これは二つ目の文なのでここで切られます。" * 2,
            (
                "これは最初の文です。これは二つ目の文なのでここで切られます。これは最初の文です。",
                "これは二つ目の文なのでここで切られます。",
            ),
        ),
        ("1. the first one of the list\n2. the second one of the list", ("1. the first one of the list", "2. the second one of the list")),
    ],
)
def test_cuts_prefer_paragraphs_lines_sentences_and_blanks(text, parts):
    assert split(text, 50) == parts


def test_a_word_of_5000_characters_is_cut_at_graphemes():
    assert [len(part) for part in split("x" * 5000)] == [2000, 2000, 1000]


def test_2000_families_stay_families():
    parts = split(FAMILY * 2000)
    assert fits(parts)
    assert {grapheme for part in parts for grapheme in graphemes(part)} == {FAMILY}
    assert "".join(parts) == FAMILY * 2000
    assert len(parts) == 8


def test_a_single_grapheme_longer_than_a_part_is_still_said():
    text = "z" + "\u0301" * 4999
    assert fits(split(text))
    assert "".join(split(text)) == text


@pytest.mark.parametrize(
    "whole",
    [LINK, ADDRESS, f"<{ADDRESS}>", "<@123456789012345678>", "<:blob:123456789012345678>", "<a:wave:123456789012345678>", ":wave_hello:",
     "`a b c d e f`", "``a ` b``", "**so very bold**", "||a secret||", "[a [nested] b](https://example.org)", "<t:1700000000:R>",
     "![alt text](http://example.org/i.png)"],
)  # fmt: skip
@pytest.mark.parametrize("before", range(60, 101, 3))
def test_what_belongs_together_is_not_cut(whole, before):
    text = "word " * (before // 5) + "y" * (before % 5) + " " + whole + " and more words" * 8
    parts = split(text, 100)
    assert fits(parts, 100)
    assert sum(part.count(whole) for part in parts) == 1


def test_an_address_ends_where_a_link_begins():
    parts = split(LINK + ADDRESS + LINK, 100)
    assert (sum(part.count(LINK) for part in parts), sum(part.count(ADDRESS) for part in parts)) == (2, 1)


def test_what_belongs_together_is_kept_apart_from_a_word_that_it_touches():
    parts = split("漢" * 60 + LINK + "字" * 60, 80)
    assert sum(part.count(LINK) for part in parts) == 1
    assert "".join(parts) == "漢" * 60 + LINK + "字" * 60


def test_300_lines_of_code_keep_their_fence_and_language_in_every_part():
    text = "```py\n" + "x = 1\n" * 300 + "```"
    parts = split(text, 200)
    assert all(part.startswith("```py\nx = 1\n") and part.endswith("x = 1\n```") for part in parts)
    assert sum(part.count("x = 1") for part in parts) == 300
    assert fits(parts, 200)


@pytest.mark.parametrize("language", ["", "py", "c++", "objective-c", "c#", "f-strings.x"])
def test_any_language_is_opened_again(language):
    parts = split(f"Look:\n```{language}\n" + "a line of code\n" * 20 + "```\nDone.", 120)
    assert all(part.startswith(f"```{language}\na line") for part in parts[1:-1])
    assert parts[0].startswith("Look:\n")
    assert parts[-1].endswith("Done.")
    assert all(has_balanced_fences(part) for part in parts)
    assert fits(parts, 120)


@pytest.mark.parametrize("length", range(1985, 2010))
def test_a_fence_that_just_fills_a_part_leaves_room_for_its_marks(length):
    text = "```\n" + "x" * (length - 8) + "\n```"
    parts = split(text)
    assert fits(parts)
    assert all(has_balanced_fences(part) for part in parts)
    assert sum(part.count("x") for part in parts) == length - 8
    assert len(parts) == (1 if length <= 2000 else 2)


def test_a_single_long_line_of_code_leaves_no_empty_pair_of_fences():
    parts = split("Before.\n\n```py\n" + "y" * 5000 + "\n```\nAfter.")
    assert fits(parts)
    assert not any(re.search(r"```(py)?\s*```", part) for part in parts)
    assert "".join(parts).count("y") == 5000 + sum(part.count("```py") for part in parts)


def test_code_keeps_its_indentation_and_prose_is_not_fenced():
    text = "Words first.\n```py\nif x:\n    y = 1\n    z = 2\n```\nWords " + "after " * 20
    assert split(text, 40)[:3] == (
        "Words first.\n```py\nif x:\n    y = 1\n```",
        "```py\n    z = 2\n```\nWords after after",
        "after after after after after after",
    )


def test_blank_lines_before_a_closer_leave_no_part_of_their_own():
    assert split("```py\n" + "x = 1\n" * 8 + "\n" * 30 + "```\nend", 60) == ("```py\n" + "x = 1\n" * 7 + "x = 1\n```", "end")


def test_an_unclosed_fence_is_closed():
    assert split("See:\n```py\nx = 1") == ("See:\n```py\nx = 1\n```",)
    assert split("Nothing follows:\n```") == ("Nothing follows:\n```",)


def test_longer_fences_and_one_line_fences_are_fences_too():
    text = "````md\n```py\nx\n```\n" + "more text\n" * 10 + "````"
    parts = split(text, 80)
    assert all(part.startswith("````md\n") and part.endswith("\n````") for part in parts)
    assert split("```" + "one line of it " * 8 + "```", 60) == (
        "```one line of it one line of it one line of it one\n```",
        "```\nline of it one line of it one line of it one line\n```",
        "```\nof it one line of it ```",
    )


def test_order_is_kept_around_addresses_and_code():
    text = "See " + ADDRESS + " for details.\n```sh\nls\n```\nThen go on with it, " + "and on, " * 10
    parts = split(text, 60)
    assert [re.sub(r"\s", "", part) for part in parts] == re.findall(
        "|".join(re.escape(re.sub(r"\s", "", part)) for part in parts), re.sub(r"\s", "", text)
    )
    assert re.sub(r"\s", "", "".join(parts)) == re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    "text",
    ["x" * 100 + ".", "x" * 100 + "\n\n…", "…\n\n" + "x" * 120, "word " * 25 + "\n\n.", "...\n" + "word " * 30 + "\n..."],
)
def test_no_part_is_punctuation_alone(text):
    parts = split(text, 100)
    assert fits(parts, 100)
    assert all(re.search(r"\w", part) for part in parts)
    assert re.sub(r"\s", "", "".join(parts)) == re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    "text", ["." * 250, "… " * 120, "`" * 300, "- " * 100, "[" * 500, "[a](" * 100, "**" * 200, "||" * 99 + "x", "<" * 300]
)
def test_nothing_but_marks_is_still_said(text):
    parts = split(text, 100)
    assert fits(parts, 100)
    assert re.sub(r"[\s`]", "", "".join(parts)) == re.sub(r"[\s`]", "", text)


def test_a_limit_that_holds_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 40"):
        split("hello", LEAST_LIMIT - 1)


WORDS = st.sampled_from(
    ["a", "word", "Some sentence.", "漢字かな交じり文。", "שלום", "مرحبا", FAMILY, "👍🏽", "🇩🇪", "e\u0301", "\u0301", "क्षि", "…", ".", "،",
     "\u0600", "\u200d", "\u200b", "x" * 70, "😀" * 40, LINK, ADDRESS, "<@1>", "<:a:1>", ":ok:", "`x y`", "**b c**", "||s t||", "`", "``",
     "[", "](", "<", "http://"],
)  # fmt: skip
BLANKS = st.sampled_from(["", " ", "  ", "\n", "\n\n", "\t", "\r\n", "\u3000"])
CODE_LINES = st.sampled_from(["x = 1", "    return x", "", "}", "漢" * 30, "y" * 90, FAMILY * 9, "# c", "``not a fence``", "\u0301a"])
LINES = st.lists(CODE_LINES, max_size=8)
PROSE = st.lists(st.tuples(WORDS, BLANKS), max_size=12).map(lambda pairs: "".join(word + blank for word, blank in pairs))
CODE = st.builds(
    lambda ticks, language, lines, closes: f"{ticks}{language}\n" + "\n".join(lines) + (f"\n{ticks}\n" if closes else ""),
    st.sampled_from(["```", "````"]), st.sampled_from(["", "c++", "objective-c"]), LINES, st.booleans(),
)  # fmt: skip
REPLIES = st.lists(PROSE | CODE, max_size=5).map("".join)


def bare(text: str) -> str:
    return re.sub(r"[\s`]", "", text)


def left_of(text: str, parts: tuple[str, ...]) -> str:
    """What of `text` is not said by the parts, in order, apart from blanks and the marks and languages of fences."""
    left = bare(text)
    for part in parts:
        said = bare(part)
        if not left.startswith(said):
            said = bare(re.sub(r"^`{3,}[^\s`]*\n", "", part))
        assert left.startswith(said)
        left = left[len(said) :]
    return left


def seen(text: str) -> list[str]:
    return [grapheme.strip() for grapheme in graphemes(text) if grapheme.strip()]


@given(REPLIES, st.integers(LEAST_LIMIT, 160))
@example("```c++\n" + "\u0301a" * 50, 40)
def test_every_part_fits_and_together_they_are_the_text(text, limit):
    parts = split(text, limit)
    assert fits(parts, limit)
    assert left_of(text, parts) == ""


@given(REPLIES, st.integers(100, 160))
def test_no_part_leaves_a_fence_open_or_empty(text, limit):
    for part in split(text, limit):
        assert has_balanced_fences(part) or re.search(r"`{3,}[ \t]*\S*\s*$", text)
        assert has_code_in_each_fence(part) or not has_code_in_each_fence(text)


@given(PROSE, st.integers(100, 160))
def test_prose_is_cut_between_graphemes_and_spares_what_belongs_together(text, limit):
    parts = split(text, limit)
    if "```" in text:
        return
    assert [shown for part in parts for shown in seen(part)] == seen(text)
    assert sum(part.count(LINK) for part in parts) == text.count(LINK)
