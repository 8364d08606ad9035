"""How long the lists of a server may be."""

import pytest

from coterie.domain.access import MAX_ROWS, Access, ListFull, Spotlight, judge_growth
from coterie.domain.ids import PersonaId, PlaceId, RoleId, UserId

BRAM, WREN, ANN, BEN = PersonaId(1), PersonaId(2), UserId("a"), UserId("b")


def places(count: int) -> frozenset[PlaceId]:
    return frozenset(PlaceId(str(number)) for number in range(count))


def lit(person: UserId, count: int) -> dict[tuple[UserId, PlaceId], Spotlight]:
    return {(person, place): Spotlight(frozenset({BRAM})) for place in places(count)}


LISTS = [
    ("channels", lambda count: Access(channels=dict.fromkeys(places(count)))),
    ("roles", lambda count: Access(roles=frozenset(RoleId(place) for place in places(count)))),
    ("people who are barred", lambda count: Access(blacklist=frozenset(UserId(place) for place in places(count)))),
    ("channels of one persona", lambda count: Access(persona_channels={BRAM: places(count), WREN: places(MAX_ROWS)})),
    ("auto-trigger channels", lambda count: Access(auto_channels=dict.fromkeys(places(count)))),
    ("spotlights of one person", lambda count: Access(spotlights=lit(ANN, count) | lit(BEN, MAX_ROWS))),
]


@pytest.mark.parametrize(("name", "of"), LISTS, ids=[name for name, _ in LISTS])
def test_a_list_grows_up_to_its_bound_and_what_is_longer_already_may_stay(name, of):
    judge_growth(Access(), of(MAX_ROWS))
    judge_growth(of(MAX_ROWS + 2), of(MAX_ROWS + 1))
    for before in (Access(), of(MAX_ROWS)):
        with pytest.raises(ListFull, match=f"The list of {name} holds 500 rows"):
            judge_growth(before, of(MAX_ROWS + 1))
