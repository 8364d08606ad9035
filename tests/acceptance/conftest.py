"""One running house for the scenes that do not need one of their own."""

import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from acceptance.running import STEP, Running, serving


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def api(house: Running) -> Iterator[httpx2.Client]:
    with house.api() as client:
        yield client


@pytest.fixture
def room(api: httpx2.Client) -> "Room":
    return Room(api)


class Room:
    """A fresh room of the house, and what can be done in it."""

    def __init__(self, api: httpx2.Client) -> None:
        self.api = api
        self.id = f"http-{uuid.uuid4()}"

    def send(self, text: str, user: str = "ann", **more: object) -> list[tuple[str, dict]]:
        """Say something and hear everything that comes of it."""
        return list(self.stream(text, user, **more))

    def stream(self, text: str, user: str = "ann", **more: object):
        """The same, as it comes."""
        body = {"session_id": self.id, "content": text, "user": {"id": user, "name": user.title()}, **more}
        with self.api.stream("POST", "/v1/send", json=body) as response:
            assert response.status_code == 200, response.read()
            for event in httpx2.EventSource(response):
                if event.data:
                    yield event.event, event.json()

    def later(self, text: str, user: str = "ann", **more: object) -> "Later":
        """Say something in the background."""
        return Later(self, text, user, more)

    def messages(self) -> list[tuple[str, str]]:
        """Who said what, oldest first."""
        found = self.api.get(f"/v1/session/{self.id}/messages", params={"limit": 200}).json()["messages"]
        return [(message["author"]["name"], message["text"]) for message in found]

    def state(self) -> str:
        return self.api.get(f"/v1/session/{self.id}").json()["state"]

    def why(self, message: str) -> dict:
        return self.api.get(f"/v1/why/{message}").json()


class Later:
    """A message being answered."""

    def __init__(self, room: Room, text: str, user: str, more: dict) -> None:
        self.events: list[tuple[str, dict]] = []
        self._pool = ThreadPoolExecutor(1)
        self._done = self._pool.submit(self._run, room, text, user, more)

    def _run(self, room: Room, text: str, user: str, more: dict) -> None:
        for event in room.stream(text, user, **more):
            self.events.append(event)

    def until(self, name: str, count: int = 1) -> None:
        """Wait until so many events of a name have come."""
        while sum(event[0] == name for event in self.events) < count:
            assert not self._done.done() or sum(event[0] == name for event in self.events) >= count, self.events
            time.sleep(STEP)

    def end(self) -> list[tuple[str, dict]]:
        """Everything, when it is over."""
        self._done.result(60)
        self._pool.shutdown()
        return self.events


def lines(events: list[tuple[str, dict]]) -> list[tuple[str, str]]:
    """Who said what."""
    return [(data["name"], data["text"]) for name, data in events if name == "line"]


def status(events: list[tuple[str, dict]]) -> str:
    """How it ended; exactly once, and last."""
    assert [name for name, _ in events].count("end") == 1
    assert events[-1][0] == "end"
    return events[-1][1]["status"]


def plans(events: list[tuple[str, dict]]) -> list[dict]:
    """Every plan, with who answers and why, and why the others do not."""
    return [
        {
            "turns": [(turn["persona"], turn["reason"]) for turn in data["turns"]],
            "skipped": {skip["persona"]: skip["why"] for skip in data["skipped"]},
        }
        for name, data in events
        if name == "plan"
    ]
