"""The colours of the terminal: one theme, and a colour for each persona's name. All names reach a contrast of 7:1 on the background."""

from collections.abc import Iterable
from zlib import crc32

from textual.theme import Theme

BACKGROUND = "#14161b"
NAMES: tuple[str, ...] = ("#f2b65a", "#7cc4f0", "#93d67f", "#f29bbd", "#bda9f5", "#66d1bf", "#f2957c", "#d3cb72")
PERSON = "#e6e7ea"
THEME = Theme(
    name="coterie",
    primary="#7cc4f0",
    secondary="#bda9f5",
    accent="#f2b65a",
    warning="#f2b65a",
    error="#ff8a80",
    success="#93d67f",
    foreground="#d9dbe0",
    background=BACKGROUND,
    surface="#1b1e25",
    panel="#232731",
    dark=True,
)


def name_colours(handles: Iterable[str]) -> dict[str, str]:
    """A colour for each persona, in cast order: its own by its handle, or the next one that is free."""
    taken: dict[str, str] = {}
    for handle in handles:
        first = crc32(handle.encode()) % len(NAMES)
        wheel = (*NAMES[first:], *NAMES[:first])
        taken[handle] = next((colour for colour in wheel if colour not in taken.values()), wheel[0])
    return taken
