"""How a person's message ended, told once, when nothing more can come of it."""

import pytest

from coterie.domain.ids import MessageId
from coterie.flows.roots import Roots
from coterie.ports.stores import TurnStatus as S

ROOT = MessageId("1")


@pytest.mark.parametrize(
    ("ends", "spoke", "status"),
    [
        ([None], False, "silent"),
        ([S.SILENT, S.SILENT], False, "silent"),
        ([S.ANSWERED, S.FAILED], True, "answered"),
        ([S.STOPPED, S.FAILED, S.SUPERSEDED], False, "failed"),
        ([S.SUPERSEDED, S.STOPPED], False, "stopped"),
        ([S.SUPERSEDED, S.SILENT], False, "superseded"),
        ([S.STOPPED], True, "answered"),
    ],
)
def test_the_end_is_told_once_with_the_best_news_first(ends, spoke, status):
    roots = Roots()
    roots.expect(ROOT, len(ends))
    if spoke:
        roots.spoke(ROOT)
    told = [roots.done(ROOT, end) for end in ends]
    assert told == [None] * (len(ends) - 1) + [status]
    assert roots.done(ROOT) is None


def test_a_chain_keeps_its_root_open():
    roots = Roots()
    roots.expect(ROOT)
    roots.expect(ROOT, 2)
    assert roots.done(ROOT) is None
    assert roots.done(ROOT, S.SILENT) is None
    roots.expect(ROOT)
    assert roots.done(ROOT, S.SILENT) is None
    assert roots.done(ROOT, S.SILENT) == "silent"
