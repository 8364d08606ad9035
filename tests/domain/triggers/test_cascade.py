"""The counter of a channel (specification 000, "Mental Model: Trigger Counter")."""

from datetime import UTC, datetime, timedelta

import pytest

from coterie.domain.triggers.cascade import Cascade

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def test_the_first_is_free_and_three_more_may_follow_it():
    cascade, rooms = Cascade(), []
    for _ in range(5):
        rooms.append(cascade.room(3))
        cascade = cascade.activated(NOON)
    assert rooms == [4, 3, 2, 1, 0]


@pytest.mark.parametrize(("limit", "total"), [(0, 1), (1, 2), (3, 4), (10, 11)])
def test_the_total_of_a_session(limit, total):
    assert Cascade().room(limit) == total


def test_a_lowered_limit_leaves_no_room_rather_than_less_than_none():
    assert Cascade(5).room(2) == 0


def test_a_person_starts_a_new_session():
    assert Cascade().activated(NOON, 4).spoken_to() == Cascade()


@pytest.mark.parametrize(("minutes", "count"), [(0, 4), (29, 4), (30, 4), (31, 0), (600, 0)])
def test_more_than_half_an_hour_without_an_activation_starts_anew(minutes, count):
    assert Cascade().activated(NOON, 4).at(NOON + minutes * MINUTE).count == count


def test_activations_keep_a_session_alive():
    cascade = Cascade().activated(NOON).activated(NOON + 20 * MINUTE)
    assert cascade.at(NOON + 49 * MINUTE).count == 2
    assert cascade.activated(NOON + 60 * MINUTE) == Cascade(1, NOON + 60 * MINUTE)
