"""The bodies of the API about people: who may call whom and where, what people set for themselves, the workspaces they meet in."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from coterie.domain.access import MAX_ROWS
from coterie.domain.settings import BY_NAME
from coterie.platforms.web.shapes import Given, Text
from coterie.platforms.web.shapes_setup import setting_schema

SNOWFLAKE = "[1-9][0-9]{0,19}"
"""How Discord writes the id of anything, as a pattern for the whole text."""
MAX_HOURS = 87_600
"""Ten years."""


def is_snowflake(text: str) -> bool:
    """Whether a text is an id of Discord's: a decimal number."""
    return text.isascii() and text.isdecimal() and text[0] != "0" and len(text) <= 20


def snowflake_schema() -> dict[str, Any]:
    """Such an id as a schema."""
    return {"type": "string", "pattern": f"^{SNOWFLAKE}$"}


def _snowflake(text: str) -> str:
    if not is_snowflake(text):
        raise ValueError("takes a decimal id, as Discord shows it")
    return text


Snowflake = Annotated[str, AfterValidator(_snowflake), WithJsonSchema(snowflake_schema())]


class CooldownBody(Given):
    """How long has to be waited after a call, and by whom; both as the settings of the workspace take them."""

    type: Annotated[Any, WithJsonSchema(setting_schema(BY_NAME["cooldown-type"]))]
    length: Annotated[Any, WithJsonSchema(setting_schema(BY_NAME["cooldown-length"]))] = BY_NAME["cooldown-length"].default


class ChannelRow(BaseModel):
    """A channel in which personas may be called; without a cooldown of its own the workspace's counts."""

    channel: str
    cooldown: CooldownBody | None


class PersonaRow(BaseModel):
    """A persona that may be heard in these channels only."""

    persona: str = Field(description="A handle.")
    channels: list[str]


class AutoRow(BaseModel):
    """A channel in which somebody answers without being called."""

    channel: str
    persona: str | None = Field(description="A handle; null means main.")


class SpotlightRow(BaseModel):
    """The personas that one person wants to hear in one channel."""

    user: str
    channel: str
    personas: list[str] = Field(description="Handles.")
    auto: str | None = Field(description="The handle of the one that answers this person there without being called.")
    expires_at: str | None = Field(description="null means that it holds for good.")


class AccessBody(BaseModel):
    """The lists of a workspace. They only narrow, and an empty one asks nothing of anybody. They are asked in servers only."""

    channels: list[ChannelRow] = Field(description="In which channels, with their threads, personas may be called; empty: in all.")
    roles: list[str] = Field(description="Of which roles a caller needs one; empty: of none.")
    personas: list[PersonaRow] = Field(description="Where a persona may be heard; one that is missing: everywhere.")
    blacklist: list[str] = Field(description="People who are barred from calling.")
    auto_trigger_channels: list[AutoRow]
    spotlights: list[SpotlightRow]


class ChannelUpdate(Given):
    """The cooldown of a channel; absent or null: the workspace's."""

    cooldown: CooldownBody | None = None


class PersonaChannels(Given):
    """The channels that a persona is kept to; none: it is heard everywhere."""

    channels: list[Snowflake] = Field(max_length=MAX_ROWS)


class AutoUpdate(Given):
    """Who answers there without being called."""

    persona: Text | None = Field(default=None, description="A handle; absent or null means main.")


class SpotlightUpdate(Given):
    """Whom a person wants to hear in a channel."""

    personas: list[Text] = Field(min_length=1, max_length=MAX_ROWS, description="Handles.")
    auto: Text | None = Field(default=None, description="One of them, which answers there without being called.")
    hours: int = Field(default=0, ge=0, le=MAX_HOURS, description="For how long; 0 means for good.")


class QuotaReset(Given):
    """Whose quota begins anew; absent or null: that of everybody, and the server's."""

    user: Snowflake | None = None


class WorkspaceBody(BaseModel):
    """A workspace."""

    workspace: str
    name: str = Field(description="What the server is called, where Discord is connected, or the person of a direct message; else empty.")


class WorkspaceList(BaseModel):
    """Every workspace that was seen here, `local` first, and every server that the bot is in."""

    workspaces: list[WorkspaceBody]
