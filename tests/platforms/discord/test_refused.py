import pytest

from coterie.platforms.discord.refused import REMEMBERED_FOR, WARNED_EVERY, RefusedSends, Way
from coterie.platforms.discord.webhook_errors import Refusal
from coterie.ports.webhooks import ChannelId

HERE, THERE = ChannelId(1), ChannelId(2)


ALTER, MAIN = (Way.WEBHOOK, Way.BOT), (Way.BOT,)


@pytest.mark.parametrize(
    ("way", "reason", "alter_too"),
    [
        (Way.BOT, Refusal.MAY_NOT_WRITE, False),
        (Way.BOT, Refusal.NO_DIRECT_MESSAGES, False),
        (Way.BOT, Refusal.NO_ACCESS, True),
        (Way.BOT, Refusal.CHANNEL_GONE, True),
        (Way.WEBHOOK, Refusal.NO_ACCESS, True),
        (Way.WEBHOOK, Refusal.CHANNEL_GONE, True),
    ],
)
def test_a_lasting_refusal_is_remembered_for_a_quarter_of_an_hour(way, reason, alter_too):
    sends = RefusedSends()
    assert sends.refused(HERE, way, reason, now=100.0)
    assert sends.why_not(HERE, MAIN, now=100.0) is reason
    assert sends.why_not(HERE, ALTER, now=100.0) is (reason if alter_too else None)
    assert sends.why_not(HERE, MAIN, now=99.9 + REMEMBERED_FOR) is reason
    assert sends.why_not(HERE, MAIN, now=100.0 + REMEMBERED_FOR) is None
    assert sends.why_not(THERE, MAIN, now=100.0) is None


@pytest.mark.parametrize("reason", [Refusal.MISSING_PERMISSION, Refusal.TOO_MANY_HERE, Refusal.WEBHOOK_VANISHES])
def test_without_a_webhook_an_alter_is_heard_as_long_as_the_bot_is(reason):
    sends = RefusedSends()
    assert sends.refused(HERE, Way.WEBHOOK, reason, now=0.0)
    assert sends.why_not(HERE, ALTER, now=0.0) is None
    sends.refused(HERE, Way.BOT, Refusal.MAY_NOT_WRITE, now=1.0)
    assert sends.why_not(HERE, ALTER, now=1.0) is Refusal.MAY_NOT_WRITE
    assert sends.why_not(HERE, ALTER, now=REMEMBERED_FOR) is None
    assert sends.why_not(HERE, MAIN, now=REMEMBERED_FOR) is Refusal.MAY_NOT_WRITE


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("reason", [Refusal.BUSY, Refusal.UNREACHABLE, Refusal.MESSAGE, Refusal.FILTERED, Refusal.THREAD_CLOSED])
def test_what_will_pass_is_not_remembered(way, reason):
    sends = RefusedSends()
    assert not sends.refused(HERE, way, reason, now=0.0)
    assert sends.why_not(HERE, MAIN, now=0.0) is None


def test_a_success_mends_what_was_refused():
    sends = RefusedSends()
    for channel in (HERE, THERE):
        sends.refused(channel, Way.BOT, Refusal.MAY_NOT_WRITE, now=0.0)
    sends.succeeded(HERE, Way.BOT)
    assert sends.why_not(HERE, MAIN, now=1.0) is None
    assert sends.why_not(THERE, MAIN, now=1.0) is Refusal.MAY_NOT_WRITE


def test_a_success_of_a_webhook_mends_the_channel_but_not_the_bots_own_right_to_write():
    sends = RefusedSends()
    sends.refused(HERE, Way.BOT, Refusal.NO_ACCESS, now=0.0)
    sends.refused(THERE, Way.BOT, Refusal.MAY_NOT_WRITE, now=0.0)
    for channel in (HERE, THERE):
        sends.succeeded(channel, Way.WEBHOOK)
    assert sends.why_not(HERE, MAIN, now=1.0) is None
    assert sends.why_not(THERE, MAIN, now=1.0) is Refusal.MAY_NOT_WRITE


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
        sends.refused(ChannelId(number), Way.BOT, Refusal.MAY_NOT_WRITE, now=0.0)
        sends.may_warn(ChannelId(number), now=0.0)
    sends.refused(ChannelId(9_999), Way.BOT, Refusal.MAY_NOT_WRITE, now=REMEMBERED_FOR)
    sends.may_warn(ChannelId(9_999), now=REMEMBERED_FOR)
    assert [len(times) for times in vars(sends).values()] == [1, 1]
