"""Events of a room as `text/event-stream` (WHATWG HTML, server-sent events), with a heartbeat. What is in them is the rooms' affair."""

from collections.abc import AsyncIterator
from typing import Any

import orjson
from sse_starlette import EventSourceResponse, ServerSentEvent
from sse_starlette.sse import SendTimeoutError
from starlette.types import Receive, Scope, Send

from coterie.platforms.rooms.events import Event, EventName

HEARTBEAT_SECONDS = 15
_SEND_SECONDS = 60

EVENTS: tuple[tuple[EventName, str, str], ...] = (
    (
        "plan",
        '{"message_id","root"?,"turns":[{"persona","reason","turn_id"}],"skipped":[{"persona","why"}]}',
        "who answers a message, in order, and who does not; a persona's line that calls another one gets a plan of its own, "
        "whose `root` is the person's message at which it began, and at whose `end` it has ended too",
    ),
    ("delta", '{"turn_id","text"}', "more text of a turn"),
    ("discard", '{"turn_id"}', "the deltas of this turn are taken back, the attempt is made again"),
    (
        "line",
        '{"turn_id","persona","name","avatar","text","message_id"}',
        "a finished line; `avatar` is below `/v1/avatars/` or null",
    ),
    ("error", '{"error","turn_id"?}', "one turn (with its id) or the whole message failed"),
    ("end", '{"status","message_id"}', "nothing more comes: `answered`, `failed`, `stopped`, `superseded` or `silent`; once per message"),
    ("message", '{"message_id","author","text","created_at","reply_to"}', "a person said something (only in the events of a session)"),
    (
        "resync",
        "{}",
        "more was missed than is kept: forget turns and deltas, and read the messages again (only in the events of a session)",
    ),
)
"""Every event: its name, its data, its meaning."""

_ROWS = (f"| `{name}` | `{data}` | {meaning} |" for name, data, meaning in EVENTS)
EVENT_TABLE = "\n".join(["| Event | Data | Meaning |", "|---|---|---|", *_ROWS])
"""The events for people, in Markdown."""

STREAM_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The events; lines that begin with a colon are heartbeats.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
"""How the OpenAPI document describes a stream."""


class EventStream(EventSourceResponse):
    """The events of an iterator, then the end. A reader that takes nothing for a minute is given up."""

    def __init__(self, events: AsyncIterator[Event]) -> None:
        super().__init__(_frames(events), ping=HEARTBEAT_SECONDS, ping_message_factory=_beat, send_timeout=_SEND_SECONDS, sep="\n")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the events end or the reader is gone."""
        try:
            await super().__call__(scope, receive, send)
        except SendTimeoutError:
            # The reader can come back with Last-Event-ID; to the server this is a hang-up, not an error.
            return


def _beat() -> ServerSentEvent:
    return ServerSentEvent(comment="still here", sep="\n")


async def _frames(events: AsyncIterator[Event]) -> AsyncIterator[ServerSentEvent]:
    # The first bytes go out before the first event: a proxy or a page then knows that the stream stands.
    yield ServerSentEvent(comment="ok", sep="\n")
    try:
        async for event in events:
            yield frame(event)
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


def frame(event: Event) -> ServerSentEvent:
    """One event on the wire: its name, its id where it has one, its data as one line of JSON."""
    return ServerSentEvent(orjson.dumps(event.data, default=dict).decode(), event=event.name, id=event.id or None, sep="\n")
