"""A server as a state machine: whatever people, models, settings, time and restarts do, nothing is lost, doubled or leaked.

Real flows over a real database; a model that answers when it is told to, and a clock that only the machine moves. No step sleeps.
"""

import asyncio
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from conftest import PRESETS
from coterie.app.chance import Dice, RandomIds
from coterie.domain.access import Standing
from coterie.domain.conversation import IncomingMessage, Mention, Person
from coterie.domain.ids import Handle, MessageId, PlaceId, SessionId, UserId, WorkspaceId
from coterie.domain.turns.plan import BY_HAND, Reason
from coterie.flows.talk import TAKEN_UP_WITHIN, Talk
from coterie.flows.work import Due, Heard
from coterie.flows.world import World
from coterie.platforms.rooms.hub import Hub
from coterie.platforms.rooms.stage import RoomStage
from coterie.ports.model import ModelBroken, ModelInfo, TextDelta
from coterie.storage.opening import open_storage
from coterie.storage.schema.claims import text_quota_units, text_quotas, text_serverwide_quotas
from coterie.storage.schema.conversations import messages
from flows.scenes import HandClock, OneModel

GUILD = WorkspaceId("discord:1")
PLACES = ("10", "11")
SESSIONS = {place: SessionId(f"chat-00000000-0000-4000-8000-0000000000{place}") for place in PLACES}
PEOPLE = ("ann", "ben", "eve")
TEXTS = ("hello", "bram?", "odile and wren", "wren, bram and odile", "I mean the tall one", "stop")
ANSWERS = ("ok", "wren?", "bram!", "bram and odile?", "wren and bram", "")
SETTINGS = {
    "text-quota-daily": (0, 1, 3),
    "text-quota-server": (0, 2, 5),
    "trigger-match-limit": (1, 3),
    "trigger-cascade-limit": (0, 1, 3),
    "active-per-user": (0, 1, 2),
    "active-per-server": (0, 2, 4),
    "cooldown-type": ("off", "per-user", "per-channel", "server"),
    "auto-trigger-threshold": (0, 2),
    "deliberate-trigger-mode": (False, True),
    "always-reply": (False, True),
}
LISTS = {
    "nobody barred": lambda access: access.without_barring(UserId("eve")),
    "eve barred": lambda access: access.barring(UserId("eve")),
    "one channel": lambda access: access.listing_channel(PlaceId("10"), None),
    "all channels": lambda access: access.without_channel(PlaceId("10")),
    "answering": lambda access: access.answering_in(PlaceId("11"), None),
    "silent": lambda access: access.not_answering_in(PlaceId("11")),
}


class Told:
    """A model that answers when it is told to; each question waits here."""

    info = ModelInfo("told", 32_000, 1_000, can_call_tools=False)

    def __init__(self):
        self.waiting: list[asyncio.Future[str]] = []

    def count_tokens(self, text):
        return len(text)

    async def stream(self, request):
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.waiting.append(answer)
        try:
            text = await answer
        finally:
            self.waiting.remove(answer)
        if text == "fail":
            raise ModelBroken("told to")
        yield TextDelta(text)


class Watching(RoomStage):
    """Keeps what was planned and how it ended, across restarts."""

    def __init__(self, hub, book):
        super().__init__(hub)
        self._book = book

    async def planned(self, session, root, message, settled, handles):
        self._book.planned(session, root, message, settled, handles)

    async def ended(self, session, root, status):
        self._book.ended[root] += 1


@dataclass
class Book:
    """What a witness would have written down."""

    limit: int = 3

    def __post_init__(self):
        self.plans: Counter[MessageId] = Counter()
        self.ended: Counter[MessageId] = Counter()
        self.turns: Counter[str] = Counter()
        self.since_spoken: Counter[SessionId] = Counter()

    def planned(self, session, root, message, settled, handles):
        """Everybody is in a plan, once, and nobody is called more often than the limit allows."""
        everybody = [turn.persona for turn in settled.turns] + [persona for persona, _ in settled.skipped]
        assert sorted(everybody) == sorted(handles)
        self.plans[message] += 1
        self.turns.update(turn.id for turn in settled.turns)
        reasons = [turn.reason for turn in settled.turns]
        if message == root and Reason.STOP_RESPONSE not in reasons:
            self.since_spoken[session] = 0
        self.since_spoken[session] += sum(reason not in BY_HAND and reason is not Reason.STOP_RESPONSE for reason in reasons)
        assert self.since_spoken[session] <= self.limit + 1


class ServerMachine(RuleBasedStateMachine):
    """Two channels, three people, three personas."""

    template: Path

    @initialize()
    def start(self):
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="coterie-machine-"))
        self.clock, self.model, self.book = HandClock(), Told(), Book()
        self.ids, self.problems = RandomIds(), []
        self.heard: dict[MessageId, str] = {}
        self.units: dict[MessageId, sa.Row] = {}
        self.left: list[asyncio.Task] = []
        self.act(self.open())

    async def open(self):
        file = shutil.copy(self.template, self.folder / "coterie.db")
        self.storage = await open_storage(f"sqlite:///{file}", self.folder, PRESETS, environment={})
        for session in SESSIONS.values():
            await self.storage.sessions.create(session, GUILD)
        self.cast = await self.storage.casts.cast(GUILD)
        self.talk = self.new_talk()

    def new_talk(self):
        kept = self.storage
        hub = Hub("boot")
        world = World(
            *(kept.casts, kept.sessions, kept.settings, kept.access, kept.people, kept.limited, kept.accounts),
            *(kept.conversations, OneModel(self.model), Watching(hub, self.book), self.clock, self.ids, Dice()),
        )
        return Talk(world, lambda what, error: self.problems.append((what, error)))

    def act(self, flow):
        """Do something, and let everything come to where it waits for a model."""
        return self.loop.run_until_complete(self._act(flow))

    async def _act(self, flow):
        result, calm = await flow, 0
        for _ in range(3000):
            # Every channel waits for a model, or is free; and not only in passing.
            calm = calm + 1 if len(self.model.waiting) == len(self.talk._lanes.keys()) else 0
            if calm > 15:
                return result
            await asyncio.sleep(0)
        raise AssertionError("a channel is stuck")

    def message(self, text, by, place, **more):
        fresh = MessageId(self.ids.message())
        person = Person(UserId(by), by.title())
        return IncomingMessage(fresh, GUILD, SESSIONS[place], person, text, self.clock.now(), standing=Standing(PlaceId(place)), **more)

    @rule(text=st.sampled_from(TEXTS), by=st.sampled_from(PEOPLE), place=st.sampled_from(PLACES))
    def say(self, text, by, place):
        self.receive(self.message(text, by, place))

    @rule(by=st.sampled_from(PEOPLE), place=st.sampled_from(PLACES), how=st.sampled_from(["mention", "bram"]))
    def address(self, by, place, how):
        message = self.message("well?", by, place)
        if how == "mention":
            self.receive(replace(message, mentions=(Mention(UserId("us"), is_us=True),)))
        else:
            self.receive(replace(message, persona=Handle(how)))

    def receive(self, message):
        if message.text != "stop":
            self.book.since_spoken[message.session] = 0
        assert self.act(self.talk.receive(message))
        self.heard[message.id] = message.text

    @rule(data=st.data(), text=st.sampled_from((*ANSWERS, *ANSWERS, "fail")))
    def answer(self, data, text):
        if self.model.waiting:
            asked = data.draw(st.sampled_from(range(len(self.model.waiting))))
            self.tell(asked, text)

    def tell(self, asked, text):
        async def told():
            self.model.waiting[asked].set_result(text)

        self.act(told())

    @rule(place=st.sampled_from(PLACES))
    def kill(self, place):
        self.act(self.talk.stop(SESSIONS[place]))
        assert not self.talk.running(SESSIONS[place])

    @rule(minutes=st.sampled_from([0.1, 1, 11, 31, 60 * 13]))
    def pass_by(self, minutes):
        self.clock.pass_by(minutes=minutes)

    @rule(name=st.sampled_from(sorted(SETTINGS)), choice=st.integers(0, 3))
    def set(self, name, choice):
        values = SETTINGS[name]
        value = values[choice % len(values)]
        self.act(self.storage.settings.change(GUILD, {name: value}))
        if name == "trigger-cascade-limit":
            self.book.limit = max(value, max(self.book.since_spoken.values(), default=0) - 1)

    @rule(name=st.sampled_from(sorted(LISTS)))
    def allow(self, name):
        self.act(self.storage.access.change(GUILD, LISTS[name]))

    @rule(is_clean=st.booleans())
    def restart(self, is_clean):
        """The process ends, or dies: nothing that waits goes on, nothing in memory is left."""
        # What waited too long for a plan is not taken up, and nothing more is said of it.
        since = self.clock.now() - TAKEN_UP_WITHIN
        waiting = [work.message for session in SESSIONS.values() for work in self.works(session) if isinstance(work, Heard)]
        for message in waiting:
            if message.created_at < since:
                del self.heard[message.id]
        if is_clean:
            self.act(self.talk.close())
        else:
            self.left += asyncio.all_tasks(self.loop)
        self.model.waiting = []

        async def again():
            self.talk = self.new_talk()
            await self.storage.limited.settle_left(self.clock.now())
            await self.talk.resume()

        self.act(again())

    # What is always so.

    def ask(self, statement):
        return self.loop.run_until_complete(self.storage.database.read(lambda connection: connection.execute(statement).all()))

    @invariant()
    def no_turn_is_lost_and_none_doubled(self):
        if not hasattr(self, "talk"):
            return
        here = [work.turn.id for session in SESSIONS.values() for work in self.works(session) if isinstance(work, Due)]
        unfinished = [turn.id for turn in self.loop.run_until_complete(self.storage.conversations.unfinished())]
        assert sorted(here) == sorted(unfinished)
        assert set(self.book.turns.values()) <= {1}
        assert not self.problems, self.problems

    def works(self, session):
        running = self.talk._lanes.running(session)
        return [*([running.item] if running else []), *self.talk._lanes.waiting(session)]

    @invariant()
    def whoever_is_not_answered_knows_why(self):
        if not hasattr(self, "talk"):
            return
        waiting = {work.root for session in SESSIONS.values() for work in self.works(session) if isinstance(work, Heard)}
        kept = {row.message_id for row in self.ask(sa.select(messages.c.message_id).where(messages.c.turn_id.is_(None)))}
        for message in kept & set(self.heard):
            assert self.book.plans[message] == (message not in waiting), self.heard[message]
        assert set(self.book.ended.values()) <= {1}

    @invariant()
    def no_unit_leaks(self):
        if not hasattr(self, "talk"):
            return
        under_way = {row.root_id: row for row in self.ask(sa.select(text_quota_units))}
        self.units |= under_way
        said = {row.root_id for row in self.ask(sa.select(messages.c.root_id).where(messages.c.turn_id.is_not(None)))}
        taken = [row for root, row in self.units.items() if root in under_way or root in said]
        days = Counter((row.user_disc_id, row.quota_date) for row in taken)
        periods = Counter(row.period_start for row in taken)
        for row in self.ask(sa.select(text_quotas)):
            assert row.used == days[row.user_disc_id, row.quota_date]
        for row in self.ask(sa.select(text_serverwide_quotas)):
            assert row.used == periods[row.period_start]
        works = {work.root for session in SESSIONS.values() for work in self.works(session)}
        assert set(under_way) <= works

    def teardown(self):
        if not hasattr(self, "talk"):
            return
        for _ in range(200):
            if not self.model.waiting:
                break
            self.tell(0, "ok")
            self.no_unit_leaks()
        assert not self.model.waiting, "they talk for ever"
        self.no_turn_is_lost_and_none_doubled()
        self.no_unit_leaks()
        for task in self.left:
            task.cancel()
        self.loop.run_until_complete(self.end())
        self.loop.close()
        shutil.rmtree(self.folder)

    async def end(self):
        await self.talk.close()
        await asyncio.gather(*self.left, return_exceptions=True)
        await self.storage.close()


def test_whatever_happens_in_a_server(sqlite_template):
    """A few examples; with `--hypothesis-profile=long` as many as that says."""
    asked = settings().max_examples
    machine = type("OnSqlite", (ServerMachine,), {"template": sqlite_template})
    run_state_machine_as_test(machine, settings=settings(max_examples=asked if asked > 100 else 12, stateful_step_count=20, deadline=None))
