"""Each gate, one row for each rule. How they work together is in `test_decisions`."""

from datetime import UTC, datetime, timedelta

import pytest

from coterie.domain.access import ELSEWHERE, Access, Cooldown, CooldownKey, CooldownKind, Spotlight, Standing
from coterie.domain.ids import Handle, PersonaId, PlaceId, RoleId, UserId, WorkspaceId
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.settings import PERSONAL_BY_NAME, Settings
from coterie.domain.turns.claims import NO_CLAIMS, claims_of
from coterie.domain.turns.gates import (
    Caller,
    barred_for,
    closed_by,
    counts_towards_auto,
    exempt_from_signs,
    fallback_for,
    must_be_deliberate,
    range_of_count,
)
from coterie.domain.turns.plan import Reason, Why

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
ANN = UserId("1")
HALL, THREAD, ATTIC = PlaceId("10"), PlaceId("100"), PlaceId("11")
IN_HALL, IN_THREAD = Standing(HALL), Standing(THREAD, HALL)
GUEST, FRIEND = RoleId("5"), RoleId("6")
MAIN, BRAM, WREN = map(PersonaId, (1, 2, 3))
CAST = Cast(
    WorkspaceId("discord:1"),
    tuple(Persona(number, Handle(f"p{number}"), number != MAIN, PersonaContent(f"P{number}")) for number in (MAIN, BRAM, WREN)),
)


def caller(standing=IN_HALL, access=None, personal=None, **settings) -> Caller:
    set_here = {name.replace("_", "-"): value for name, value in settings.items()}
    return Caller(ANN, standing, access or Access(), Settings(set_here), Settings(personal or {}, table=PERSONAL_BY_NAME))


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (caller(), None),
        (caller(access=Access(blacklist=frozenset({ANN}))), Why.BLACKLISTED),
        (caller(access=Access(blacklist=frozenset({UserId("2")}))), None),
        (caller(personal={"privacy": "full"}), Why.PRIVATE),
        (caller(personal={"privacy": "partial"}), None),
        (caller(access=Access(channels={HALL: None})), None),
        (caller(access=Access(channels={ATTIC: None})), Why.NOT_ALLOWED_HERE),
        (caller(IN_THREAD, Access(channels={HALL: None})), None),
        (caller(IN_THREAD, Access(channels={THREAD: None})), None),
        (caller(access=Access(channels={THREAD: None})), Why.NOT_ALLOWED_HERE),
        (caller(access=Access(roles=frozenset({FRIEND}))), Why.ROLE_NEEDED),
        (caller(Standing(HALL, roles=(GUEST, FRIEND)), Access(roles=frozenset({FRIEND}))), None),
        # Roles that the platform did not tell are no reason to refuse; having none is.
        (caller(Standing(HALL, roles=None), Access(roles=frozenset({FRIEND}))), None),
        # The gates in their order.
        (caller(access=Access({ATTIC: None}, frozenset({FRIEND}), blacklist=frozenset({ANN})), personal={"privacy": "full"}), Why.PRIVATE),
        (caller(access=Access({ATTIC: None}, frozenset({FRIEND}), blacklist=frozenset({ANN}))), Why.BLACKLISTED),
        (caller(access=Access({ATTIC: None}, frozenset({FRIEND}))), Why.NOT_ALLOWED_HERE),
        # Outside of a server nothing is asked.
        (caller(ELSEWHERE, Access({ATTIC: None}, frozenset({FRIEND}), blacklist=frozenset({ANN})), {"privacy": "full"}), None),
    ],
)
def test_whom_a_server_refuses(who, expected):
    assert closed_by(who) == expected


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (caller(), {}),
        (caller(access=Access(persona_channels={BRAM: frozenset({ATTIC})})), {BRAM: Why.PERSONA_NOT_HERE}),
        (caller(IN_THREAD, Access(persona_channels={BRAM: frozenset({HALL}), WREN: frozenset({THREAD})})), {}),
        (
            caller(access=Access(spotlights={(ANN, HALL): Spotlight(frozenset({BRAM}))})),
            {MAIN: Why.NOT_IN_SPOTLIGHT, WREN: Why.NOT_IN_SPOTLIGHT},
        ),
        (caller(IN_THREAD, Access(spotlights={(ANN, HALL): Spotlight(frozenset({MAIN, BRAM}))})), {WREN: Why.NOT_IN_SPOTLIGHT}),
        (caller(access=Access(spotlights={(UserId("2"), HALL): Spotlight(frozenset({BRAM}))})), {}),
        # One that has run out, or that nobody is left in, narrows nothing.
        (caller(access=Access(spotlights={(ANN, HALL): Spotlight(frozenset({BRAM}), expires_at=NOON)})), {}),
        (caller(access=Access(spotlights={(ANN, HALL): Spotlight(frozenset())})), {}),
        # Both only narrow.
        (
            caller(
                access=Access(persona_channels={BRAM: frozenset({ATTIC})}, spotlights={(ANN, HALL): Spotlight(frozenset({MAIN, BRAM}))})
            ),
            {BRAM: Why.PERSONA_NOT_HERE, WREN: Why.NOT_IN_SPOTLIGHT},
        ),
        (caller(ELSEWHERE, Access(persona_channels={BRAM: frozenset({ATTIC})})), {}),
    ],
)
def test_whom_a_caller_cannot_have(who, expected):
    assert barred_for(who, CAST, NOON) == expected


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (caller(), False),
        (caller(deliberate_trigger_mode=True), True),
        (caller(deliberate_trigger_mode=True, personal={"deliberate-trigger-mode": "off"}), False),
        (caller(personal={"deliberate-trigger-mode": "on"}), True),
        (caller(ELSEWHERE, personal={"deliberate-trigger-mode": "on"}, deliberate_trigger_mode=True), False),
    ],
)
def test_where_a_sign_is_asked_for(who, expected):
    assert must_be_deliberate(who) is expected


def test_whose_plain_words_count_all_the_same():
    assert exempt_from_signs(caller(), CAST, NOON) == set()
    assert exempt_from_signs(caller(access=Access(auto_channels={HALL: BRAM})), CAST, NOON) == {BRAM}
    assert exempt_from_signs(caller(IN_THREAD, Access(auto_channels={HALL: None})), CAST, NOON) == {MAIN}
    lit = Access(spotlights={(ANN, HALL): Spotlight(frozenset({BRAM, WREN}), WREN)})
    assert exempt_from_signs(caller(access=lit), CAST, NOON) == {WREN}


SPOTLIT = {(ANN, HALL): Spotlight(frozenset({WREN}), WREN)}
WIDER = {(ANN, HALL): Spotlight(frozenset({BRAM, WREN}), WREN)}


@pytest.mark.parametrize(
    ("who", "is_hit", "expected"),
    [
        (caller(), True, None),
        # Without a threshold every message is answered in such a channel.
        (caller(access=Access(auto_channels={HALL: None})), False, (MAIN, Reason.AUTO_TRIGGER)),
        (caller(IN_THREAD, Access(auto_channels={HALL: BRAM})), False, (BRAM, Reason.AUTO_TRIGGER)),
        (caller(IN_THREAD, Access(auto_channels={HALL: BRAM, THREAD: WREN})), False, (WREN, Reason.AUTO_TRIGGER)),
        (caller(access=Access(auto_channels={ATTIC: BRAM})), False, None),
        # With one only that which was waited for.
        (caller(access=Access(auto_channels={HALL: BRAM}), auto_trigger_threshold=3), False, None),
        (caller(access=Access(auto_channels={HALL: BRAM}), auto_trigger_threshold=3), True, (BRAM, Reason.AUTO_TRIGGER)),
        # A persona that has left the cast is main's to stand in for.
        (caller(access=Access(auto_channels={HALL: PersonaId(99)})), False, (MAIN, Reason.AUTO_TRIGGER)),
        # A person's own choice goes first.
        (caller(access=Access(auto_channels={HALL: BRAM}, spotlights=SPOTLIT)), False, (WREN, Reason.SPOTLIGHT)),
        # Whoever may not be heard here leaves it to the next one.
        (
            caller(IN_THREAD, Access(persona_channels={WREN: frozenset({ATTIC})}, auto_channels={HALL: BRAM}, spotlights=WIDER)),
            False,
            (BRAM, Reason.AUTO_TRIGGER),
        ),
        (caller(access=Access(persona_channels={BRAM: frozenset({ATTIC})}, auto_channels={HALL: BRAM})), False, None),
        (caller(ELSEWHERE, Access(auto_channels={HALL: BRAM})), True, None),
    ],
)
def test_who_answers_without_being_called(who, is_hit, expected):
    chosen = fallback_for(who, CAST, NOON, is_hit=is_hit)
    assert (chosen and (chosen.persona, chosen.reason)) == expected


def test_which_messages_are_counted():
    auto = Access(auto_channels={HALL: None})
    assert counts_towards_auto(caller(access=auto, auto_trigger_threshold=1), NOON)
    assert counts_towards_auto(caller(IN_THREAD, auto, auto_trigger_threshold=1), NOON)
    assert not counts_towards_auto(caller(access=auto), NOON)
    assert not counts_towards_auto(caller(Standing(ATTIC), auto, auto_trigger_threshold=1), NOON)
    assert not counts_towards_auto(caller(access=Access(auto_channels={HALL: None}, spotlights=SPOTLIT), auto_trigger_threshold=1), NOON)


@pytest.mark.parametrize(("least", "most", "expected"), [(0, 0, (0, 0)), (3, 0, (3, 3)), (3, 2, (3, 3)), (3, 9, (3, 9))])
def test_how_many_messages_are_waited_for(least, most, expected):
    assert range_of_count(Settings({"auto-trigger-threshold": least, "auto-trigger-threshold-max": most})) == expected


BLANK = UserId("")


@pytest.mark.parametrize(
    ("kind", "standing", "expected"),
    [
        ("off", IN_HALL, None),
        ("per-user", IN_HALL, (ANN, "")),
        ("per-channel", IN_THREAD, (BLANK, THREAD)),
        ("server", IN_THREAD, (BLANK, "")),
        ("per-user", Standing(HALL, manages=True), None),
        ("server", Standing(HALL, manages=True), None),
        ("server-strict", Standing(HALL, manages=True), (BLANK, "")),
        ("per-user", ELSEWHERE, None),
    ],
)
def test_who_waits(kind, standing, expected):
    wait = claims_of(caller(standing, cooldown_type=kind, cooldown_length=9), [Reason.TRIGGER_WORD], NOON).wait
    if expected is None:
        assert wait is None
    else:
        assert wait is not None
        assert wait.key == CooldownKey(CooldownKind(kind), *expected)
        assert wait.until == NOON + timedelta(seconds=9)


def test_the_cooldown_of_a_channel_goes_before_the_servers_and_that_of_a_thread_before_its_channels():
    own, inner = Cooldown(CooldownKind.PER_USER, timedelta(seconds=30)), Cooldown(CooldownKind.OFF, timedelta(seconds=1))
    usual = Cooldown(CooldownKind.SERVER, timedelta(seconds=5))
    access = Access(channels={HALL: own, ATTIC: None})
    assert access.cooldown(IN_HALL, usual) == access.cooldown(IN_THREAD, usual) == own
    assert access.cooldown(Standing(ATTIC), usual) == usual
    assert access.listing_channel(THREAD, inner).cooldown(IN_THREAD, usual) == inner


@pytest.mark.parametrize(
    ("reasons", "waits", "is_counted"),
    [
        ([], False, False),
        ([Reason.TRIGGER_WORD], True, True),
        ([Reason.AUTO_TRIGGER], True, True),
        ([Reason.CHOSEN], True, True),
        ([Reason.FOLLOW_UP], False, True),
        ([Reason.STOP_RESPONSE], False, False),
        ([Reason.IMPERSONATED], False, False),
    ],
)
def test_what_a_message_takes(reasons, waits, is_counted):
    who = caller(cooldown_type="server", text_quota_daily=4, text_quota_server=50, text_quota_period=7)
    claims = claims_of(who, reasons, NOON)
    assert (claims.wait is not None, claims.quota is not None) == (waits, is_counted)
    assert bool(claims) is (waits or is_counted)
    assert claims_of(caller(ELSEWHERE, cooldown_type="server", text_quota_daily=4), reasons, NOON) == NO_CLAIMS
