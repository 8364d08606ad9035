"""Lines through the one webhook of a channel, against a real server, with the real library and real storage."""

import asyncio
from datetime import UTC, datetime

import discord
import pytest

from coterie.domain.speech.shown_names import fold, webhook_name
from coterie.platforms.discord.faces import NoFace
from coterie.platforms.discord.lines import Sent, Upload
from coterie.platforms.discord.shared_webhook import NAME
from coterie.platforms.discord.webhook_errors import Attempt, OutcomeUnknown, Refusal, WebhooksRefused
from coterie.ports.webhooks import ChannelId, KeptWebhook, WebhookId
from discord_loopback.acts import webhooks as acts
from discord_loopback.control import admins, faults, people
from platforms.discord.webhook_scenes import MAKES, PERMISSIONS, POSTS, at, line, speaking


async def test_all_personas_share_one_webhook_of_a_channel(house, webhooks, channel):
    sent = [await webhooks.send(at(channel), line(name, "hello"), NoFace()) for name in ("Wren", "Bram", "Wren")]
    assert house.said(channel) == [("Wren", "hello"), ("Bram", "hello"), ("Wren", "hello")]
    (only,) = house.webhooks(channel)
    assert only["name"] == NAME
    assert sent[1] == Sent(at(channel), int(house.messages(channel)[1]["id"]), WebhookId(int(only["id"])), "Bram")


async def test_threads_and_posts_use_the_webhook_of_their_parent(house, webhooks, channel):
    forum = house.channel("posts", "forum")
    post = int(people.post(house.server, house.person, forum, name="First", content="look")["id"])
    for parent, thread in ((channel, house.thread(channel)), (forum, post)):
        sent = await webhooks.send(at(parent, thread), line(), NoFace())
        assert house.said(thread)[-1] == ("Wren", "hello")
        assert sent.target.place == thread
        assert len(house.webhooks(parent)) == 1


async def test_a_webhook_is_made_once_however_many_speak_at_a_time(house, webhooks, channel):
    house.fault("latency", "POST", "/channels/*/webhooks", seconds=0.05)
    await asyncio.gather(*(webhooks.send(at(channel), line(text=str(number)), NoFace()) for number in range(12)))
    assert len(house.webhooks(channel)) == 1
    assert house.asked("POST", MAKES) == 1
    assert sorted(text for _, text in house.said(channel)) == sorted(str(number) for number in range(12))


async def test_a_restart_restores_the_webhook_so_that_old_lines_can_still_be_changed(house, webhooks, kept, channel):
    sent = await webhooks.send(at(channel), line(text="before"), NoFace())
    listed = house.asked("GET", MAKES)
    async with speaking(house, kept) as restarted:
        again = await restarted.send(at(channel), line(text="after"), NoFace())
        assert await restarted.edit(sent, "changed")
    assert again.webhook == sent.webhook
    assert (house.asked("GET", MAKES), house.asked("POST", MAKES)) == (listed, 1)
    assert house.said(channel) == [("Wren", "changed"), ("Wren", "after")]


async def test_a_webhook_whose_row_is_lost_is_found_in_the_channel(house, webhooks, kept, channel):
    sent = await webhooks.send(at(channel), line(), NoFace())
    await kept.forget(ChannelId(channel), sent.webhook)
    async with speaking(house, kept) as restarted:
        assert (await restarted.send(at(channel), line(), NoFace())).webhook == sent.webhook
    assert len(house.webhooks(channel)) == 1
    assert (await kept.get(ChannelId(channel))).webhook == sent.webhook


async def test_a_webhook_that_is_ours_is_used_under_whatever_name_it_was_given(house, webhooks, kept, channel):
    sent = await webhooks.send(at(channel), line(), NoFace())
    house.server.world.webhooks[sent.webhook].name = "Renamed"
    async with speaking(house, kept) as restarted:
        assert (await restarted.send(at(channel), line(), NoFace())).webhook == sent.webhook


async def test_webhooks_of_others_are_neither_used_nor_removed(house, webhooks, channel):
    other = int(admins.create_application(house.server, name="another bot")["id"])
    foreign = {admins.create_webhook(house.server, channel, name=NAME, application=owner)["id"] for owner in (0, other)}
    sent = await webhooks.send(at(channel), line(), NoFace())
    there = {webhook["id"] for webhook in house.webhooks(channel)}
    assert there == foreign | {str(sent.webhook)}
    admins.delete_webhook(house.server, sent.webhook)
    await webhooks.send(at(channel), line(), NoFace())
    assert foreign < {webhook["id"] for webhook in house.webhooks(channel)}
    assert house.asked("DELETE", ".*") == 0


@pytest.mark.parametrize("spoil", [admins.delete_webhook, admins.renew_webhook_token])
async def test_a_webhook_that_is_gone_is_made_anew_once_and_each_line_sent_once(house, webhooks, kept, channel, spoil):
    first = await webhooks.send(at(channel), line(text="0"), NoFace())
    spoil(house.server, first.webhook)
    sent = await asyncio.gather(*(webhooks.send(at(channel), line(text=text), NoFace()) for text in "12"))
    assert {one.webhook for one in sent} == {WebhookId(int(house.webhooks(channel)[-1]["id"]))}
    assert sorted(text for _, text in house.said(channel)) == ["0", "1", "2"]
    assert (await kept.get(ChannelId(channel))).token == house.webhooks(channel)[-1]["token"]
    assert house.asked("POST", MAKES) <= 2


@pytest.mark.parametrize("spoil", [admins.delete_webhook, admins.renew_webhook_token])
async def test_a_webhook_that_went_while_we_were_away_is_found_or_made_anew(house, webhooks, kept, channel, spoil):
    first = await webhooks.send(at(channel), line(text="before"), NoFace())
    spoil(house.server, first.webhook)
    async with speaking(house, kept) as restarted:
        await restarted.send(at(channel), line(text="after"), NoFace())
    assert [text for _, text in house.said(channel)] == ["before", "after"]
    assert len(house.webhooks(channel)) == 1


async def test_a_webhook_that_somebody_keeps_removing_is_refused_with_a_sentence(house, webhooks, channel):
    def remove(happening):
        for webhook in house.webhooks(channel):
            acts.delete(house.server.world, house.server.world.webhooks[int(webhook["id"])])

    house.server.world.listeners.append(remove)
    with pytest.raises(WebhooksRefused, match="removed as soon as it is made") as refused:
        await webhooks.send(at(channel), line(), NoFace())
    assert refused.value.kind is Refusal.WEBHOOK_VANISHES
    assert house.asked("POST", MAKES) == 2


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_webhook_that_was_given_to_another_channel_never_speaks_there(house, webhooks, channel, in_thread):
    target = at(channel, house.thread(channel) if in_thread else None)
    first = await webhooks.send(target, line(text="before"), NoFace())
    elsewhere = house.channel("elsewhere")
    house.server.world.webhooks[first.webhook].channel = elsewhere
    second = await webhooks.send(target, line(text="after"), NoFace())
    assert second.webhook != first.webhook
    assert house.said(target.place)[-2:] == [("Wren", "before"), ("Wren", "after")]
    assert house.said(elsewhere) == []


async def test_a_moved_webhook_is_not_restored_for_its_old_channel(house, webhooks, kept, channel):
    first = await webhooks.send(at(channel), line(), NoFace())
    house.server.world.webhooks[first.webhook].channel = house.channel("elsewhere")
    async with speaking(house, kept) as restarted:
        assert (await restarted.send(at(channel), line(), NoFace())).webhook != first.webhook
    # It was noticed before anything was said: nothing had to be taken back.
    assert house.asked("DELETE", ".*") == 0


def lose_permission(house, channel):
    admins.change_bot(house.server, house.guild, revoke=["manage_webhooks"])


def lose_sight(house, channel):
    admins.overwrite(house.server, channel, deny=["view_channel"])


def fill(house, channel):
    admins.fill_webhooks(house.server, channel)


def remove(house, channel):
    admins.delete_channel(house.server, channel)


@pytest.mark.parametrize(
    ("spoil", "refusal", "says"),
    [
        (lose_permission, (Refusal.MISSING_PERMISSION, 50013), "Manage Webhooks"),
        (lose_sight, (Refusal.NO_ACCESS, 50001), "View Channel"),
        (fill, (Refusal.TOO_MANY_HERE, 30007), "Integrations, Webhooks, remove one"),
        (remove, (Refusal.CHANNEL_GONE, 10003), "is gone"),
    ],
)
async def test_what_stops_a_webhook_is_said_with_what_to_click(house, webhooks, spoil, refusal, says):
    channel = house.channel()
    spoil(house, channel)
    before = len(house.server.world.webhooks)
    with pytest.raises(WebhooksRefused, match=says) as refused:
        await webhooks.send(at(channel), line(), NoFace())
    assert (refused.value.kind, refused.value.code) == refusal
    assert len(house.server.world.webhooks) == before
    assert house.asked("POST", POSTS) == 0


async def test_a_webhook_that_is_there_needs_no_permission(house, webhooks, channel):
    await webhooks.send(at(channel), line(), NoFace())
    lose_permission(house, channel)
    await webhooks.send(at(channel), line(), NoFace())
    assert len(house.said(channel)) == 2


async def test_a_thread_that_is_gone_is_refused_and_the_webhook_stays(house, webhooks, channel):
    sent = await webhooks.send(at(channel), line(), NoFace())
    with pytest.raises(WebhooksRefused) as refused:
        await webhooks.send(at(channel, 12345), line(), NoFace())
    assert refused.value.kind is Refusal.CHANNEL_GONE
    assert (await webhooks.send(at(channel), line(), NoFace())).webhook == sent.webhook


async def test_a_message_that_discord_does_not_take_is_refused_and_sent_nowhere(house, webhooks, channel):
    with pytest.raises(WebhooksRefused) as refused:
        await webhooks.send(at(channel), line(text="x" * 2001), NoFace())
    assert (refused.value.kind, refused.value.code) == (Refusal.MESSAGE, 50035)
    assert house.said(channel) == []


# Once, whatever happens to the answer


@pytest.mark.parametrize(
    ("kind", "arrives"),
    [("lost", True), ("unlucky", True), ("unheard", False), ("status", False)],
)
@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_line_whose_outcome_is_unknown_is_looked_for_and_said_once(house, webhooks, kind, arrives, in_thread):
    channel = house.channel()
    target = at(channel, house.thread(channel) if in_thread else None)
    before = await webhooks.send(target, line(text="same"), NoFace())
    house.fault(kind, "POST", "/webhooks/*", times=1, status=502)
    with pytest.raises(OutcomeUnknown) as unknown:
        await webhooks.send(target, line(text="same"), NoFace())
    found = await webhooks.find(unknown.value.attempt, known={before.message})
    assert (found is not None) is arrives
    if found is None:
        found = await webhooks.send(target, line(text="same"), NoFace())
    said = [message for message in house.messages(target.place) if message["content"] == "same"]
    assert [int(message["id"]) for message in said] == [before.message, found.message]


async def test_an_answer_that_does_not_come_leaves_the_outcome_unknown(house, kept, channel):
    async with speaking(house, kept, answer_within=0.3) as webhooks:
        await webhooks.of(ChannelId(channel))
        house.fault("late", "POST", "/webhooks/*", times=1, seconds=600)
        with pytest.raises(OutcomeUnknown) as unknown:
            await webhooks.send(at(channel), line(), NoFace())
        assert (await webhooks.find(unknown.value.attempt)).message == int(house.messages(channel)[0]["id"])


async def test_a_late_message_is_found_after_a_moment(house, webhooks, channel):
    await webhooks.of(ChannelId(channel))
    attempt = Attempt(at(channel), "Wren", "hello", datetime.now(UTC))
    house.fault("latency", "POST", "/webhooks/*", seconds=0.1)
    async with speaking(house, None, settle=0.5) as patient:
        found, sent = await asyncio.gather(patient.find(attempt), webhooks.send(at(channel), line(), NoFace()))
    assert found == sent
    assert house.asked("GET", r"/channels/\d+/messages") == 2


async def test_only_our_own_line_under_that_name_is_found(house, webhooks, channel):
    await webhooks.send(at(channel), line("Bram", "hello"), NoFace())
    await webhooks.send(at(channel), line("Wren", "hello you"), NoFace())
    people.write(house.server, house.person, channel, content="hello")
    attempt = Attempt(at(channel), "Wren", "hello", datetime.now(UTC))
    assert await webhooks.find(attempt) is None
    sent = await webhooks.send(at(channel), line("Wren", "hello"), NoFace())
    assert await webhooks.find(attempt) == sent


async def test_a_line_of_another_bot_under_that_name_is_not_found(house, webhooks, channel):
    other = int(admins.create_application(house.server, name="another bot")["id"])
    made = admins.create_webhook(house.server, channel, name=NAME, application=other)
    foreign = discord.Webhook.partial(int(made["id"]), made["token"], client=house.client)
    await foreign.send("hello", username="Wren")
    assert await webhooks.find(Attempt(at(channel), "Wren", "hello", datetime.now(UTC))) is None


async def test_a_line_is_found_after_a_restart_and_when_its_webhook_is_gone(house, webhooks, kept, channel):
    attempt = Attempt(at(channel), "Wren", "hello <:wave:123456789012345678>", datetime.now(UTC))
    sent = await webhooks.send(at(channel), line(text=attempt.text + "\n"), NoFace())
    admins.delete_webhook(house.server, sent.webhook)
    async with speaking(house, kept) as restarted:
        assert await restarted.find(attempt) == sent
        assert await restarted.find(attempt, known=[sent.message]) is None


async def test_a_closed_thread_is_refused_with_a_sentence(house, webhooks, channel):
    thread = house.thread(channel)
    people.set_thread(house.server, thread, archived=True, locked=True)
    with pytest.raises(WebhooksRefused, match="thread is closed"):
        await webhooks.send(at(channel, thread), line(), NoFace())


async def test_what_cannot_be_looked_for_stays_unknown(house, webhooks, channel):
    attempt = Attempt(at(channel), "Wren", "hello", datetime.now(UTC))
    remove(house, channel)
    with pytest.raises(WebhooksRefused):
        await webhooks.find(attempt)


async def test_a_short_wait_that_discord_asks_for_is_waited_and_the_line_said_once(house, webhooks, channel):
    await webhooks.of(ChannelId(channel))
    house.fault("rate_limited", "POST", "/webhooks/*", times=1, seconds=0.01)
    await webhooks.send(at(channel), line(), NoFace())
    assert house.said(channel) == [("Wren", "hello")]


@pytest.mark.parametrize(("via", "seconds"), [(True, 900), (False, 1)])
async def test_a_long_wait_and_a_ban_are_refused_and_nothing_is_sent(house, webhooks, channel, via, seconds):
    await webhooks.of(ChannelId(channel))
    faults.switch(house.server, settings={"via_header": via})
    house.fault("rate_limited", "POST", "/webhooks/*", seconds=seconds)
    with pytest.raises(WebhooksRefused) as refused:
        await webhooks.send(at(channel), line(), NoFace())
    assert refused.value.kind is Refusal.BUSY


async def test_a_server_that_is_not_there_is_no_unknown_outcome(house, webhooks, channel):
    await webhooks.of(ChannelId(channel))
    await house.server.stop()
    with pytest.raises(WebhooksRefused) as refused:
        await webhooks.send(at(channel), line(), NoFace())
    assert refused.value.kind is Refusal.UNREACHABLE


async def test_what_is_kept_survives_a_server_that_fails(house, webhooks, kept, channel):
    sent = await webhooks.send(at(channel), line(), NoFace())
    number = house.fault("unheard", "GET", "*webhooks*")
    async with speaking(house, kept) as restarted:
        with pytest.raises(WebhooksRefused) as refused:
            await restarted.send(at(channel), line(), NoFace())
        assert refused.value.kind is Refusal.UNREACHABLE
        assert (await kept.get(ChannelId(channel))).webhook == sent.webhook
        faults.lift(house.server, fault=number)
        assert (await restarted.send(at(channel), line(), NoFace())).webhook == sent.webhook
    assert len(house.webhooks(channel)) == 1


# Names, mentions, and what else a line carries


async def test_names_that_discord_refuses_are_worn_so_that_they_read_back(house, webhooks, channel):
    for name in ("Clyde", "DiscordMod", "here", "a```b", "X", "é" * 81):
        sent = await webhooks.send(at(channel), line(webhook_name(name)), NoFace())
        assert fold(sent.name) == name[:80]
    assert house.asked("POST", POSTS) == 6


async def test_a_name_that_is_refused_all_the_same_is_worn_otherwise_and_remembered(house, webhooks, channel):
    for text in ("one", "two"):
        sent = await webhooks.send(at(channel), line("Groundsphere", text), NoFace())
        assert fold(sent.name) == "Groundsphere"
    assert [text for _, text in house.said(channel)] == ["one", "two"]
    assert house.asked("POST", POSTS) == 3


async def test_only_the_users_that_are_meant_are_pinged(house, webhooks, channel):
    role = int(admins.create_role(house.server, house.guild, name="crew", mentionable=True)["id"])
    meant, other = (int(admins.create_person(house.server, name=name, guild=house.guild)["id"]) for name in ("bob", "eve"))
    text = f"@everyone @here <@&{role}> <@{meant}> <@{other}>"
    sent = await webhooks.send(at(channel), line(text=text, pings=(meant,)), NoFace())
    quiet = await webhooks.send(at(channel), line(text=text), NoFace())
    for message, pinged in zip(house.messages(channel), ([str(meant)], []), strict=True):
        assert message["content"] == text
        assert (message["mention_everyone"], message["mention_roles"]) == (False, [])
        assert [user["id"] for user in message["mentions"]] == pinged
    await webhooks.edit(quiet, text + "!", pings=[other])
    await webhooks.edit(sent, text + "!")
    bodies = [
        one.body for one in house.server.world.traffic.exchanges if one.path.startswith("/webhooks/") and one.method in ("POST", "PATCH")
    ]
    assert [body["allowed_mentions"].get("users", []) for body in bodies] == [[meant], [], [other], []]
    assert all(body["allowed_mentions"]["parse"] == [] for body in bodies)


async def test_embeds_and_files_go_along_also_when_the_line_is_sent_again(house, webhooks, channel):
    first = await webhooks.send(at(channel), line(), NoFace())
    admins.delete_webhook(house.server, first.webhook)
    embed = discord.Embed(title="A tool", description="said this")
    await webhooks.send(at(channel), line(text="", embeds=(embed,), files=(Upload("a.txt", b"some text"),)), NoFace())
    message = house.messages(channel)[-1]
    assert [shown["title"] for shown in message["embeds"]] == ["A tool"]
    assert [(file["filename"], file["size"]) for file in message["attachments"]] == [("a.txt", 9)]


async def test_a_line_is_changed_and_removed_also_in_a_thread(house, webhooks, channel):
    thread = house.thread(channel)
    for target in (at(channel), at(channel, thread)):
        sent = await webhooks.send(target, line(text="one", embeds=(discord.Embed(title="stays"),)), NoFace())
        assert await webhooks.edit(sent, "two")
        message = house.messages(target.place)[-1]
        assert (message["content"], [embed["title"] for embed in message["embeds"]]) == ("two", ["stays"])
        assert await webhooks.edit(sent, "three", embeds=[])
        assert house.messages(target.place)[-1]["embeds"] == []
        assert await webhooks.delete(sent)
        assert ("Wren", "three") not in house.said(target.place)
        assert not await webhooks.delete(sent)
        assert not await webhooks.edit(sent, "four")


async def test_a_line_of_a_webhook_that_is_gone_is_removed_by_the_bot_where_it_may(house, webhooks, channel):
    sent = [await webhooks.send(at(channel), line(text=text), NoFace()) for text in ("one", "two")]
    admins.delete_webhook(house.server, sent[0].webhook)
    assert not await webhooks.edit(sent[0], "changed")
    await webhooks.send(at(channel), line(text="three"), NoFace())
    assert not await webhooks.edit(sent[0], "changed")
    assert not await webhooks.delete(sent[0])
    admins.allow_bot(house.server, house.guild, allowed=[*PERMISSIONS, "manage_messages"])
    assert await webhooks.delete(sent[0])
    assert [text for _, text in house.said(channel)] == ["two", "three"]


async def test_a_row_of_a_channel_we_never_saw_before_is_used(house, webhooks, kept, channel):
    made = admins.create_webhook(house.server, channel, name="any", application=house.application)
    await kept.keep(KeptWebhook(ChannelId(channel), WebhookId(int(made["id"])), made["token"]))
    assert (await webhooks.send(at(channel), line(), NoFace())).webhook == int(made["id"])
