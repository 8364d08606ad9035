import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from coterie.domain.conversation import IncomingMessage, Person
from coterie.domain.ids import LOCAL, MessageId, SessionId, UserId, WorkspaceId
from coterie.domain.sessions.session import Session, SessionChange
from coterie.ports.stores import NotFound, SelfIdTaken
from coterie.storage.schema.conversations import session as table

ROOM, OTHER = (SessionId(f"chat-00000000-0000-4000-8000-00000000000{number}") for number in (1, 2))
GUILD = WorkspaceId("discord:1")
ANN = Person(UserId("ann"), "Ann")


async def test_a_new_session_has_the_defaults_of_the_specification(storage):
    before = datetime.now(UTC)
    made = await storage.sessions.create(ROOM, LOCAL, "Moths")
    assert made == Session(ROOM, LOCAL, made.created_at, made.updated_at, name="Moths")
    assert (made.model, made.reasoning, made.self_id, made.role) == ("auto", "auto", "", "")
    assert before <= made.created_at <= made.updated_at <= datetime.now(UTC)
    assert made.created_at.utcoffset() == timedelta(0)
    assert await storage.sessions.session(ROOM) == made


async def test_a_session_in_a_new_workspace_makes_the_workspace_with_its_cast(storage):
    await storage.sessions.create(ROOM, GUILD)
    assert len((await storage.casts.cast(GUILD)).personas) == 3


async def test_a_session_that_is_there_is_returned_as_it_is(storage):
    made = await storage.sessions.create(ROOM, LOCAL, "Moths")
    assert await storage.sessions.create(ROOM, GUILD, "Bees") == made


async def test_a_session_that_is_not_there(storage):
    await storage.sessions.create(ROOM, LOCAL)
    for ask in (storage.sessions.session, storage.sessions.delete):
        with pytest.raises(NotFound, match=OTHER):
            await ask(OTHER)
    with pytest.raises(NotFound, match=OTHER):
        await storage.sessions.change(OTHER, SessionChange(name="x"))
    with pytest.raises(NotFound, match=OTHER):
        await storage.sessions.change(OTHER, SessionChange())


async def test_the_default_room_is_the_first_that_was_made_so(storage):
    assert await storage.sessions.default(LOCAL) is None
    await storage.sessions.create(OTHER, LOCAL)
    room = await storage.sessions.create(ROOM, LOCAL, is_default=True)
    late = await storage.sessions.create(OTHER, LOCAL, is_default=True)
    assert (room.is_default, late.is_default) == (True, False)
    assert await storage.sessions.default(LOCAL) == room
    assert await storage.sessions.default(GUILD) is None


async def test_without_its_default_room_a_workspace_has_none(storage):
    await storage.sessions.create(ROOM, LOCAL, is_default=True)
    await storage.sessions.delete(ROOM)
    assert await storage.sessions.default(LOCAL) is None
    assert (await storage.sessions.create(OTHER, LOCAL, is_default=True)).is_default


async def test_the_oldest_session_of_a_name_is_found_within_its_workspace(storage):
    first = await storage.sessions.create(OTHER, LOCAL, "Moths")
    await storage.sessions.create(ROOM, LOCAL, "Moths")
    assert await storage.sessions.find(LOCAL, "Moths") == first
    assert await storage.sessions.find(LOCAL, "moths") is None
    assert await storage.sessions.find(GUILD, "Moths") is None


async def test_sessions_are_listed_by_their_newest_activity(storage):
    for session in (ROOM, OTHER):
        await storage.sessions.create(session, LOCAL)
    await storage.sessions.create(SessionId("dc-1"), GUILD)
    assert [session.id for session in await storage.sessions.list(LOCAL)] == [OTHER, ROOM]
    await storage.conversations.hear(IncomingMessage(MessageId("m1"), LOCAL, ROOM, ANN, "hello", datetime.now(UTC)))
    assert [session.id for session in await storage.sessions.list(LOCAL)] == [ROOM, OTHER]
    assert await storage.sessions.list(WorkspaceId("dm:7")) == []


async def test_a_change_writes_its_columns_and_no_others(storage, elsewhere):
    made = await storage.sessions.create(ROOM, LOCAL, "Moths")
    full = SessionChange(self_id="ann", name="Bees", model="openai:small", reasoning="low", role="A cook.")
    changed = await storage.sessions.change(ROOM, full)
    assert changed == replace(
        made, updated_at=changed.updated_at, self_id="ann", name="Bees", model="openai:small", reasoning="low", role="A cook."
    )
    assert changed.updated_at >= made.updated_at
    partly = await elsewhere.sessions.change(ROOM, SessionChange(name=""))
    assert partly == replace(changed, name="", updated_at=partly.updated_at)
    assert await storage.sessions.change(ROOM, SessionChange()) == partly


async def test_the_role_is_written_to_both_columns_and_read_from_the_older_one_when_empty(storage):
    await storage.sessions.create(ROOM, LOCAL)
    await storage.sessions.change(ROOM, SessionChange(role="A cook."))

    async def columns():
        return await storage.database.read(lambda connection: tuple(connection.execute(table.select()).one()[5:7]))

    assert await columns() == ("A cook.", "A cook.")
    await storage.database.write(lambda connection: connection.execute(table.update().values(role="", rule="A baker.")).rowcount)
    assert (await storage.sessions.session(ROOM)).role == "A baker."
    await storage.database.write(lambda connection: connection.execute(table.update().values(role="A cook.", rule="A baker.")).rowcount)
    assert (await storage.sessions.session(ROOM)).role == "A cook."
    assert (await storage.sessions.change(ROOM, SessionChange(role=""))).role == ""
    assert await columns() == ("", "")


async def test_what_a_row_may_not_hold_reads_as_the_default(storage):
    await storage.sessions.create(ROOM, LOCAL)
    await storage.database.write(lambda connection: connection.execute(table.update().values(model="", reasoning="much")).rowcount)
    read = await storage.sessions.session(ROOM)
    assert (read.model, read.reasoning) == ("auto", "auto")


async def test_a_taken_self_id_is_refused_and_no_field_changes(storage):
    await storage.sessions.create(ROOM, LOCAL)
    before = await storage.sessions.create(OTHER, GUILD, "Bees")
    await storage.sessions.change(ROOM, SessionChange(self_id="ann"))
    with pytest.raises(SelfIdTaken, match="ann"):
        await storage.sessions.change(OTHER, SessionChange(self_id="ann", name="changed", role="changed"))
    assert await storage.sessions.session(OTHER) == before


async def test_an_empty_self_id_and_ones_own_are_never_taken(storage):
    for session in (ROOM, OTHER):
        await storage.sessions.create(session, LOCAL)
        await storage.sessions.change(session, SessionChange(self_id=""))
    await storage.sessions.change(ROOM, SessionChange(self_id="ann"))
    assert (await storage.sessions.change(ROOM, SessionChange(self_id="ann", name="x"))).name == "x"
    await storage.sessions.change(ROOM, SessionChange(self_id=""))
    assert (await storage.sessions.change(OTHER, SessionChange(self_id="ann"))).self_id == "ann"


async def test_two_changes_of_different_fields_at_once_both_stay(storage, elsewhere):
    await storage.sessions.create(ROOM, LOCAL)
    await asyncio.gather(
        storage.sessions.change(ROOM, SessionChange(name="Moths")), elsewhere.sessions.change(ROOM, SessionChange(role="A cook."))
    )
    read = await storage.sessions.session(ROOM)
    assert (read.name, read.role) == ("Moths", "A cook.")


async def test_of_two_who_take_the_same_self_id_at_once_exactly_one_gets_it(storage, elsewhere):
    for session in (ROOM, OTHER):
        await storage.sessions.create(session, LOCAL)
    done = await asyncio.gather(
        storage.sessions.change(ROOM, SessionChange(self_id="ann")),
        elsewhere.sessions.change(OTHER, SessionChange(self_id="ann")),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in done) == ["SelfIdTaken", "Session"]


async def test_two_who_make_the_default_room_at_once_end_with_one(storage, elsewhere):
    made = await asyncio.gather(
        storage.sessions.create(ROOM, LOCAL, is_default=True), elsewhere.sessions.create(OTHER, LOCAL, is_default=True)
    )
    assert sorted(session.is_default for session in made) == [False, True]


async def test_texts_that_no_database_takes_are_repaired(storage):
    await storage.sessions.create(ROOM, LOCAL, "a\0")
    changed = await storage.sessions.change(ROOM, SessionChange(role="x\ud83d"))
    assert (changed.name, changed.role) == ("a\ufffd", "x\ufffd")
    assert await storage.sessions.find(LOCAL, "a\0") == changed
