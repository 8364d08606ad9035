"""A cast in memory for the flows that bring cards in and out; it can be told to fail."""

from dataclasses import replace

from coterie.domain.ids import LOCAL, PersonaId
from coterie.domain.personas.naming import handle_for, name_key
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.ports.stores import CardOriginal, NameTaken, NotFound

BASE_WORDS = ("coterie", "コテリー")
ODILE = Persona(
    PersonaId(1), "odile", is_alter=False, content=PersonaContent("Odile", trigger_words=("odile",)), avatar="presets/odile.png"
)
BRAM = Persona(PersonaId(2), "bram", is_alter=True, content=PersonaContent("Bram", trigger_words=("bram",)), avatar="presets/bram.png")


class CastsForCards:
    """`ports.stores.Casts` for one workspace. `failure` is raised by the next write instead of writing."""

    def __init__(self, *personas):
        self.personas = list(personas)
        self.originals = {}
        self.failure = None

    async def cast(self, workspace):
        return Cast(workspace, settle(self.personas, BASE_WORDS), len(self.originals), BASE_WORDS)

    async def create(self, workspace, draft):
        if self.failure is not None:
            raise self.failure
        main = next((persona for persona in self.personas if not persona.is_alter), None)
        replaced = None if draft.is_alter else main
        if any(name_key(one.name) == name_key(draft.content.name) for one in self.personas if one is not replaced):
            raise NameTaken(f"There is a persona called {draft.content.name} already.")
        number = PersonaId(replaced.id if replaced else len(self.personas) + 1)
        handle = replaced.handle if replaced else handle_for(draft.content.name, {one.handle for one in self.personas}, number)
        persona = Persona(number, handle, draft.is_alter, draft.content, avatar=draft.avatar)
        self.personas = [one for one in self.personas if one is not replaced] + [persona]
        self.originals.pop(number, None)
        if draft.original is not None:
            self.originals[number] = CardOriginal(draft.original, draft.original_type)
        return (await self.cast(workspace)).by_id(number)

    async def change(self, workspace, handle, content, avatar):
        persona = next((one for one in self.personas if one.handle == handle), None)
        if persona is None:
            raise NotFound(f"There is no persona {handle!r}.")
        self.personas[self.personas.index(persona)] = replace(persona, content=content, avatar=avatar)
        return (await self.cast(workspace)).by_id(persona.id)

    async def original(self, persona):
        return self.originals.get(persona)


def local_cast():
    """Odile, the main persona, and Bram."""
    return CastsForCards(ODILE, BRAM), LOCAL
