"""Under which name and id a person at this terminal speaks. The API knows people by id alone."""

from dataclasses import dataclass

from coterie.platforms.terminal.plain import shown_name

OWNER_ID = "owner"
OWNER_NAME = "You"
MOST_NAME = 90
"""Characters; the API takes 100 for an id."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person as `/v1/send` takes one."""

    id: str
    name: str

    def as_json(self) -> dict[str, str]:
        """The `user` of `/v1/send`."""
        return {"id": self.id, "name": self.name}


TOO_LONG = f"A name has at most {MOST_NAME} characters."


def is_too_long(name: str) -> bool:
    """Whether nobody can speak under this name."""
    return len(shown_name(name, "")) > MOST_NAME


def speaker(name: str) -> Speaker:
    """The owner for an empty name; a name given by hand is a person of its own, so that two of them are told apart."""
    shown = shown_name(name, "")
    return Speaker(OWNER_ID, OWNER_NAME) if shown in {"", OWNER_NAME} else Speaker(f"as:{shown}", shown)
