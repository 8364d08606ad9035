"""The bodies of the API that set things up: personas and cards, settings, providers and models, and how the house is."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from coterie.domain.settings import PERSONAL, SETTINGS, Setting, accepts
from coterie.platforms.web.shapes import Given, Text


class AttributeBody(Given):
    """One fact about a persona; personas called by the same message are shown the public ones."""

    text: Text
    is_public: bool = False


class DialogueBody(Given):
    """An example exchange; without `user` the persona speaks first."""

    user: Text = ""
    bot: Text


class PersonaBody(BaseModel):
    """A persona. `effective_trigger_words` are those it owns: each word calls one persona of the cast."""

    handle: str
    name: str
    is_alter: bool
    trigger_words: list[str]
    effective_trigger_words: list[str]
    role: str
    attributes: list[AttributeBody]
    sample_dialogues: list[DialogueBody]
    avatar: str | None = Field(description="A path below `/v1/avatars/`.")
    model: str | None = Field(description="The model it answers with, as `provider:model`; null: that of where it speaks.")
    reasoning: str | None = Field(description="Its level; null: that of where it speaks.")
    revision: int = Field(description="Rises with each change.")


class PersonaList(BaseModel):
    """The cast, main first."""

    personas: list[PersonaBody]


class SpriteBody(BaseModel):
    """A picture that a persona wears for single lines."""

    name: str
    avatar: str = Field(description="A path below `/v1/avatars/`.")
    usage_instructions: str
    is_identity: bool


class SpriteList(BaseModel):
    """The sprites of a persona."""

    sprites: list[SpriteBody]


class NewPersona(Given):
    """A persona to be made; one that is not an alter takes the place of main."""

    name: Text
    is_alter: bool = True
    role: Text = ""
    trigger_words: list[Text] = Field(default_factory=list)
    attributes: list[AttributeBody] = Field(default_factory=list)
    sample_dialogues: list[DialogueBody] = Field(default_factory=list)
    avatar: Text | None = Field(default=None, description="A path below `/v1/avatars/` that exists.")


class PersonaUpdate(Given):
    """A partial update; what is absent or null stays as it is. With `revision`, only if it still is the newest."""

    name: Text | None = None
    role: Text | None = None
    trigger_words: list[Text] | None = None
    attributes: list[AttributeBody] | None = None
    sample_dialogues: list[DialogueBody] | None = None
    avatar: Text | None = Field(default=None, description="A path below `/v1/avatars/` that exists; empty removes the picture.")
    model: Text | None = Field(default=None, max_length=200, description="`provider:model` with a known provider; empty: none of its own.")
    reasoning: Text | None = Field(default=None, max_length=20, description="One of the session's levels; empty: none of its own.")
    revision: int | None = None


class ReportRow(BaseModel):
    """What became of one part of a card."""

    part: str
    fate: Literal["used", "repaired", "kept", "dropped"]
    note: str


class ImportBody(BaseModel):
    """An imported persona, and what was understood of its card."""

    persona: PersonaBody
    report: list[ReportRow]


def setting_schema(setting: Setting) -> dict[str, Any]:
    """A setting's values and meaning, and where it stands on the page."""
    about: dict[str, Any] = {
        "description": f"{setting.label}; takes {accepts(setting)}.{' In servers only.' if setting.only_servers else ''}",
        "x-group": setting.group.value,
        "x-only-servers": setting.only_servers,
    }
    match setting.default:
        case bool():
            return {"type": "boolean", **about}
        case int():
            return {"type": "integer", "minimum": setting.least, "maximum": setting.most, **about}
        case _ if setting.choices:
            return {"type": "string", "enum": list(setting.choices), **about}
        case _:
            return {"type": "string", "maxLength": setting.most, **about}


def _all_of(title: str, table: Sequence[Setting]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What shows every setting of a table, and what changes some of them."""
    schemas = {setting.name: setting_schema(setting) for setting in table}
    shown = {"type": "object", "title": title, "properties": schemas, "required": list(schemas)}
    update = {
        "type": "object",
        "title": f"{title}Update",
        "properties": {name: {"anyOf": [schema, {"type": "null"}]} for name, schema in schemas.items()},
        "additionalProperties": {"type": "null"},
    }
    return shown, update


SETTINGS_SCHEMA, SETTINGS_UPDATE_SCHEMA = _all_of("Settings", SETTINGS)
"""The settings of a workspace, from the one table. In an update null leaves one alone, and an unknown name with a value is refused."""

PERSONAL_SCHEMA, PERSONAL_UPDATE_SCHEMA = _all_of("Personal", PERSONAL)
"""Those of a person."""


class ModelBody(BaseModel):
    """A model that can be chosen; `needs` says what is missing before it can answer."""

    name: str
    title: str
    needs: str


class ModelListBody(BaseModel):
    """The models that can be named, and the installation's default."""

    default: str
    models: list[ModelBody]


class ModelHealthBody(BaseModel):
    """How the default model is."""

    name: str
    state: Literal["loading", "ready", "failed"]
    note: str


class HealthBody(BaseModel):
    """Whether the house is usable, and what is missing."""

    status: Literal["ok", "degraded", "unusable"]
    version: str
    missing: list[str]
    troubles: list[str] = Field(description="Why nothing new can be kept at present, as sentences.")
    model: ModelHealthBody
