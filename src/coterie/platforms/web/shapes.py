"""The bodies of the API as its OpenAPI document describes them: sessions, messages, reasons. The rules of fields live in the domain."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from coterie.domain.personas.limits import ROLE


def _storable(text: str) -> str:
    """A text that every database takes: no NUL, no half of a surrogate pair (JSON can spell both)."""
    if "\x00" in text or not _is_unicode(text):
        raise ValueError("holds characters that cannot be kept")
    return text


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


Text = Annotated[str, AfterValidator(_storable)]


MAX_NAME = 200
"""Characters of a session's shown name."""


class Given(BaseModel):
    """A request's body: types are taken as they are, unknown keys are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore")


class Done(BaseModel):
    """It is done."""

    ok: Literal[True] = True


class Login(Given):
    """The token, once."""

    token: Text = Field(max_length=1000)


class NewSession(Given):
    """A session to be made."""

    prefix: Literal["chat", "http", "cli"]
    name: Text | None = Field(default=None, max_length=MAX_NAME)


class SessionUpdate(Given):
    """A partial update; what is absent or null stays as it is."""

    self_id: Text | None = Field(
        default=None,
        description="Trimmed, then lower-cased; at most 32 ASCII letters, digits, `_` or `-`, unique in the installation; empty clears it.",
    )
    name: Text | None = Field(default=None, max_length=MAX_NAME, description="The shown name; empty makes it auto-named.")
    model: Text | None = Field(default=None, description="`provider:model`, or `auto`; empty resets to `auto`.")
    reasoning: Text | None = Field(default=None, description="One of `levels`.")
    role: Text | None = Field(default=None, max_length=ROLE.length, description="The persona body; empty resets it to the default.")
    rule: Text | None = Field(default=None, max_length=ROLE.length, description="The older name of `role`; wins when both are sent.")


class SessionBody(BaseModel):
    """A session. `role` and `rule` are what was set (empty: nothing), `effective_role` is what its main speaker is told."""

    session_id: str
    self_id: str
    name: str
    model: str
    reasoning: str
    role: str
    rule: str
    effective_role: str
    levels: list[str]
    chat_id: str
    guild_id: str
    channel_id: str
    user_id: str
    state: Literal["idle", "working"]
    count: int = Field(description="How many turns run.")
    default: bool = Field(description="Whether this is the default room.")
    workspace: str
    created_at: str
    updated_at: str


class SessionList(BaseModel):
    """The sessions of a workspace, the one with the newest activity first."""

    sessions: list[SessionBody]


class AuthorBody(BaseModel):
    """Who said it, under the name shown then. `persona` is a handle, or null for people."""

    id: str
    name: str
    persona: str | None


class MessageBody(BaseModel):
    """Something that was said."""

    message_id: str
    author: AuthorBody
    text: str
    created_at: str
    reply_to: str | None
    turn_id: str | None


class MessageList(BaseModel):
    """Messages, oldest first."""

    messages: list[MessageBody]


class Sender(Given):
    """Who speaks. Without an id it is the owner, without a name `You`."""

    id: Text | None = Field(default=None, max_length=100)
    name: Text | None = Field(default=None, max_length=100)


class Send(Given):
    """Something to be said in a session."""

    session_id: Text = Field(description="A session's id; `http-` and a UUID is made when it is unknown.", max_length=200)
    content: Text = Field(description="What is said: not blank, at most 200,000 characters (longer: 413).")
    user: Sender | None = None
    persona: Text | None = Field(default=None, max_length=200, description="A handle: this persona answers, whoever is called.")
    reply_to: Text | None = Field(default=None, max_length=200, description="The message of the same session that this one replies to.")
    model: Text | None = Field(default=None, max_length=200, description="`provider:model` for the answers to this message.")
    reasoning: Text | None = Field(default=None, max_length=20, description="A level for the answers to this message.")


class WhyTurn(BaseModel):
    """A persona that answered, or was to."""

    persona: str
    name: str
    reason: str = Field(description="The stable name of the reason.")
    meaning: str
    turn_id: str
    status: str
    note: str = Field(description="What went wrong, as one sentence.")


class WhySkipped(BaseModel):
    """A persona that did not answer."""

    persona: str
    name: str
    why: str = Field(description="The stable name of the reason.")
    meaning: str


class WhyBody(BaseModel):
    """What was decided about a message. For a persona's line that called nobody: about the message that it answers."""

    message_id: str
    session_id: str
    at: str
    turns: list[WhyTurn]
    skipped: list[WhySkipped]
