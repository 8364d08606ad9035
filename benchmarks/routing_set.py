"""Prints how ours and two baselines do on the routing set: `uv run python benchmarks/routing_set.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from routing.baselines import by_substring, natural_order
from routing.cases import Case, all_cases
from routing.oracle import expected
from routing.ours import routed
from routing.scores import score


def ours(case: Case) -> list[int]:
    return [number for number, _ in routed(case).turns]


def main() -> None:
    cases = all_cases()
    print(f"{'router':<28}{'exact':>8}{'order':>8}{'unasked':>9}{'missed':>8}")
    for name, router in (("Coterie", ours), ("substring triggers", by_substring), ("SillyTavern natural order", natural_order)):
        result = score(router, cases)
        print(f"{name:<28}{result.accuracy:>8.1%}{result.order_errors:>8}{result.unasked:>9}{result.missed:>8}")
    reasons = sum(routed(case).skipped == expected(case).skipped for case in cases)
    print(f"reasons of everyone silent right in {reasons} of {len(cases)} cases")


if __name__ == "__main__":
    main()
