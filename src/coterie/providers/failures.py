"""What went wrong with a hosted model, in our errors and as one sentence for a person that never holds a key."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from coterie.ports.model import ModelBroken, ModelBusy, ModelError, ModelRefused, ModelUnknown

if TYPE_CHECKING:
    from coterie.providers.endpoints import Endpoint

_LONGEST_DETAIL = 240
_LONG_KEY = 12
_LOOKS_SECRET = re.compile(r"\b(?:sk|pk|rk|gsk|xai|key|AIza)[-_A-Za-z0-9*.]{12,}|(?<=[?&]key=)[^&\s]+|(?<=Bearer )\S+", re.ASCII)


def missing_key(endpoint: "Endpoint") -> ModelRefused:
    """A provider was chosen that has no key."""
    return ModelRefused(f"{endpoint.provider.name} needs a key: set {endpoint.provider.key_variable}, or save one for it in the page.")


def as_model_error(error: Exception, endpoint: "Endpoint", model: str) -> ModelError:
    """Our error for whatever an SDK raised."""
    from pydantic_ai import exceptions as ai

    name = endpoint.provider.name
    detail = redacted(detail_of(error), endpoint.key)
    match error:
        case ai.ModelAuthenticationError() if not endpoint.key:
            variable = endpoint.provider.key_variable
            return ModelRefused(f"{name} at {endpoint.base_url} wants a key (set {variable}, or save one for it in the page): {detail}")
        case ai.ModelAuthenticationError() | ai.ModelQuotaExceededError():
            return ModelRefused(f"{endpoint.provider.key_variable or 'The key'} was refused by {name}: {detail}")
        case ai.ModelRateLimitError() | ai.ModelOverloadedError():
            return ModelBusy(f"{name} asks to come back later: {detail}", error.retry_after)
        case ai.ModelNotFoundError():
            return ModelUnknown(f"{name} has no model {model}, or {endpoint.base_url} is not its address: {detail}")
        case ai.ModelConnectionError():
            reason = redacted(root_of(error), endpoint.key)
            return ModelBroken(f"{name} could not be reached at {endpoint.base_url}, or broke off: {reason}")
        case _:
            return ModelBroken(f"{name} failed: {detail}")


def detail_of(error: Exception) -> str:
    """What a provider said about its error, else what the error says about itself."""
    body = getattr(error, "body", None)
    said = _message_in(body)
    return said or str(error) or type(error).__name__


def root_of(error: BaseException) -> str:
    """What the first error in a chain of causes says: SDKs say no more than that a connection failed."""
    said = str(error)
    while error.__cause__ is not None:
        error = error.__cause__
        said = str(error) or said
    return said


def redacted(text: str, key: str) -> str:
    """One line of bounded length, without the key and without anything that looks like one."""
    for spelling in {key, quote(key, safe="")} - {""}:
        # A short key ("k", "ollama") may be part of an innocent word.
        pattern = re.escape(spelling) if len(spelling) >= _LONG_KEY else rf"(?<!\w){re.escape(spelling)}(?!\w)"
        text = re.sub(pattern, "…", text)
    line = " ".join(_LOOKS_SECRET.sub("…", text).split())
    line = line if len(line) <= _LONGEST_DETAIL else line[: _LONGEST_DETAIL - 1] + "…"
    return line if line.endswith((".", "!", "?", "…")) else line + "."


def _message_in(body: object) -> str:
    """The message of an error body: `{"error": {"message": …}}`, `{"message": …}`, `{"error": …}`, `{"detail": …}`, or a list of such."""
    if isinstance(body, list) and body:
        return _message_in(body[0])
    if isinstance(body, Mapping):
        found: Any = next((body[name] for name in ("error", "message", "detail") if body.get(name)), "")
        return _message_in(found) if isinstance(found, Mapping) else str(found)
    return body.strip() if isinstance(body, str) and not body.lstrip().startswith("<") else ""
