"""What a turn may ask of a language model, and how a model fails. One request, one stream of events."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from coterie.domain.turns.funding import Route

Role = Literal["user", "assistant"]
Level = Literal["none", "low", "medium", "high", "xhigh", "max"]
"""How much a model reasons before it answers; a provider maps it onto what it offers."""


@dataclass(frozen=True, slots=True)
class ChatText:
    """A message of the conversation as the model sees it. Roles alternate, the first and the last are `user`."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model asks for a tool: `arguments` is the JSON object it gave, already parsed."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolRound:
    """One finished round: what the model said before it called, its calls, and a result text for each of them."""

    text: str
    calls: tuple[ToolCall, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SpeakerNote:
    """What only the scripted model reads: whose turn it is and what a person last wrote, unprefixed."""

    handle: str = ""
    last_user_text: str = ""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything a model is given for one attempt."""

    system: str
    messages: tuple[ChatText, ...]
    tools: tuple[ToolSpec, ...] = ()
    rounds: tuple[ToolRound, ...] = ()
    max_output_tokens: int = 800
    level: Level = "medium"
    note: SpeakerNote = field(default_factory=SpeakerNote)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of this request, as far as the provider says."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """What was streamed so far belongs to a failed attempt; the answer begins anew (a fallback model took over)."""

    model: str


ModelEvent = TextDelta | ToolCall | Usage | Restarted


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model: `context_window` and `max_output` in tokens."""

    name: str
    """`provider:model`."""
    context_window: int
    max_output: int
    can_call_tools: bool


class Model(Protocol):
    """A language model that can be asked."""

    @property
    def info(self) -> ModelInfo:
        """What is known of it."""
        ...

    def count_tokens(self, text: str) -> int:
        """The number of tokens of `text`, never less than the truth as far as the provider lets us know."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer. Raises a `ModelError`, before or amid the stream. Closing the iterator stops the model."""
        ...


Admit = Callable[[], Awaitable[None]]
"""Asks whether a model may be asked. Raises a `ModelError` where it may not."""


class Models(Protocol):
    """The models of this installation by name."""

    async def model(self, name: str | None) -> Model:
        """The model `provider:model` with its fallbacks behind it; `None`, `""` or `auto` is the installation's default.

        Raises `ModelUnknown` for a provider that does not exist and `ModelRefused` where a key is missing.
        """
        ...

    async def routed(self, routes: Sequence[Route], admit: Admit) -> Model:
        """The models of these attempts, one behind the other; `admit` is asked before the server pays for what somebody else was to.

        Raises a `ModelError` where none of them can be asked at all.
        """
        ...

    def default_name(self) -> str:
        """The installation's default as `provider:model`."""
        ...

    def knows(self, name: str) -> bool:
        """Whether `name` has the form `provider:model` (or is a bare provider) with a provider of the catalogue."""
        ...


class ModelError(Exception):
    """A model did not answer. The text is one sentence for a person; it never holds a key."""


class ModelUnknown(ModelError):
    """No such provider."""


class ModelRefused(ModelError):
    """The key is missing or was refused; the sentence names the variable to set."""


class ModelBusy(ModelError):
    """The provider asks to come back later."""

    def __init__(self, sentence: str, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class ModelBroken(ModelError):
    """The provider failed, answered nonsense, or fell silent for too long."""
