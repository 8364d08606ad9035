"""The limits of a persona's content: refused when edited, shortened and said when imported."""

from dataclasses import replace

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.personas.limits import (
    ATTRIBUTES,
    NAME,
    ROLE,
    SAMPLE_DIALOGUES,
    TRIGGER_WORDS,
    ContentRefused,
    cut,
    fit_content,
    judge_content,
    shorten,
    tidy_content,
    tidy_name,
)
from coterie.domain.personas.persona import Attribute, PersonaContent, SampleDialogue

FULL = PersonaContent(
    name="n" * NAME.length,
    role="r" * ROLE.length,
    trigger_words=tuple(chr(97 + at) * TRIGGER_WORDS.length for at in range(TRIGGER_WORDS.count)),
    attributes=(Attribute("a" * ATTRIBUTES.length),) * ATTRIBUTES.count,
    sample_dialogues=(SampleDialogue("u" * SAMPLE_DIALOGUES.length, "b" * SAMPLE_DIALOGUES.length),) * SAMPLE_DIALOGUES.count,
)


def test_as_much_as_is_allowed_passes():
    judge_content(FULL)
    assert fit_content(FULL) == (FULL, ())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "A persona needs a name with something to see in it."),
        ({"name": "\u200b"}, "A persona needs a name with something to see in it."),
        ({"name": "n" * 81}, "A name can have 80 characters, not 81."),
        ({"name": "a\nb"}, "A name is one line without invisible characters or surplus blanks."),
        ({"name": " a"}, "A name is one line without invisible characters or surplus blanks."),
        ({"name": "a\u202eb"}, "A name is one line without invisible characters or surplus blanks."),
        ({"name": "a\0"}, "The name holds control characters or broken Unicode, which cannot be kept."),
        ({"role": "\ud83d"}, "The role text holds control characters or broken Unicode, which cannot be kept."),
        ({"role": "r" * 16_001}, "A role text can have 16,000 characters, not 16,001."),
        ({"trigger_words": ("a",) * 11}, "A persona can have 10 trigger words, not 11."),
        ({"trigger_words": ("a" * 65,)}, "A trigger word can have 64 characters, not 65."),
        ({"trigger_words": ("",)}, "A trigger word cannot be empty."),
        ({"attributes": (Attribute("a"),) * 11}, "A persona can have 10 attributes, not 11."),
        ({"attributes": (Attribute("a" * 2_001),)}, "An attribute can have 2,000 characters, not 2,001."),
        ({"sample_dialogues": (SampleDialogue("", "b"),) * 16}, "A persona can have 15 sample dialogues, not 16."),
        ({"sample_dialogues": (SampleDialogue("", "b" * 2_001),)}, "A sample dialogue can have 2,000 characters, not 2,001."),
        (
            {"sample_dialogues": (SampleDialogue("u\x1b", "b"),)},
            "The sample dialogue holds control characters or broken Unicode, which cannot be kept.",
        ),
    ],
)
def test_what_is_too_much_or_cannot_be_kept_is_refused_with_a_sentence(change, sentence):
    with pytest.raises(ContentRefused) as refusal:
        judge_content(replace(FULL, **change))
    assert str(refusal.value) == sentence


def test_what_a_person_typed_is_tidied():
    typed = PersonaContent(
        " Zoe\u0308\n Vale ",
        "\r\nA\rkeeper.\0 ",
        ("Zoë", "zoë", "fog, 'Lamp'", ""),
        (Attribute(" tall ", is_public=True), Attribute(" ")),
        (SampleDialogue("hi ", " yes"), SampleDialogue("nobody answers", " ")),
    )
    tidy = PersonaContent(
        "Zoë Vale", "A\nkeeper.", ("zoë", "fog", "lamp"), (Attribute("tall", is_public=True),), (SampleDialogue("hi", "yes"),)
    )
    assert tidy_content(typed) == tidy
    assert tidy_content(tidy) == tidy
    judge_content(tidy)


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("short", 5, "short"),
        ("One.\n\nTwo and more", 12, "One.\n\nTwo…"),
        ("aaaa bbbb cccc dddd. eeee", 24, "aaaa bbbb cccc dddd.…"),
        ("aaaa bbbb cccc dddd eeee", 22, "aaaa bbbb cccc dddd…"),
        ("a" * 30, 10, "a" * 9 + "…"),
        ("👨‍👩‍👧" * 5, 12, "👨‍👩‍👧👨‍👩‍👧…"),
    ],
)
def test_texts_are_shortened_at_a_good_place(text, most, short):
    assert shorten(text, most) == short


TEXT = st.text(st.sampled_from("ab .\n\r\t\0é\u0301👩\u200d🚀美\u202e🇩🇪한"), max_size=60)


@given(TEXT, st.integers(1, 40))
def test_a_cut_is_a_beginning_that_ends_between_graphemes(text, most):
    piece = cut(text, most)
    assert len(piece) <= most
    assert text.startswith(piece)
    ends = {0, *(found.end() for found in regex.finditer(r"\X", text))}
    first = len(regex.match(r"\X|$", text)[0])
    assert first > most or len(piece) in ends or text[: max(end for end in ends if end <= most)].rstrip() == piece


@given(st.builds(PersonaContent, TEXT, TEXT, st.lists(TEXT, max_size=14).map(tuple)), st.integers(1, 400))
def test_whatever_is_fitted_passes_and_fitting_again_changes_nothing(content, times):
    content = replace(content, name=content.name * times or "x", role=content.role * times * 3)
    fitted, _ = fit_content(content)
    assert fit_content(fitted) == (fitted, ())
    if tidy_name(content.name):
        judge_content(fitted)
