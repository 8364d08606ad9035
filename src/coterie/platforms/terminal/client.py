"""The HTTP API as one async client, for the terminal and the command line. It shows nothing, decides nothing and knows no Textual."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import quote

import httpx2

from coterie.platforms.terminal.streams import (
    ApiFailed,
    Connected,
    Lost,
    StreamEvent,
    pause_after,
    read_events,
    sentence_about,
    sentence_of,
)

__all__ = ["ApiClient", "ApiFailed", "Connected", "Lost", "StreamEvent"]

Json = dict[str, Any]

# A check of a provider's key or the import of a large card may take its time; a stream may be silent for as long as a model thinks.
_CALL = httpx2.Timeout(60.0, connect=10.0)
_STREAM = httpx2.Timeout(None, connect=10.0, write=60.0)


class ApiClient:
    """The calls of `/v1` by name. Every method raises `ApiFailed` when the server refuses or cannot be reached.

    Answers are the server's JSON, untouched. `workspace` is `local`, `discord:GUILD` or `dm:USER`.
    """

    def __init__(self, address: str, token: str = "", transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self.address = address.rstrip("/")
        headers = {b"Authorization": b"Bearer " + token.encode()} if token else None
        # To read the certificates of the world takes longer than most calls.
        verify = self.address.startswith("https:")
        # The proxies of the environment are for the wide world: a house on loopback must never be asked for through one.
        try:
            self._http = httpx2.AsyncClient(
                base_url=self.address, headers=headers, timeout=_CALL, transport=transport, trust_env=False, verify=verify
            )
        except httpx2.InvalidURL as error:
            raise ApiFailed(0, f"{address} is no address of a server.") from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    # Sessions

    async def sessions(self, workspace: str = "local") -> list[Json]:
        """Every session of a workspace; the default room has `"default": true`."""
        return _rows(await self._json("GET", "/v1/sessions", params={"workspace": workspace}), "sessions")

    async def create_session(
        self, prefix: Literal["chat", "http", "cli"] = "chat", name: str | None = None, workspace: str = "local"
    ) -> Json:
        """A new session."""
        body = {"prefix": prefix} | ({"name": name} if name is not None else {})
        return await self._json("POST", "/v1/sessions", json=body, params={"workspace": workspace})

    async def session(self, session: str) -> Json:
        """One session (specification 004)."""
        return await self._json("GET", _path("session", session))

    async def change_session(self, session: str, change: Mapping[str, Any]) -> Json:
        """A partial update: absent or null leaves a field alone. 400 for a wrong value, 409 for a taken `self_id`."""
        return await self._json("POST", _path("session", session), json=dict(change))

    async def delete_session(self, session: str) -> None:
        """Remove a session and what was said in it."""
        await self._call("DELETE", _path("session", session))

    async def messages(self, session: str, before: str | None = None, limit: int = 50) -> list[Json]:
        """Kept messages, oldest first; `before` is a message id, `limit` at most 200."""
        params = {"limit": str(limit)} | ({"before": before} if before else {})
        return _rows(await self._json("GET", _path("session", session, "messages"), params=params), "messages")

    async def stop(self, session: str) -> None:
        """Stop what runs in a session and clear what waits."""
        await self._call("POST", _path("session", session, "stop"))

    # Talk

    async def send(
        self,
        content: str,
        *,
        session: str,
        user: Mapping[str, str],
        persona: str | None = None,
        reply_to: str | None = None,
        model: str | None = None,
        reasoning: str | None = None,
    ) -> AsyncGenerator[StreamEvent]:
        """Say something; the events of the answer up to and including `end`. `user` holds `id` and `name`.

        Leaving the iterator early stops nothing. A stream that breaks before `end` raises `ApiFailed` with status 0.
        """
        wishes = {"persona": persona, "reply_to": reply_to, "model": model, "reasoning": reasoning}
        body = {"session_id": session, "content": content, "user": dict(user)} | {k: v for k, v in wishes.items() if v is not None}
        async with self._stream("POST", "/v1/send", json=body) as response, aclosing(read_events(response)) as events:
            async for event in events:
                yield event
                if event.name == "end":
                    return
        raise ApiFailed(0, f"The connection to {self.address} ended before the answer did.")

    async def events(self, session: str, last_event_id: str | None = None) -> AsyncGenerator[StreamEvent | Connected | Lost]:
        """Everything that happens in a session, without end: a broken stream is opened again where it broke.

        Raises `ApiFailed` only for what does not pass by waiting (the session is gone, the token is refused).
        """
        newest, failures = last_event_id, 0
        while True:
            headers = {"Last-Event-ID": newest} if newest else {}
            sentence = f"The connection to {self.address} was lost."
            try:
                async with self._stream("GET", _path("session", session, "events"), headers=headers) as response:
                    yield Connected(is_resumed=newest is not None)
                    async with aclosing(read_events(response)) as events:
                        async for event in events:
                            newest, failures = event.id or newest, 0
                            yield event
            except ApiFailed as failure:
                if not failure.is_passing:
                    raise
                sentence = failure.sentence
            failures += 1
            yield Lost(sentence, pause_after(failures))
            await asyncio.sleep(pause_after(failures))

    async def why(self, message: str) -> Json:
        """The plan behind a message, with a named reason for each persona that spoke or did not."""
        return await self._json("GET", _path("why", message))

    # Personas

    async def personas(self, workspace: str = "local") -> list[Json]:
        """The cast, main first."""
        return _rows(await self._json("GET", "/v1/personas", params={"workspace": workspace}), "personas")

    async def persona(self, handle: str, workspace: str = "local") -> Json:
        """One persona."""
        return await self._json("GET", _path("personas", handle), params={"workspace": workspace})

    async def create_persona(self, persona: Mapping[str, Any], workspace: str = "local") -> Json:
        """Add a persona. 409 when its name is taken, 422 when it does not fit."""
        return await self._json("POST", "/v1/personas", json=dict(persona), params={"workspace": workspace})

    async def change_persona(self, handle: str, change: Mapping[str, Any], workspace: str = "local") -> Json:
        """Change the given parts of a persona."""
        return await self._json("PATCH", _path("personas", handle), json=dict(change), params={"workspace": workspace})

    async def remove_persona(self, handle: str, workspace: str = "local") -> None:
        """Remove an alter; what it said stays."""
        await self._call("DELETE", _path("personas", handle), params={"workspace": workspace})

    async def import_card(
        self,
        card: Path | bytes,
        type: Literal["main", "alter"] = "alter",
        triggers: Sequence[str] = (),
        workspace: str = "local",
    ) -> Json:
        """Import a character card, from a file or its bytes: the persona and a report of what was understood."""
        name, data = await _card_bytes(card)
        form = {"type": type} | ({"triggers": ",".join(triggers)} if triggers else {})
        params = {"workspace": workspace}
        return await self._json("POST", "/v1/personas/import", files={"file": (name, data)}, data=form, params=params)

    async def export_card(self, handle: str, format: Literal["png", "json", "charx"] = "png", workspace: str = "local") -> bytes:
        """A persona as a card that other software reads."""
        response = await self._call("GET", _path("personas", handle, "export"), params={"format": format, "workspace": workspace})
        return response.content

    # The house

    async def settings(self, workspace: str = "local") -> Json:
        """The effective settings of a workspace by name."""
        return await self._json("GET", "/v1/settings", params={"workspace": workspace})

    async def change_settings(self, change: Mapping[str, Any], workspace: str = "local") -> Json:
        """Set some settings. 422 with the bounds for a value that does not fit."""
        return await self._json("PATCH", "/v1/settings", json=dict(change), params={"workspace": workspace})

    async def access(self, workspace: str = "local") -> Json:
        """The lists of who may call whom, and where."""
        return await self._json("GET", "/v1/access", params={"workspace": workspace})

    async def providers(self) -> Json:
        """The providers of language models and what is set up; never a key."""
        return await self._json("GET", "/v1/providers")

    async def subscriptions(self) -> list[Json]:
        """Who may use the operator's accounts."""
        return _rows(await self._json("GET", "/v1/subscriptions"), "subscriptions")

    async def grant_subscription(self, holder: str, days: int | None = None) -> Json:
        """Let a workspace (`discord:GUILD`) or a person (`user:ID`) use them, for so many days or until it is revoked."""
        return await self._json("PUT", _path("subscriptions", holder), json={"days": days})

    async def revoke_subscription(self, holder: str) -> None:
        """End a subscription. 404 where there is none."""
        await self._call("DELETE", _path("subscriptions", holder))

    async def models(self) -> Json:
        """The models that can be named."""
        return await self._json("GET", "/v1/models")

    async def health(self) -> Json:
        """Whether the house is usable, with what is missing, and how its model is; 503 is an answer here, not a failure."""
        return await self._json("GET", "/healthz", accepted=(503,))

    # How it is done

    async def _json(self, method: str, path: str, *, accepted: tuple[int, ...] = (), **request: Any) -> Json:
        response = await self._call(method, path, accepted=accepted, **request)
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise ApiFailed(0, f"What answers at {self.address} is not Coterie.")
        return answer

    async def _call(self, method: str, path: str, *, accepted: tuple[int, ...] = (), **request: Any) -> httpx2.Response:
        with _as_failures(self.address):
            response = await self._http.request(method, path, **request)
        if not response.is_success and response.status_code not in accepted:
            raise ApiFailed(response.status_code, sentence_of(response))
        return response

    @asynccontextmanager
    async def _stream(self, method: str, path: str, **request: Any) -> AsyncIterator[httpx2.Response]:
        with _as_failures(self.address):
            async with self._http.stream(method, path, timeout=_STREAM, **request) as response:
                if not response.is_success:
                    await response.aread()
                    raise ApiFailed(response.status_code, sentence_of(response))
                yield response


@contextmanager
def _as_failures(address: str) -> Iterator[None]:
    """Trouble of the connection as `ApiFailed`."""
    try:
        yield
    except (httpx2.TransportError, httpx2.DecodingError) as error:
        raise ApiFailed(0, sentence_about(error, address)) from error


async def _card_bytes(card: Path | bytes) -> tuple[str, bytes]:
    """The name and the bytes of a card. The name may become the persona's, when the card has none."""
    if isinstance(card, bytes):
        return "card", card
    try:
        return card.name, await asyncio.to_thread(card.read_bytes)
    except OSError as error:
        raise ApiFailed(0, f"{card} cannot be read: {error.strerror or error}.") from error


def _path(*parts: str) -> str:
    """A path below `/v1`; a part that comes from outside cannot leave its place."""
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)


def _rows(answer: Json, name: str) -> list[Json]:
    rows = answer.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
