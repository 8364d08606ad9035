"""Who loses the connection and comes back sees in the end what those see who never lost it; and what that costs."""

import gc
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.domain.ids import SessionId
from coterie.platforms.rooms.events import delta_event, discard_event, end_event, error_event, line_event, plan_event, resync_event
from coterie.platforms.rooms.hub import Hub

A = SessionId("chat-a")


def line(root, turn, text, message="said"):
    return line_event(root, turn, persona=turn, name=turn.title(), avatar=None, text=text, message=message)


def planned(root, turn):
    return plan_event(root, root, [{"persona": turn, "reason": "trigger-word", "turn_id": turn}], [])


async def missed(hub, after):
    """What somebody is told who comes back to this id, before anything new."""
    ear, heard = hub.follow(A, after=after), []
    while not ear._queue.empty():
        event = await anext(ear)
        heard.append((event.name, event.data.get("text", "")))
    return heard


async def test_a_line_that_was_said_stands_for_its_deltas():
    hub = Hub("boot")
    ear = hub.follow(A)
    for event in (planned("1", "bram"), *(delta_event("1", "bram", word) for word in ("Good ", "eve", "ning"))):
        hub.publish(A, event)
    ids = [(await anext(ear)).id for _ in range(4)]
    assert await missed(hub, ids[1]) == [("delta", "eve"), ("delta", "ning")]
    hub.publish(A, line("1", "bram", "Good evening"))
    hub.publish(A, end_event("1", "answered"))
    for seen in ids:
        assert await missed(hub, seen) == [("line", "Good evening"), ("end", "")]


async def test_what_was_written_beyond_a_line_is_told_behind_it():
    hub = Hub("boot")
    ear = hub.follow(A)
    hub.publish(A, delta_event("1", "bram", "One.\n\nTw"))
    hub.publish(A, line("1", "bram", "One."))
    hub.publish(A, delta_event("1", "bram", "o"))
    first, said, last = [await anext(ear) for _ in range(3)]
    beyond = [("discard", ""), ("delta", "Tw"), ("delta", "o")]
    assert await missed(hub, first.id) == [("line", "One."), *beyond]
    assert await missed(hub, said.id) == beyond
    assert await missed(hub, last.id) == []


@pytest.mark.parametrize("ended", [discard_event("1", "bram"), error_event("1", "bram", "Broken."), end_event("1", "stopped")])
async def test_what_never_became_a_line_is_dropped_too(ended):
    hub = Hub("boot")
    ear = hub.follow(A)
    for event in (planned("1", "bram"), delta_event("1", "bram", "One"), delta_event("1", "bram", " two"), ended):
        hub.publish(A, event)
    assert await missed(hub, (await anext(ear)).id) == [(ended.name, "")]


async def test_who_missed_more_than_is_kept_reads_everything_again_and_can_come_back_to_that():
    hub = Hub("boot", kept_per_session=3)
    ear = hub.follow(A)
    for number in range(5):
        hub.publish(A, end_event(str(number), "silent"))
    ids = [(await anext(ear)).id for _ in range(5)]
    assert await missed(hub, ids[1]) == [("end", "")] * 3
    again = await anext(hub.follow(A, after=ids[0]))
    assert (again.name, again.id) == ("resync", ids[4])
    assert await missed(hub, again.id) == []


async def test_who_lost_the_connection_between_a_resync_and_what_is_under_way_hears_both_again():
    hub = Hub("boot")
    ear = hub.follow(A)
    hub.publish(A, delta_event("1", "bram", "One"))
    hub.publish(A, resync_event())
    delta, resync, discard, retold = [await anext(ear) for _ in range(4)]
    assert [event.id for event in (resync, discard)] == ["", ""]
    assert await missed(hub, delta.id) == [("resync", ""), ("discard", ""), ("delta", "One")]
    assert await missed(hub, retold.id) == []


def reply(hub, root):
    hub.publish(A, planned(root, "bram"))
    for number in range(100):
        hub.publish(A, delta_event(root, "bram", f" word {number}"))
    hub.publish(A, line(root, "bram", "word " * 100))
    hub.publish(A, end_event(root, "answered"))


def held_by(work):
    """Bytes that are in use after some work and were not before."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_a_room_that_nobody_listens_to_holds_nothing():
    hub = Hub("boot")
    reply(hub, "first")
    assert held_by(lambda: [reply(hub, str(number)) for number in range(20)]) < 4_000


def test_a_room_that_somebody_listens_to_holds_lines_and_no_deltas():
    hub = Hub("boot")
    ear = hub.listen(A)
    reply(hub, "first")
    del ear
    assert 4_000 < held_by(lambda: [reply(hub, str(number)) for number in range(20)]) < 60_000


def test_when_nobody_can_come_back_any_more_a_room_holds_nothing():
    hub = Hub("boot", kept_per_session=30)

    def talk():
        ear = hub.follow(A)
        reply(hub, "first")
        del ear
        for number in range(20):
            reply(hub, str(number))

    assert held_by(talk) < 4_000


class Watcher:
    """A client as those of the page and the terminal: what it has of lines and of turns under way."""

    def __init__(self, room):
        self.room, self.ear = room, None
        self.lines, self.written, self.last = {}, {}, None
        self.ids = []

    def come(self):
        if self.ear is None and self.last is None:
            self.lines, self.written = dict(self.room.lines), {}
        self.ear = self.ear or self.room.hub.follow(A, self.last)

    def leave(self):
        self.ear = None

    async def read(self, count=10_000):
        while self.ear is not None and count and not self.ear._queue.empty():
            count -= 1
            self.take(await anext(self.ear))

    def take(self, event):
        self.last = event.id or self.last
        self.ids += [int(event.id.rpartition("-")[2])] if event.id else []
        turn, text = (event.root, event.data.get("turn_id")), event.data.get("text", "")
        match event.name:
            case "plan":
                for row in event.data["turns"]:
                    self.written.pop((event.root, row["turn_id"]), None)
            case "delta":
                self.written[turn] = self.written.get(turn, "") + text
            case "discard" | "error":
                self.written.pop(turn, None)
            case "line":
                self.lines[event.data["message_id"]] = text
                before = self.written.pop(turn, "").lstrip()
                if before.startswith(text) and (rest := before.removeprefix(text).strip()):
                    self.written[turn] = rest
            case "end":
                self.written = {turn: text for turn, text in self.written.items() if turn[0] != event.root}
            case "resync":
                self.lines, self.written = dict(self.room.lines), {}

    @property
    def sees(self):
        return list(self.lines.items()), self.written


class Talked:
    """A room in which anything happens in any order; `lines` are those that can be read."""

    def __init__(self, length):
        self.hub = Hub("boot", kept_per_session=length)
        self.lines, self.said = {}, 0

    def delta(self, root, turn, text):
        self.hub.publish(A, delta_event(root, turn, text))

    def say(self, root, turn, text):
        self.said += 1
        self.lines[f"said-{self.said}"] = text
        self.hub.publish(A, line(root, turn, text, f"said-{self.said}"))

    def unsay(self):
        if self.lines:
            self.lines.popitem()
            self.hub.publish(A, resync_event())


TURNS = st.sampled_from([("1", "bram"), ("1", "wren"), ("2", "odile")])
TEXTS = st.sampled_from(["a", "ab", "b", " a", "a ", "\n\n", "ab a"])
STEPS = st.one_of(
    st.tuples(st.just("plan"), TURNS),
    st.tuples(st.just("delta"), TURNS, TEXTS),
    st.tuples(st.just("delta"), TURNS, TEXTS),
    st.tuples(st.just("line"), TURNS, st.sampled_from(["a", "ab", "b"])),
    st.tuples(st.sampled_from(["discard", "error"]), TURNS),
    st.tuples(st.just("end"), st.sampled_from("12")),
    st.tuples(st.just("unsay")),
    st.tuples(st.sampled_from(["come", "leave"]), st.integers(0, 1)),
    st.tuples(st.just("read"), st.integers(0, 1), st.integers(1, 6)),
)


async def follow_step(room, watchers, step):
    match step:
        case ("plan", (root, turn)):
            room.hub.publish(A, planned(root, turn))
        case ("delta", (root, turn), text):
            room.delta(root, turn, text)
        case ("line", (root, turn), text):
            room.say(root, turn, text)
        case ("discard", (root, turn)):
            room.hub.publish(A, discard_event(root, turn))
        case ("error", (root, turn)):
            room.hub.publish(A, error_event(root, turn, "Broken."))
        case ("end", root):
            room.hub.publish(A, end_event(root, "answered"))
        case ("unsay",):
            room.unsay()
        case ("come" | "leave" as name, number):
            getattr(watchers[number], name)()
        case ("read", number, count):
            await watchers[number].read(count)


@given(st.lists(STEPS, max_size=60), st.integers(2, 40))
async def test_whoever_comes_back_sees_what_those_see_who_never_left(steps, length):
    room = Talked(length)
    always, *others = watchers = [Watcher(room) for _ in range(3)]
    always.come()
    for step in steps:
        await always.read()
        await follow_step(room, others, step)
    for watcher in watchers:
        watcher.come()
        await watcher.read()
        assert watcher.sees == always.sees
        assert watcher.ids == sorted(set(watcher.ids))
