"""Who is called by words: the tables of the decisions and of what users reported."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coterie.domain.conversation import Mention
from coterie.domain.ids import Handle, PersonaId, UserId, WorkspaceId
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.triggers.recognise import CastWords


def cast_of(*words: tuple[str, ...], base: tuple[str, ...] = ()) -> Cast:
    """A cast whose first persona is main; ids from 1."""
    personas = [
        Persona(PersonaId(number), Handle(f"p{number}"), number > 1, PersonaContent(f"P{number}", trigger_words=own))
        for number, own in enumerate(words, 1)
    ]
    return Cast(WorkspaceId("local"), settle(personas, base), base_words=base)


def calls(trigger: str, text: str) -> bool:
    return bool(CastWords.build(cast_of((trigger,))).called(text))


def order(words: CastWords, text: str, *users: str) -> list[int]:
    return [call.persona for call in words.called(text, [Mention(UserId(user)) for user in users])]


@pytest.mark.parametrize(
    ("trigger", "text", "is_called"),
    [
        # Whole words in spaced scripts.
        ("ren", "Ren?", True),
        ("ren", "the children left", False),
        ("ren", "rené", False),
        ("ren", "rene\u0301", False),
        ("ren", "zuhören", False),
        ("ren", "zuho\u0308ren", False),
        ("ren", "ren_2, ren2, _ren_", False),
        ("ren", "**ren**, ~~ren~~", True),
        ("ren", "ren's tea", True),
        ("ren", "pre-ren-post", True),
        ("ren", "ren\u0301x", False),
        ("ren", "ren\u20e3", False),
        ("ren", "", False),
        ("рен", "Рен, привет", True),
        ("рен", "древнерен", False),
        ("رن", "يا رن!", True),
        ("رن", "قرن", False),
        ("ᏣᎳᎩ", "ꮳꮃꭹ", True),
        # Scripts without blanks.
        ("エリ", "エリ今日は", True),
        ("エリ", "トエリア", True),
        ("エリ", "エリー", True),
        ("エリ", "ｴﾘ", False),
        ("塔", "去塔里", True),
        ("เรน", "สวัสดีเรนจ้า", True),
        ("렌", "렌은 어디", True),
        ("렌", "렌\u1102", True),
        ("ລຽນ", "ສະບາຍດີລຽນເດີ", True),
        ("ខ្មែរ", "ភាសាខ្មែរល្អ", True),
        ("ရန်", "ကိုရန်ရေ", True),
        # Where two kinds of script meet.
        ("ren", "renは元気", True),
        ("ren", "元気renは", True),
        ("ren", "xrenちゃん", False),
        ("ren", "ー ren", True),
        ("ren", "ーren", True),
        ("エリ", "xエリx", True),
        ("エリ2", "エリ25", False),
        ("エリ2", "エリ2は", True),
        # Edges that are no word characters.
        ("c++", "I like c++, you?", True),
        ("c++", "xc++", False),
        ("c++", "c++x", True),
        ("c++", "c+", False),
        ("c++", "c+++", True),
        (".net", "asp.net", True),
        ("🦊", "a🦊b", True),
        ("!ren", "x!ren", True),
        ("mary-ann", "Mary-Ann!", True),
        ("o'neil", "O'Neil", True),
        # Case, simple: one code point stays one.
        ("straße", "STRAẞE", True),
        ("straße", "strasse", False),
        ("νίκος", "ΝΊΚΟΣ", True),
        ("İbo", "İBO", True),
        ("ibo", "IBO", True),
        ("ıbo", "IBO", False),
        ("Ⓜ\ufe0f", "moss m M", False),
        ("Ⓜ\ufe0f", "ⓜ", True),
        ("ren", "ｒｅｎ", False),
        ("fin", "ﬁn", False),
        # Stretched letters.
        ("lilya", "liiilya", True),
        ("lilya", "LiLyaAaAa", True),
        ("lilya", "lilyaaa!", True),
        ("lilya", "lila", False),
        ("anna", "ana", False),
        ("anna", "annnna", True),
        ("ana", "anna", True),
        ("lilyy", "lily", False),
        ("рен", "рееен", True),
        ("r2d2", "r22d2", False),
        ("r2d2", "rrr2ddd2", True),
        ("エリー", "エリーー", True),
        ("エリー", "エエリー", True),
        ("エリア", "エリリア", False),
        ("塔塔", "塔", False),
        ("aa", "a", False),
        ("aa", "aaaa", True),
        # Blanks.
        ("mary ann", "Mary   Ann", True),
        ("mary ann", "mary\u00a0\nann", True),
        ("mary ann", "mary\u3000ann", True),
        ("mary  ann", "mary ann", True),
        ("mary ann", "maryann", False),
        ("mary ann", "mary, ann", False),
        # Variation selectors and graphemes.
        ("❤", "❤\ufe0f", True),
        ("❤\ufe0f", "❤", True),
        ("❤", "❤\ufe0f\u200d🔥", False),
        ("👋", "👋🏽", False),
        ("👩", "👩‍👩‍👧", False),
        ("👧", "👩‍👩‍👧", False),
        ("🇩🇪", "🇦🇩🇪🇫", False),
        ("🇩🇪", "🇫🇷🇩🇪", True),
        ("1", "1\ufe0f\u20e3", False),
        ("かは", "かは\u3099", False),
        ("ren", "re\ufe0en", True),
        ("นำ", "นำ", True),
        ("น", "นำ", False),
        # What is not speech.
        ("ren", "`ren`", False),
        ("ren", "```\nren\n```", False),
        ("ren", "```ren", False),
        ("ren", "~~~\nren\n~~~", True),
        ("ren", "https://x.example/ren", False),
        ("エリ", "https://x.example/エリです", False),
        ("ren", "www.ren.example", True),
        ("ren", "ren@example.org", True),
        ("ren", ":ren:", True),
        ("ren", "<:ren:123456789012345678>", False),
        ("blob", "<:blob:123456789012345678>blob", True),
        ("<", "<:blob:123456789012345678>", False),
        ("<", "a < b", True),
        ("5", "<@5>", False),
        ("ren", "> ren", False),
        ("ren", ">ren", True),
        ("ren", " > ren", True),
        ("ren", ">>> a\nren", False),
        ("ren", "`a`ren", True),
        ("mary ann", "mary `x` ann", False),
        ("mary ann", "mary\n> ann", False),
        ("ren", "`ren` ren", True),
        # A word that is nothing.
        ("\ufe0f", "\ufe0f", False),
    ],
)
def test_is_called(trigger, text, is_called):
    assert calls(trigger, text) is is_called
    assert calls(unicodedata.normalize("NFD", trigger), text) is is_called
    assert calls(trigger, unicodedata.normalize("NFD", text)) is is_called


NAMES = CastWords.build(cast_of(("odile",), ("bram", "塔"), ("wren", "mary", "🦊"), ("mary ann",), base=("coterie", "コテリー")))


@pytest.mark.parametrize(
    ("text", "personas"),
    [
        ("bram and wren, what do you think of moths?", [2, 3]),
        ("wren and bram", [3, 2]),
        ("wren, bram, wren, bram", [3, 2]),
        ("WREN bram odile", [3, 2, 1]),
        ("塔とコテリーとwren", [2, 1, 3]),
        ("coterie!", [1]),
        ("🦊bram", [3, 2]),
        ("mary ann, hello", [3, 4]),
        ("ann, mary", [3]),
        ("`bram` wren bram", [3, 2]),
        ("nobody", []),
    ],
)
def test_order_of_first_appearance_and_ties_by_load_order(text, personas):
    assert order(NAMES, text) == personas


def test_a_position_is_an_offset_in_the_text_as_it_came():
    text = "re\u0301 \ufe0e brrram,   wren"
    assert [(call.position, call.word) for call in NAMES.called(text)] == [(6, "bram"), (16, "wren")]


def test_a_longer_word_that_begins_earlier_gives_the_position():
    words = CastWords.build(cast_of(("x",), ("ann", "mary ann b"), ("mary",)))
    assert [(call.persona, call.position) for call in words.called("mary ann b")] == [(2, 0), (3, 0)]


def test_words_that_collapse_to_the_same_letters_stay_apart():
    words = CastWords.build(cast_of(("x",), ("ana",), ("anna",), ("aanna",)))
    assert order(words, "ana") == [2]
    assert order(words, "anna") == [2, 3]
    assert order(words, "aannna") == [2, 3, 4]


MENTIONS = CastWords.build(cast_of(("x",), ("<@77>",), ("<@!88>", "wren")))


@pytest.mark.parametrize(
    ("text", "users", "personas"),
    [
        ("<@77> and wren", ["77"], [2, 3]),
        ("wren and <@!77>", ["77"], [3, 2]),
        ("<@88> <@77>", ["77", "88"], [3, 2]),
        ("wren", ["77"], [3, 2]),
        ("hello", ["88", "77"], [2, 3]),
        ("<@77>", [], []),
        ("77", ["5"], []),
    ],
)
def test_a_user_mention_as_a_word_is_matched_against_the_mentions(text, users, personas):
    assert order(MENTIONS, text, *users) == personas


def test_directives_of_the_scripted_model_are_no_trigger_text_while_it_is_active():
    text = "{{say@wren: bram, hello}} wren"
    assert [call.persona for call in NAMES.called(text, directives=True)] == [3]
    assert [call.persona for call in NAMES.called(text)] == [3, 2]


def test_a_cast_without_words_calls_nobody():
    assert CastWords.build(Cast(WorkspaceId("local"))).called("anybody there?") == ()


def test_a_very_long_message_is_searched_to_its_end():
    assert order(NAMES, "wre wrrren" + " x`" * 33_333 + "` bram") == [3, 2]


ALPHABET = "aAnNrReE\u0301\u0308 ab塔エリーｰ\u3099🦊\ufe0f\u200d👋🏽🇩🇪`<>@7:/htps\n>_+c\u00df\u1e9e\u0130\u0131\ud83d\u1100\u1161"
HARD_TEXT = st.text(st.one_of(st.sampled_from(ALPHABET), st.characters()), max_size=30)
TANGLED = CastWords.build(
    cast_of(("anna", "<@7>"), ("ana", "エリ"), ("ren", "c++", "🦊"), ("re n", "塔", "straße"), ("a", "👋🏽", "İ", "\ud83d"), ("rené", "엘"))
)


@given(HARD_TEXT)
@example("\ud83d")
def test_no_text_is_too_odd_and_positions_lie_within_it_in_order(text):
    found = TANGLED.called(text, [Mention(UserId("7"))])
    places = [call.position for call in found]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    assert len({call.persona for call in found}) == len(found)


@given(HARD_TEXT)
def test_both_normal_forms_call_the_same_personas(text):
    composed, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert order(TANGLED, composed) == order(TANGLED, apart)


@given(HARD_TEXT, st.sampled_from(["Ren", "ANNA", "塔", "🦊", "c++"]), HARD_TEXT)
def test_a_word_between_blanks_is_found_wherever_nothing_hides_it(before, word, after):
    hidden = any(mark in before for mark in "`<>:/") or "`" in after
    if not hidden and not begins_with_a_mark(after):
        assert order(TANGLED, f"{before} {word} {after}")


def begins_with_a_mark(after: str) -> bool:
    """Whether `after` would make one grapheme with the blank before it."""
    return bool(after) and unicodedata.category(after[0]) in ("Mn", "Me", "Mc", "Cf", "Cs", "Cn")


@given(st.text(min_size=1, max_size=10), HARD_TEXT)
def test_any_word_can_be_compiled_and_looked_for(word, text):
    CastWords.build(cast_of((word,), (word + "x",))).called(text)


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (["bram"], "bram?", []),
        (["bram"], "@bram?", ["bram"]),
        (["bram"], "so @BRAAAM said", ["bram"]),
        # Behind such a word anything may follow; before the sign, nothing that makes it an address.
        (["bram"], "@bramble", ["bram"]),
        (["bram"], "ann@bram.example", []),
        (["bram"], "`@bram` and https://a.example/@bram", []),
        (["mary ann"], "@mary   ann, hello", ["mary ann"]),
        # The first part is enough where the whole stands somewhere too.
        (["mary ann"], "@mary, I mean mary ann", ["mary ann"]),
        (["mary ann"], "@mary, hello", []),
        (["レン"], "＠レン @レンくん", ["レン"]),
        (["<@7>"], "well, <@7>", ["<@7>"]),
        (["bram", "wren"], "wren and @bram", ["bram"]),
    ],
)
def test_who_is_called_on_purpose(words, text, expected):
    found = CastWords.build(cast_of(*((word,) for word in words))).called_deliberately(
        text, [Mention(UserId("7"))] if "<@7>" in text else []
    )
    assert [call.word for call in found] == expected
