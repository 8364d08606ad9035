"""How those who join a server are welcomed there, and by whom. Pure."""

from dataclasses import dataclass

from coterie.domain.ids import PersonaId, PlaceId
from coterie.domain.personas.persona import Cast, Persona

MOST_PROMPT = 2_000
"""Characters of what the greeter is to keep in mind."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """In which channel, by which persona (by anybody of the cast where none is named), and what is to be kept in mind."""

    channel: PlaceId
    persona: PersonaId | None = None
    prompt: str = ""

    def greeter(self, cast: Cast, drawn: int) -> Persona | None:
        """Who greets: whoever is named, main where that one was removed, else the one that was drawn. Nobody in an empty cast.

        `drawn` is a number from 0 to less than the cast has personas.
        """
        if self.persona is not None:
            return cast.by_id(self.persona) or cast.main
        return cast.personas[drawn] if cast.personas else None
