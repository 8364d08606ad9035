"""Every tool, in the order in which models see them."""

from coterie.ports.tools import Tool
from coterie.tools.clock import Clock

TOOLS: tuple[Tool, ...] = (Clock(),)
