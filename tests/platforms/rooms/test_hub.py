"""Who hears what in a room."""

import asyncio

import pytest

from coterie.domain.ids import SessionId
from coterie.platforms.rooms.events import delta_event, discard_event, end_event, error_event, line_event, plan_event, resync_event
from coterie.platforms.rooms.hub import Hub

A, B = SessionId("chat-a"), SessionId("chat-b")


async def take(stream, count):
    return [await anext(stream) for _ in range(count)]


async def test_everyone_who_listens_hears_the_same_in_order_and_nothing_of_another_room():
    hub = Hub("boot")
    first, second = hub.listen(A), hub.listen(A)
    hub.publish(B, end_event("9", "silent"))
    hub.publish(A, end_event("1", "silent"))
    hub.publish(A, end_event("2", "answered"))
    assert [event.root for event in await take(first, 2)] == ["1", "2"]
    assert [event.root for event in await take(second, 2)] == ["1", "2"]


async def test_who_comes_back_hears_what_was_missed():
    hub = Hub("boot")
    ear = hub.listen(A)
    for number in range(3):
        hub.publish(A, end_event(str(number), "silent"))
    seen = await take(ear, 1)
    again = hub.follow(A, after=seen[0].id)
    assert [event.root for event in await take(again, 2)] == ["1", "2"]


async def test_who_was_away_for_too_long_or_since_another_start_reads_everything_again():
    hub = Hub("second-start")
    hub.publish(A, end_event("1", "silent"))
    assert (await anext(hub.follow(A, after="first-start-7"))).name == "resync"
    assert (await anext(hub.follow(A, after=""))).name == "resync"


async def test_a_closed_hub_and_a_deleted_room_end_their_streams():
    hub = Hub("boot")
    ear, other = hub.listen(A), hub.listen(B)
    hub.forget(A)
    assert [event async for event in ear] == []
    hub.close()
    assert [event async for event in other] == []
    assert [event async for event in hub.listen(B)] == []


async def test_rooms_that_nobody_listens_to_are_forgotten_but_never_one_that_is_heard():
    hub = Hub("boot")
    ear = hub.listen(A)
    for number in range(600):
        hub.publish(SessionId(f"chat-{number}"), end_event("x", "silent"))
    hub.publish(A, end_event("1", "answered"))
    assert (await asyncio.wait_for(anext(ear), 5)).root == "1"
    assert len(hub._rooms) <= 257


def line(root, turn, text):
    return line_event(root, turn, persona=turn, name=turn.title(), avatar=None, text=text, message=f"said-{turn}")


def row(turn):
    return {"persona": turn, "reason": "trigger-word", "turn_id": turn}


def plan(root, message, *turns):
    return plan_event(root, message, [row(turn) for turn in turns], [{"persona": "odile", "why": "not-called"}])


def told(root, message, *turns):
    """The plan of `plan`, as it is told later: who was left out does not matter any more."""
    began = {"root": root} if root != message else {}
    return ("plan", {"message_id": message, "turns": [row(turn) for turn in turns], "skipped": [], **began})


def written(turn, text):
    return [("discard", {"turn_id": turn}), ("delta", {"turn_id": turn, "text": text})]


UNDERWAY = [
    ([], []),
    ([plan("1", "1", "bram", "wren")], [told("1", "1", "bram", "wren")]),
    (
        [plan("1", "1", "bram", "wren"), delta_event("1", "bram", "Good "), delta_event("1", "bram", "evening")],
        [told("1", "1", "bram", "wren"), *written("bram", "Good evening")],
    ),
    ([plan("1", "1", "bram"), delta_event("1", "bram", "Wren: I"), discard_event("1", "bram")], [told("1", "1", "bram")]),
    (
        [plan("1", "1", "bram", "wren"), delta_event("1", "bram", "Hm."), line("1", "bram", "Hm."), delta_event("1", "wren", "A")],
        [told("1", "1", "wren"), *written("wren", "A")],
    ),
    (
        [plan("1", "1", "bram"), delta_event("1", "bram", "One. Two"), line("1", "bram", "One."), delta_event("1", "bram", "!")],
        [told("1", "1", "bram"), *written("bram", "Two!")],
    ),
    ([plan("1", "1", "bram", "wren"), error_event("1", "bram", "Broken.")], [told("1", "1", "wren")]),
    ([plan("1", "1", "bram"), line("1", "bram", "wren?"), plan("1", "said-bram", "wren")], [told("1", "said-bram", "wren")]),
    ([plan("1", "1", "bram"), delta_event("1", "bram", "x"), plan("2", "2", "wren"), end_event("1", "stopped")], [told("2", "2", "wren")]),
    # Taken up after a restart: the plan was made by a process that has ended.
    ([delta_event("1", "wren", "100 "), delta_event("1", "wren", "101")], written("wren", "100 101")),
]


@pytest.mark.parametrize(("happened", "heard"), UNDERWAY)
async def test_who_comes_in_the_middle_is_told_what_is_under_way(happened, heard):
    hub = Hub("boot")
    for event in happened:
        hub.publish(A, event)
    ear, bare = hub.follow(A), hub.listen(A)
    hub.publish(A, end_event("9", "silent"))
    assert [(event.name, dict(event.data)) for event in await take(ear, len(heard))] == heard
    assert (await anext(ear)).root == "9"
    assert (await anext(bare)).root == "9"
    again = hub.follow(A, after="another-start-7")
    assert (await anext(again)).name == "resync"
    assert [(event.name, dict(event.data)) for event in await take(again, len(heard))] == heard


async def test_whoever_was_told_what_is_under_way_can_come_back_to_it():
    hub = Hub("boot")
    hub.publish(A, plan("1", "1", "bram"))
    hub.publish(A, delta_event("1", "bram", "One"))
    first = await take(hub.follow(A), 3)
    assert [event.id for event in first[:2]] == ["", ""]
    hub.publish(A, delta_event("1", "bram", " two"))
    assert (await anext(hub.follow(A, after=first[-1].id))).data["text"] == " two"


async def test_lines_taken_back_are_followed_by_what_is_under_way_for_those_who_follow_the_session():
    hub = Hub("boot")
    ear, answer = hub.follow(A), hub.listen(A)
    hub.publish(A, delta_event("1", "bram", "One"))
    hub.publish(A, resync_event())
    hub.publish(A, end_event("1", "answered"))
    assert [event.name for event in await take(ear, 5)] == ["delta", "resync", "discard", "delta", "end"]
    assert [event.name for event in await take(answer, 3)] == ["delta", "resync", "end"]


async def test_a_room_in_which_somebody_speaks_is_not_forgotten():
    hub = Hub("boot")
    hub.publish(A, delta_event("1", "bram", "One"))
    for number in range(600):
        hub.publish(SessionId(f"chat-{number}"), end_event("x", "silent"))
    assert [event.name for event in await take(hub.follow(A), 2)] == ["discard", "delta"]
