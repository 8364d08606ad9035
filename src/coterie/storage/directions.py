"""How a turn is to be played, and where in a server its chain began, as JSON, both ways."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from coterie.domain.access import ELSEWHERE, Standing
from coterie.domain.conversation import Direction
from coterie.domain.ids import PlaceId, RoleId


def direction_row(direction: Direction | None) -> dict[str, str] | None:
    """What is given of a direction; one that gives nothing is still a direction."""
    return None if direction is None else {name: text for name, text in asdict(direction).items() if text}


def to_direction(row: Mapping[str, str] | None) -> Direction | None:
    """The direction of a row."""
    return None if row is None else Direction(**row)


def standing_row(standing: Standing) -> dict[str, Any] | None:
    """What is known of a standing; nothing outside of servers."""
    return {name: value for name, value in asdict(standing).items() if value or value is None} if standing.is_in_server else None


def to_standing(row: Mapping[str, Any] | None) -> Standing:
    """The standing of a row."""
    if row is None:
        return ELSEWHERE
    roles = row.get("roles", ())
    return Standing(
        place=PlaceId(row["place"]),
        parent=PlaceId(row.get("parent", "")),
        roles=None if roles is None else tuple(map(RoleId, roles)),
        manages=row.get("manages", False),
        locale=row.get("locale", ""),
    )
