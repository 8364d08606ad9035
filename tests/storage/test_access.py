import asyncio
from datetime import timedelta

import pytest

from coterie.domain.access import Access, Cooldown, CooldownKind, Spotlight
from coterie.domain.ids import Handle, PersonaId, PlaceId, RoleId, UserId, WorkspaceId
from coterie.ports.stores import NotFound
from storage.talking import NOON

GUILD = WorkspaceId("discord:1")
HERE, THERE = PlaceId("10"), PlaceId("11")
ANN, BEN = UserId("1"), UserId("2")


async def personas(storage) -> list[PersonaId]:
    return [persona.id for persona in (await storage.casts.cast(GUILD)).personas]


async def test_a_server_that_listed_nothing_asks_nothing(storage):
    assert await storage.access.access(GUILD) == Access()


async def test_everything_that_is_listed_stays_and_is_seen_elsewhere(storage, elsewhere):
    main, bram, wren = await personas(storage)

    def listed(access: Access) -> Access:
        return (
            access.listing_channel(HERE, Cooldown(CooldownKind.PER_USER, timedelta(seconds=7)))
            .listing_channel(THERE, None)
            .listing_role(RoleId("5"))
            .barring(BEN)
            .keeping_persona_to(bram, frozenset({HERE, THERE}))
            .answering_in(HERE, wren)
            .answering_in(THERE, None)
            .shining(ANN, HERE, Spotlight(frozenset({main, wren}), wren, NOON))
            .shining(BEN, HERE, Spotlight(frozenset({bram})))
        )

    kept = await storage.access.change(GUILD, listed)
    assert kept == listed(Access())
    assert await elsewhere.access.access(GUILD) == kept

    def fewer(access: Access) -> Access:
        return (
            access.without_channel(THERE)
            .listing_channel(HERE, None)
            .without_role(RoleId("5"))
            .without_barring(BEN)
            .keeping_persona_to(bram, frozenset({THERE}))
            .not_answering_in(THERE)
            .answering_in(HERE, main)
            .shining(ANN, HERE, Spotlight(frozenset({main}), None))
            .shining(BEN, HERE, None)
        )

    assert await storage.access.change(GUILD, fewer) == fewer(kept)
    await elsewhere.casts.check(GUILD)
    assert await elsewhere.access.access(GUILD) == fewer(kept)


async def test_two_changes_at_once_both_stay(storage, elsewhere):
    await storage.casts.cast(GUILD)
    changes = [
        here.access.change(GUILD, lambda access, number=number: access.listing_channel(PlaceId(str(number)), None))
        for number, here in enumerate([storage, elsewhere] * 4)
    ]
    await asyncio.gather(*changes)
    await storage.casts.check(GUILD)
    assert len((await storage.access.access(GUILD)).channels) == 8


async def test_a_persona_that_is_not_there_is_refused_and_nothing_changes(storage):
    await storage.casts.cast(GUILD)
    with pytest.raises(NotFound):
        await storage.access.change(GUILD, lambda access: access.barring(BEN).answering_in(HERE, PersonaId(4711)))
    assert await storage.access.access(GUILD) == Access()


async def test_a_removed_persona_leaves_every_list(storage):
    _, bram, wren = await personas(storage)
    await storage.access.change(
        GUILD,
        lambda access: (
            access.keeping_persona_to(bram, frozenset({HERE}))
            .answering_in(HERE, bram)
            .shining(ANN, HERE, Spotlight(frozenset({bram}), bram))
            .shining(BEN, HERE, Spotlight(frozenset({bram, wren}), bram))
        ),
    )
    await storage.casts.remove(GUILD, Handle("bram"))
    await storage.casts.check(GUILD)
    access = await storage.access.access(GUILD)
    assert not access.persona_channels
    assert access.auto_channels == {HERE: None}
    assert access.spotlights[BEN, HERE] == Spotlight(frozenset({wren}))
    assert not access.spotlights[ANN, HERE].holds(NOON)
    # Also what is left of a spotlight can be replaced.
    again = await storage.access.change(GUILD, lambda access: access.shining(ANN, HERE, Spotlight(frozenset({wren}))))
    assert again.spotlights[ANN, HERE].personas == {wren}


async def test_spotlights_that_have_run_out_are_forgotten(storage):
    _, bram, _ = await personas(storage)
    await storage.access.change(
        GUILD,
        lambda access: access.shining(ANN, HERE, Spotlight(frozenset({bram}), expires_at=NOON)).shining(
            ANN, THERE, Spotlight(frozenset({bram}))
        ),
    )
    assert await storage.access.forget_over(NOON - timedelta(seconds=1)) == 0
    assert await storage.access.forget_over(NOON) == 1
