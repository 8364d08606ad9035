"""What of a stream people see: never a label of the speaker's own, never a line for somebody else, and nothing twice."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.speech.fences import fences
from coterie.domain.speech.segmenter import Segmenter
from coterie.kit.text import boundaries
from domain.speech.pieces import text_of

OWN, OTHERS = ["Mira", "mira", "José"], ["Ren", "Ann", "Ren Ito", "エリ", "Zoé", "Nguyệt", "https", "12", "Mira (person)"]
NOTE = "(Mira, now answer Ann, who said: “hi”)"
ECHOES = [NOTE, "## Bot Persona", "## Conversation"]


def run(text, size=1, **more):
    """Feed a text in pieces of a size; what was shown, and the machine."""
    machine = Segmenter(OWN, OTHERS, **more)
    shown = ""
    for start in range(0, len(text), size):
        shown += text_of(machine.feed(text[start : start + size]))
        if machine.is_over:
            break
    return shown + text_of(machine.finish()), machine


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Mira: hi", "hi"),
        ("MIRA： hi", "hi"),
        ("**Mira:** hi", "hi"),
        ("**Mira**: hi", "hi"),
        ("**Mira** (smiling): hi", "hi"),
        ("**Mira (smiling)**: hi", "hi"),
        ("*mira* : hi", "hi"),
        ("  Mira:hi\nMira: again", "hi\nagain"),
        ("Mira: Mira: hi", "hi"),
        ("Mira (smiling): hi", "hi"),
        ("Mira:\nhi", "hi"),
        ("Miranda: hi", "Miranda: hi"),
        ("I am Mira: hi", "I am Mira: hi"),
        ("hi\nRen: yo", "hi"),
        ("hi\n\n  Ren : yo\nmore", "hi"),
        ("hi\n**Ren:** yo", "hi"),
        ("hi\nren ito: yo", "hi"),
        ("hi\nエリ：やあ", "hi"),
        ("hi Ren: yo", "hi Ren: yo"),
        ("hi\nRenata: yo", "hi\nRenata: yo"),
        ("<think>Ren: hm\nno</think>\n\nhello", "hello"),
        ("<THINKING>a</THINKING>b", "b"),
        ("<think>for ever", ""),
        ("<thin> line", "<thin> line"),
        ("   \n\n hi \n\n", "hi"),
        ("Mira", "Mira"),
        ("hi\nRen", "hi\nRen"),
        ("well\n...\nok", "well\n...\nok"),
        ("* one\n* two", "* one\n* two"),
        ("**bold** start", "**bold** start"),
        ("", ""),
        (" \n\t", ""),
        ("a\r\nb", "a\r\nb"),
        ("hi\r\nRen: yo", "hi"),
        ("hi\u2028Ren: yo", "hi"),
    ],
)
def test_what_is_shown(text, shown, size):
    assert run(text, size)[0] == shown


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "hi\nRen :) is nice",
        "hi\nRen:) is nice",
        "hi\nRen:D",
        "hi\nhttps://example.org is a place",
        "hi\n12:30 is late",
        "hi\nRen:smile: yes",
        "Mira :) is nice",
        "Mira :D she says",
        "Mira://x",
        "Mira:30",
    ],
)
def test_a_colon_that_ends_no_label_is_left_alone(text, size):
    shown, machine = run(text, size)
    assert (shown, machine.is_over) == (text, False)


@pytest.mark.parametrize("behind", [" yo", "\nyo", "", "*waves*", "_waves_", "**yo**", "やあ", "你好", "「やあ」", "안녕", "\u3000yo"])
def test_what_may_stand_behind_the_colon_of_somebody_else(behind):
    shown, machine = run(f"hi\nRen:{behind}")
    assert (shown, machine.is_over) == ("hi", True)


@pytest.mark.parametrize("behind", ["yo", "“yo”", '"yo"', "é"])
def test_an_own_label_needs_no_blank(behind):
    assert run(f"Mira:{behind}")[0] == behind


def test_a_full_width_colon_always_ends_a_label():
    assert run("hi\nRen：)")[0] == "hi"
    assert run("Mira：)")[0] == ")"


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Mira: hello there**", "**hello there**"),
        ("*Mira: waves* hi", "*waves* hi"),
        ("**Mira:** **hello**", "**hello**"),
        ("**Mira:**\nhello", "hello"),
        ("**Mira: ** hello", "hello"),
        ("**Mira: Mira: hello**", "**hello**"),
        ("**Mira:\nhello**", "**hello**"),
        ("**Mira:***waves*", "*waves*"),
        ("**Mira:", ""),
        ("hi\n**Mira: hello**\nyo", "hi\n**hello**\nyo"),
    ],
)
def test_emphasis_around_more_than_the_label_stays_whole(text, shown, size):
    assert run(text, size)[0] == shown


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "```\nRen: x\nMira: y\n```",
        "````md\n```\nRen: x\n```\n````\nok",
        "see ```py\nRen: x\nMira: y",
        "see ```py\nMira: y\n``` and\nok",
        "Look: ``` `` \n<think>x</think>\n```",
    ],
)
def test_fenced_code_is_shown_as_it_is(text, size):
    assert run(text, size)[0] == text


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize("code", ["~~~", "```x```", "a ```x``` b ```y```", "``x", "```\nx\n```", "```x\ny```", "```\n````"])
def test_behind_what_is_no_open_fence_labels_count(code, size):
    assert run(f"{code}\nRen: yo", size)[0] == code
    assert run(f"{code}\nMira: yo", size)[0] == f"{code}\nyo"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize(
    "label",
    ["Zoé:", "ZOÉ:", "Ren  Ito:", "Ren \t Ito:", "REN\u00a0ito :", "nguyệt:", "Nguye\u0302\u0323t:", "Nguyê\u0323t:", "Nguyẹ\u0302t:"],
)
def test_names_are_known_in_every_form(label, form, size):
    label = label if "\u0323" in label else unicodedata.normalize(form, label)
    assert run(f"hi\n{label} yo", size)[0] == "hi"
    assert Segmenter([], [unicodedata.normalize(form, "Zoé")]).feed("Zoé: yo") == ()


def test_an_own_name_in_another_form_is_removed_and_nothing_more():
    assert run("Jose\u0301: e\u0301e\u0301")[0] == "e\u0301e\u0301"
    assert run("Jose: hi")[0] == "Jose: hi"
    assert run("Ren\u0301: hi")[0] == "Ren\u0301: hi"
    assert run("Zoe\u0301\u0301: hi")[0] == "Zoe\u0301\u0301: hi"


def test_a_person_who_is_named_like_the_speaker_is_somebody_else():
    assert run("hi\nMira (person): yo")[0] == "hi"
    assert run("hi\nMira (smiling): yo")[0] == "hi\nyo"


@pytest.mark.parametrize("text", ["Ren: I take over", "**Ren:** I", "  Ann: hm", "Mira: Ren: yo", "<think>x</think>Ren: yo"])
def test_a_reply_that_begins_as_somebody_else_is_known_before_anything_is_shown(text):
    shown, machine = run(text)
    assert (shown, machine.begins_as_other, machine.is_over) == ("", True, True)
    again, machine = run(text, strip_foreign_opening=True)
    assert again == text.split(":")[-1].removeprefix("**").strip()
    assert not machine.begins_as_other


def test_only_the_opening_is_forgiven():
    assert run("Ren: yes\nRen: more", strip_foreign_opening=True)[0] == "yes"


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{NOTE}\nhello\n{NOTE}", "hello"),
        (f"{NOTE.upper()} hello", "hello"),
        ("## Bot Persona\nhello", "hello"),
        ("\n### bot persona:\n\n**Conversation**\nMira: hello", "hello"),
        ("## Conversation\n## Bot Persona", ""),
        ("## Conversation starters\nhello", "## Conversation starters\nhello"),
        ("hello\n## Conversation\nmore", "hello\n## Conversation\nmore"),
        ("```\n## Bot Persona\n```", "```\n## Bot Persona\n```"),
        ("</think>\nhello", "hello"),
        ("hello</think> there", "hello there"),
        ("hello\n</THINKING>\nthere", "hello\n\nthere"),
        ("say `</think>` aloud", "say `</think>` aloud"),
        ("```\nx</think>\n```", "```\nx</think>\n```"),
        ("a </thin> b", "a </thin> b"),
        ("hello\n<think>hm\nRen: x</think> there", "hello\nthere"),
    ],
)
def test_pieces_of_the_prompt_and_marks_of_thoughts_are_not_shown(text, shown, size):
    assert run(text, size, echoes=ECHOES)[0] == shown


def test_an_endless_reply_is_cut():
    shown, machine = run("word " * 100, most_characters=33)
    assert len(shown) == 33
    assert machine.is_over


@pytest.mark.parametrize("size", [1, 500])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<think>" + "hm " * 400, ""),
        ("hi <b>\n<think>" + "hm " * 400, "hi <b>"),
        ("\n" * 1001 + "hi", ""),
        (" " * 1001 + "hi", ""),
        ("hi" + "\n" * 1001 + "there", "hi"),
        ("hi\n" + " " * 1001 + "there", "hi"),
        ("Mira: \n" * 200 + "hi", ""),
        (f"{NOTE}\n" * 30 + "hi", ""),
        ("</think>" * 200 + "hi", ""),
        ("x" + "</think>" * 200 + "hi", "x"),
    ],
)
def test_a_reply_that_shows_nothing_without_end_is_over(text, shown, size):
    found, machine = run(text, size, most_characters=1000, echoes=ECHOES)
    assert (found, machine.is_over) == (shown, True)
    # Near the limit the last characters wait, and here nothing comes that they could wait for.
    assert machine.finish() == ()


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("character", ["👩\u200d👩\u200d👧", "e\u0301", "🇩🇪", "\u1100\u1161\u11a8", "\r\n."])
@pytest.mark.parametrize("most", [5, 99, 100, 101, 102, 103, 104])
def test_the_limit_cuts_no_character(character, most, size):
    text = "x" + character * 100
    shown, machine = run(text, size, most_characters=most)
    assert text.startswith(shown)
    assert len(shown) in boundaries(text)
    assert most - len(character) <= len(shown) <= most
    assert machine.is_over


def test_what_no_database_takes_is_mended():
    assert run("a\x00b\ud83d\ude00c\ud83d")[0] == "ab😀c\ufffd"
    assert run("Mi\x00ra: hi", 1000)[0] == "hi"
    assert run("hi\nR\x00en: hi")[0] == "hi"
    assert Segmenter(["\ud800"], ["\ud800x"]).feed("hi") == ("hi",)


def test_text_is_shown_as_soon_as_it_is_safe():
    machine = Segmenter(OWN, OTHERS)
    assert machine.feed("He") == ("He",)
    assert machine.feed("llo ") == ("llo",)
    assert machine.feed("there\nRe") == (" there",)
    assert machine.feed("d apples") == ("\nRed apples",)


PIECES = [" ", "\n", "\u00a0", "`", "x", "*", "<", "\u0301", "(", "Mira:", "**Mira: ", "Ren", "</think", "<think>", "<think>x", NOTE[:9]]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("start", ["", "hi", "hi\n", "Mira (", "<think>"])
def test_no_text_that_is_looked_at_again_grows_with_the_stream(start, piece):
    """Each feed may look again at what is held. Were that to grow, a stream would cost the square of its length."""
    machine = Segmenter(OWN, OTHERS, echoes=ECHOES)
    machine.feed(start)
    longest = 0
    for _ in range(2_000):
        machine.feed(piece)
        longest = max(longest, *(len(value) for value in held_by(machine)))
        if machine.is_over:
            break
    assert longest < 500


def held_by(thing):
    """All texts that a machine and its parts hold as one piece."""
    for value in vars(thing).values():
        if isinstance(value, str):
            yield value
        elif type(value).__name__ == "Spoken":
            yield from held_by(value)


SCRAPS = [
    "Mira: ",
    "Ren:",
    "Ren :)",
    "*Mira:",
    "エリ：",
    "Zoe",
    "ZOÉ:",
    "Re",
    "Mi",
    ":",
    "hi",
    "é",
    "e",
    "\u0301",
    "👩‍👧",
    "🇩",
    "\ud83d",
    "\x00",
]
SCRAPS += ["\n", "\n\n", "\r", "\u2028", " ", "```", "~~~~", "`", "**", "<think>", "</think>", "## Bot Persona", NOTE, NOTE[:9], "(", ")"]
TEXTS = st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join)


@given(text=TEXTS, cuts=st.lists(st.integers(1, 5), min_size=1, max_size=10), most=st.sampled_from([7, 30, 90, 16_000]))
def test_how_the_stream_is_cut_makes_no_difference(text, cuts, most):
    whole, other = run(text, 10_000, most_characters=most, echoes=ECHOES)
    machine, shown, place, turn = Segmenter(OWN, OTHERS, most_characters=most, echoes=ECHOES), "", 0, 0
    while place < len(text) and not machine.is_over:
        size = cuts[turn % len(cuts)]
        shown += text_of(machine.feed(text[place : place + size]))
        place, turn = place + size, turn + 1
    shown += text_of(machine.finish())
    assert (shown, machine.begins_as_other, machine.is_over) == (whole, other.begins_as_other, other.is_over)


@given(text=TEXTS)
def test_what_is_shown_was_said_in_this_order(text):
    # What emphasises a label that ends its line emphasises the line below.
    shown = iter(regex.sub(r"[*\ufffd]", "", run(text, echoes=ECHOES)[0]))
    rest = iter(text)
    assert all(any(char == said for said in rest) for char in shown)


@given(text=TEXTS)
def test_fences_are_those_of_the_text_that_is_shown(text):
    shown = run(text, echoes=ECHOES)[0]
    in_code = [range(block.start, block.end) for block in fences(shown)]
    labels = [place for place in range(len(shown)) if shown.startswith(("Ren: ", "エリ："), place)]
    starts = [place for place in labels if shown[:place].rstrip(" ")[-1:] in ("\n", "")]
    assert [start for start in starts if not any(start in block for block in in_code)] == []
