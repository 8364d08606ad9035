"""A provider as it is reached: address, key, and the one client that all its models share. The only module that builds SDK clients.

SDKs are heavy (a second or two to import), so they are imported with the first request, in a thread. What is said over the client is in
`hosted.py`.
"""

import asyncio
import importlib
import ipaddress
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, assert_never
from urllib.parse import urlsplit

from coterie.providers.catalogue import Provider, Wire

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model as WireModel

CONNECT_TIMEOUT = 10.0
READ_TIMEOUT = 600.0
"""Far beyond the patience of `WithInactivityTimeout`, which gives up first and with a better sentence."""

_NO_KEY = "not-needed"
"""What SDKs that insist on a key are given for a server that needs none."""

_MODULES: Mapping[Wire, tuple[str, ...]] = {
    Wire.OPENAI: ("pydantic_ai.models.openai", "coterie.providers.openai_client"),
    Wire.ANTHROPIC: ("pydantic_ai.models.anthropic",),
    Wire.GEMINI: ("pydantic_ai.models.google",),
}

_opened: ContextVar[list["httpx2.Response"] | None] = ContextVar("_opened", default=None)
"""The responses of the request that is being made. Not every SDK closes what it leaves, and a model must stop when nobody listens."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and as whom a provider is reached."""

    provider: Provider
    base_url: str
    key: str = field(default="", repr=False)

    @property
    def needs_key(self) -> bool:
        """A provider that needs a key needs none where its address was changed to some other server."""
        return self.provider.needs_key and self.base_url == self.provider.base_url

    @property
    def is_usable(self) -> bool:
        """Whether a request can be made at all."""
        return bool(self.key) or not self.needs_key


class Client:
    """The shared client of one endpoint. A retired client is closed with the last stream that uses it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._http: httpx2.AsyncClient | None = None
        self._provider: Any = None
        self._models: dict[str, WireModel] = {}
        self._building = asyncio.Lock()
        self._in_use = 0
        self._is_retired = False

    @asynccontextmanager
    async def model(self, name: str) -> AsyncIterator["WireModel"]:
        """A model of this endpoint, for the length of one request; what was not read of its response to the end is cut off then."""
        opened: list[httpx2.Response] = []
        _opened.set(opened)
        self._in_use += 1
        try:
            yield await self._model(name)
        finally:
            for response in opened:
                await response.aclose()
            self._in_use -= 1
            if self._is_retired and not self._in_use:
                await self._close()

    async def retire(self) -> None:
        """Close now, or when the last request has ended."""
        self._is_retired = True
        if not self._in_use:
            await self._close()

    async def _model(self, name: str) -> "WireModel":
        async with self._building:
            if name not in self._models:
                if self._provider is None:
                    await asyncio.to_thread(import_wire, self.endpoint.provider.wire)
                    self._http = http_client(self.endpoint.base_url)
                    self._provider = wire_provider(self.endpoint, self._http)
                self._models[name] = wire_model(self.endpoint, name, self._provider)
            return self._models[name]

    async def _close(self) -> None:
        """Let go of everything; a model that somebody still holds builds it anew for its next request."""
        http, self._http, self._provider, self._models = self._http, None, None, {}
        if http is not None:
            await http.aclose()


def import_wire(wire: Wire) -> None:
    """Import what speaks this wire: slow once, free afterwards."""
    for module in ("pydantic_ai.direct", *_MODULES[wire]):
        importlib.import_module(module)


def http_client(base_url: str) -> "httpx2.AsyncClient":
    """A client that waits long for a model, follows no redirect with a key in its hand, and uses no proxy on the way to this machine."""
    import httpx2

    from coterie.providers.transport import AiohttpTransport

    async def take_note(response: httpx2.Response) -> None:
        opened = _opened.get()
        if opened is not None:
            opened.append(response)

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(READ_TIMEOUT, connect=CONNECT_TIMEOUT),
        follow_redirects=False,
        transport=AiohttpTransport(uses_proxy=not is_loopback(base_url)),
        event_hooks={"response": [take_note]},
    )


def is_loopback(base_url: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def wire_provider(endpoint: Endpoint, http: "httpx2.AsyncClient") -> Any:
    """The SDK client of an endpoint in its wrapping. It never tries again by itself: that is for the fallback to decide."""
    key = endpoint.key or _NO_KEY
    match endpoint.provider.wire:
        case Wire.OPENAI:
            from coterie.providers.openai_client import DirectOpenAI

            return _openai_provider(endpoint, DirectOpenAI(api_key=key, base_url=endpoint.base_url, http_client=http, max_retries=0))
        case Wire.ANTHROPIC:
            from anthropic import AsyncAnthropic
            from pydantic_ai.providers.anthropic import AnthropicProvider

            client = AsyncAnthropic(api_key=key, base_url=endpoint.base_url, http_client=http, max_retries=0)
            return AnthropicProvider(anthropic_client=client)
        case Wire.GEMINI:
            from google.genai.types import HttpRetryOptions
            from pydantic_ai.providers.google import GoogleProvider

            once = HttpRetryOptions(attempts=1)
            return GoogleProvider(api_key=key, base_url=endpoint.base_url, http_client=http, retry_options=once)
        case Wire.IN_PROCESS:
            raise ValueError(endpoint.provider.name)
        case _:
            assert_never(endpoint.provider.wire)


def _openai_provider(endpoint: Endpoint, client: Any) -> Any:
    """What is known of the dialect of this provider; a changed address behind `openai` is some other server."""
    from pydantic_ai.providers.deepseek import DeepSeekProvider
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    match endpoint.provider.name:
        case "openai":
            return OpenAIProvider(openai_client=client)
        case "deepseek":
            return DeepSeekProvider(openai_client=client)
        case "openrouter":
            return OpenRouterProvider(openai_client=client)
        case "ollama":
            return OllamaProvider(openai_client=client)
        case name:
            return OpenAICompatibleProvider(name, openai_client=client)


def wire_model(endpoint: Endpoint, name: str, provider: Any) -> "WireModel":
    """One model over a shared client."""
    match endpoint.provider.wire:
        case Wire.OPENAI:
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.profiles.openai import OpenAIModelProfile

            # OpenAI insists on the new name of `max_tokens`; other servers may know only the old one and answer without an end.
            is_openai = endpoint.provider.name == "openai" and endpoint.base_url == endpoint.provider.base_url
            profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=is_openai)
            return OpenAIChatModel(name, provider=provider, profile=profile)
        case Wire.ANTHROPIC:
            from pydantic_ai.models.anthropic import AnthropicModel

            return AnthropicModel(name, provider=provider)
        case Wire.GEMINI:
            from pydantic_ai.models.google import GoogleModel

            return GoogleModel(name, provider=provider)
        case Wire.IN_PROCESS:
            raise ValueError(name)
        case _:
            assert_never(endpoint.provider.wire)
