"""A persona as rows, both ways. Knows nothing of casts: who may be changed, and caching, are in `casts`."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import Handle, PersonaId
from coterie.domain.personas.naming import handle_for, name_key
from coterie.domain.personas.persona import Attribute, Persona, PersonaContent, SampleDialogue
from coterie.domain.personas.sprites import Sprite
from coterie.ports.stores import PersonaDraft
from coterie.storage.border import clean
from coterie.storage.schema.personas import persona_attributes, persona_cards, persona_configs, personas
from coterie.storage.schema.sprites import persona_sprites

_OWN_LINEAGES = 10_000
"""Lineage numbers below are the bundled characters'."""

_OF_PERSONA = personas.c.persona_id == bindparam("persona")
_LOAD = (
    sa.select(
        personas.c.persona_id,
        personas.c.handle,
        personas.c.is_alter,
        personas.c.persona_nickname,
        personas.c.role,
        personas.c.sample_dialogues_in,
        personas.c.sample_dialogues_out,
        personas.c.webhook_avatar_url,
        personas.c.revision,
        personas.c.preset_lineage_id,
        persona_configs.c.trigger_words,
        persona_configs.c.model,
        persona_configs.c.reasoning,
    )
    .join_from(personas, persona_configs)
    .where(personas.c.server_id == bindparam("server"))
)
_LOAD_ATTRIBUTES = (
    sa.select(persona_attributes.c.persona_id, persona_attributes.c.attribute_text, persona_attributes.c.is_public)
    .join_from(persona_attributes, personas)
    .where(personas.c.server_id == bindparam("server"))
    .order_by(persona_attributes.c.persona_id, persona_attributes.c.attribute_order)
)
SPRITE = (
    persona_sprites.c.sprite_name,
    persona_sprites.c.avatar_url,
    persona_sprites.c.usage_instructions,
    persona_sprites.c.is_identity,
)
"""The columns that `to_sprite` reads."""

_LOAD_SPRITES = (
    sa.select(persona_sprites.c.persona_id, *SPRITE)
    .join_from(persona_sprites, personas)
    .where(personas.c.server_id == bindparam("server"))
    .order_by(persona_sprites.c.sprite_id)
)
_HANDLES = sa.select(personas.c.handle).where(personas.c.server_id == bindparam("server"))
_CHANGE = sa.update(personas).where(_OF_PERSONA).values(revision=personas.c.revision + 1)
_NAME = sa.update(personas).where(_OF_PERSONA).values(handle=bindparam("new_handle"), persona_lineage_id=bindparam("lineage"))
_FORGET_ATTRIBUTES = sa.delete(persona_attributes).where(persona_attributes.c.persona_id == bindparam("persona"))
_FORGET_CARD = sa.delete(persona_cards).where(persona_cards.c.persona_id == bindparam("persona"))
_FORGET_SPRITES = sa.delete(persona_sprites).where(persona_sprites.c.persona_id == bindparam("persona"))
_new_config = insert(persona_configs)
_CONFIGURE = _new_config.on_conflict_do_update(
    index_elements=[persona_configs.c.persona_id],
    set_={"trigger_words": _new_config.excluded.trigger_words, "updated_at": _new_config.excluded.updated_at},
)


def load_personas(connection: Connection, server_id: int) -> list[Persona]:
    """Every persona of a workspace, in no order, owners of words not settled."""
    attributes: defaultdict[int, list[Attribute]] = defaultdict(list)
    for persona_id, text, is_public in connection.execute(_LOAD_ATTRIBUTES, {"server": server_id}):
        attributes[persona_id].append(Attribute(text, is_public))
    sprites: defaultdict[int, list[Sprite]] = defaultdict(list)
    for persona_id, *sprite in connection.execute(_LOAD_SPRITES, {"server": server_id}):
        sprites[persona_id].append(to_sprite(sprite))
    return [_persona(row, attributes[row.persona_id], sprites[row.persona_id]) for row in connection.execute(_LOAD, {"server": server_id})]


def add_persona(connection: Connection, server_id: int, draft: PersonaDraft, *, is_alter: bool) -> PersonaId:
    """Write a new persona. The caller holds the workspace's lock, or has just made it."""
    content = clean_content(draft.content)
    # The handle may need the number, and the number comes with the row; nobody else sees the row before both are there.
    place = {"server_id": server_id, "is_alter": is_alter, "handle": "", "persona_lineage_id": 0}
    row = _columns(content, draft.avatar) | _origin(draft) | place
    persona = PersonaId(connection.execute(sa.insert(personas).returning(personas.c.persona_id), row).scalar_one())
    taken = set(connection.execute(_HANDLES, {"server": server_id}).scalars())
    handle = handle_for(content.name, taken, persona)
    connection.execute(_NAME, {"persona": persona, "new_handle": handle, "lineage": draft.preset_lineage_id or _OWN_LINEAGES + persona})
    _write_parts(connection, persona, content)
    _write_card(connection, persona, draft)
    return persona


def replace_persona(connection: Connection, persona: PersonaId, draft: PersonaDraft) -> None:
    """Make a persona another character; its number and handle stay, so that its place in conversations does. Its sprites go."""
    content = clean_content(draft.content)
    lineage = draft.preset_lineage_id or _OWN_LINEAGES + persona
    row = _columns(content, draft.avatar) | _origin(draft) | {"persona_lineage_id": lineage}
    connection.execute(_CHANGE.values(**row), {"persona": persona})
    _write_parts(connection, persona, content)
    connection.execute(_FORGET_CARD, {"persona": persona})
    connection.execute(_FORGET_SPRITES, {"persona": persona})
    _write_card(connection, persona, draft)


def change_persona(connection: Connection, persona: PersonaId, content: PersonaContent, avatar: str | None) -> None:
    """Write what an owner changed; from then on it is no longer the bundled character."""
    content = clean_content(content)
    connection.execute(_CHANGE.values(**_columns(content, avatar), is_pointer=False), {"persona": persona})
    _write_parts(connection, persona, content)


def clean_content(content: PersonaContent) -> PersonaContent:
    """The content as it can be kept, so that keys and handles are made from what is kept."""
    return PersonaContent(
        name=clean(content.name),
        role=clean(content.role),
        trigger_words=tuple(map(clean, content.trigger_words)),
        attributes=tuple(Attribute(clean(attribute.text), attribute.is_public) for attribute in content.attributes),
        sample_dialogues=tuple(SampleDialogue(clean(sample.user), clean(sample.bot)) for sample in content.sample_dialogues),
    )


def to_sprite(row: Sequence[Any]) -> Sprite:
    """The sprite of the columns `SPRITE`."""
    name, picture, instructions, is_identity = row
    return Sprite(name, picture, instructions, is_identity)


def _persona(row: Any, attributes: Sequence[Attribute], sprites: Sequence[Sprite]) -> Persona:
    samples = zip(row.sample_dialogues_in, row.sample_dialogues_out, strict=True)
    return Persona(
        id=PersonaId(row.persona_id),
        handle=Handle(row.handle),
        is_alter=row.is_alter,
        content=PersonaContent(
            name=row.persona_nickname,
            role=row.role,
            trigger_words=tuple(row.trigger_words),
            attributes=tuple(attributes),
            sample_dialogues=tuple(SampleDialogue(user, bot) for user, bot in samples),
        ),
        avatar=row.webhook_avatar_url,
        revision=row.revision,
        model=row.model,
        reasoning=row.reasoning,
        preset_lineage_id=row.preset_lineage_id,
        sprites=tuple(sprites),
    )


def _columns(content: PersonaContent, avatar: str | None) -> dict[str, Any]:
    return {
        "persona_nickname": content.name,
        "name_key": name_key(content.name),
        "role": content.role,
        "sample_dialogues_in": [sample.user for sample in content.sample_dialogues],
        "sample_dialogues_out": [sample.bot for sample in content.sample_dialogues],
        "attribute_list": [attribute.text for attribute in content.attributes],
        "webhook_avatar_url": avatar,
    }


def _origin(draft: PersonaDraft) -> dict[str, Any]:
    return {"is_pointer": draft.preset_lineage_id is not None, "preset_lineage_id": draft.preset_lineage_id}


def _write_parts(connection: Connection, persona: PersonaId, content: PersonaContent) -> None:
    connection.execute(_CONFIGURE, {"persona_id": persona, "trigger_words": list(content.trigger_words)})
    connection.execute(_FORGET_ATTRIBUTES, {"persona": persona})
    if rows := [
        {"persona_id": persona, "attribute_order": order, "attribute_text": attribute.text, "is_public": attribute.is_public}
        for order, attribute in enumerate(content.attributes, start=1)
    ]:
        connection.execute(sa.insert(persona_attributes), rows)


def _write_card(connection: Connection, persona: PersonaId, draft: PersonaDraft) -> None:
    if draft.original is not None:
        row = {"persona_id": persona, "original": draft.original, "media_type": draft.original_type}
        connection.execute(sa.insert(persona_cards), row)
