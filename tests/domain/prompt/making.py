"""A small house for prompts: three personas, two people, lines as short as can be."""

from dataclasses import replace
from datetime import UTC, datetime

from coterie.domain.conversation import Message, Person, PersonaVoice
from coterie.domain.ids import Handle, MessageId, PersonaId, SessionId, UserId
from coterie.domain.personas.persona import Attribute, Persona, PersonaContent, SampleDialogue
from coterie.domain.prompt.compose import Scene

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANN, JO = Person(UserId("1"), "Ann"), Person(UserId("2"), "Jo")


def persona(number, name, *, role="", attributes=(), dialogues=(), is_alter=True):
    content = PersonaContent(name, role or f"You are {name}.", (name.lower(),), tuple(attributes), tuple(dialogues))
    return Persona(PersonaId(number), Handle(name.lower()), is_alter, content)


ODILE = persona(
    1, "Odile", attributes=[Attribute("Odile hides a key."), Attribute("{bot} keeps the lamp.", is_public=True)], is_alter=False
)
BRAM = persona(
    2,
    "Bram",
    role="{{char}} digs for {{user}}.",
    attributes=[Attribute("Bram's secret."), Attribute("{bot} likes moths, {{char}} does.", is_public=True)],
    dialogues=[SampleDialogue("{{user}} waves", "{{char}} nods")],
)
WREN = persona(3, "Wren", attributes=[Attribute("Wren maps caves.", is_public=True)])


def message(number, author, text, *, root=None):
    speaker = author if isinstance(author, Person) else PersonaVoice(author.id, author.handle, author.name)
    return Message(MessageId(str(number)), SessionId("chat-x"), speaker, text, NOW, root=root)


HELLO = message(1, ANN, "bram and wren, hello")
SCENE = Scene(
    speaker=BRAM,
    identity="bram",
    role=BRAM.content.role,
    others=(ODILE, WREN),
    co_triggered=(WREN,),
    history=(HELLO,),
    trigger=HELLO,
    person="Ann",
)


def scene(**changes):
    return replace(SCENE, **changes)
