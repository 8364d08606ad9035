"""Writing what an owner changed into a card's object, and a new object for a persona that never was a card."""

import copy
from collections.abc import Sequence
from dataclasses import replace

from coterie.domain.personas.cards.card import Card, CardVersion, JsonObject, field_of
from coterie.domain.personas.cards.convert import attributes_text, to_persona
from coterie.domain.personas.cards.examples import example_of
from coterie.domain.personas.cards.fields import ALIASES
from coterie.domain.personas.cards.own import NAME as OWN
from coterie.domain.personas.cards.own import own_block
from coterie.domain.personas.cards.understand import body_of, understand
from coterie.domain.personas.persona import PersonaContent, SampleDialogue


def edited(card: Card, content: PersonaContent, base_words: Sequence[str]) -> Card:
    """The card with what differs from the persona it gives written into it; the very same card when nothing differs."""
    before, _ = to_persona(card, base_words=base_words)
    if before == content:
        return card
    raw = copy.deepcopy(card.raw)
    extensions = body_of(raw).get("extensions")
    if isinstance(extensions, dict):
        extensions.pop(OWN, None)
    if content.name != before.name:
        _put(raw, "name", content.name)
    if content.role != before.role:
        _put_role(raw, content.role)
    if content.sample_dialogues != before.sample_dialogues:
        _put_dialogues(raw, content.sample_dialogues)
    if before.attributes and card.personality == attributes_text(one.text for one in before.attributes):
        _put(raw, "personality", attributes_text(one.text for one in content.attributes))
    changed, _ = understand(raw)
    after, _ = to_persona(changed, base_words=base_words)
    if card.own is None and content.trigger_words == before.trigger_words:
        # Words that come from the card's name follow it; a rename alone changes nothing but the name.
        after = replace(after, trigger_words=content.trigger_words)
    return changed if after == content else with_own_block(changed, content)


def new_card(content: PersonaContent, predecessor: Card | None = None) -> Card:
    """A V3 card of a persona; what the predecessor's envelope held is carried along under its extensions."""
    extensions: JsonObject = {} if predecessor is None else {"tomori_preset": copy.deepcopy(predecessor.raw.get("data"))}
    data: JsonObject = {
        "name": content.name,
        "description": content.role,
        "personality": attributes_text(attribute.text for attribute in content.attributes),
        "scenario": "",
        "first_mes": "",
        "mes_example": "",
        "creator_notes": "",
        "system_prompt": "",
        "post_history_instructions": "",
        "alternate_greetings": [],
        "group_only_greetings": [],
        "tags": [],
        "creator": "",
        "character_version": "",
        "extensions": extensions,
    }
    raw: JsonObject = {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}
    _put_dialogues(raw, content.sample_dialogues)
    return with_own_block(Card(raw, CardVersion.V3), content)


def with_own_block(card: Card, content: PersonaContent) -> Card:
    """The card with our block for this content, beside its common fields as they are."""
    raw = copy.deepcopy(card.raw)
    body = body_of(raw)
    extensions = body.get("extensions")
    plain, _ = understand(raw)
    body["extensions"] = {**(extensions if isinstance(extensions, dict) else {}), OWN: own_block(content, plain)}
    return understand(raw)[0]


def _put(raw: JsonObject, field: str, value: object) -> None:
    """Set a field under every name it has in the card, at the root too where other programs mirror it."""
    body, keys = body_of(raw), ALIASES.get(field, (field,))
    if not any(key in body for key in keys):
        body[keys[0]] = value
    for place in (body, raw):
        place.update({key: value for key in keys if key in place})


def _put_role(raw: JsonObject, role: str) -> None:
    """The whole role text as the description, and nothing in the other fields it was made from."""
    _put(raw, "description", role)
    body = body_of(raw)
    for field in ("personality", "scenario", "system_prompt", "post_history_instructions"):
        if any(key in body for key in ALIASES.get(field, (field,))):
            _put(raw, field, "")
    depth_prompt = field_of(body.get("extensions"), "depth_prompt")
    if isinstance(depth_prompt, dict) and "prompt" in depth_prompt:
        depth_prompt["prompt"] = ""


def _put_dialogues(raw: JsonObject, dialogues: Sequence[SampleDialogue]) -> None:
    """Pairs as the example, lines that answer nobody as greetings."""
    greetings = [dialogue.bot for dialogue in dialogues if not dialogue.user]
    _put(raw, "first_mes", greetings[0] if greetings else "")
    _put(raw, "mes_example", example_of(dialogues))
    if len(greetings) > 1 or "alternate_greetings" in body_of(raw):
        _put(raw, "alternate_greetings", greetings[1:])
