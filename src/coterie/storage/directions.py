"""How a turn is to be played, as JSON, both ways."""

from collections.abc import Mapping
from dataclasses import asdict

from coterie.domain.conversation import Direction


def direction_row(direction: Direction | None) -> dict[str, str] | None:
    """What is given of a direction; one that gives nothing is still a direction."""
    return None if direction is None else {name: text for name, text in asdict(direction).items() if text}


def to_direction(row: Mapping[str, str] | None) -> Direction | None:
    """The direction of a row."""
    return None if row is None else Direction(**row)
