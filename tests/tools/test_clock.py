"""What a persona is told when it asks for the time."""

from datetime import UTC, datetime

import pytest

from coterie.ports.tools import ToolFailed
from coterie.tools.clock import Clock


def noon() -> datetime:
    return datetime(2026, 3, 2, 12, 5, tzinfo=UTC)


CLOCK = Clock(now=noon)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({}, "Monday, 2 March 2026, 12:05 (UTC)"),
        ({"zone": ""}, "Monday, 2 March 2026, 12:05 (UTC)"),
        ({"zone": "Europe/Berlin"}, "Monday, 2 March 2026, 13:05 (Europe/Berlin)"),
        ({"zone": "Pacific/Kiritimati"}, "Tuesday, 3 March 2026, 02:05 (Pacific/Kiritimati)"),
    ],
)
async def test_it_tells_day_and_time(arguments, answer):
    assert await CLOCK.call(arguments) == answer


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "Europe", "\0", 7])
async def test_a_zone_that_does_not_exist_is_said(zone):
    with pytest.raises(ToolFailed, match="There is no time zone"):
        await CLOCK.call({"zone": zone})


async def test_where_no_zone_is_named_it_is_that_of_the_place():
    clock = Clock("Europe/Rome", noon)
    assert await clock.call({}) == "Monday, 2 March 2026, 13:05 (Europe/Rome)"
    assert await clock.call({"zone": "UTC"}) == "Monday, 2 March 2026, 12:05 (UTC)"
    assert "Europe/Rome without it" in clock.spec.parameters["properties"]["zone"]["description"]
