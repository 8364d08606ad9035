"""A model behind somebody's HTTP API, over `pydantic_ai` at the level of single requests.

Which client is used is in `endpoints.py`, what errors become in `failures.py`, giving up and falling back in `wrappers.py`.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from coterie.kit.streams import closing
from coterie.ports.model import Level, ModelEvent, ModelInfo, ModelRequest, TextDelta, ToolCall, ToolRound, Usage
from coterie.providers.endpoints import Client
from coterie.providers.failures import as_model_error, missing_key
from coterie.providers.tokens import estimate_tokens
from coterie.providers.wrappers import Progress

if TYPE_CHECKING:
    from pydantic_ai import messages as ai
    from pydantic_ai.models import Model as WireModel
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

_ROOM_TO_THINK: Mapping[Level, int] = {"none": 0, "low": 2_048, "medium": 8_192, "high": 24_576, "xhigh": 32_768, "max": 65_536}
"""Tokens that a reasoning model gets on top of its answer, since providers count both together."""

_MOST_KEPT = 256


class HostedModel:
    """One hosted model."""

    def __init__(self, client: Client, model: str) -> None:
        self._client = client
        self._model = model
        provider = client.endpoint.provider
        window = provider.window(model)
        self._info = ModelInfo(f"{provider.name}:{model}", window.context, window.output, provider.can_call_tools)
        self._answers: OrderedDict[str, ai.ModelResponse] = OrderedDict()

    @property
    def info(self) -> ModelInfo:
        """What is known of it."""
        return self._info

    def count_tokens(self, text: str) -> int:
        """An estimate on the high side: providers do not give their vocabularies away."""
        return estimate_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent | Progress]:
        """Answer. Raises a `ModelError`; every error of the SDKs and of what they were sent becomes one here."""
        endpoint = self._client.endpoint
        if not endpoint.is_usable:
            raise missing_key(endpoint)
        async with self._client.model(self._model) as wire:
            try:
                async with closing(self._ask(wire, request)) as events:
                    async for event in events:
                        yield event
            except failures() as error:
                raise as_model_error(error, endpoint, self._model) from error

    async def _ask(self, wire: "WireModel", request: ModelRequest) -> AsyncIterator[ModelEvent | Progress]:
        from pydantic_ai.direct import model_request_stream

        chat = to_messages(request, self._answers)
        settings = self._settings(wire, request)
        tools = to_parameters(request if self._info.can_call_tools else None)
        async with model_request_stream(wire, chat, model_settings=settings, model_request_parameters=tools) as answer:
            calls = []
            async for happened in answer:
                event = to_event(happened)
                calls += [event] if isinstance(event, ToolCall) else []
                yield event
            if calls:
                self._keep(calls[0].id, answer.get())
            yield Usage(answer.usage.input_tokens, answer.usage.output_tokens)

    def _settings(self, wire: "WireModel", request: ModelRequest) -> "ModelSettings":
        """How long the answer may be, and how much thought goes into it, where the model thinks at all."""
        profile = wire.profile
        level = request.level if all(self._original(done) for done in request.rounds) else "none"
        thinks = bool(profile.get("supports_thinking")) and (level != "none" or bool(profile.get("thinking_always_enabled")))
        room = max(_ROOM_TO_THINK[level], _ROOM_TO_THINK["low"]) if thinks else 0
        most = min(request.max_output_tokens + room, self._info.max_output)
        return {"max_tokens": most, "thinking": False if level == "none" else level}

    def _original(self, done: ToolRound) -> "ai.ModelResponse | None":
        return self._answers.get(done.calls[0].id) if done.calls else None

    def _keep(self, call_id: str, answer: "ai.ModelResponse") -> None:
        """Keep an answer with calls as it came: its signed thoughts must go back with the results, or providers refuse them."""
        self._answers[call_id] = answer
        if len(self._answers) > _MOST_KEPT:
            self._answers.popitem(last=False)


def failures() -> tuple[type[Exception], ...]:
    """What an SDK may raise: its own errors, the transport's, and those of code that falls over a stranger's payload."""
    import httpx2
    from pydantic_ai.exceptions import AgentRunError, UserError

    return (AgentRunError, UserError, httpx2.HTTPError, OSError, ValueError, TypeError, AttributeError, LookupError)


def to_messages(request: ModelRequest, answers: "Mapping[str, ai.ModelResponse]") -> "list[ai.ModelMessage]":
    """The conversation and the rounds of tools made in this turn. A round whose original answer is kept goes back as it came."""
    from pydantic_ai import messages as ai

    told: list[ai.ModelMessage] = [ai.ModelRequest([ai.SystemPromptPart(request.system)])]
    for message in request.messages:
        match message.role:
            case "user":
                told.append(ai.ModelRequest([ai.UserPromptPart(message.text)]))
            case "assistant":
                told.append(ai.ModelResponse([ai.TextPart(message.text)]))
    for done in request.rounds:
        told.append((answers.get(done.calls[0].id) if done.calls else None) or to_response(done))
        results = zip(done.calls, done.results, strict=True)
        told.append(ai.ModelRequest([ai.ToolReturnPart(call.name, result, tool_call_id=call.id) for call, result in results]))
    return told


def to_response(done: ToolRound) -> "ai.ModelResponse":
    """A round's answer from what is known of it: its text and its calls."""
    from pydantic_ai import messages as ai

    text = [ai.TextPart(done.text)] if done.text else []
    calls = [ai.ToolCallPart(call.name, dict(call.arguments), tool_call_id=call.id) for call in done.calls]
    return ai.ModelResponse([*text, *calls])


def to_parameters(request: ModelRequest | None) -> "ModelRequestParameters":
    """The tools of a request; none without one."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters))
            for tool in (request.tools if request else ())
        ]
    )


def to_event(happened: Any) -> ModelEvent | Progress:
    """What a piece of the stream is to a turn: text, a finished call, or a sign of life."""
    from pydantic_ai import messages as ai

    match happened:
        case ai.PartStartEvent(part=ai.TextPart(content=text)) | ai.PartDeltaEvent(delta=ai.TextPartDelta(content_delta=text)) if text:
            return TextDelta(text)
        case ai.PartEndEvent(part=ai.ToolCallPart() as call):
            return to_call(call)
        case _:
            return Progress()


def to_call(call: "ai.ToolCallPart") -> ToolCall:
    """A finished call. Raises `ValueError` where the model wrote no JSON object."""
    try:
        return ToolCall(call.tool_call_id, call.tool_name, call.args_as_dict(raise_if_invalid=True))
    except (AssertionError, ValueError) as error:
        raise ValueError(f"it called {call.tool_name} with arguments that are no JSON object") from error
