"""A reply that is said while it grows, as Discord wants it: paragraph by paragraph, each kept before it is shown."""

import pytest

from coterie.domain.ids import LOCAL
from coterie.platforms.rooms.stage import RoomStage
from coterie.ports.model import ModelBroken
from coterie.ports.platform import Limits, NotSaid
from coterie.providers.wrappers import Fallback
from coterie.storage.opening import Storage
from flows.saying import Saying
from flows.scenes import ROOM, Scene, lines, scene_of, status

TWO = "{{say@bram: First.\n\nSecond.}}"


class Paragraphs(RoomStage):
    """A room that is told paragraph by paragraph, and cannot show what holds `forbidden`."""

    def __init__(self, hub, forbidden="\0"):
        super().__init__(hub, Limits(2000, in_parts=True))
        self.forbidden = forbidden

    async def say(self, session, root, avatar, line):
        if self.forbidden in line.text:
            raise NotSaid("This channel cannot be written to.")
        await super().say(session, root, avatar, line)


@pytest.fixture
async def scene(storage: Storage):
    async with scene_of(storage, stage=Paragraphs) as opened:
        yield opened


async def test_each_paragraph_is_a_line_of_the_same_turn(scene: Scene):
    events = await scene.say(f"bram {TWO}")
    assert lines(events) == [("Bram", "First."), ("Bram", "Second.")]
    assert len({event.data["turn_id"] for event in events if event.name == "line"}) == 1
    assert (await scene.said())[1:] == [("Bram", "First."), ("Bram", "Second.")]
    assert status(events) == "answered"


async def test_the_setting_makes_it_one_message(scene: Scene):
    await scene.storage.settings.change(LOCAL, {"humanizer": 0})
    assert lines(await scene.say(f"bram {TWO}")) == [("Bram", "First.\n\nSecond.")]


async def test_a_reply_in_parts_is_looked_at_once_as_a_whole(scene: Scene):
    events = await scene.say("bram {{say@bram: Ask wren.\n\nOr wren.}}")
    assert [name for name, _ in lines(events)] == ["Bram", "Bram", "Wren"]


async def test_a_kill_after_the_first_part_ends_the_turn_and_nothing_is_said_twice(storage: Storage):
    async with scene_of(storage, stage=Paragraphs) as before:
        before.models.only = Saying(["First.\n\nSec", before.gate, "ond."])
        task = before.say_later("bram?")
        await before.gate.sleeping.acquire()
        # A killed process closes nothing; a second house over the same database finds what the first had kept.
        async with scene_of(storage, stage=Paragraphs) as after:
            assert await after.talk.resume() == 0
            assert await after.said() == [("Ann", "bram?"), ("Bram", "First.")]
            assert lines(await after.say("wren?")) == [("Wren", "ok")]
        task.cancel()


async def test_closing_amid_a_reply_keeps_what_was_said(storage: Storage):
    async with scene_of(storage, stage=Paragraphs) as before:
        before.models.only = Saying(["First.\n\nSec", before.gate, "ond."])
        task = before.say_later("bram?")
        await before.gate.sleeping.acquire()
        await before.talk.close()
        assert await before.said() == [("Ann", "bram?"), ("Bram", "First.")]
        task.cancel()
    async with scene_of(storage, stage=Paragraphs) as after:
        assert await after.talk.resume() == 0


async def test_a_stop_keeps_what_was_said_and_what_was_written_since(scene: Scene):
    scene.models.only = Saying(["First.\n\nSec", scene.gate, "ond."])
    first = scene.say_later("bram?")
    await scene.gate.sleeping.acquire()
    await scene.rooms.stop(scene.message("").session)
    assert lines(await first) == [("Bram", "First."), ("Bram", "Sec")]
    assert status(await first) == "answered"


async def test_a_follow_up_leaves_the_lines_and_drops_the_rest(scene: Scene):
    scene.models.only = Saying(["First.\n\nSec", scene.gate, "ond."], ["I see."])
    first = scene.say_later("bram?")
    await scene.gate.sleeping.acquire()
    second = await scene.say("no, the other one")
    assert lines(await first) == [("Bram", "First.")]
    assert lines(second) == [("Bram", "I see.")]


async def test_what_a_failed_model_had_said_is_removed_when_another_takes_over(scene: Scene):
    scene.models.only = Fallback([Saying(["Wrong.\n\nAnd", ModelBroken("gone")]), Saying(["Right."])])
    events = await scene.say("bram?")
    assert lines(events) == [("Bram", "Wrong."), ("Bram", "Right.")]
    assert (await scene.said())[1:] == [("Bram", "Right.")]


@pytest.mark.parametrize("text", ["Forbidden.", "First.\n\nForbidden.", "Forbidden.\n\nFirst."])
async def test_what_cannot_be_shown_was_not_said(storage: Storage, text):
    async with scene_of(storage, stage=lambda hub: Paragraphs(hub, "Forbidden")) as scene:
        events = await scene.say("bram {{say@bram: " + text + "}}")
        shown = [("Bram", "First.")] if text.startswith("First") else []
        assert lines(events) == shown
        assert (await scene.said())[1:] == shown
        assert [event.data["error"] for event in events if event.name == "error"] == ["This channel cannot be written to."]
        assert status(events) == ("answered" if shown else "failed")
        assert lines(await scene.say("wren?")) == [("Wren", "ok")]


async def test_only_the_first_line_of_a_late_reply_says_what_it_answers(scene: Scene):
    await scene.storage.settings.change(LOCAL, {"always-reply": False})
    first = scene.say_later("bram and wren {{sleep@bram: 1}} {{say@wren: " + "and on " * 500 + "}}")
    await scene.gate.sleeping.acquire()
    await scene.say("an aside that calls nobody", "ben")
    scene.gate.opened.set()
    await first
    said = (await scene.storage.conversations.history(ROOM, 50)).messages
    assert [message.reply_to for message in said if message.author.name == "Wren"] == [said[0].id, None]
