"""Models that fail in the middle, never end, or speak as somebody else; and a storage that goes away."""

import asyncio
from dataclasses import replace

import pytest

from coterie.domain.ids import MessageId
from coterie.domain.speech.segmenter import MOST_CHARACTERS
from coterie.ports.model import ModelBroken, Restarted
from coterie.ports.stores import StorageUnavailable, TurnStatus
from coterie.providers.wrappers import Fallback
from coterie.storage.opening import Storage
from flows.saying import Saying
from flows.scenes import ROOM, Scene, lines, scene_of, status, turns


@pytest.fixture
async def scene(storage: Storage):
    async with scene_of(storage) as opened:
        yield opened


async def said_by(scene: Scene, model):
    scene.models.only = model
    return await scene.say("bram?")


async def test_what_was_said_before_a_model_died_is_kept_and_the_failure_is_told(scene: Scene):
    events = await said_by(scene, Saying(["Moths are ", "soft", ModelBroken("saying broke off.")]))
    assert lines(events) == [("Bram", "Moths are soft")]
    assert [event.data["error"] for event in events if event.name == "error"] == ["saying broke off."]
    assert status(events) == "answered"
    decision = await scene.storage.conversations.why(MessageId(events[0].root))
    assert decision.turns[0].status is TurnStatus.FAILED
    assert decision.turns[0].note == "saying broke off."


async def test_a_fallback_takes_back_what_the_first_model_had_said(scene: Scene):
    spare = Saying(["Moths."])
    events = await said_by(scene, Fallback([Saying(["Well, I", ModelBroken("gone")]), spare]))
    assert lines(events) == [("Bram", "Moths.")]
    assert [event.name for event in events].count("discard") == 1
    assert not [event for event in events if event.name == "error"]


async def test_an_endless_answer_is_cut_and_its_model_stopped(scene: Scene):
    model = Saying("word " for _ in range(1_000_000))
    events = await said_by(scene, model)
    assert sum(len(text) for _, text in lines(events)) <= MOST_CHARACTERS
    assert status(events) == "answered"
    assert model.closed == 1


@pytest.mark.parametrize("pieces", [[], [""], ["  \n"], ["<think>hm</think>"]])
async def test_nothing_said_three_times_is_told(scene: Scene, pieces):
    model = Saying(pieces)
    events = await said_by(scene, model)
    assert (model.asked, lines(events), status(events)) == (3, [], "failed")
    assert "returned nothing" in next(event.data["error"] for event in events if event.name == "error")


async def test_a_reply_as_somebody_else_is_asked_for_again(scene: Scene):
    model = Saying(["Wren: I am here"], ["Wren: again"], ["Moths."])
    events = await said_by(scene, model)
    assert (model.asked, lines(events)) == (3, [("Bram", "Moths.")])
    assert not [event for event in events if event.name == "delta" and "am here" in event.data["text"]]


async def test_after_three_such_replies_the_label_is_taken_off(scene: Scene):
    events = await said_by(scene, Saying(["Wren: I am here"]))
    assert lines(events) == [("Bram", "I am here")]


async def test_a_model_is_stopped_where_it_would_speak_for_others(scene: Scene):
    model = Saying(["Moths.\n", "Wren: And", " I say", " much", " more"])
    assert lines(await said_by(scene, model)) == [("Bram", "Moths.")]
    assert model.closed == 1


class Unreachable:
    """Conversations whose named call fails as long as `is_down`."""

    def __init__(self, inner, call):
        self._inner = inner
        self._call = call
        self.is_down = True

    def __getattr__(self, name):
        found = getattr(self._inner, name)
        if name != self._call:
            return found

        async def call(*arguments, **named):
            if self.is_down:
                raise StorageUnavailable("The database is locked by another program.")
            return await found(*arguments, **named)

        return call


@pytest.mark.parametrize("call", ["hear", "commit", "begin", "history", "say"])
async def test_a_database_that_is_away_is_one_sentence_and_the_room_goes_on_when_it_is_back(storage: Storage, call):
    away = Unreachable(storage.conversations, call)
    async with scene_of(replace(storage, conversations=away)) as scene:
        events = await scene.say("bram?")
        assert [event.data["error"] for event in events if event.name == "error"] == ["The database is locked by another program."]
        assert status(events) == "failed"
        assert scene.rooms.running(ROOM) == 0
        away.is_down = False
        scene.problems.clear()
        assert lines(await scene.say("wren?")) == [("Wren", "ok")]
        if call == "say":
            # What could not be kept was not said either: no word of it is in the history.
            assert [name for name, _ in await scene.said()] == ["Ann", "Ann", "Wren"]


async def test_events_in_any_order_never_start_a_turn_of_our_own_accord(scene: Scene):
    """Many people at once, personas calling each other: every line belongs to a person's message and the room comes to rest."""
    texts = ["bram {{say: wren?}}", "wren {{say: bram? odile?}}", "odile", "hm", "stop", "bram, wren, odile {{say: coterie}}"]
    tasks = [scene.say_later(text, by=f"person{number % 3}") for number, text in enumerate(texts * 4)]
    ends = [status(await task) for task in tasks]
    assert set(ends) <= {"answered", "silent", "superseded", "stopped"}
    await scene.talk.idle()
    history = await scene.storage.conversations.history(ROOM, 500)
    roots = {message.id for message in history.messages if message.turn is None}
    assert all(message.root in roots for message in history.messages if message.turn is not None)
    for task in tasks:
        assert sum(len(turn) for turn in turns(task.result())) <= 4
    assert len(asyncio.all_tasks()) < 10


async def test_restarted_alone_discards_nothing(scene: Scene):
    events = await said_by(scene, Saying([Restarted("other"), "Moths."]))
    assert lines(events) == [("Bram", "Moths.")]
    assert "discard" not in [event.name for event in events]
