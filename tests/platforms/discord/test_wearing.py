"""Faces on the shared webhook: every line is seen with its own, whatever else is said meanwhile."""

import asyncio

import discord
import pytest

from coterie.platforms.discord.faces import FaceAt, FacePicture, NoFace
from coterie.platforms.discord.wearing import Wearing, plain_face
from coterie.ports.webhooks import ChannelId
from discord_loopback.control import admins
from platforms.discord.webhook_scenes import BLUE, CHANGES, RED, at, line, speaking

RED_FACE, BLUE_FACE = FacePicture("red", RED), FacePicture("blue", BLUE)


def sources(house, place):
    return [message["loopback"]["avatar_source"] for message in house.messages(place)]


async def test_a_face_is_put_on_once_for_a_run_of_lines(house, webhooks, channel):
    faces = [RED_FACE, RED_FACE, BLUE_FACE, BLUE_FACE, RED_FACE]
    for face in faces:
        await webhooks.send(at(channel), line(), face)
    assert [house.face(channel, number) for number in range(5)] == [face.png for face in faces]
    assert house.asked("PATCH", CHANGES) == 3


async def test_who_has_no_face_never_shows_the_one_before(house, webhooks, channel):
    for face in (NoFace(), RED_FACE, NoFace(), NoFace()):
        await webhooks.send(at(channel), line(), face)
    assert [house.face(channel, number) for number in range(4)] == [None, RED, None, None]
    assert house.asked("PATCH", CHANGES) == 2


async def test_a_face_at_an_address_leaves_the_webhook_alone(house, webhooks, channel):
    address = "https://faces.example/wren.png"
    await webhooks.send(at(channel), line(), RED_FACE)
    await webhooks.send(at(channel), line(), FaceAt(address))
    await webhooks.send(at(channel), line(), RED_FACE)
    assert sources(house, channel) == [None, address, None]
    assert house.face(channel) == RED
    assert house.asked("PATCH", CHANGES) == 1


async def test_lines_at_the_same_time_in_a_channel_and_its_threads_keep_their_faces(house, webhooks, channel):
    places = [at(channel), *(at(channel, house.thread(channel)) for _ in range(2))]
    said = [(place, name, face) for place in places for name, face in (("Red", RED_FACE), ("Blue", BLUE_FACE), ("None", NoFace()))] * 2
    await asyncio.gather(*(webhooks.send(place, line(name), face) for place, name, face in said))
    shown = {"Red": RED, "Blue": BLUE, "None": None}
    for place in places:
        names = [name for name, _ in house.said(place.place) if name in shown]
        assert len(names) == 6
        for number, (name, _) in enumerate(house.said(place.place)):
            if name in shown:
                assert house.face(place.place, number) == shown[name]


async def test_another_channel_has_a_webhook_and_a_face_of_its_own(house, webhooks, channel):
    other = house.channel("other")
    await webhooks.send(at(channel), line(), RED_FACE)
    await webhooks.send(at(other), line(), NoFace())
    assert (house.face(channel), house.face(other)) == (RED, None)
    assert house.asked("PATCH", CHANGES) == 1


async def test_after_a_restart_a_face_that_is_not_known_is_put_on_anew(house, webhooks, kept, channel):
    await webhooks.send(at(channel), line(), RED_FACE)
    async with speaking(house, kept) as restarted:
        await restarted.send(at(channel), line(), NoFace())
    assert house.face(channel) is None
    async with speaking(house, kept) as restarted:
        await restarted.send(at(channel), line(), NoFace())
    assert house.asked("PATCH", CHANGES) == 2


async def test_a_new_webhook_is_bare(house, webhooks, channel):
    first = await webhooks.send(at(channel), line(), RED_FACE)
    admins.delete_webhook(house.server, first.webhook)
    await webhooks.send(at(channel), line(), RED_FACE)
    await webhooks.send(at(channel), line(), NoFace())
    assert [house.face(channel, number) for number in range(3)] == [RED, RED, None]


async def test_a_webhook_that_is_gone_when_its_face_changes_is_made_anew(house, webhooks, channel):
    first = await webhooks.send(at(channel), line(text="one"), RED_FACE)
    admins.delete_webhook(house.server, first.webhook)
    await webhooks.send(at(channel), line(text="two"), BLUE_FACE)
    assert [text for _, text in house.said(channel)] == ["one", "two"]
    assert house.face(channel) == BLUE


@pytest.mark.parametrize("fault", [{"kind": "rate_limited", "seconds": 60}, {"kind": "status", "status": 400}])
async def test_a_change_that_discord_does_not_take_is_not_waited_for_and_nobody_elses_face_is_seen(house, webhooks, channel, fault):
    await webhooks.send(at(channel), line(), RED_FACE)
    house.fault(method="PATCH", route="/webhooks/*", **fault)
    await webhooks.send(at(channel), line(), BLUE_FACE)
    await webhooks.send(at(channel), line(), NoFace())
    assert sources(house, channel) == [None, plain_face(), plain_face()]
    # Not tried again at every line, and what it wears is still known.
    assert house.asked("PATCH", CHANGES) == 2
    await webhooks.send(at(channel), line(), RED_FACE)
    assert (sources(house, channel)[-1], house.face(channel)) == (None, RED)


async def test_in_place_of_a_sprite_the_same_personas_face_may_be_seen(house, webhooks, channel):
    await webhooks.send(at(channel), line(), RED_FACE)
    house.fault("rate_limited", "PATCH", "/webhooks/*", seconds=60)
    await webhooks.send(at(channel), line(), FacePicture("blue", BLUE, instead="red"))
    await webhooks.send(at(channel), line(), FacePicture("blue", BLUE, instead="another"))
    assert sources(house, channel) == [None, None, plain_face()]
    assert house.face(channel, 1) == RED


async def test_a_short_wait_for_a_change_is_waited(house, webhooks, channel):
    await webhooks.of(ChannelId(channel))
    house.fault("rate_limited", "PATCH", "/webhooks/*", times=1, seconds=0.01)
    await webhooks.send(at(channel), line(), RED_FACE)
    assert house.face(channel) == RED


async def test_a_change_that_takes_too_long_leaves_nothing_known(house, channel):
    made = admins.create_webhook(house.server, channel, name="any", application=house.application)
    house.fault("late", "PATCH", "/webhooks/*", times=1, seconds=600)
    webhook = discord.Webhook.partial(int(made["id"]), made["token"], client=house.client)
    wearing = Wearing(patience=0.05)
    wearing.found(webhook.id, is_bare=True)
    async with wearing.put_on(webhook, RED_FACE) as address:
        assert address == plain_face()
    # It may have been changed after all, so even a bare webhook is not taken for bare.
    async with wearing.put_on(webhook, NoFace()) as address:
        assert address == plain_face()


async def test_a_turn_that_is_stopped_while_a_face_changes_leaves_no_lock_and_nothing_known(house, webhooks, channel):
    await webhooks.send(at(channel), line(), RED_FACE)
    house.fault("late", "PATCH", "/webhooks/*", times=1, seconds=600)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(webhooks.send(at(channel), line("Blue"), BLUE_FACE), 0.3)
    await webhooks.send(at(channel), line(), RED_FACE)
    assert house.said(channel) == [("Wren", "hello")] * 2
    assert house.face(channel) == RED
