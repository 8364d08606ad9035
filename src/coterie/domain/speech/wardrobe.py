"""What the lines of one turn can wear: sprites of the speaker, the looks of others. How a label is found in a text is in `openings`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from coterie.domain.conversation import Appearance, Person, Worn
from coterie.domain.personas.naming import name_key
from coterie.domain.personas.persona import Persona
from coterie.domain.personas.sprites import Sprite, is_label, sprite_key


@dataclass(frozen=True, slots=True)
class Wardrobe:
    """Sprites by key, and by the key of each name whose looks it stands for: more than one look of a name is none."""

    sprites: Mapping[str, Sprite] = field(default_factory=dict)
    others: Mapping[str, frozenset[Appearance]] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    """All that can be worn, as written by people."""

    @classmethod
    def of(cls, speaker: Persona, others: Iterable[Persona], people: Iterable[Person]) -> Self:
        """What the speaker can wear among these personas, and people who are users of the platform (their ids are numbers)."""
        sprites = {sprite.key: sprite for sprite in speaker.sprites}
        looks = [(name, _copy(Worn.PERSONA, other.name, other.id)) for other in others for name in (other.name, str(other.handle))]
        newest = {person.id: person for person in people if person.id.isdecimal()}
        looks += [(person.name, _copy(Worn.PERSON, person.name, person.id)) for person in newest.values()]
        by_key: dict[str, frozenset[Appearance]] = {}
        for name, look in looks:
            key = name_key(name)
            by_key[key] = by_key.get(key, frozenset()) | {look}
        written = [*(sprite.name for sprite in sprites.values()), *(name for name, _ in looks)]
        return cls(sprites, by_key, tuple(sorted({name for name in written if is_label(name)})))

    def wear(self, label: str) -> Appearance | None:
        """The appearance that a label asks for, in the order of specification 000; nothing where the line stays plain.

        Whether the picture of a sprite can be shown is not known here; where it cannot, nothing else takes its place.
        """
        if sprite := self.sprites.get(sprite_key(label)):
            return Appearance(Worn.IDENTITY if sprite.is_identity else Worn.SPRITE, sprite.name, sprite.picture)
        found = self.others.get(name_key(label), frozenset())
        return next(iter(found)) if len(found) == 1 else None


def _copy(kind: Worn, name: str, identity: object) -> Appearance:
    return Appearance(kind, name, str(identity))
