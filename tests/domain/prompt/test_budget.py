"""What is dropped when a prompt does not fit, and what never is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.personas.persona import SampleDialogue
from coterie.domain.prompt.budget import Budget, PersonaTooLarge, fit
from coterie.domain.prompt.compose import compose
from domain.prompt.making import ANN, BRAM, JO, SCENE, message, scene

TRIGGER = message(99, ANN, "bram, are you there?")


def words(text):
    return len(text.split())


def long_scene(lines):
    history = tuple(message(number, JO, f"line {number} has some words in it") for number in range(lines))
    return scene(history=(*history, TRIGGER), trigger=TRIGGER)


def shown(prompt):
    return "\n".join(piece.text for piece in prompt.pieces)


def test_the_oldest_history_goes_first_then_the_examples():
    composed = compose(long_scene(50))
    base = words(composed.system) + 200
    roomy, small = (fit(composed, Budget(base + window, 10, words)) for window in (300, 20))
    assert "line 49 " in shown(roomy)
    assert "line 0 " not in shown(roomy)
    assert "Guest" in shown(roomy)
    assert "Guest" not in shown(small) or "line 0 " not in shown(small)
    for prompt in (roomy, small):
        assert prompt.system == composed.system
        assert "bram, are you there?" in shown(prompt)


def talkative(count):
    dialogues = tuple(SampleDialogue(f"question {number}", f"answer {number}") for number in range(count))
    return replace(BRAM, content=replace(BRAM.content, sample_dialogues=dialogues))


@pytest.mark.parametrize(("free", "first"), [(900, 0), (206, 16), (106, 18), (40, None)])
def test_examples_go_one_by_one_the_oldest_first(free, first):
    """Half of what the persona leaves free is theirs; each takes 21 words."""
    composed = compose(scene(speaker=talkative(20)))
    prompt = fit(composed, Budget(words(composed.system) + 82 + free, 10, words))
    kept = [number for number in range(20) if f"Guest: question {number}" in [piece.text for piece in prompt.pieces]]
    assert kept == ([] if first is None else list(range(first, 20)))
    assert [f"answer {number}" in shown(prompt) for number in kept] == [True] * len(kept)


def test_examples_do_not_depend_on_what_was_said_since():
    def kept(lines):
        composed = compose(replace(long_scene(lines), speaker=talkative(20)))
        return [piece.text for piece in fit(composed, Budget(400, 10, words)).pieces if "Guest" in piece.text]

    assert kept(0) == kept(5) == kept(50)
    assert 0 < len(kept(0)) < 20


def test_a_history_that_begins_with_an_own_line_does_not_run_into_the_examples():
    own = message(1, BRAM, "I dig.")
    pieces = [piece.text for piece in fit(compose(scene(history=(own, TRIGGER), trigger=TRIGGER)), Budget(1000, 10, words)).pieces]
    assert pieces[1:4] == ["Bram nods", "(Earlier lines are left out.)", "I dig."]


@pytest.mark.parametrize("character", ["👨\u200d👩\u200d👧", "e\u0301", "🇩🇪"])
@pytest.mark.parametrize("window", range(300, 320))
def test_a_message_is_shortened_between_characters(character, window):
    trigger = message(1, ANN, character * 2000)
    composed = compose(scene(history=(trigger,), trigger=trigger))
    prompt = fit(composed, Budget(window, 10, lambda text: len(text) // 6))
    head, _, tail = prompt.pieces[-1].text.partition("\n[… left out: the message is too long for this model …]\n")
    assert head.removeprefix("Ann: ") == character * (len(head.removeprefix("Ann: ")) // len(character))
    assert tail == character * (len(tail) // len(character))
    assert tail


def test_a_message_of_100_kilobytes_is_shortened_in_its_middle():
    trigger = message(1, ANN, "bram, start " + "x y " * 25_000 + "finish")
    composed = compose(scene(history=(trigger,), trigger=trigger))
    prompt = fit(composed, Budget(2000, 200, words))
    assert sum(words(piece.text) + 8 for piece in prompt.pieces) + words(prompt.system) <= 2000 - 200
    assert "Ann: bram, start" in shown(prompt)
    assert "left out: the message is too long" in shown(prompt)
    assert shown(prompt).rstrip().endswith("finish")


def test_a_persona_that_fills_the_model_is_one_sentence():
    with pytest.raises(PersonaTooLarge, match=r"of 1,000 tokens nothing is left for talk\.$"):
        fit(compose(scene(role="word " * 2000)), Budget(1000, 100, words))


@given(lines=st.lists(st.tuples(st.sampled_from(["ann", "bram", "jo"]), st.integers(1, 30)), max_size=30), window=st.integers(250, 900))
def test_what_is_shown_fits_and_alternates(lines, window):
    speakers = {"ann": ANN, "bram": BRAM, "jo": JO}
    history = tuple(message(number, speakers[who], "w " * size) for number, (who, size) in enumerate(lines))
    composed = compose(replace(SCENE, history=(*history, TRIGGER), trigger=TRIGGER))
    prompt = fit(composed, Budget(window, 50, words))
    sides = [piece.is_own for piece in prompt.pieces]
    assert sides == [index % 2 == 1 for index in range(len(sides))]
    assert sides[-1] is False
    assert words(prompt.system) + sum(words(piece.text) for piece in prompt.pieces) <= window - 50
    assert "bram, are you there?" in shown(prompt)
