import asyncio
from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from coterie.domain.conversation import Mention, Message, Person, PersonaVoice
from coterie.domain.ids import LOCAL, Handle, MessageId, PersonaId, SessionId, TurnId, UserId
from coterie.domain.personas.persona import PersonaContent
from coterie.domain.turns.plan import Why
from coterie.ports.stores import NotFound, TurnStatus
from storage.talking import ANN, BEN, NOON, ROOM, said


async def test_what_a_person_says_reads_back_as_it_was_said(scene):
    text = "bram and wren — コテリー, Ⓜ️ 👩‍👩‍👧 {{char}}\n%s ' \" \\ " + "x" * 100_000
    assert await scene.storage.conversations.hear(replace(said("m1", text=text), reply_to=MessageId("m0")))
    assert await scene.storage.conversations.message(MessageId("m1")) == Message(
        MessageId("m1"), ROOM, ANN, text, NOON, reply_to=MessageId("m0")
    )
    assert await scene.storage.conversations.message(MessageId("m2")) is None


async def test_a_time_of_another_zone_is_the_same_moment(scene):
    there = NOON.replace(microsecond=5).astimezone(timezone(timedelta(hours=9)))
    await scene.storage.conversations.hear(said("m1", at=there))
    kept = (await scene.storage.conversations.message(MessageId("m1"))).created_at
    assert (kept, kept.utcoffset()) == (there, timedelta(0))


async def test_a_message_seen_twice_is_one(scene):
    assert await scene.hears("m1", text="first") is True
    assert await scene.hears("m1", text="second") is False
    assert await scene.history() == ["m1"]
    assert (await scene.storage.conversations.message(MessageId("m1"))).text == "first"


async def test_a_message_that_arrives_many_times_at_once_is_one(scene, elsewhere):
    heard = await asyncio.gather(*(where.conversations.hear(said("m1")) for where in (scene.storage, elsewhere) * 5))
    assert sorted(heard) == [False] * 9 + [True]
    assert await scene.history() == ["m1"]


async def test_what_was_never_planned_is_found_as_it_was_asked(scene, elsewhere):
    asked = replace(
        said("m2", BEN, text="you"),
        reply_to=MessageId("m1"),
        mentions=(Mention(UserId("us"), is_us=True), Mention(UserId("cy"))),
        persona=Handle("wren"),
        model="scripted",
        reasoning="high",
        replied_to=await scene.id_of("bram"),
    )
    await scene.hears("m0")
    scene.waits(1)
    await scene.hears("m1")
    await scene.storage.conversations.hear(asked)
    await scene.hears("m3")
    await scene.plans("m1", "bram")
    await scene.says("m1.bram", "Yes.")
    assert await elsewhere.conversations.unplanned(NOON) == (said("m0"), asked, said("m3", at=scene.at))
    assert await elsewhere.conversations.unplanned(scene.at) == (said("m3", at=scene.at),)
    await scene.plans("m3", skipped={"wren": Why.NOT_CALLED})
    assert await elsewhere.conversations.unplanned(scene.at) == ()


async def test_a_message_into_no_session_is_refused(scene):
    with pytest.raises(NotFound, match="cli-none"):
        await scene.storage.conversations.hear(said("m1", session=SessionId("cli-none")))
    assert await scene.storage.conversations.message(MessageId("m1")) is None


async def test_history_is_the_newest_in_order(scene):
    for number in range(6):
        # The order is that of arrival, not that of the clocks of those who write.
        scene.waits(-1)
        await scene.hears(f"m{number}", BEN if number % 2 else ANN)
    assert await scene.history(3) == ["m3", "m4", "m5"]
    assert await scene.history() == ["m0", "m1", "m2", "m3", "m4", "m5"]
    assert await scene.history(2, before="m3") == ["m1", "m2"]
    assert await scene.history(2, before="m0") == []
    assert await scene.history(0) == []


async def test_history_before_a_message_that_is_not_in_the_session(scene):
    other = SessionId("cli-00000000-0000-4000-8000-000000000002")
    await scene.storage.sessions.create(other, LOCAL)
    await scene.storage.conversations.hear(said("elsewhere", session=other))
    await scene.hears("m1")
    for unknown in ("never", "elsewhere"):
        with pytest.raises(NotFound, match=unknown):
            await scene.history(before=unknown)
    assert (await scene.storage.conversations.history(SessionId("cli-none"), 5)).messages == ()


async def test_a_line_keeps_the_name_under_which_it_was_said(scene):
    await scene.hears("m1")
    await scene.plans("m1", "bram", resets=True)
    await scene.says("m1.bram", "Yes.")
    bram = await scene.persona("bram")
    await scene.storage.casts.change(LOCAL, Handle("bram"), PersonaContent("Abraham"), None)
    line = await scene.storage.conversations.message(MessageId("m1.bram.1"))
    assert line.author == PersonaVoice(bram.id, Handle("bram"), "Bram")
    assert (line.turn, line.root, line.reply_to) == (TurnId("m1.bram"), MessageId("m1"), MessageId("m1"))


async def test_the_lines_of_a_removed_persona_keep_its_name_and_are_nobodys_any_more(scene):
    await scene.hears("m1")
    await scene.plans("m1", "bram", resets=True)
    await scene.says("m1.bram", "Yes.")
    await scene.storage.casts.remove(LOCAL, Handle("bram"))
    line = await scene.storage.conversations.message(MessageId("m1.bram.1"))
    assert line.author == PersonaVoice(PersonaId(0), Handle("bram"), "Bram")
    assert await scene.history() == ["m1", "m1.bram.1"]


async def test_a_person_who_is_renamed_keeps_old_lines(scene):
    await scene.hears("m1", ANN)
    await scene.hears("m2", Person(ANN.id, "Annabel"))
    found = await scene.storage.conversations.history(ROOM, 2)
    assert [message.author.name for message in found.messages] == ["Ann", "Annabel"]


async def test_a_deleted_session_takes_its_messages_turns_and_decisions_along(scene):
    await scene.hears("m1")
    await scene.plans("m1", "bram", "wren", resets=True)
    await scene.says("m1.bram", "Yes.")
    await scene.storage.sessions.delete(ROOM)
    talk = scene.storage.conversations
    assert await talk.message(MessageId("m1")) is None
    assert await talk.message(MessageId("m1.bram.1")) is None
    assert await talk.why(MessageId("m1")) is None
    assert await talk.turn(TurnId("m1.wren")) is None
    assert await talk.unfinished() == []
    with pytest.raises(NotFound, match=r"m1\.wren"):
        await talk.say(TurnId("m1.wren"), [], TurnStatus.SILENT, NOON)


async def test_texts_that_no_database_takes_are_repaired(scene):
    await scene.storage.conversations.hear(said("m\0", Person(ANN.id, "A\ud83d"), text="a\0b\udc00"))
    kept = await scene.storage.conversations.message(MessageId("m\0"))
    assert (kept.id, kept.author.name, kept.text) == ("m\ufffd", "A\ufffd", "a\ufffdb\ufffd")


async def test_a_cast_changed_by_another_process_is_seen_with_the_next_message(scene, elsewhere):
    await scene.storage.casts.cast(LOCAL)
    await elsewhere.casts.change(LOCAL, Handle("bram"), PersonaContent("Abraham"), None)
    await elsewhere.settings.change(LOCAL, {"always-reply": False})
    await scene.hears("m1")
    assert (await scene.persona("bram")).name == "Abraham"
    assert (await scene.storage.settings.settings(LOCAL)).flag("always-reply") is False


async def test_a_cast_changed_by_another_process_is_seen_with_the_next_facts(scene, elsewhere):
    await scene.storage.casts.cast(LOCAL)
    await elsewhere.casts.remove(LOCAL, Handle("bram"))
    await scene.facts()
    assert (await scene.storage.casts.cast(LOCAL)).by_handle("bram") is None
