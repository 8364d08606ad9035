"""What a line wears, as a column of its row, both ways."""

from typing import Any

from coterie.domain.conversation import Appearance, Worn


def appearance_row(appearance: Appearance | None) -> dict[str, Any] | None:
    """As it is kept."""
    return None if appearance is None else {"kind": appearance.kind.value, "label": appearance.label, "face": appearance.face}


def to_appearance(kept: dict[str, Any] | None) -> Appearance | None:
    """What was kept."""
    return None if kept is None else Appearance(Worn(kept["kind"]), kept["label"], kept["face"])
