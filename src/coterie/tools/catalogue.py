"""Every tool, in the order in which models see them."""

from coterie.ports.tools import Tool
from coterie.tools.clock import Clock


def toolbox(zone: str) -> tuple[Tool, ...]:
    """The tools of a conversation in this time zone."""
    return (Clock(zone),)
