"""Who hears what in a room."""

import asyncio

from coterie.domain.ids import SessionId
from coterie.platforms.rooms.events import end_event
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
    again = hub.listen(A, after=seen[0].id)
    assert [event.root for event in await take(again, 2)] == ["1", "2"]


async def test_who_was_away_for_too_long_or_since_another_start_reads_everything_again():
    hub = Hub("second-start")
    hub.publish(A, end_event("1", "silent"))
    assert (await anext(hub.listen(A, after="first-start-7"))).name == "resync"
    assert (await anext(hub.listen(A, after=""))).name == "resync"


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
