"""Faults and limits: switched on, met by discord.py, switched off."""

import asyncio

import aiohttp
import discord
import pytest

from discord_loopback.client import Channel, Loopback, OperationFailed, Person
from fakes.loopback_bots import Bot

EXECUTE = "/webhooks/{webhook}/{token}"


def text(bot: Bot, channel: Channel) -> discord.TextChannel:
    found = bot.get_channel(int(channel.id))
    assert isinstance(found, discord.TextChannel)
    return found


async def test_late_acknowledgement_is_stored_all_the_same(bot: Bot, loopback: Loopback, general: Channel):
    async with loopback.fault("late", method="POST", route="/channels/*/messages", times=1, seconds=30):
        sending = asyncio.create_task(text(bot, general).send("stored"))
        await general.until_said("stored")
        assert not sending.done()
        sending.cancel()


async def test_connections_die_before_or_after_a_message_is_stored(bot: Bot, loopback: Loopback, general: Channel):
    url = f"{loopback.url}/api/v10/channels/{general.id}/messages"
    headers = {"Authorization": f"Bot {(await loopback.application()).token}"}
    for kind, said in (("unheard", []), ("lost", ["x"])):
        async with loopback.fault(kind, method="POST"), aiohttp.ClientSession(headers=headers) as session:
            with pytest.raises(aiohttp.ClientError):
                await session.post(url, json={"content": "x"})
        assert [one.content for one in await general.messages()] == said


async def test_server_errors_are_retried_by_the_library(bot: Bot, loopback: Loopback, general: Channel):
    async with loopback.fault("status", method="POST", route="/channels/*/messages", times=1, status=502):
        await text(bot, general).send("second time")
    assert [one["status"] for one in await loopback.requests("POST", "/channels/{channel}/messages")] == [502, 200]
    assert len(await general.messages()) == 1


async def test_an_unlucky_request_is_done_and_fails(bot: Bot, loopback: Loopback, general: Channel):
    async with loopback.fault("unlucky", method="POST", route="/channels/*/messages", times=1, status=503):
        with pytest.raises(discord.HTTPException):
            await text(bot, general).send("done")
    assert [one.content for one in await general.messages()] == ["done"]


async def test_a_share_of_requests_is_hit_repeatably(bot: Bot, loopback: Loopback, general: Channel):
    fault = await loopback.begin_fault("unlucky", method="POST", route="/channels/*/messages", share=0.2, seed=7, status=503)
    done = await asyncio.gather(*(text(bot, general).send(str(number)) for number in range(50)), return_exceptions=True)
    failed = sum(isinstance(one, discord.HTTPException) for one in done)
    assert await loopback.lift(fault) == failed
    assert 3 <= failed <= 20


async def test_429s_carry_what_the_library_needs(bot: Bot, loopback: Loopback, general: Channel):
    async with loopback.fault("rate_limited", method="POST", route="/channels/*/messages", times=1, seconds=0.01):
        await text(bot, general).send("after a while")
    first, second = await loopback.requests("POST", "/channels/{channel}/messages")
    assert (first["status"], first["answer"]["retry_after"], second["status"]) == (429, 0.01, 200)
    await loopback.switch(via_header=False)
    async with loopback.fault("rate_limited", method="POST", route="/channels/*/messages", times=1, seconds=0.01):
        with pytest.raises(discord.HTTPException):
            await text(bot, general).send("taken for a ban")


async def test_webhook_limits_are_in_the_headers_and_the_channels_is_not(bot: Bot, loopback: Loopback, general: Channel):
    webhook = await general.create_webhook("one")
    await loopback.switch(webhook_limit=True)
    address = f"{loopback.url}/api/v10/webhooks/{webhook['id']}/{webhook['token']}"
    async with aiohttp.ClientSession() as session:
        answers = [await session.post(address, json={"content": "x"}) for _ in range(6)]
        assert [one.status for one in answers] == [204] * 5 + [429]
        assert answers[0].headers["X-RateLimit-Limit"] == "5"
        assert answers[4].headers["X-RateLimit-Remaining"] == "0"
        assert answers[5].headers["Via"]
        assert (await answers[5].json())["retry_after"] <= 2
        await loopback.switch(webhook_limit=False, channel_webhook_limit=True)
        answers = [await session.post(address, json={"content": "x"}) for _ in range(31)]
        assert [one.status for one in answers] == [204] * 30 + [429]
        assert answers[30].headers["X-RateLimit-Scope"] == "shared"
        assert "X-RateLimit-Limit" not in answers[30].headers


async def test_every_route_has_a_bucket_and_all_share_one(bot: Bot, loopback: Loopback, general: Channel):
    await loopback.switch(rate_limits=True)
    for _ in range(5):
        await text(bot, general).send("x")
    await loopback.switch(rate_limits=False, global_limit=True)
    headers = {"Authorization": f"Bot {(await loopback.application()).token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        answers = await asyncio.gather(*(session.get(f"{loopback.url}/api/v10/users/@me") for _ in range(120)))
    refused = [one for one in answers if one.status == 429]
    assert refused
    assert refused[0].headers["X-RateLimit-Global"] == "true"


async def test_an_unknown_route_is_loud(loopback: Loopback, caplog: pytest.LogCaptureFixture):
    async with aiohttp.ClientSession() as session:
        answer = await session.get(f"{loopback.url}/api/v10/no/such/route")
        assert (answer.status, (await answer.json())["code"]) == (404, 0)
    assert await loopback.unknown_routes() == ["GET /no/such/route"]
    assert "there is no route GET /no/such/route" in caplog.text
    await loopback.forget_traffic()


async def test_faults_and_switches_that_do_not_exist(loopback: Loopback):
    with pytest.raises(OperationFailed, match="no switch “nonsense”"):
        await loopback.switch(nonsense=True)
    with pytest.raises(OperationFailed, match="takes a bool"):
        await loopback.switch(rate_limits="yes")
    with pytest.raises(OperationFailed, match="no fault “nonsense”"):
        await loopback.begin_fault("nonsense")


async def test_only_so_many_messages_are_kept(loopback: Loopback, general: Channel, ann: Person):
    await loopback.switch(keep_messages=10)
    await ann.write_many(general, [str(number) for number in range(25)])
    assert [one.content for one in await general.messages()] == [str(number) for number in range(15, 25)]
