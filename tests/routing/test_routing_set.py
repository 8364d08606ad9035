"""The routing set: every list exactly right, with the reason of everyone who stays silent."""

import hashlib
from collections import Counter

import pytest

from routing.baselines import by_substring, natural_order
from routing.cases import COUNT, Case, Member, all_cases
from routing.lexicon import BASE, FILLERS, MARY, NAMES
from routing.oracle import expected
from routing.ours import routed
from routing.scores import score

CASES = all_cases()
DIGEST = "ab8667cda6070abb"


def test_the_set_is_the_one_that_was_published():
    assert len(CASES) == COUNT == 2000
    assert hashlib.sha256("\n".join(map(repr, CASES)).encode()).hexdigest()[:16] == DIGEST


def test_every_case_is_routed_exactly_with_every_reason():
    wrong = [(case.id, case.text, expected(case), got) for case in CASES if (got := routed(case)) != expected(case)]
    assert not wrong


def test_the_set_reaches_every_rule_often_enough():
    answers = [expected(case) for case in CASES]
    reasons = Counter(reason for answer in answers for _, reason in answer.turns)
    whys = Counter(why for answer in answers for why in answer.skipped.values())
    kinds = Counter(piece.kind for case in CASES for piece in case.pieces)
    scripts = Counter(piece.script for case in CASES for piece in case.pieces if piece.kind == "call")
    sizes = Counter(len(answer.turns) for answer in answers)
    assert set(reasons) == {"trigger-word", "replied-to", "mentioned", "always-reply", "chain"}
    assert set(whys) == {"not-called", "match-limit", "cascade-limit", "speaker-itself", "spoke-last", "already-waiting"}
    assert set(kinds) == {"call", "filler", "inside a word", "markup", "directive", "code", "url", "quote", "mention"}
    assert set(scripts) == {"latin", "cyrillic", "arabic", "cjk", "thai", "emoji"}
    assert min(*reasons.values(), *whys.values(), *kinds.values(), *scripts.values(), sizes[0], sizes[1], sizes[2], sizes[3]) >= 40


@pytest.mark.parametrize("filler", [filler for fillers in FILLERS.values() for filler in fillers])
def test_no_filler_holds_a_name(filler):
    assert not [name.word for name in (*NAMES, MARY, *BASE) if name.word.lower() in filler.lower()]


def test_the_baselines_are_far_from_right():
    assert score(by_substring, CASES).accuracy < 0.7
    assert score(natural_order, CASES).accuracy < 0.2


@pytest.mark.parametrize(("members", "speakers"), [(2, 1.25), (4, 2.06), (6, 3.02), (10, 5.0)])
def test_natural_order_throws_its_dice_as_described(members, speakers):
    cast = tuple(Member(number, ()) for number in range(members))
    mean = sum(len(natural_order(Case(number, cast, None, (), "nobody"))) for number in range(4000)) / 4000
    assert mean == pytest.approx(speakers, abs=0.06)
