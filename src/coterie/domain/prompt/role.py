"""The `## Bot Persona` block: the only place that knows its heading (specification 004)."""

from collections.abc import Iterable

from coterie.domain.personas.persona import Attribute, Persona
from coterie.domain.prompt.data import plain_words
from coterie.domain.prompt.macros import Bindings, expand

HEADING = "## Bot Persona"
DEFAULT_ROLE = "You are a friendly member of this conversation. You answer what was asked, briefly and in your own words."


def effective_role(stored: str, persona: Persona | None = None) -> str:
    """What a speaker really plays: an explicitly set role, else its own text, else the default one."""
    own = persona.content.role if persona is not None else ""
    return next((role for role in (stored, own) if role.strip()), DEFAULT_ROLE)


def speaker_block(identity: str, role: str, attributes: Iterable[Attribute], bindings: Bindings) -> str:
    """The block of the turn's speaker. `identity` is a `self_id` or a handle, never a display name.

    The role is its owner's text and stands as written, except that no line of it can be taken for a heading of ours.
    """
    head = f"{HEADING}\nYour identity is {identity}. Take on this role in every reply:" if identity else f"{HEADING}\nTake on this role:"
    facts = [f"- {own_words(attribute.text, bindings)}" for attribute in attributes]
    return "\n\n".join([head, own_words(role, bindings), *(["\n".join(facts)] if facts else [])])


def own_words(text: str, bindings: Bindings) -> str:
    """An owner's text with its macros bound."""
    return plain_words(expand(text, bindings)).strip()
