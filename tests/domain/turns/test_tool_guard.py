"""A turn that calls tools without end is stopped, whatever its way of doing so."""

import pytest

from coterie.domain.turns.tool_guard import MOST_ROUNDS, FinishedCall, ToolGuard

CLOCK = FinishedCall("clock", {}, "noon")


def run(calls):
    """The call at which the guard stops, counted from 1, and what it says; or nothing."""
    guard = ToolGuard()
    for number, call in enumerate(calls, 1):
        sentence = guard.round_begins() or guard.finished(call)
        if sentence:
            return number, sentence
    return None


@pytest.mark.parametrize(
    ("calls", "stops_at", "words"),
    [
        ([CLOCK] * 5, 3, "3 times with the same arguments"),
        ([FinishedCall("clock", {"n": n}, f"{n}") for n in range(20)], MOST_ROUNDS + 1, f"{MOST_ROUNDS} rounds"),
        ([FinishedCall("clock", {"n": n}, "no such zone", is_error=True) for n in range(9)], 3, "failed 3 times in the same way"),
        ([FinishedCall("nope", {"n": n}, "unknown", is_error=True, is_unknown=True) for n in range(9)], 2, "no such tool"),
    ],
)
def test_it_ends_a_turn_that_goes_round_in_circles(calls, stops_at, words):
    number, sentence = run(calls)
    assert number == stops_at
    assert words in sentence


def test_different_calls_and_different_results_are_fine():
    calls = [CLOCK, CLOCK, FinishedCall("clock", {}, "one"), CLOCK, FinishedCall("clock", {}, "bad", is_error=True), CLOCK, CLOCK]
    assert run(calls) is None
