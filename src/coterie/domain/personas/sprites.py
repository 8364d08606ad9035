"""Sprites of a persona: named pictures that it wears for single lines (specification 000). What else a line can wear is in `speech`."""

import re
from dataclasses import dataclass

from coterie.domain.personas.naming import name_key

MOST_SPRITES = 50
"""Of one persona (specification 000)."""

MOST_SHOWN = 20
"""Of how many a prompt tells (specification 000)."""

MOST_NAME = 64
"""Characters that a label in parentheses may have."""

MOST_INSTRUCTIONS = 500

_NO_LABEL = re.compile("[()（）:：\n\r]")


@dataclass(frozen=True, slots=True)
class Sprite:
    """One of them. `picture` is a path below `/v1/avatars/`; `instructions` say when it is meant to be used.

    One that `is_identity` shows its name in front of the persona's, as a member of a system does; models are not told which do.
    """

    name: str
    picture: str
    instructions: str = ""
    is_identity: bool = False

    @property
    def key(self) -> str:
        """What makes two sprites of one persona the same."""
        return sprite_key(self.name)


def sprite_key(name: str) -> str:
    """The key of a label: no matter its case, width and blanks (specification 000)."""
    return "".join(name_key(name).split())


def is_label(name: str) -> bool:
    """Whether a name can stand in parentheses behind a speaker's (the grammar of copied rendering)."""
    return 0 < len(name) <= MOST_NAME and bool(sprite_key(name)) and not _NO_LABEL.search(name)
