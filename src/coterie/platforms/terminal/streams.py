"""Events as they come from the API: their shapes, how one response is read, when to try again. The calls are in `client`."""

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 8.0


class ApiFailed(Exception):
    """A call did not do what was asked. `sentence` is for a person; `status` is HTTP's, or 0 when nothing (usable) answered."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence

    @property
    def is_passing(self) -> bool:
        """Whether the same call may succeed a little later: nobody answered, or the server was busy or broken."""
        return self.status in (0, 408, 429) or self.status >= 500


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event of `/v1/send` or `/v1/session/{id}/events`; `id` is empty where the server numbers nothing."""

    name: str
    data: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True, slots=True)
class Connected:
    """The stream of a session is open. Resumed: nothing was missed; else what happened before this moment must be read."""

    is_resumed: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """The stream of a session broke; it is opened again after `pause` seconds."""

    sentence: str
    pause: float


def pause_after(failures: int) -> float:
    """Seconds to wait after the n-th failure in a row: doubled each time, up to `LONGEST_PAUSE_SECONDS`."""
    return float(min(FIRST_PAUSE_SECONDS * 2 ** min(failures - 1, 16), LONGEST_PAUSE_SECONDS))


async def read_events(response: httpx2.Response) -> AsyncGenerator[StreamEvent]:
    """The events of one open response (WHATWG HTML, server-sent events). Raises `ApiFailed` for what is no event of ours."""
    async for event in httpx2.EventSource(response):
        if not event.data:
            continue
        try:
            data = json.loads(event.data)
        except ValueError as error:
            raise ApiFailed(0, f"{response.url.host} sent an event that cannot be read.") from error
        if not isinstance(data, dict):
            raise ApiFailed(0, f"{response.url.host} sent an event that cannot be read.")
        yield StreamEvent(event.event, data, event.id)


def sentence_of(response: httpx2.Response) -> str:
    """The server's own sentence for a failure (`{"error": …}`), or one about its status."""
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if isinstance(answer, dict) and isinstance(answer.get("error"), str) and answer["error"]:
        return str(answer["error"])
    return f"{response.url.host} answered with status {response.status_code} and no reason."


def sentence_about(error: httpx2.RequestError, address: str) -> str:
    """One sentence for a person about a connection that did not work."""
    match error:
        case httpx2.ConnectError():
            return f"Nothing answers at {address}; is Coterie running there?"
        case httpx2.TimeoutException():
            return f"{address} does not answer in time."
        case httpx2.SSEError() | httpx2.UnsupportedProtocol():
            return f"What answers at {address} is not Coterie."
        case _:
            return f"The connection to {address} was lost."
