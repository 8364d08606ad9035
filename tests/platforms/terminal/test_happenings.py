"""From events to what changes on the screen."""

from datetime import UTC, datetime

import pytest

from coterie.platforms.terminal.happenings import CastDiffers, Growing, Happenings, Missed, Noted, Said, Unplanned, Withdrawn
from coterie.platforms.terminal.shapes import Line, Member
from coterie.platforms.terminal.streams import StreamEvent

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
CAST = (Member("odile", "Odile", True, ()), Member("bram", "Bram", False, ()), Member("wren", "Wren", False, ()))


class Scene:
    def __init__(self):
        self.happenings = Happenings(CAST)

    def hears(self, event, **data):
        return self.happenings.apply(StreamEvent(event, data), NOW)

    def person(self, message, text="hello"):
        return self.hears("message", message_id=message, author={"id": "owner", "name": "Ann", "persona": None}, text=text, created_at="x")

    def plan(self, message, *turns):
        rows = [{"persona": turn.rsplit("-", 1)[-1], "turn_id": turn, "reason": "chain"} for turn in turns]
        others = {"odile", "bram", "wren"} - {row["persona"] for row in rows}
        return self.hears("plan", message_id=message, turns=rows, skipped=[{"persona": each, "why": "not-called"} for each in others])

    def line(self, turn, message, text):
        handle = turn.rsplit("-", 1)[-1]
        return self.hears("line", turn_id=turn, persona=handle, name=handle.title(), avatar=None, text=text, message_id=message)


def bram(message, text):
    return Line(message, "Bram", text, NOW, "bram")


def test_two_personas_answer_in_order():
    scene = Scene()
    assert scene.person("m1", "bram and wren") == [Said(Line("m1", "Ann", "bram and wren", NOW, author="owner"))]
    assert scene.plan("m1", "a-bram", "b-wren") == []
    assert scene.happenings.activities() == {"bram": "writing", "wren": "waiting"}
    assert scene.hears("delta", turn_id="a-bram", text="Good ") == [Growing("a-bram", "bram", "Bram")]
    scene.hears("delta", turn_id="a-bram", text="evening.")
    assert scene.happenings.written("a-bram") == "Good evening."
    assert scene.line("a-bram", "m2", "Good evening.") == [Withdrawn("a-bram"), Said(bram("m2", "Good evening."))]
    assert scene.happenings.activities() == {"wren": "writing"}
    scene.line("b-wren", "m3", "Hm.")
    assert scene.happenings.is_working
    assert scene.hears("end", status="answered", message_id="m1") == []
    assert not scene.happenings.is_working
    assert list(scene.happenings.lines) == ["m1", "m2", "m3"]


def test_a_discard_takes_the_text_back_and_the_turn_goes_on():
    scene = Scene()
    scene.plan("m1", "a-bram")
    scene.hears("delta", turn_id="a-bram", text="Wren: I")
    assert scene.hears("discard", turn_id="a-bram") == [Withdrawn("a-bram")]
    assert scene.happenings.activities() == {"bram": "writing"}
    assert scene.hears("delta", turn_id="a-bram", text="I") == [Growing("a-bram", "bram", "Bram")]
    assert scene.happenings.written("a-bram") == "I"
    assert scene.hears("discard", turn_id="unknown") == []


def test_a_long_answer_in_two_lines_keeps_what_is_still_being_written():
    scene = Scene()
    scene.plan("m1", "a-bram")
    scene.hears("delta", turn_id="a-bram", text="First part.\n\nSecond")
    assert scene.line("a-bram", "m2", "First part.") == [Growing("a-bram", "bram", "Bram"), Said(bram("m2", "First part."))]
    assert scene.happenings.written("a-bram") == "Second"
    scene.hears("delta", turn_id="a-bram", text=" part.")
    assert scene.line("a-bram", "m3", "Second part.") == [Withdrawn("a-bram"), Said(bram("m3", "Second part."))]


def test_a_chain_belongs_to_the_message_it_began_with():
    scene = Scene()
    scene.person("m1")
    scene.plan("m1", "a-bram")
    scene.line("a-bram", "m2", "Ask wren.")
    scene.plan("m2", "b-wren")
    assert scene.happenings.activities() == {"wren": "writing"}
    scene.hears("delta", turn_id="b-wren", text="I was")
    assert scene.hears("end", status="stopped", message_id="m1") == [Withdrawn("b-wren"), Noted("Stopped.")]
    assert scene.happenings.activities() == {}


def test_a_failed_turn_is_told_by_name_and_the_others_go_on():
    scene = Scene()
    scene.plan("m1", "a-bram", "b-wren")
    scene.hears("delta", turn_id="a-bram", text="Goo")
    failed = scene.hears("error", turn_id="a-bram", error="The key was refused.\x1b[2J")
    assert failed == [Withdrawn("a-bram"), Noted("Bram: The key was refused.[2J", is_error=True)]
    assert scene.happenings.activities() == {"wren": "writing"}
    assert scene.hears("error", error="The disk is full.") == [Noted("The disk is full.", is_error=True)]


def test_a_turn_that_ends_without_a_word_gives_way():
    scene = Scene()
    scene.plan("m1", "a-bram", "b-wren")
    scene.hears("delta", turn_id="a-bram", text="Goo")
    assert scene.hears("delta", turn_id="b-wren", text="I") == [Withdrawn("a-bram"), Growing("b-wren", "wren", "Wren")]
    assert scene.happenings.activities() == {"wren": "writing"}


@pytest.mark.parametrize(
    ("turns", "status", "note"),
    [
        ((), "silent", "Nobody was called; /why says more."),
        (("a-bram",), "silent", "Nobody said anything."),
        (("a-bram",), "superseded", "A newer message took this one's place."),
        (("a-bram",), "failed", None),
        (("a-bram",), "answered", None),
    ],
)
def test_how_an_end_is_told(turns, status, note):
    scene = Scene()
    scene.person("m1")
    scene.plan("m1", *turns)
    assert scene.hears("end", status=status, message_id="m1") == ([Noted(note)] if note else [])


def test_a_known_message_is_not_said_twice():
    scene = Scene()
    scene.happenings.start([Line("m1", "Ann", "hello", NOW), bram("m2", "Good evening.")])
    assert scene.person("m1") == []
    assert scene.line("a-bram", "m2", "Good evening.") == []
    assert not scene.happenings.is_working


def test_whose_plan_was_not_heard_is_shown_by_the_whole_line_at_the_latest():
    scene = Scene()
    assert scene.hears("delta", turn_id="a-bram", text="ning.") == [Unplanned()]
    assert scene.line("a-bram", "m2", "Good evening.") == [Said(bram("m2", "Good evening."))]
    assert scene.happenings.activities() == {}


def test_a_cast_that_changed_is_noticed():
    scene = Scene()
    assert scene.hears("plan", message_id="m1", turns=[], skipped=[{"persona": "odile", "why": "not-called"}]) == [CastDiffers()]
    assert CastDiffers() in scene.line("c-newt", "m2", "I am new.")
    assert scene.happenings.name_of("newt") == "newt"


def test_missed_events_ask_for_the_messages():
    assert Scene().hears("resync") == [Missed()]


@pytest.mark.parametrize(
    "event",
    [
        StreamEvent("dance", {}),
        StreamEvent("delta", {}),
        StreamEvent("delta", {"turn_id": 7, "text": None}),
        StreamEvent("plan", {"turns": "x", "skipped": [1]}),
        StreamEvent("message", {"author": []}),
        StreamEvent("line", {"text": 5}),
        StreamEvent("end", {}),
        StreamEvent("error", {}),
    ],
)
def test_broken_events_break_nothing(event):
    happenings = Happenings(CAST)
    happenings.apply(event, NOW)
    assert all(isinstance(line.text, str) for line in happenings.lines.values())


def test_older_lines_go_in_front_once():
    happenings = Happenings(CAST)
    happenings.start([bram("m3", "c")])
    assert happenings.older([bram("m1", "a"), bram("m2", "b"), bram("m3", "c")]) == [bram("m1", "a"), bram("m2", "b")]
    assert list(happenings.lines) == ["m1", "m2", "m3"]
    happenings.forget_oldest(2)
    assert list(happenings.lines) == ["m3"]


def test_a_turn_that_a_restart_took_up_is_asked_for_once_and_shown_with_all_it_has_written():
    scene = Scene()
    scene.person("m1")
    assert scene.hears("delta", turn_id="a-wren", text="100 ") == [Unplanned()]
    assert scene.hears("delta", turn_id="a-wren", text="101 ") == []
    assert scene.happenings.activities() == {}
    assert scene.happenings.found("m1", [("a-wren", "wren"), ("b-bram", "bram")]) == [Growing("a-wren", "wren", "Wren")]
    assert scene.happenings.activities() == {"wren": "writing", "bram": "waiting"}
    scene.hears("delta", turn_id="a-wren", text="102")
    assert scene.happenings.written("a-wren") == "100 101 102"
    assert scene.happenings.found("m1", [("a-wren", "wren")]) == []
    scene.line("a-wren", "m2", "100 101 102")
    scene.line("b-bram", "m3", "Hm.")
    assert scene.hears("end", status="answered", message_id="m1") == []
    assert not scene.happenings.is_working


def test_when_a_message_ends_it_is_asked_whether_a_chain_without_a_beginning_goes_on():
    scene = Scene()
    scene.happenings.start([bram("m2", "Wren?")])
    scene.happenings.found("m2", [("a-wren", "wren")])
    scene.hears("delta", turn_id="a-wren", text="One ")
    assert scene.hears("end", status="stopped", message_id="m0") == [Withdrawn("a-wren"), Unplanned(), Noted("Stopped.")]
    assert not scene.happenings.is_working
    assert scene.happenings.found("m2", [("a-wren", "wren")]) == [Growing("a-wren", "wren", "Wren")]
    assert scene.happenings.written("a-wren") == "One "
    assert scene.happenings.is_working


def test_a_chain_of_which_only_its_plan_was_heard_ends_with_the_message_it_began_with():
    scene = Scene()
    scene.hears("plan", message_id="m2", root="m1", turns=[{"persona": "wren", "turn_id": "a-wren", "reason": "chain"}], skipped=[])
    assert scene.happenings.is_working
    scene.hears("end", status="answered", message_id="m1")
    assert not scene.happenings.is_working
