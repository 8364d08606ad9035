"""What a bundled character is made of; the characters themselves have a module each."""

from dataclasses import dataclass

from coterie.domain.personas.persona import PersonaContent


@dataclass(frozen=True, slots=True)
class Preset:
    """A bundled character.

    `lineage_id` says for good which character it is (specification 000); ids below 1000 are ours.
    `avatar` is a path below `/v1/avatars/`. All presets share the base word, which the main persona then owns.
    """

    lineage_id: int
    language: str
    is_alter: bool
    content: PersonaContent
    avatar: str
