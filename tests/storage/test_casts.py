import asyncio
from dataclasses import replace

import pytest

from coterie.domain.ids import LOCAL, Handle, WorkspaceId
from coterie.domain.personas.persona import Attribute, PersonaContent, SampleDialogue
from coterie.ports.stores import CardOriginal, CastFull, MainStays, NameTaken, NotFound, PersonaDraft
from coterie.storage.opening import open_storage

GUILD = WorkspaceId("discord:1")
IDA = PersonaContent(
    "Ida",
    role="You write letters.",
    trigger_words=("ida", "bram", "<@5>"),
    attributes=(Attribute("Left-handed."), Attribute("Owns a boat.", is_public=True), Attribute("Left-handed.")),
    sample_dialogues=(SampleDialogue("Hello?", "Dear you,"), SampleDialogue("", "It rains.")),
)


async def test_a_workspace_seen_for_the_first_time_has_the_bundled_cast(storage):
    cast = await storage.casts.cast(GUILD)
    assert cast.workspace == GUILD
    assert [(persona.handle, persona.is_alter, persona.revision) for persona in cast.personas] == [
        ("odile", False, 1),
        ("bram", True, 1),
        ("wren", True, 1),
    ]
    assert cast.main.content.sample_dialogues == (SampleDialogue("", "Come in."), SampleDialogue("Tea?", "Always."))
    assert cast.main.content.attributes == (Attribute("Owns the keys."), Attribute("Wears green.", is_public=True))
    assert cast.main.avatar == "bundled/odile.png"
    assert [persona.preset_lineage_id for persona in cast.personas] == [1, 2, 3]
    assert [persona.effective_trigger_words for persona in cast.personas] == [("odile", "coterie", "コテリー"), ("bram",), ("wren",)]


async def test_each_workspace_has_a_cast_of_its_own(storage):
    here, there = await storage.casts.cast(LOCAL), await storage.casts.cast(GUILD)
    assert not {persona.id for persona in here.personas} & {persona.id for persona in there.personas}
    await storage.casts.remove(GUILD, Handle("bram"))
    assert (await storage.casts.cast(LOCAL)).by_handle("bram") is not None


async def test_an_installation_may_have_other_base_words_and_no_bundled_cast(database_url, tmp_path):
    storage = await open_storage(database_url, tmp_path, (), environment={}, base_words=("house",))
    cast = await storage.casts.cast(LOCAL)
    assert (cast.personas, cast.base_words) == ((), ("house",))
    made = await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Odile"), is_alter=False))
    assert (made.is_alter, made.effective_trigger_words) == (False, ("house",))
    await storage.close()


async def test_a_new_alter_reads_back_as_it_was_written(storage, elsewhere):
    made = await storage.casts.create(LOCAL, PersonaDraft(IDA, avatar="a/b.png", original=b"\x89PNG\0\xff", original_type="image/png"))
    assert (made.content, made.avatar, made.handle, made.is_alter, made.revision) == (IDA, "a/b.png", "ida", True, 1)
    assert made.effective_trigger_words == ("ida", "<@5>")
    assert made.preset_lineage_id is None
    assert (await elsewhere.casts.cast(LOCAL)).by_id(made.id) == made
    assert await elsewhere.casts.original(made.id) == CardOriginal(b"\x89PNG\0\xff", "image/png")


async def test_a_persona_without_a_card_has_no_original(storage):
    cast = await storage.casts.cast(LOCAL)
    assert await storage.casts.original(cast.main.id) is None


@pytest.mark.parametrize("name", ["Bram", " bram ", "BRAM", "Ｂｒａｍ"])
async def test_a_name_that_is_taken_is_refused_and_changes_nothing(storage, name):
    before = await storage.casts.cast(LOCAL)
    with pytest.raises(NameTaken, match="Bram"):
        await storage.casts.create(LOCAL, PersonaDraft(PersonaContent(name)))
    with pytest.raises(NameTaken, match="Bram"):
        await storage.casts.change(LOCAL, Handle("wren"), PersonaContent(name), None)
    with pytest.raises(NameTaken, match="Bram"):
        await storage.casts.create(LOCAL, PersonaDraft(PersonaContent(name), is_alter=False))
    assert await storage.casts.cast(LOCAL) == before


async def test_names_that_sql_would_fold_alike_are_two(storage):
    await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("İris")))
    made = await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Ìris")))
    assert made.handle == "iris-2"


async def test_a_handle_stays_when_its_persona_is_renamed(storage):
    before = (await storage.casts.cast(LOCAL)).by_handle("bram")
    changed = await storage.casts.change(LOCAL, Handle("bram"), IDA, "x.png")
    assert changed == replace(before, content=IDA, avatar="x.png", revision=2, effective_trigger_words=("ida", "bram", "<@5>"))
    assert (await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Bram")))).handle == "bram-2"


async def test_a_name_without_letters_for_a_handle_takes_its_number(storage):
    made = await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("エリ")))
    assert made.handle == f"persona-{made.id}"


async def test_replacing_main_keeps_its_number_and_handle(storage):
    before = (await storage.casts.cast(LOCAL)).main
    await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Jo"), is_alter=False, original=b"{}", original_type="application/json"))
    replaced = await storage.casts.create(LOCAL, PersonaDraft(IDA, is_alter=False))
    assert (replaced.id, replaced.handle, replaced.revision, replaced.content) == (before.id, before.handle, 3, IDA)
    assert (replaced.preset_lineage_id, replaced.avatar) == (None, None)
    assert await storage.casts.original(replaced.id) is None
    assert len((await storage.casts.cast(LOCAL)).personas) == 3


async def test_a_change_can_empty_what_was_there(storage):
    changed = await storage.casts.change(LOCAL, Handle("odile"), PersonaContent("Odile"), None)
    assert (changed.content, changed.avatar) == (PersonaContent("Odile"), None)


async def test_main_is_not_removed(storage):
    with pytest.raises(MainStays, match="Odile"):
        await storage.casts.remove(LOCAL, Handle("odile"))
    assert (await storage.casts.cast(LOCAL)).main is not None


async def test_removing_an_alter_returns_it_and_frees_its_name_and_words(storage):
    bram = (await storage.casts.cast(LOCAL)).by_handle("bram")
    assert await storage.casts.remove(LOCAL, Handle("bram")) == bram
    assert (await storage.casts.cast(LOCAL)).by_handle("bram") is None
    again = await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Bram", trigger_words=("bram",))))
    assert (again.handle, again.effective_trigger_words) == ("bram", ("bram",))
    assert again.id > bram.id


async def test_the_number_of_a_removed_persona_is_not_used_again(storage):
    last = (await storage.casts.cast(LOCAL)).personas[-1]
    await storage.casts.remove(LOCAL, last.handle)
    assert (await storage.casts.create(LOCAL, PersonaDraft(IDA))).id > last.id


@pytest.mark.parametrize("handle", ["nobody", "Bram", ""])
async def test_a_persona_that_is_not_there(storage, handle):
    with pytest.raises(NotFound):
        await storage.casts.change(LOCAL, Handle(handle), IDA, None)
    with pytest.raises(NotFound):
        await storage.casts.remove(LOCAL, Handle(handle))


async def test_a_workspace_takes_as_many_personas_as_it_may_have(database_url, tmp_path):
    storage = await open_storage(database_url, tmp_path, (PersonaDraft(PersonaContent("Odile")),), environment={}, max_personas=3)
    for name in ("Ann", "Ben"):
        await storage.casts.create(LOCAL, PersonaDraft(PersonaContent(name)))
    with pytest.raises(CastFull, match="3 personas"):
        await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Cleo")))
    await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("Dora"), is_alter=False))
    assert [persona.name for persona in (await storage.casts.cast(LOCAL)).personas] == ["Dora", "Ann", "Ben"]
    await storage.close()


async def test_the_version_rises_with_each_change(storage):
    versions = [(await storage.casts.cast(LOCAL)).version]
    await storage.casts.create(LOCAL, PersonaDraft(IDA))
    versions.append((await storage.casts.cast(LOCAL)).version)
    await storage.casts.change(LOCAL, Handle("ida"), replace(IDA, name="Ada"), None)
    versions.append((await storage.casts.cast(LOCAL)).version)
    await storage.casts.remove(LOCAL, Handle("ida"))
    versions.append((await storage.casts.cast(LOCAL)).version)
    assert versions == sorted(set(versions))


async def test_texts_that_no_database_takes_are_repaired(storage):
    content = PersonaContent("x\ud83d", role="a\0b", trigger_words=("w\udc00",), attributes=(Attribute("\0"),))
    made = await storage.casts.create(LOCAL, PersonaDraft(replace(content, sample_dialogues=(SampleDialogue("\ud800", "\0"),))))
    assert (made.name, made.content.role, made.content.trigger_words) == ("x\ufffd", "a\ufffdb", ("w\ufffd",))
    assert (made.content.attributes, made.content.sample_dialogues) == ((Attribute("\ufffd"),), (SampleDialogue("\ufffd", "\ufffd"),))
    with pytest.raises(NameTaken):
        await storage.casts.create(LOCAL, PersonaDraft(PersonaContent("x\udfff")))


async def test_many_who_see_a_workspace_first_make_it_once(storage, elsewhere):
    casts = await asyncio.gather(*(where.casts.cast(GUILD) for where in (storage, elsewhere) * 4))
    assert len({cast.personas for cast in casts}) == 1
    assert len(casts[0].personas) == 3


async def test_two_who_add_the_same_name_at_once_end_with_one(storage, elsewhere):
    done = await asyncio.gather(*(where.casts.create(LOCAL, PersonaDraft(IDA)) for where in (storage, elsewhere)), return_exceptions=True)
    assert sorted(type(result).__name__ for result in done) == ["NameTaken", "Persona"]


async def test_two_who_take_the_last_place_at_once_end_with_one(database_url, tmp_path):
    one, other = [await open_storage(database_url, tmp_path, (), environment={}, max_personas=1) for _ in range(2)]
    drafts = [PersonaDraft(PersonaContent(name)) for name in ("Ann", "Ben")]
    done = await asyncio.gather(one.casts.create(LOCAL, drafts[0]), other.casts.create(LOCAL, drafts[1]), return_exceptions=True)
    assert sorted(type(result).__name__ for result in done) == ["CastFull", "Persona"]
    await one.close()
    await other.close()
