"""A persona and the cast it belongs to; who owns which trigger word is in `ownership`."""

from dataclasses import dataclass, field

from coterie.domain.ids import Handle, PersonaId, WorkspaceId
from coterie.domain.personas.sprites import Sprite


@dataclass(frozen=True, slots=True)
class Attribute:
    """One ordered fact about a persona; a public one is shown to personas called by the same message (specification 000)."""

    text: str
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class SampleDialogue:
    """An example exchange; an empty `user` means that the persona speaks first (a greeting)."""

    user: str
    bot: str


@dataclass(frozen=True, slots=True)
class PersonaContent:
    """What an owner writes about a persona, and what a preset or a card brings along.

    `role` is the body of its `## Bot Persona` block; `trigger_words` are as stored, before ownership is settled.
    """

    name: str
    role: str = ""
    trigger_words: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    sample_dialogues: tuple[SampleDialogue, ...] = ()


@dataclass(frozen=True, slots=True)
class Persona:
    """A persona as the rest of the code sees it; `avatar` is a path below `/v1/avatars/`, or nothing.

    `effective_trigger_words` are the words it really owns. `revision` rises with each change.
    `model` and `reasoning` override the session's.
    """

    id: PersonaId
    handle: Handle
    is_alter: bool
    content: PersonaContent
    effective_trigger_words: tuple[str, ...] = ()
    avatar: str | None = None
    revision: int = 1
    model: str | None = None
    reasoning: str | None = None
    preset_lineage_id: int | None = None
    sprites: tuple[Sprite, ...] = ()
    """In the order in which they were made."""

    @property
    def name(self) -> str:
        """The shown name."""
        return self.content.name

    @property
    def pictures(self) -> tuple[str, ...]:
        """Every picture of it: its face and its sprites."""
        return (*((self.avatar,) if self.avatar else ()), *(sprite.picture for sprite in self.sprites))


@dataclass(frozen=True, slots=True)
class Cast:
    """The personas of a workspace in load order: main first, then alters by id. `version` changes with any of them."""

    workspace: WorkspaceId
    personas: tuple[Persona, ...] = ()
    version: int = 0
    base_words: tuple[str, ...] = field(default=("coterie", "コテリー"))

    @property
    def main(self) -> Persona | None:
        """The one main persona; nothing in an empty cast."""
        return next((persona for persona in self.personas if not persona.is_alter), None)

    def by_id(self, persona_id: PersonaId) -> Persona | None:
        """The persona with this id, if it is still in the cast."""
        return next((persona for persona in self.personas if persona.id == persona_id), None)

    def shows(self, picture: str) -> bool:
        """Whether anybody here has this picture, as a face or as a sprite: equal pictures are stored once."""
        return any(picture in persona.pictures for persona in self.personas)

    def by_handle(self, handle: str) -> Persona | None:
        """The persona with this handle."""
        return next((persona for persona in self.personas if persona.handle == handle), None)
