"""Under which label each speaker's lines stand, so that no two sides of a scene share one. How a name becomes plain is in `data`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from coterie.domain.conversation import Person, PersonaVoice
from coterie.domain.ids import Handle, PersonaId
from coterie.domain.personas.naming import name_key
from coterie.domain.personas.persona import Persona
from coterie.domain.prompt.data import plain_name


@dataclass(frozen=True, slots=True)
class Names:
    """The names that personas of a scene bear: for each key, whose it is."""

    owners: dict[str, frozenset[PersonaId]]

    @classmethod
    def of(cls, speaker: Persona, identity: str, others: Iterable[Persona], voices: Iterable[PersonaVoice]) -> Self:
        """The names of the speaker, of the other personas, and of those that spoke under another name or are gone."""
        borne = [(name, speaker.id) for name in (speaker.name, identity, speaker.handle)]
        borne += [(name, persona.id) for persona in others for name in (persona.name, persona.handle)]
        borne += [(voice.name, voice.id) for voice in voices]
        owners: dict[str, frozenset[PersonaId]] = {}
        for name, persona in borne:
            key = name_key(plain_name(name))
            owners[key] = owners.get(key, frozenset()) | {persona}
        return cls(owners)

    def label(self, author: Person | PersonaVoice) -> str:
        """The label of whoever says a line."""
        if isinstance(author, PersonaVoice):
            return self.persona(author.id, author.handle, author.name)
        return self.person(author.name)

    def person(self, name: str) -> str:
        """A person's name, told apart from the personas'."""
        plain = plain_name(name)
        return f"{plain} (person)" if name_key(plain) in self.owners else plain

    def persona(self, persona: PersonaId, handle: Handle, name: str) -> str:
        """A persona's name, with its handle where another persona bears that name as well."""
        plain = plain_name(name)
        return f"{plain} ({handle})" if self.owners.get(name_key(plain), frozenset()) - {persona} else plain
