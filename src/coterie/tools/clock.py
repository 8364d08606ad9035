"""The date and the time, which no language model knows."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from coterie.ports.model import ToolSpec
from coterie.ports.tools import ToolFailed


class Clock:
    """Tells the time in its own time zone, or in another one by its IANA name."""

    def __init__(self, zone: str = "UTC", now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._zone, self._now = zone, now

    @property
    def spec(self) -> ToolSpec:
        """How a model sees it."""
        zone = {"type": "string", "description": f"An IANA time zone such as Europe/Berlin; {self._zone} without it."}
        return ToolSpec(
            name="clock",
            description="The present date, weekday and time.",
            parameters={"type": "object", "properties": {"zone": zone}, "additionalProperties": False},
        )

    async def call(self, arguments: Mapping[str, Any]) -> str:
        """For example `Monday, 2 March 2026, 13:05 (Europe/Berlin)`. Raises `ToolFailed` for a zone that does not exist."""
        name = arguments.get("zone") or self._zone
        try:
            there = self._now().astimezone(ZoneInfo(str(name)))
        except (KeyError, OSError, ValueError) as error:
            # An unknown zone is a KeyError; what is no name at all, or a folder, ends in the other two.
            raise ToolFailed(f"There is no time zone {name!r}.") from error
        return f"{there:%A}, {there.day} {there:%B %Y, %H:%M} ({name})"
