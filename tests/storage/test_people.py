from coterie.domain.conversation import Person
from coterie.domain.ids import LOCAL, UserId
from coterie.domain.settings import PERSONAL_BY_NAME
from storage.talking import ROOM, said

ANN = UserId("ann")


async def test_somebody_new_is_registered_with_the_language_of_the_server(storage):
    settings = await storage.people.personal(ANN, "ja")
    assert settings.chosen == {}
    assert settings.text("privacy") == "minimal"
    assert await storage.people.locale(ANN) == "ja"
    assert await storage.people.locale(UserId("nobody")) == ""


async def test_what_is_set_stays_and_leaves_the_rest_alone(storage, elsewhere):
    await storage.people.change(ANN, {"nickname": "Annie", "privacy": "partial"})
    changed = await storage.people.change(ANN, {"deliberate-trigger-mode": "on", "language": "ja"})
    expected = {"nickname": "Annie", "privacy": "partial", "deliberate-trigger-mode": "on", "language": "ja"}
    assert changed.chosen == expected
    assert (await elsewhere.people.personal(ANN)).chosen == expected
    assert await elsewhere.people.locale(ANN) == "ja"


async def test_every_setting_can_be_kept(storage):
    values = {
        name: setting.choices[-1] if setting.choices else False if isinstance(setting.default, bool) else "x" * 3
        for name, setting in PERSONAL_BY_NAME.items()
    }
    assert (await storage.people.change(ANN, values)).chosen == values


async def test_a_change_of_another_process_is_known_when_its_person_speaks_next(storage, elsewhere):
    await storage.sessions.create(ROOM, LOCAL)
    await storage.people.personal(ANN)
    await elsewhere.people.change(ANN, {"privacy": "full"})
    assert (await storage.people.personal(ANN)).text("privacy") == "minimal"
    await storage.conversations.hear(said("m1", Person(ANN, "Ann")))
    assert (await storage.people.personal(ANN)).text("privacy") == "full"


async def test_several_people_are_found_at_once(storage, elsewhere):
    ben, new = UserId("ben"), UserId("new")
    await storage.people.change(ANN, {"privacy": "full"})
    await elsewhere.people.change(ben, {"nickname": "Benny"})
    found = await storage.people.several([ANN, ben, new])
    assert {person: settings.chosen for person, settings in found.items()} == {
        ANN: {"privacy": "full"},
        ben: {"nickname": "Benny"},
        new: {},
    }
    assert await storage.people.several([]) == {}
    # Somebody who was only looked for is registered when they speak.
    await storage.people.personal(new, "ja")
    assert await storage.people.locale(new) == "ja"
