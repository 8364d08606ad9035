"""Who may call whom, where and how often: conversations in a server of many people, on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from coterie.domain.access import Cooldown, CooldownKind, Spotlight, Standing
from coterie.domain.conversation import Direction
from coterie.domain.ids import Handle, PlaceId, RoleId, SessionId, UserId, WorkspaceId
from coterie.domain.sessions.session import Place, SessionChange
from coterie.domain.turns.funding import person_holder, workspace_holder
from coterie.domain.turns.plan import MEANINGS, Why
from coterie.platforms.rooms.stage import RoomStage
from coterie.ports.accounts import Account, Subscription
from coterie.storage.opening import Storage
from flows.scenes import ROOM, HandClock, Scene, lines, scene_of, skips, status, turns

GUILD = WorkspaceId("discord:1")
HALL, ATTIC, THREAD = PlaceId("10"), PlaceId("11"), PlaceId("100")
HERE = Standing(HALL, locale="ja")
ELSEWHERE = SessionId("chat-00000000-0000-4000-8000-000000000002")


class Telling(RoomStage):
    """A room that keeps what people are told in private."""

    def __init__(self, hub) -> None:
        super().__init__(hub)
        self.told = []

    async def declined(self, message, why, until) -> None:
        self.told.append((message.author.id, why, until))


class Server:
    """A channel of a server, and who is told what."""

    def __init__(self, scene: Scene, stage: Telling) -> None:
        self.scene, self.stage, self.storage, self.clock = scene, stage, scene.storage, scene.clock

    async def say(self, text, by="ann", standing=HERE, **more):
        return await self.scene.say(text, by, standing=standing, **more)

    async def hears(self, text, by="ann", standing=HERE):
        """Say something that nobody need keep; wait until everything that comes of it is over."""
        message = self.scene.message(text, by, standing=standing)
        await self.scene.talk.receive(message)
        await self.scene.talk.idle()
        return message

    async def persona(self, handle):
        return (await self.storage.casts.cast(GUILD)).by_handle(handle).id

    async def allow(self, edit):
        await self.storage.access.change(GUILD, edit)

    async def set(self, **values):
        await self.storage.settings.change(GUILD, {name.replace("_", "-"): value for name, value in values.items()})

    async def answers(self):
        """What personas said so far."""
        return [name for name, text in await self.scene.said() if text == "ok"]


@pytest.fixture
async def server(storage: Storage):
    stages = []

    def stage(hub):
        stages.append(Telling(hub))
        return stages[0]

    async with scene_of(storage, stage=stage, workspace=GUILD) as opened:
        yield Server(opened, stages[0])


# Access.


async def test_a_listed_channel_and_its_threads_are_open_and_all_others_silent(server):
    await server.allow(lambda access: access.listing_channel(ATTIC, None))
    events = await server.say("bram?")
    assert (turns(events), skips(events), status(events)) == (
        [[]],
        [{"odile": "not-called", "bram": "not-allowed-here", "wren": "not-called"}],
        "silent",
    )
    assert await server.scene.said() == []
    assert server.stage.told == []
    for standing in (Standing(ATTIC), Standing(THREAD, ATTIC)):
        assert lines(await server.say("bram?", standing=standing)) == [("Bram", "ok")]


async def test_a_role_is_asked_for(server):
    friend = RoleId("5")
    await server.allow(lambda access: access.listing_role(friend))
    assert skips(await server.say("bram?"))[0]["bram"] == "role-needed"
    assert lines(await server.say("bram?", standing=Standing(HALL, roles=(friend,)))) == [("Bram", "ok")]


async def test_somebody_barred_is_neither_answered_nor_kept(server):
    await server.allow(lambda access: access.barring(UserId("ben")))
    assert skips(await server.say("bram?", by="ben"))[0]["bram"] == "blacklisted"
    assert lines(await server.say("bram?", by="ann")) == [("Bram", "ok")]
    assert [name for name, _ in await server.scene.said()] == ["Ann", "Bram"]


async def test_whoever_is_barred_meanwhile_learns_why_nobody_goes_on(server):
    running = server.scene.say_later("bram {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    await server.allow(lambda access: access.barring(UserId("ann")))
    events = await server.say("I mean the tall one")
    assert skips(events) == [{"odile": "not-called", "bram": "blacklisted", "wren": "not-called"}]
    server.scene.gate.opened.set()
    assert status(await running) == "answered"


async def test_somebody_private_is_read_by_nobody_but_may_give_a_command(server):
    await server.hears("my secret, bram, is moths", by="ben")
    await server.storage.people.change(UserId("ben"), {"privacy": "full"})
    assert skips(await server.say("bram?", by="ben"))[0]["bram"] == "private"
    await server.say("wren?")
    assert "secret" not in "".join(piece.text for piece in server.scene.model.requests[-1].messages)
    command = await server.say("/respond", by="ben", persona="bram", direction=Direction())
    assert lines(command) == [("Bram", "ok")]


async def test_people_are_called_as_they_want(server):
    await server.storage.people.change(UserId("ann"), {"nickname": "Captain"})
    await server.say("bram, hello")
    assert "Captain: bram, hello" in server.scene.model.requests[-1].messages[-1].text
    await server.storage.people.change(UserId("ann"), {"privacy": "partial"})
    await server.say("bram, hello")
    assert "Ann: bram, hello" in server.scene.model.requests[-1].messages[-1].text


async def test_a_persona_kept_to_channels_and_a_spotlight_only_narrow_also_through_a_chain(server):
    bram, wren, odile = [await server.persona(handle) for handle in ("bram", "wren", "odile")]
    await server.allow(lambda access: access.keeping_persona_to(bram, frozenset({ATTIC})))
    events = await server.say("bram and wren {{say@wren: what do you think, odile and bram?}}")
    assert lines(events) == [("Wren", "what do you think, odile and bram?"), ("Odile", "ok")]
    assert [skip["bram"] for skip in skips(events)] == ["persona-not-here", "persona-not-here"]
    await server.allow(lambda access: access.shining(UserId("ann"), HALL, Spotlight(frozenset({wren}))))
    events = await server.say("wren {{say@wren: odile?}}")
    assert lines(events) == [("Wren", "odile?")]
    assert skips(events)[1] == {"odile": "not-in-spotlight", "bram": "not-called", "wren": "speaker-itself"}
    assert lines(await server.say("odile?", by="ben")) == [("Odile", "ok")]
    assert odile


async def test_a_chain_follows_its_origin_after_a_restart_too(server, storage):
    wren = await server.persona("wren")
    await server.allow(lambda access: access.shining(UserId("ann"), HALL, Spotlight(frozenset({wren}))))
    later = server.scene.say_later("wren {{sleep: 1}} {{say: odile?}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    await server.scene.talk.close()
    later.cancel()
    async with scene_of(storage, workspace=GUILD) as again:
        again.gate.opened.set()
        assert await again.talk.resume() == 1
        await again.talk.idle()
        assert [text for name, text in await again.said() if name != "Ann"] == ["odile?"]


async def test_a_command_for_a_persona_that_is_not_allowed_here_leads_to_nothing(server):
    bram = await server.persona("bram")
    await server.allow(lambda access: access.keeping_persona_to(bram, frozenset({ATTIC})))
    events = await server.say("/respond", persona="bram", direction=Direction())
    assert (lines(events), skips(events)[0]["bram"]) == ([], "persona-not-here")


# Words on purpose.


async def test_where_words_need_a_sign(server):
    await server.set(deliberate_trigger_mode=True)
    events = await server.say("bram and @wren")
    assert lines(events) == [("Wren", "ok")]
    assert skips(events) == [{"odile": "not-called", "bram": "not-deliberate"}]
    assert lines(await server.say("bram?", mentions_us=True)) == [("Odile", "ok")]
    await server.storage.people.change(UserId("ben"), {"deliberate-trigger-mode": "off"})
    assert lines(await server.say("bram?", by="ben")) == [("Bram", "ok")]
    bram = await server.persona("bram")
    await server.set(auto_trigger_threshold=50)
    await server.allow(lambda access: access.answering_in(HALL, bram))
    assert lines(await server.say("wren, or bram?")) == [("Bram", "ok")]


async def test_a_persona_needs_the_sign_that_whoever_called_it_needs(server):
    await server.set(deliberate_trigger_mode=True)
    events = await server.say("@bram {{say@bram: ask wren or @odile}}")
    assert lines(events) == [("Bram", "ask wren or @odile"), ("Odile", "ok")]
    assert skips(events)[1] == {"bram": "speaker-itself", "wren": "not-deliberate"}
    await server.storage.people.change(UserId("ben"), {"deliberate-trigger-mode": "off"})
    assert lines(await server.say("bram {{say@bram: ask wren}}", by="ben")) == [("Bram", "ask wren"), ("Wren", "ok")]


# Without being called.


async def test_every_third_message_of_a_channel_is_answered_by_whoever_is_named_there(server):
    wren = await server.persona("wren")
    await server.set(auto_trigger_threshold=3)
    await server.allow(lambda access: access.answering_in(HALL, wren))
    for number in range(1, 8):
        await server.hears(f"line {number}", by=f"person{number}")
    assert await server.answers() == ["Wren", "Wren"]
    # What was only counted is not kept.
    assert [text for name, text in await server.scene.said() if name != "Wren"] == ["line 3", "line 6"]


async def test_words_go_before_the_count_and_are_counted(server):
    wren = await server.persona("wren")
    await server.set(auto_trigger_threshold=2)
    await server.allow(lambda access: access.answering_in(HALL, wren))
    for text in ("one", "bram?", "three", "four"):
        await server.hears(text)
    assert await server.answers() == ["Bram", "Wren"]


async def test_without_a_threshold_every_message_is_answered_and_no_persona_line_is(server):
    await server.allow(lambda access: access.answering_in(HALL, None))
    for _ in range(2):
        assert turns(await server.say("hello")) == [[("odile", "auto-trigger")]]
    assert await server.answers() == ["Odile", "Odile"]
    await server.hears("hello", standing=Standing(ATTIC))
    assert await server.answers() == ["Odile", "Odile"]


async def test_what_is_said_while_somebody_answers_is_not_counted(server):
    await server.set(auto_trigger_threshold=2)
    await server.allow(lambda access: access.answering_in(HALL, None))
    running = server.scene.say_later("bram {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    for _ in range(3):
        await server.scene.talk.receive(server.scene.message("hm", "ben", standing=HERE))
    server.scene.gate.opened.set()
    await running
    await server.hears("and now?")
    assert await server.answers() == ["Bram", "Odile"]


async def test_neither_is_what_waits_because_somebody_answers_it_anyway(server):
    await server.set(auto_trigger_threshold=2, always_reply=True)
    wren = await server.persona("wren")
    await server.allow(lambda access: access.answering_in(HALL, wren))
    running = server.scene.say_later("bram {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    later = server.scene.say_later("hm", by="ben", standing=HERE)
    await server.scene.is_placed("hm")
    server.scene.gate.opened.set()
    await running
    assert turns(await later) == [[("odile", "always-reply")]]


async def test_whoever_goes_on_where_messages_are_counted_is_heard(server):
    await server.set(auto_trigger_threshold=9)
    await server.allow(lambda access: access.answering_in(HALL, None))
    running = server.scene.say_later("bram {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    later = server.scene.say_later("I mean the tall one", standing=HERE)
    assert status(await running) == "superseded"
    server.scene.gate.opened.set()
    assert turns(await later) == [[("bram", "follow-up")]]


async def test_a_person_may_have_somebody_answer_without_being_called(server):
    wren = await server.persona("wren")
    light = Spotlight(frozenset({wren}), wren, server.clock.now() + timedelta(hours=1))
    await server.allow(lambda access: access.shining(UserId("ann"), HALL, light))
    assert turns(await server.say("hello")) == [[("wren", "spotlight")]]
    assert turns(await server.say("hello", by="ben")) == [[]]
    server.clock.pass_by(hours=1)
    assert turns(await server.say("hello")) == [[]]


# How often.


async def test_who_calls_too_soon_is_told_when_to_try_again(server):
    await server.set(cooldown_type="per-user", cooldown_length=30)
    assert lines(await server.say("bram and wren?")) == [("Bram", "ok"), ("Wren", "ok")]
    server.clock.pass_by(seconds=10)
    events = await server.say("bram?")
    assert (skips(events)[0]["bram"], status(events)) == ("cooldown", "silent")
    assert server.stage.told == [("ann", Why.COOLDOWN, server.clock.now() + timedelta(seconds=20))]
    assert lines(await server.say("bram?", by="ben")) == [("Bram", "ok")]
    assert lines(await server.say("bram?", standing=Standing(HALL, manages=True))) == [("Bram", "ok")]
    server.clock.pass_by(seconds=20)
    assert lines(await server.say("bram?")) == [("Bram", "ok")]


async def test_what_nobody_asked_for_waits_silently_and_takes_no_wait_where_nobody_answers(server):
    await server.set(cooldown_type="server", cooldown_length=30)
    await server.allow(lambda access: access.answering_in(HALL, None))
    assert lines(await server.say("hello")) == [("Odile", "ok")]
    assert skips(await server.say("hello again"))[0]["odile"] == "cooldown"
    assert server.stage.told == []
    server.clock.pass_by(seconds=30)
    await server.hears("nobody is meant", standing=Standing(ATTIC))
    assert lines(await server.say("bram?")) == [("Bram", "ok")]


async def test_a_follow_up_and_a_stop_are_not_asked_to_wait(server):
    await server.set(cooldown_type="per-user", cooldown_length=30)
    first = server.scene.say_later("bram {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    second = server.scene.say_later("I mean the tall one", standing=HERE)
    assert status(await first) == "superseded"
    server.scene.gate.opened.set()
    assert turns(await second) == [[("bram", "follow-up")]]


async def test_a_channel_has_a_cooldown_of_its_own(server):
    own = Cooldown(CooldownKind.PER_CHANNEL, timedelta(seconds=30))
    await server.allow(lambda access: access.listing_channel(HALL, own).listing_channel(ATTIC, None))
    await server.say("bram?")
    assert skips(await server.say("bram?", by="ben"))[0]["bram"] == "cooldown"
    assert lines(await server.say("bram?", standing=Standing(ATTIC))) == [("Bram", "ok")]


async def test_a_day_has_so_many_answers_and_what_was_not_answered_does_not_count(server):
    await server.set(text_quota_daily=2)
    assert status(await server.say("bram {{fail: broken}}")) == "failed"
    assert lines(await server.say("bram and wren and odile")) == [("Bram", "ok"), ("Wren", "ok"), ("Odile", "ok")]
    assert lines(await server.say("bram?")) == [("Bram", "ok")]
    events = await server.say("bram?")
    assert (skips(events)[0]["bram"], [why for _, why, _ in server.stage.told]) == ("daily-quota", [Why.DAILY_QUOTA])
    assert lines(await server.say("bram?", by="ben")) == [("Bram", "ok")]


async def test_what_is_stopped_before_it_spoke_gives_its_unit_back(server):
    await server.set(text_quota_daily=1)
    running = server.scene.say_later("bram and wren {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    await server.scene.rooms.stop(ROOM)
    assert status(await running) == "stopped"
    assert lines(await server.say("wren?")) == [("Wren", "ok")]
    assert skips(await server.say("wren?"))[0]["wren"] == "daily-quota"


async def test_a_unit_survives_a_restart_and_is_given_back_when_its_turn_comes_to_nothing(server, storage):
    await server.set(text_quota_daily=1)
    running = server.scene.say_later("bram {{sleep: 1}} {{fail: broken}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    await server.scene.talk.close()
    running.cancel()
    assert await storage.limited.settle_left(server.clock.now()) == 0
    async with scene_of(storage, workspace=GUILD) as again:
        again.gate.opened.set()
        assert await again.talk.resume() == 1
        await again.talk.idle()
        assert lines(await again.say("wren?", standing=HERE)) == [("Wren", "ok")]


# Who pays.


async def test_who_brings_a_provider_is_not_asked_to_wait_and_takes_no_unit(server):
    await server.set(cooldown_type="server", cooldown_length=30, text_quota_daily=1)
    await server.storage.accounts.keep(Account("openai", "key", model="own", is_enabled=True), person_holder(UserId("ann")))
    for _ in range(3):
        assert lines(await server.say("bram?")) == [("Bram", "ok")]
    assert server.scene.models.asked == ["openai:own"] * 3
    assert lines(await server.say("bram?", by="ben")) == [("Bram", "ok")]
    assert server.scene.models.asked[-1] is None


async def test_what_the_server_pays_for_after_all_takes_its_wait_and_unit_once_for_all_turns(server):
    await server.set(cooldown_type="per-user", cooldown_length=30, text_quota_daily=1)
    await server.storage.accounts.keep(Account("openai", "key", is_enabled=True), person_holder(UserId("ann")))
    server.scene.models.falls_back = True
    assert lines(await server.say("bram and wren?")) == [("Bram", "ok"), ("Wren", "ok")]
    # It was not known before whether the server would have to pay.
    events = await server.say("bram?")
    assert (status(events), [event.data["error"] for event in events if event.name == "error"]) == ("failed", [MEANINGS[Why.DAILY_QUOTA]])
    server.clock.pass_by(days=1)
    assert lines(await server.say("bram?")) == [("Bram", "ok")]


async def test_where_members_bring_their_own_a_member_without_is_told_once(server):
    await server.set(user_byok=True)
    events = await server.say("bram and wren?")
    assert skips(events) == [{"bram": "own-provider-needed", "wren": "own-provider-needed", "odile": "not-called"}]
    assert server.stage.told == [("ann", Why.OWN_PROVIDER_NEEDED, None)]
    await server.storage.accounts.keep(Account("openai", "key", is_enabled=True), person_holder(UserId("ann")))
    # A line of a persona calls the next at nobody's expense, so there is no next.
    events = await server.say("bram {{say: wren?}}")
    assert lines(events) == [("Bram", "wren?")]
    assert skips(events)[1]["wren"] == "own-provider-needed"


async def test_a_persona_that_nobody_could_pay_for_is_left_out_and_the_others_answer(server):
    await server.storage.accounts.keep(Account("openai", is_subscription=True), workspace_holder(GUILD))
    await server.storage.casts.play_with(GUILD, Handle("bram"), "openai:x", None)
    await server.set(model="scripted")
    events = await server.say("bram and wren?")
    assert (lines(events), skips(events)[0]["bram"]) == ([("Wren", "ok")], "subscription-inactive")
    assert server.stage.told == []
    await server.storage.accounts.grant(Subscription(workspace_holder(GUILD), server.clock.now() + timedelta(days=1)))
    assert lines(await server.say("bram?")) == [("Bram", "ok")]
    server.clock.pass_by(days=1)
    assert skips(await server.say("bram?"))[0]["bram"] == "subscription-inactive"


async def test_a_thread_has_its_channels_model(server):
    place = Place("10", "1", "")
    await server.storage.sessions.create(SessionId(f"dc-{'0' * 64}"), GUILD, place=place)
    await server.storage.sessions.change(SessionId(f"dc-{'0' * 64}"), SessionChange(model="openai:hall"))
    await server.say("bram?", standing=Standing(THREAD, HALL))
    await server.storage.sessions.change(ROOM, SessionChange(model="openai:thread"))
    await server.say("bram?", standing=Standing(THREAD, HALL))
    assert server.scene.models.asked == ["openai:hall", "openai:thread"]


# How much at once.


async def test_of_one_person_only_so_much_is_under_way(server):
    await server.set(active_per_user=1)
    running = server.scene.say_later("bram {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    events = await server.say("wren?")
    assert (skips(events)[0]["wren"], [why for _, why, _ in server.stage.told]) == ("busy-person", [Why.BUSY_PERSON])
    other = server.scene.say_later("wren?", by="ben", standing=HERE)
    server.scene.gate.opened.set()
    assert [status(events) for events in await asyncio.gather(running, other)] == ["answered", "answered"]
    assert lines(await server.say("wren?")) == [("Wren", "ok")]


async def test_what_was_waited_for_needs_room_as_well(server):
    await server.set(active_per_user=1, auto_trigger_threshold=1)
    await server.allow(lambda access: access.answering_in(ATTIC, None))
    await server.storage.sessions.create(ELSEWHERE, GUILD)
    await server.scene.talk.receive(replace(server.scene.message("bram {{sleep: 1}}", standing=HERE), session=ELSEWHERE))
    await server.scene.gate.sleeping.acquire()
    events = await server.say("hello", standing=Standing(ATTIC))
    assert (skips(events)[0]["odile"], server.stage.told) == ("busy-person", [])
    assert turns(await server.say("hello", by="ben", standing=Standing(ATTIC))) == [[("odile", "auto-trigger")]]
    server.scene.gate.opened.set()


async def test_of_a_server_only_so_much_is_under_way(server):
    await server.set(active_per_server=2)
    running = server.scene.say_later("bram and wren {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    events = await server.say("wren?", by="ben")
    assert (skips(events)[0]["wren"], [why for _, why, _ in server.stage.told]) == ("busy-server", [Why.BUSY_SERVER])
    # What calls nobody is not refused, and a follow-up takes the place of what it interrupts.
    assert skips(await server.say("hello", by="ben")) == [{"odile": "not-called", "bram": "not-called", "wren": "not-called"}]
    later = server.scene.say_later("I mean the tall one", standing=HERE)
    await server.scene.is_placed("I mean the tall one")
    server.scene.gate.opened.set()
    assert turns(await later) == [[("bram", "follow-up")]]
    await running


async def test_what_waited_when_the_process_ended_too_long_ago_says_why_it_is_not_answered(server, storage):
    running = server.scene.say_later("bram {{sleep: 1}}", standing=HERE)
    await server.scene.gate.sleeping.acquire()
    waiting = server.scene.message("wren?", "ben", standing=HERE)
    await server.scene.talk.receive(waiting)
    await server.scene.talk.close()
    running.cancel()
    clock = HandClock()
    clock.pass_by(minutes=11)
    async with scene_of(storage, workspace=GUILD, clock=clock) as again:
        await again.talk.resume()
        await again.talk.idle()
        decision = await storage.conversations.why(waiting.id)
        assert {decision.names[persona][0]: why.value for persona, why in decision.skipped}["wren"] == "too-late"
        assert await again.talk.resume() == 0
