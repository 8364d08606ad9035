"""Macros of cards, bound to the persona whose text it is."""

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
        ("{{roll:d0}} {{roll:x}}", "{{roll:d0}} {{roll:x}}"),
        ("{{random:a\\,b}}", "a,b"),
        ("{{char", "{{char"),
    ],
)
def test_each_is_replaced_once(text, expanded):
    assert expand(text, BOUND) == expanded


def test_what_is_inserted_is_not_read_again():
    assert expand("{{user}} and {{char}}", Bindings("{{user}}", "{{char}}")) == "{{char}} and {{user}}"


@pytest.mark.parametrize("text", ["{{random:a,b,c}}", "{{random::a::b::c}}", "{{pick:a, b ,c}}"])
def test_chance_takes_one_of_the_options(text):
    values = {expand(text, Bindings("M", "A", seed="s", turn=str(turn))) for turn in range(60)}
    assert values <= {"a", "b", "c"}
    assert len(values) == (1 if "pick" in text else 3)


def test_dice_stay_in_their_range():
    rolls = {int(expand("{{roll:d6}}", Bindings("M", "A", turn=str(turn)))) for turn in range(200)}
    assert rolls == set(range(1, 7))
