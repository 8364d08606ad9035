"""Composition with a way back, simple folding by the rules of Unicode's data, script classes, runs, graphemes."""

import unicodedata
from itertools import pairwise

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from coterie.kit.folding import (
    CharClass,
    Collapse,
    Graphemes,
    char_class,
    comparable,
    compose,
    is_stretchable,
    may_part,
    simple_fold,
    simple_lower,
    width_fold,
)

EVERY_CHARACTER = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]

# Characters that grow under full folding (status F) and have a row of status S beside it, as the data file gives them.
STATUS_S = {
    "ẞ": "ß",
    **{chr(0x1F88 + row + half): chr(0x1F80 + row + half) for row in (0, 16, 32) for half in range(8)},
    "ᾼ": "ᾳ",
    "ῌ": "ῃ",
    "ῼ": "ῳ",
    "\u1fd3": "\u0390",
    "\u1fe3": "\u03b0",
    "\ufb05": "\ufb06",
}

# Letters of many lengths, marks, selectors, joiners, flags, jamo: what makes normalising and cutting hard.
HARD = st.text(
    st.one_of(
        st.sampled_from("aAeéÉnN\u0301\u0323\u0338\u0327>ßẞİıſKÅΣσς\u1100\u1161\u11a8각か\u3099ｶﾞーﾚ塔กำ한\u0f71\u0f72\u0344क\u094dष"),
        st.sampled_from("🦊👋🏽❤\ufe0f\u200d🔥🇩🇪1\u20e3\r\n\t \u3000\u00a0_`>\u0600\u180b\U000e0101\u2126\uf900\u0958"),
        st.characters(),
    ),
    max_size=40,
)


def test_folding_keeps_one_code_point_for_each_and_follows_the_rows_of_status_c_and_s():
    for char in EVERY_CHARACTER:
        full = char.casefold()
        expected = full if len(full) == 1 else STATUS_S.get(char, char)
        assert simple_fold(char) == expected, f"U+{ord(char):04X}"


def test_a_second_implementation_agrees_that_a_character_and_its_folded_form_differ_in_case_only():
    # U+FB05 has its row only since Unicode 15.1, and the Greek pair likewise.
    newer = {"\u1fd3", "\u1fe3", "\ufb05"}
    for char in EVERY_CHARACTER:
        if (folded := simple_fold(char)) != char and char not in newer:
            assert regex.fullmatch(regex.escape(char), folded, regex.IGNORECASE | regex.V0), f"U+{ord(char):04X}"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ren", "ren"),
        ("STRASSE Straße GROẞ", "strasse straße groß"),
        ("ΝΊΚΟΣ Νίκος", "νίκοσ νίκοσ"),
        ("İstanbul ISPARTA ılık", "İstanbul isparta ılık"),
        ("Ⓜ Ｒ", "ⓜ ｒ"),
        ("ﬁn", "ﬁn"),
        ("ПРИВЕТ Ёж", "привет ёж"),
    ],
)
def test_whole_words(text, folded):
    assert simple_fold(text) == folded


def test_lowering_for_storage_never_changes_what_is_matched():
    for char in EVERY_CHARACTER:
        assert len(simple_lower(char)) == 1
        assert simple_fold(simple_lower(char)) == simple_fold(char), f"U+{ord(char):04X}"


def test_lowering_keeps_a_final_sigma_and_a_dotted_capital():
    assert simple_lower("Νίκος İbo") == "νίκος İbo"


@pytest.mark.parametrize(("text", "folded"), [("Ｒｅｎ　Ｍ", "Ren M"), ("ﾚﾝ", "レン"), ("Ⓜ ﬁ ①", "Ⓜ ﬁ ①"), ("￥", "¥")])
def test_width(text, folded):
    assert width_fold(text) == folded


@pytest.mark.parametrize(
    ("chars", "kind"),
    [
        ("aéßжאمन", CharClass.SPACED_LETTER),
        ("5_٣\u0301\u0902５", CharClass.SPACED),
        ("アあーｰ々〆塔한각กລខမ๑\u0e31\u3099", CharClass.UNSPACED),
        (" .+-「」、。🦊\u200d\u200b`<", CharClass.OTHER),
    ],
)
def test_classes(chars, kind):
    assert {char: char_class(char) for char in chars} == dict.fromkeys(chars, kind)


def test_where_a_word_may_end():
    assert [may_part(*pair) for pair in ("a ", "aは", "は塔", "+a", "a🦊", "ーa")] == [True] * 6
    assert [may_part(*pair) for pair in ("ab", "a_", "1a", "é\u0301", "aж")] == [False] * 5


def test_what_may_be_stretched():
    assert [char for char in "aж 5_ー塔ก+🦊\u0301" if is_stretchable(char)] == ["a", "ж", " "]


@given(HARD)
@example("ab\u0301c")
@example("\u0301")
@example("\ud83d x\u0301")
def test_composing_is_nfc_and_every_offset_leads_back(text):
    composed = compose(text)
    whole = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    assert composed.text == unicodedata.normalize("NFC", whole)
    places = [composed.source(offset) for offset in range(len(composed.text) + 1)]
    assert places == sorted(places)
    assert places[-1] == len(text)
    assert all(0 <= place <= len(text) for place in places)


@given(HARD)
def test_composing_leads_back_to_the_very_characters_where_graphemes_begin(text):
    composed = compose(text)
    cuts = [*(match.start() for match in regex.finditer(r"\X", composed.text)), len(composed.text)]
    for start, end in pairwise(cuts):
        source = text[composed.source(start) : composed.source(end)]
        assert compose(source).text == composed.text[start:end]


@given(HARD)
@example("a\ufe0f\ufe0fb")
def test_comparable_text_leads_back(text):
    composed = compose(text).text
    compared = comparable(composed)
    assert not regex.search("[\ufe00-\ufe0f\n\t]", compared.text)
    for offset, char in enumerate(compared.text):
        source = composed[compared.source(offset)]
        assert char == (" " if source.isspace() else simple_fold(source))


@pytest.mark.parametrize(
    ("text", "collapsed"),
    [
        ("liiilyaaa", "lilya"),
        ("anna", "ana"),
        ("a  b", "a b"),
        ("1111", "1111"),
        ("ーーー", "ーーー"),
        ("++", "++"),
        ("xxyy", "xyy"),
        ("", ""),
    ],
)
def test_runs(text, collapsed):
    assert Collapse("abilnx 1ー+")(text).text == collapsed


@given(st.text("ab b塔", max_size=30))
def test_a_collapsed_text_leads_back_to_the_run(text):
    collapsed = Collapse("ab 塔")(text)
    for offset, char in enumerate(collapsed.text):
        run = text[collapsed.source(offset) : collapsed.source(offset + 1)]
        assert set(run) == {char}
        assert len(run) == 1 or is_stretchable(char)
    assert not regex.search("aa|bb|  ", collapsed.text)


def test_an_alphabet_without_letters_collapses_nothing():
    assert Collapse("塔1")("塔塔11").text == "塔塔11"


def test_a_long_row_of_flags_is_read_in_one_go():
    row = "🇫" + "🇩🇪" * 50_000
    graphemes = Graphemes(row)
    assert [graphemes.may_cut(offset) for offset in (1, 2, 3, 100_000, 100_001)] == [False, True, False, True, True]


@given(HARD)
@example("🇩🇪🇫\u0301🇷🇩\u200d🇪\u0600🇩🇪🇫")
@example("👩‍👩‍👧🇦🇩🇪🇫1\ufe0f\u20e3\r\n각\u1100\u1161\u11a8क्ष\u0600a")
def test_a_cut_is_allowed_where_the_reference_implementation_begins_a_grapheme(text):
    starts = {match.start() for match in regex.finditer(r"\X", text)} | {0, len(text)}
    graphemes = Graphemes(text)
    assert [offset for offset in range(len(text) + 1) if graphemes.may_cut(offset)] == sorted(starts)
