"""Macros of cards, bound to the persona whose text it is."""

import sys

import pytest

from coterie.domain.prompt.macros import Bindings, expand

BOUND = Bindings("Mira", "Ann", seed="mira", turn="t1", original="Be kind.")


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("{{char}} {{CHAR}} <bot> <BOT> <char> {bot} {char}", "Mira Mira Mira Mira Mira Mira Mira"),
        ("{{user}} <USER> {User}", "Ann Ann Ann"),
        ("a{{// a note}}b{{comment: hm}}c", "abc"),
        ("{{reverse:abc}}", "cba"),
        ("{{original}} And {{ char }}.", "Be kind. And Mira."),
        ("{{time}} {{unknown:x}} {other} <b>", "{{time}} {{unknown:x}} {other} <b>"),
        ("{{roll:d0}} {{roll:x}} {{roll:0d6}} {{roll:100d6}}", "{{roll:d0}} {{roll:x}} {{roll:0d6}} {{roll:100d6}}"),
        ("{{random:a\\,b}}", "a,b"),
        ("{{char", "{{char"),
        ("{{char}", "{{char}"),
        ("}} {{", "}} {{"),
        ("{{}}", "{{}}"),
    ],
)
def test_each_is_replaced_once(text, expanded):
    assert expand(text, BOUND) == expanded


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("{{random:{{char}}}}", "Mira"),
        ("{{reverse:{{char}} x}}", "x ariM"),
        ("{{pick:{char}}}", "Mira"),
        ("{{pick:<bot>}}", "Mira"),
        ("{{random:{{pick:{{user}}}}}}", "Ann"),
        ("{{unknown:{{char}}}}", "{{unknown:Mira}}"),
        ("{{char {{user}}", "{{char Ann"),
        ("{{{char}}}", "{{Mira}}"),
        ("{{comment: {{char}} }}x", "x"),
        ("a{{// {x} }}b{{// {x}}}c{{// {{char}} }}d{{// :} ; :{ }}e", "abcde"),
        ("a{{// {{random:x,y}} }}b", "ab"),
    ],
)
def test_macros_may_stand_in_others(text, expanded):
    assert expand(text, BOUND) == expanded


def test_what_is_inserted_is_not_read_again():
    assert expand("{{user}} and {{char}}", Bindings("{{user}}", "{{char}}")) == "{{char}} and {{user}}"
    assert expand("{{random:{{char}}}}", Bindings("Smith, John::{{user}}", "Ann")) == "Smith, John::{{user}}"


@pytest.mark.parametrize("text", ["{{random:a,b,c}}", "{{random::a::b::c}}", "{{pick:a, b ,c}}", "{{random:{{char}},{{reverse:b}},c}}"])
def test_chance_takes_one_of_the_options(text):
    values = {expand(text, Bindings("a", "A", seed="s", turn=str(turn))) for turn in range(60)}
    assert values <= {"a", "b", "c"}
    assert len(values) == (1 if "pick" in text else 3)


@pytest.mark.parametrize(
    ("dice", "sums"),
    [("6", range(1, 7)), ("d6", range(1, 7)), ("1d6", range(1, 7)), ("2d6", range(2, 13)), ("3D2 + 1", range(4, 8)), ("d2-1", range(2))],
)
def test_dice_stay_in_their_range(dice, sums):
    rolls = {int(expand(f"{{{{roll:{dice}}}}}", Bindings("M", "A", turn=str(turn)))) for turn in range(600)}
    assert rolls == set(sums)


@pytest.mark.parametrize("text", ["{{", "{{//", "{{random:", "{{// {a}", "{{reverse:{{", "{a", "}}", "{{a}}}"])
def test_braces_without_end_are_text_at_a_price_that_does_not_explode(text):
    """Each step of the reading takes one brace, however they nest; counted in lines of Python that run."""
    short, long = (steps(text * count) for count in (500, 2000))
    assert long < 5 * short


def steps(text):
    count = 0

    def tracer(frame, event, _):
        nonlocal count
        count += event == "line" and frame.f_globals["__name__"] == "coterie.domain.prompt.macros"
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        expand(text, BOUND)
    finally:
        sys.settrace(before)
    return count
