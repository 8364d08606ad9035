"""Who takes part, with the ids by which tools and mentions name them (specification 000). Where a place gives no ids, nobody is listed."""

from collections.abc import Iterator
from dataclasses import dataclass

from coterie.domain.conversation import SYSTEM, WEBHOOK, Message, Person, PersonaVoice
from coterie.domain.ids import PersonaId, UserId
from coterie.domain.personas.persona import Persona
from coterie.domain.prompt.names import Names

MOST_LISTED = 40


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the place of a conversation offers.

    `can_wear`: a line can have a name and face of its own. `us` is our own account there. `mention` is how a user is mentioned, with `{}`
    for the id; blank where users have no ids.
    """

    can_wear: bool = False
    us: UserId | None = None
    mention: str = ""


def listed(speaker: Persona, main: Persona | None, messages: tuple[Message, ...], names: Names, place: Surroundings) -> list[str]:
    """A line for each participant, the speaker first, then those who spoke last; none where the place has no ids.

    Alters stand under the number of their persona, the speaker among them even if it has not spoken yet; people under their mention; other
    webhooks under their id. Our own account is listed for main, but only as long as no alter takes part.
    """
    if not place.mention:
        return []
    authors = list(dict.fromkeys(message.author for message in reversed(messages)))
    alters = dict(_alters(speaker, main, authors, names))
    lines = [f"- {name} (persona {number})" for number, name in alters.items()]
    if not alters and main is not None and place.us is not None:
        lines.append(f"- {names.persona(main.id, main.handle, main.name)} {place.mention.format(place.us)}")
    people: dict[UserId, str] = {}
    for author in authors:
        if isinstance(author, Person) and author.id not in (SYSTEM.id, place.us):
            people.setdefault(author.id, f"- {names.label(author)} {_named(author.id, place)}")
    return [*lines, *people.values()][:MOST_LISTED]


def _alters(speaker: Persona, main: Persona | None, authors: list[Person | PersonaVoice], names: Names) -> Iterator[tuple[PersonaId, str]]:
    if speaker.is_alter:
        yield speaker.id, names.persona(speaker.id, speaker.handle, speaker.name)
    for author in authors:
        # A persona that was removed has no number any more.
        if isinstance(author, PersonaVoice) and author.id and (main is None or author.id != main.id) and author.id != speaker.id:
            yield author.id, names.label(author)


def _named(user: UserId, place: Surroundings) -> str:
    return f"({user.replace(WEBHOOK, 'webhook ')})" if user.startswith(WEBHOOK) else place.mention.format(user)
