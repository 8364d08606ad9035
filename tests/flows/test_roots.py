"""How a person's message ended, told once, when nothing more can come of it."""

import pytest

from coterie.domain.ids import LOCAL, MessageId, UserId, WorkspaceId
from coterie.flows.roots import Over, Roots
from coterie.ports.stores import TurnStatus as S

ROOT, OTHER = MessageId("1"), MessageId("2")
ANN, BEN = UserId("ann"), UserId("ben")
GUILD = WorkspaceId("discord:1")


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
    roots.open(ROOT, LOCAL, ANN, len(ends))
    if spoke:
        roots.spoke(ROOT)
    over = [roots.done(ROOT, end) for end in ends]
    told = [None if one is None else one.status.value for one in over]
    assert told == [None] * (len(ends) - 1) + [status]
    assert roots.done(ROOT) is None


def test_a_chain_keeps_its_root_open():
    roots = Roots()
    roots.open(ROOT, LOCAL, ANN)
    roots.expect(ROOT, 2)
    assert roots.done(ROOT) is None
    assert roots.done(ROOT, S.SILENT) is None
    roots.expect(ROOT, 1)
    roots.took_unit(ROOT)
    assert roots.done(ROOT, S.SILENT) is None
    assert roots.done(ROOT, S.SILENT) == Over(S.SILENT, has_unit=True)


def test_what_is_under_way_is_counted_by_person_and_by_workspace():
    roots = Roots()
    roots.open(ROOT, GUILD, ANN)
    roots.open(OTHER, GUILD, BEN)
    roots.expect(ROOT, 2)
    assert (roots.of_person(ANN), roots.of_person(BEN), roots.in_workspace(GUILD), roots.in_workspace(LOCAL)) == (1, 1, 4, 0)
    for _ in range(3):
        roots.done(ROOT)
    assert (roots.of_person(ANN), roots.of_person(BEN), roots.in_workspace(GUILD)) == (0, 1, 1)
    roots.done(OTHER)
    assert (roots.of_person(BEN), roots.in_workspace(GUILD)) == (0, 0)
