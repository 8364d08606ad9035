import pytest

from coterie.platforms.discord.refused import REMEMBERED_FOR, WARNED_EVERY, RefusedSends
from coterie.platforms.discord.webhook_errors import Refusal
from coterie.ports.webhooks import ChannelId

HERE, THERE = ChannelId(1), ChannelId(2)


@pytest.mark.parametrize("reason", [50013, 50001, 10003, Refusal.NO_ACCESS, Refusal.CHANNEL_GONE])
def test_a_lasting_refusal_is_remembered_for_a_quarter_of_an_hour(reason):
    sends = RefusedSends()
    assert sends.refused(HERE, reason, now=100.0)
    assert not sends.may_send(HERE, now=100.0)
    assert not sends.may_send(HERE, now=99.9 + REMEMBERED_FOR)
    assert sends.may_send(HERE, now=100.0 + REMEMBERED_FOR)
    assert sends.may_send(THERE, now=100.0)


@pytest.mark.parametrize(
    "reason",
    [429, 0, 10015, 50035, 30007, Refusal.MISSING_PERMISSION, Refusal.BUSY, Refusal.UNREACHABLE, Refusal.MESSAGE, Refusal.TOO_MANY_HERE],
)
def test_what_will_pass_is_not_remembered(reason):
    sends = RefusedSends()
    assert not sends.refused(HERE, reason, now=0.0)
    assert sends.may_send(HERE, now=0.0)


def test_a_success_mends_a_channel():
    sends = RefusedSends()
    sends.refused(HERE, 50013, now=0.0)
    sends.refused(THERE, 50013, now=0.0)
    sends.succeeded(HERE)
    assert (sends.may_send(HERE, now=1.0), sends.may_send(THERE, now=1.0)) == (True, False)


def test_people_are_told_once_in_ten_minutes_and_channel():
    sends = RefusedSends()
    assert [sends.may_warn(HERE, now=now) for now in (0.0, 1.0, WARNED_EVERY - 0.1, WARNED_EVERY, WARNED_EVERY + 1)] == [
        True,
        False,
        False,
        True,
        False,
    ]
    assert sends.may_warn(THERE, now=1.0)


def test_what_is_long_past_takes_no_room():
    sends = RefusedSends()
    for number in range(2_001):
        sends.refused(ChannelId(number), 50013, now=0.0)
        sends.may_warn(ChannelId(number), now=0.0)
    sends.refused(ChannelId(9_999), 50013, now=REMEMBERED_FOR)
    sends.may_warn(ChannelId(9_999), now=REMEMBERED_FOR)
    assert [len(times) for times in vars(sends).values()] == [1, 1]
