"""Every plan of the decision table is exactly the one that the specification asks for, with the reason of everyone who stays silent."""

import hashlib
from collections import Counter
from itertools import combinations

import pytest

from coterie.domain.turns.gates import UNFUNDED
from coterie.domain.turns.plan import Reason, Why
from planning.cases import COLUMNS, COUNT, GONE, all_cases
from planning.oracle import expected
from planning.ours import planned

CASES = all_cases()
DIGEST = "c0b7f0a87211893a"
OF_TALK = {Why.TOO_LATE, Why.STOPPED, Why.SUPERSEDED, Why.SYSTEM_NOTE, Why.STORAGE_UNAVAILABLE}
"""Reasons that no plan gives: something happened to a message."""


@pytest.fixture(scope="module")
def answers():
    return [expected(case) for case in CASES]


def test_the_table_is_the_one_that_was_published():
    assert len(CASES) == COUNT
    rows = [(*(getattr(case, name) for name in COLUMNS if name not in ("spotlight", "waiting")),) for case in CASES]
    assert hashlib.sha256("\n".join(map(repr, rows)).encode()).hexdigest()[:16] == DIGEST


def test_every_plan_is_the_one_expected(answers):
    wrong = [(case, answer, got) for case, answer in zip(CASES, answers, strict=True) if (got := planned(case)) != answer]
    assert not wrong, f"{len(wrong)} differ: {wrong[:3]}"


def test_each_two_values_of_any_two_columns_meet():
    # Who is gone can only be one that is speaking.
    values = {name: [repr(getattr(case, name)) for case in CASES if case.subject != GONE] for name in COLUMNS}
    for (one, ones), (other, others) in combinations(values.items(), 2):
        met = set(zip(ones, others, strict=True))
        assert len(met) == len(set(ones)) * len(set(others)), (one, other)
    assert all({getattr(case, name) for case in CASES} == set(column.values) for name, column in COLUMNS.items())


def test_the_table_reaches_every_rule_often_enough(answers):
    reasons = Counter(reason for answer in answers for _, reason in answer.turns)
    whys = Counter(why for answer in answers for why in answer.skipped.values())
    told = Counter(answer.told for answer in answers)
    takes = Counter(answer.takes for answer in answers)
    sizes = Counter(len(answer.turns) for answer in answers)
    # Nobody calls for a welcome.
    assert set(reasons) == set(Reason) - {Reason.WELCOME}
    assert set(whys) == set(Why) - OF_TALK - UNFUNDED
    assert set(told) == {None, "cooldown", "busy-person", "busy-server", "daily-quota", "server-quota"}
    assert len(takes) == 4
    assert min(*reasons.values(), *whys.values(), *told.values(), *takes.values(), *(sizes[size] for size in range(4))) >= 20
