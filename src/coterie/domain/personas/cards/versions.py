"""The same card as another version's object. Nothing is taken away except what the other version's readers would show as text."""

import copy

from coterie.domain.personas.cards.card import Card, CardVersion, JsonObject, field_of

_V1 = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
_TEXTS = (*_V1, "creator_notes", "system_prompt", "post_history_instructions", "creator", "character_version")
_LISTS = ("alternate_greetings", "group_only_greetings", "tags")
_LATER = (*_TEXTS[len(_V1) :], *_LISTS, "extensions", "nickname", "character_book", "assets", "avatar")


def as_v3(card: Card) -> JsonObject:
    """A V3 object: a V3 card as it is, others under the new label with the required fields that were missing."""
    if card.version is CardVersion.V3:
        return card.raw
    data = card.raw.get("data")
    body = copy.deepcopy(data) if card.version is CardVersion.V2 and isinstance(data, dict) else _v1_body(card)
    required: JsonObject = {**dict.fromkeys(_TEXTS, ""), **{field: [] for field in _LISTS}, "extensions": {}}
    missing = {field: default for field, default in required.items() if body.get(field) is None}
    return {**card.raw, "spec": "chara_card_v3", "spec_version": "3.0", "data": {**body, **missing}}


def _v1_body(card: Card) -> JsonObject:
    """The fields of V1 under their proper names, and what a V1 card carries of later versions."""
    body: JsonObject = {field: copy.deepcopy(card.raw[field]) for field in _LATER if field in card.raw}
    if "creatorcomment" in card.raw:
        body.setdefault("creator_notes", card.raw["creatorcomment"])
    return body | {field: getattr(card, field) for field in _V1}


def as_v2(card: Card) -> JsonObject:
    """An object for readers that know V2 or V1 only: V3 under the older label, lorebook decorators removed (V3 specification)."""
    if card.version is not CardVersion.V3:
        return card.raw
    raw = copy.deepcopy(card.raw)
    entries = field_of(field_of(raw.get("data"), "character_book"), "entries")
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(content := entry.get("content"), str):
            entry["content"] = _without_decorators(content)
    return {**raw, "spec": "chara_card_v2", "spec_version": "2.0"}


def _without_decorators(content: str) -> str:
    lines = content.split("\n")
    if not content.lstrip().startswith("@@"):
        return content
    at = next((at for at, line in enumerate(lines) if line.strip() and not line.startswith("@@")), len(lines))
    return "\n".join(lines[at:])
