"""The OpenAI SDK's client without its walk over everything that is sent, which costs more than all the rest of a request.

Imported with the first request to such a provider; nothing else is changed in the SDK.
"""

from functools import cached_property
from typing import Any

from openai import AsyncOpenAI, AsyncStream, Omit, RequestOptions
from openai.resources.chat import AsyncChat, AsyncCompletions
from openai.types.chat import ChatCompletion, ChatCompletionChunk


class DirectCompletions(AsyncCompletions):
    """Sends a request's body as it is: what `pydantic_ai` composes is the JSON of the API already."""

    async def create(self, *args: Any, **said: Any) -> Any:
        """Stream a completion; `said` are the arguments of the SDK's own method."""
        options: RequestOptions = {"headers": said.pop("extra_headers", None) or {}, "extra_json": said.pop("extra_body", None) or {}}
        if (timeout := said.pop("timeout", None)) is not None:
            options["timeout"] = timeout
        return await self._client.post(
            "/chat/completions",
            body={name: value for name, value in said.items() if not isinstance(value, Omit)},
            options=options,
            cast_to=ChatCompletion,
            stream=True,
            stream_cls=AsyncStream[ChatCompletionChunk],
        )


class DirectChat(AsyncChat):
    """The way to those completions."""

    @cached_property
    def completions(self) -> AsyncCompletions:
        """Completions that are sent as they are."""
        return DirectCompletions(self._client)


class DirectOpenAI(AsyncOpenAI):
    """The client with those completions in it."""

    @cached_property
    def chat(self) -> AsyncChat:
        """Chat that is sent as it is."""
        return DirectChat(self)
