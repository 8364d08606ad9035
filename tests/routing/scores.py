"""How well a router does on the set, beside what is expected."""

from collections.abc import Sequence
from dataclasses import dataclass

from routing.baselines import Router
from routing.cases import Case
from routing.oracle import expected


@dataclass(frozen=True)
class Score:
    """Counts over all cases; the last three count personas, not cases."""

    cases: int
    exact: int
    order_errors: int
    unasked: int
    missed: int

    @property
    def accuracy(self) -> float:
        """The share of cases in which the list is exactly right, order and all."""
        return self.exact / self.cases


def score(router: Router, cases: Sequence[Case]) -> Score:
    """Run a router over the cases."""
    exact = order_errors = unasked = missed = 0
    for case in cases:
        right = [number for number, _ in expected(case).turns]
        given = router(case)
        exact += given == right
        order_errors += given != right and sorted(given) == sorted(right)
        unasked += len(set(given) - set(right))
        missed += len(set(right) - set(given))
    return Score(len(cases), exact, order_errors, unasked, missed)
