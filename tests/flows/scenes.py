"""A room in this process: real storage, real flows, the scripted model, and a clock that only a test moves."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from coterie.app.chance import Dice, RandomIds
from coterie.domain.conversation import IncomingMessage, Mention, Person
from coterie.domain.ids import LOCAL, Handle, MessageId, SessionId, UserId, WorkspaceId
from coterie.flows.talk import Talk
from coterie.flows.world import World
from coterie.platforms.rooms.events import Event
from coterie.platforms.rooms.hub import Hub, Listening
from coterie.platforms.rooms.rooms import Rooms
from coterie.platforms.rooms.stage import RoomStage
from coterie.ports.model import Model, ModelRequest
from coterie.ports.tools import Toolbox, empty
from coterie.providers.scripted import ScriptedModel
from coterie.providers.wrappers import Admitting
from coterie.storage.opening import Storage

ROOM = SessionId("chat-00000000-0000-4000-8000-000000000001")


class HandClock:
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        return self.moment.timestamp()

    def pass_by(self, **time: float) -> None:
        self.moment += timedelta(**time)


class Gate:
    """The scripted model's sleeper: every `{{sleep}}` waits here until the test opens it."""

    def __init__(self) -> None:
        self.sleeping = asyncio.Semaphore(0)
        self.opened = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.sleeping.release()
        await self.opened.wait()


class Overheard:
    """A model that keeps every request it passes on."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner
        self.requests: list[ModelRequest] = []

    @property
    def info(self):
        return self._inner.info

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    async def stream(self, request: ModelRequest) -> AsyncGenerator:
        self.requests.append(request)
        events = self._inner.stream(request)
        try:
            async for event in events:
                yield event
        finally:
            await events.aclose()


class OneModel:
    """Models of which there is only one."""

    def __init__(self, model: Model) -> None:
        self.only = model
        self.asked: list[str | None] = []
        self.falls_back = False
        """Whether every attempt fails that the server does not pay for."""

    async def model(self, name: str | None) -> Model:
        self.asked.append(name)
        return self.only

    async def routed(self, routes, admit) -> Model:
        self.asked.append(routes[0].model)
        return Admitting(self.only, admit) if self.falls_back and not routes[0].server_funded else self.only

    def default_name(self) -> str:
        return "scripted:scripted"

    def knows(self, name: str) -> bool:
        return True


@dataclass
class Scene:
    """What a test does and sees."""

    storage: Storage
    talk: Talk
    rooms: Rooms
    hub: Hub
    clock: HandClock
    gate: Gate
    model: Overheard
    models: OneModel
    ear: Listening
    problems: list[tuple[str, Exception]] = field(default_factory=list)
    ids: RandomIds = field(default_factory=RandomIds)
    workspace: WorkspaceId = LOCAL

    def message(self, text: str, by: str = "ann", *, mentions_us: bool = False, **more) -> IncomingMessage:
        mentions = (Mention(UserId("us"), is_us=True),) if mentions_us else ()
        person = Person(UserId(by), by.title())
        if "persona" in more:
            more["persona"] = Handle(more["persona"])
        fresh = MessageId(self.ids.message())
        return IncomingMessage(fresh, self.workspace, ROOM, person, text, self.clock.now(), mentions=mentions, **more)

    async def say(self, text: str, by: str = "ann", **more) -> list[Event]:
        """Say something; everything that comes of it."""
        return [event async for event in await self.rooms.send(self.message(text, by, **more))]

    def say_later(self, text: str, by: str = "ann", **more) -> "asyncio.Task[list[Event]]":
        return asyncio.create_task(self.say(text, by, **more))

    async def is_placed(self, text: str) -> None:
        """Wait until a message was heard and has its place: nothing is awaited between the two."""
        async for event in self.ear:
            if event.name == "message" and event.data["text"] == text:
                return

    async def said(self) -> list[tuple[str, str]]:
        """Who said what, oldest first."""
        history = await self.storage.conversations.history(ROOM, 200)
        return [(message.author.name, message.text) for message in history.messages]


@asynccontextmanager
async def scene_of(
    storage: Storage,
    *,
    tools: Toolbox = empty,
    clock: HandClock | None = None,
    stage: Callable[[Hub], RoomStage] = RoomStage,
    workspace: WorkspaceId = LOCAL,
) -> AsyncIterator[Scene]:
    """A scene over a storage; nothing may have gone wrong in it that no test looked at."""
    clock, gate, hub = clock or HandClock(), Gate(), Hub("boot")
    model = Overheard(ScriptedModel(gate))
    models = OneModel(model)
    world = World(
        casts=storage.casts,
        sessions=storage.sessions,
        settings=storage.settings,
        access=storage.access,
        people=storage.people,
        limited=storage.limited,
        fundings=storage.accounts,
        conversations=storage.conversations,
        models=models,
        platform=stage(hub),
        clock=clock,
        ids=RandomIds(),
        chance=Dice(),
        tools=tools,
    )
    problems: list[tuple[str, Exception]] = []
    talk = Talk(world, lambda what, error: problems.append((what, error)))
    await storage.sessions.create(ROOM, workspace)
    try:
        yield Scene(storage, talk, Rooms(talk, hub), hub, clock, gate, model, models, hub.listen(ROOM), problems, workspace=workspace)
        assert not problems, problems
    finally:
        await talk.close()


def lines(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.data["name"], event.data["text"]) for event in events if event.name == "line"]


def turns(events: list[Event]) -> list[list[tuple[str, str]]]:
    return [[(turn["persona"], turn["reason"]) for turn in event.data["turns"]] for event in events if event.name == "plan"]


def skips(events: list[Event]) -> list[dict[str, str]]:
    return [{skip["persona"]: skip["why"] for skip in event.data["skipped"]} for event in events if event.name == "plan"]


def status(events: list[Event]) -> str:
    assert [event.name for event in events].count("end") == 1
    assert events[-1].name == "end"
    return events[-1].data["status"]
