"""What a persona can do besides talking, as a turn sees it."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from coterie.ports.model import ToolSpec


class ToolFailed(Exception):
    """A tool could not do what it was asked; the text is for the model."""


class Tool(Protocol):
    """One tool."""

    @property
    def spec(self) -> ToolSpec:
        """How the model sees it."""
        ...

    async def call(self, arguments: Mapping[str, Any]) -> str:
        """Do it and return the result as text. Raises `ToolFailed`."""
        ...


Toolbox = Callable[[str], tuple[Tool, ...]]
"""Every tool that can be used anywhere, as it works in the time zone of a conversation."""


def empty(_zone: str) -> tuple[Tool, ...]:
    """No tool at all."""
    return ()
