"""The lanes as a state machine: whatever is submitted, cancelled, failing or stale, each key stays serial and nothing is lost."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coterie.kit.lanes import Lanes, Ticket

KEYS = st.sampled_from(["a", "b"])


@dataclass
class Gate:
    """An item whose end the test decides."""

    name: int
    end: asyncio.Future[str]
    stubborn: bool = False


class LanesMachine(RuleBasedStateMachine):
    """Drives real lanes over a real loop with a clock of its own, and a plain list per key as the model."""

    @initialize()
    def start(self):
        self.loop = asyncio.new_event_loop()
        self.now = 0.0
        self.began: dict[str, list[int]] = defaultdict(list)
        self.ended: list[int] = []
        self.reported: list[int] = []
        self.expected: dict[str, list[Gate]] = defaultdict(list)
        self.count = 0
        self.gates: list[Gate] = []
        self.lanes: Lanes[str, Gate] = self.within(self.make)

    def make(self):
        return Lanes(self.run, report=self.report, now=lambda: self.now, stale_after=180)

    async def report(self, item: Gate, error: Exception):
        self.reported.append(item.name)

    def within(self, action):
        async def act():
            result = action()
            for _ in range(6):
                await asyncio.sleep(0)
            return result

        return self.loop.run_until_complete(act())

    async def run(self, ticket: Ticket[str, Gate]):
        self.began[ticket.key].append(ticket.item.name)
        try:
            while True:
                try:
                    how = await asyncio.shield(ticket.item.end)
                    break
                except asyncio.CancelledError:
                    if not ticket.item.stubborn:
                        raise
            if how == "fail":
                raise ValueError(how)
        finally:
            self.ended.append(ticket.item.name)

    def gate(self, *, stubborn=False):
        self.count += 1
        self.gates.append(Gate(self.count, self.loop.create_future(), stubborn))
        return self.gates[-1]

    def follow(self, key):
        """What the model expects to run now, in front of what waits."""
        return self.expected[key]

    @rule(key=KEYS, stubborn=st.booleans())
    def submit(self, key, stubborn):
        gate = self.gate(stubborn=stubborn)
        self.within(lambda: self.lanes.submit(key, gate))
        self.follow(key).append(gate)

    @rule(key=KEYS, size=st.integers(1, 3))
    def submit_first(self, key, size):
        gates = [self.gate() for _ in range(size)]
        self.within(lambda: self.lanes.submit_first(key, gates))
        running = self.follow(key)[:1]
        self.expected[key] = running + gates + self.follow(key)[1:]

    @rule(key=KEYS)
    def submit_behind_even(self, key):
        gate = self.gate()
        self.within(lambda: self.lanes.submit_behind(key, [gate], lambda item: item.name % 2 == 0))
        queue = self.follow(key)
        ahead = [index for index, item in enumerate(queue) if index > 0 and item.name % 2 == 0]
        place = ahead[-1] + 1 if ahead else min(1, len(queue))
        queue.insert(place, gate)

    @precondition(lambda self: any(self.expected.values()))
    @rule(key=KEYS, how=st.sampled_from(["done", "fail"]))
    def end(self, key, how):
        if not self.follow(key):
            return
        gate = self.follow(key).pop(0)
        self.within(lambda: gate.end.set_result(how))
        assert gate.name in self.ended
        assert (gate.name in self.reported) == (how == "fail")

    @rule(key=KEYS)
    def cancel(self, key):
        running = self.follow(key)[:1]
        assert self.within(lambda: self.lanes.cancel(key, "stopped")) == bool(running)
        if running and not running[0].stubborn:
            self.follow(key).pop(0)
            assert running[0].name in self.ended

    @rule(key=KEYS)
    def discard_odd(self, key):
        gone = self.within(lambda: self.lanes.discard(key, lambda item: item.name % 2 == 1))
        queue = self.follow(key)
        assert [item.name for item in gone] == [item.name for item in queue[1:] if item.name % 2 == 1]
        self.expected[key] = queue[:1] + [item for item in queue[1:] if item.name % 2 == 0]

    @rule(key=KEYS, seconds=st.sampled_from([100.0, 181.0]), watched=st.booleans())
    def grow_stale(self, key, seconds, watched):
        ticket = self.lanes.running(key)
        age = self.now - ticket.last_progress if ticket else 0
        self.now += seconds
        if ticket and watched:
            with self.lanes.phase(ticket):
                assert self.within(lambda: self.lanes.abandon_stale(key)) is None
            assert ticket.last_progress == self.now
            return
        gone = self.within(lambda: self.lanes.abandon_stale(key))
        assert (gone is not None) == (ticket is not None and age + seconds > 180)
        if gone is not None:
            assert not self.lanes.is_current(gone)
            self.follow(key).pop(0)

    @invariant()
    def runs_what_is_expected(self):
        for key in ("a", "b"):
            ticket = self.lanes.running(key)
            names = [item.name for item in self.follow(key)]
            found = ([ticket.item.name] if ticket else []) + [item.name for item in self.lanes.waiting(key)]
            assert found == names
            if ticket:
                assert self.began[key][-1] == ticket.item.name

    def teardown(self):
        if not hasattr(self, "lanes"):
            return
        for gate in self.gates:
            if not gate.end.done():
                gate.end.set_result("done")
        self.within(lambda: None)
        self.loop.run_until_complete(self.lanes.close("closing"))
        self.loop.close()


LanesMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30)
TestLanes = LanesMachine.TestCase


@pytest.mark.asyncio
async def test_an_item_cancelled_before_its_first_step_still_puts_its_things_in_order():
    seen: list[str | None] = []

    async def run(ticket: Ticket[str, str]) -> None:
        seen.append(ticket.ended_by)

    async def report(item: str, error: Exception) -> None:
        raise error

    lanes: Lanes[str, str] = Lanes(run, report=report, now=lambda: 0.0)
    lanes.submit("a", "x")
    lanes.cancel("a", "stopped")
    await lanes.idle()
    assert seen == ["stopped"]
    assert not lanes.keys()
