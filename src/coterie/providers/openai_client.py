"""The OpenAI SDK's client without what makes it slow: its walk over everything that is sent, and its objects for each word that comes.

Imported with the first request to such a provider; nothing else is changed in the SDK.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from functools import cached_property
from typing import Any

import httpx2
import orjson
from openai import APIConnectionError, APIError, APITimeoutError, AsyncOpenAI, AsyncStream, Omit, RequestOptions
from openai.resources.chat import AsyncChat, AsyncCompletions
from openai.types.chat import ChatCompletion, ChatCompletionChunk

Json = dict[str, Any]
_END = b"[DONE]"


class DirectStream(AsyncStream[ChatCompletionChunk]):
    """Chunks of a completion. Words that have arrived together are one chunk; every other chunk is the SDK's own."""

    async def __stream__(self) -> AsyncIterator[ChatCompletionChunk]:
        """The chunks. Raises the SDK's errors."""
        try:
            async for events in self._arriving():
                for chunk in together(self._read(data) for data in events if data and not data.startswith(_END)):
                    yield self._client._process_response_data(data=chunk, cast_to=ChatCompletionChunk, response=self.response)
        finally:
            await self.response.aclose()

    async def _arriving(self) -> AsyncIterator[list[bytes]]:
        """The data of the events that have arrived together, to the end of the body, so that the connection can be used again."""
        left = b""
        try:
            async for some in self.response.aiter_bytes():
                *lines, left = (left + some).splitlines(keepends=True)
                if left.endswith((b"\n", b"\r")):
                    lines, left = [*lines, left], b""
                yield [line[5:].strip() for line in lines if line.startswith(b"data:")]
        except httpx2.TimeoutException as error:
            raise APITimeoutError(request=self.response.request) from error
        except httpx2.HTTPError as error:
            raise APIConnectionError(request=self.response.request) from error
        if left.startswith(b"data:"):
            yield [left[5:].strip()]

    def _read(self, data: bytes) -> Any:
        chunk = orjson.loads(data)
        if isinstance(chunk, dict) and (error := chunk.get("error")):
            said = error.get("message") if isinstance(error, dict) else None
            raise APIError(str(said or "An error occurred during streaming"), request=self.response.request, body=error)
        return chunk


def together(chunks: Iterable[Any]) -> Iterator[Any]:
    """The chunks, those in a row that bring nothing but words joined into one."""
    open_chunk: Json | None = None
    for chunk in chunks:
        if not _is_words(chunk):
            if open_chunk is not None:
                yield open_chunk
                open_chunk = None
            yield chunk
        elif open_chunk is None:
            open_chunk = chunk
        else:
            open_chunk["choices"][0]["delta"]["content"] += chunk["choices"][0]["delta"]["content"]
    if open_chunk is not None:
        yield open_chunk


def _is_words(chunk: Any) -> bool:
    """Whether a chunk brings words, and neither an end, nor calls, thoughts or usage."""
    match chunk:
        case {"choices": [{"delta": {"content": str(), **rest}, **beside}]} if not chunk.get("usage"):
            nothing_else = not any(value for name, value in rest.items() if name != "role")
            return nothing_else and not any(value for name, value in beside.items() if name != "index")
        case _:
            return False


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
            stream_cls=DirectStream,
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
