"""Puts a case to the product: the flows that screen, plan and commit, over a world that holds just this case."""

from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast

from coterie.domain.access import ELSEWHERE, Access, Cooldown, CooldownKind, Spotlight, Standing
from coterie.domain.conversation import Direction, IncomingMessage, Mention, Message, Person, PersonaVoice
from coterie.domain.ids import Handle, MessageId, PersonaId, PlaceId, RoleId, SessionId, TurnId, UserId, WorkspaceId
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.settings import PERSONAL_BY_NAME, Settings
from coterie.domain.triggers.cascade import Cascade
from coterie.domain.turns.arrival import Place, Running, place_arrival
from coterie.domain.turns.claims import claims_of
from coterie.domain.turns.funding import NOTHING_SAVED, ServerFunding
from coterie.domain.turns.plan import Reason, Why, settle_turns
from coterie.domain.turns.stop_phrases import StopPhrases
from coterie.flows.called import Called, Words, called_by, calling
from coterie.flows.converse import plan_heard, plan_line, plan_nothing
from coterie.flows.roots import Roots
from coterie.flows.screen import closed, count, too_much
from coterie.flows.work import Heard
from coterie.flows.world import World
from coterie.ports.stores import ChannelState, PlanCommit, Settled, Turn, TurnFacts, TurnStatus
from planning.cases import CAST, LENGTH, OWN_LENGTH, WORD, Case, Light, text_of
from planning.oracle import Expected

T = TypeVar("T")
NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
ANN, BEN = UserId("71"), UserId("72")
ROLE, OTHER_ROLE = RoleId("5"), RoleId("6")
PLACES = {"channel": PlaceId("10"), "thread": PlaceId("100"), "another": PlaceId("11")}
SESSION = SessionId("dc-10")
MESSAGE, REPLIED = MessageId("9"), MessageId("8")
MANNERS = {"chosen": None, "command": Direction(), "impersonated": Direction(words="Well.")}
PHRASES, WORDS = StopPhrases(), Words()


def planned(case: Case) -> Expected:
    """What the product makes of a case."""
    world = CaseWorld(case)
    at_once(_by_persona(world) if case.manner == "line" else _by_person(world))
    return world.outcome()


def at_once(flow: Coroutine[Any, Any, T]) -> T:
    """Run a flow that has nothing to wait for."""
    try:
        flow.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    raise AssertionError("it waits for something")


def persona_id(number: int) -> PersonaId:
    return PersonaId(number + 1)


THE_CAST = Cast(
    WorkspaceId("discord:1"),
    settle(
        [
            Persona(persona_id(number), Handle(f"p{number}"), number > 0, PersonaContent(f"P{number}", "", (WORD[number],)))
            for number in CAST
        ],
        ("coterie",),
    ),
    base_words=("coterie",),
)


async def _by_person(world: "CaseWorld") -> None:
    """As `Talk` does it, without what is kept of messages."""
    message = world.spoken
    called = await called_by(world.world, WORDS, message)
    place = world.place(called)
    if place is not Place.STOP:
        if (why := closed(called)) is not None:
            await plan_nothing(world.world, world.heard(message, place), called, why)
            return
        counted = await count(world.world, message, called, place)
        if counted is None:
            return
        called, message = counted, replace(message, is_auto_hit=counted.is_auto_hit)
        if (why := too_much(world.world, message, called, place, world.roots)) is not None:
            await plan_nothing(world.world, Heard(message), called, why)
            return
    place = world.place(called)
    if place is Place.IGNORE:
        await plan_nothing(world.world, Heard(message), called)
    else:
        await plan_heard(world.world, WORDS, world.heard(message, place))


async def _by_persona(world: "CaseWorld") -> None:
    case, speaker = world.case, persona_id(world.case.subject)
    turn = Turn(
        *(TurnId("1"), SESSION, THE_CAST.workspace, speaker, Reason.TRIGGER_WORD, MESSAGE, MESSAGE, ANN, (speaker,)),
        *(TurnStatus.ANSWERED, NOW),
        standing=standing_of(case),
    )
    waiting = frozenset(map(persona_id, case.waiting))
    await plan_line(world.world, WORDS, turn, MESSAGE, text=text_of(case), waiting=waiting)


def standing_of(case: Case) -> Standing:
    """Where and as what a case's person speaks."""
    if not case.is_in_server:
        return ELSEWHERE
    roles = {"right": (OTHER_ROLE, ROLE), "wrong": (OTHER_ROLE,), "none": (), "unknown": None}[case.roles]
    if case.where == "thread":
        return Standing(PLACES["thread"], PLACES["channel"], roles, case.manages)
    return Standing(PLACES["channel"], roles=roles, manages=case.manages)


def access_of(case: Case) -> Access:
    """The lists of a case."""
    own = {"channel": case.channel_cooldown, "thread": case.thread_cooldown}
    listed = {"nothing": (), "both": ("channel", "thread")}.get(case.listed, (case.listed,))
    autos = {"channel": case.auto_channel, "thread": case.auto_thread}
    return Access(
        channels={PLACES[place]: _cooldown(own.get(place), OWN_LENGTH) for place in listed},
        roles=frozenset({ROLE} if case.asks_for_role else ()),
        persona_channels={persona_id(number): frozenset({PLACES[place]}) for number, place in case.kept.items() if place != "anywhere"},
        blacklist=frozenset({ANN} if case.is_blacklisted else {BEN}),
        auto_channels={
            PLACES[place]: None if named == "unnamed" else persona_id(int(named)) for place, named in autos.items() if named != "no"
        },
        spotlights={} if case.spotlight is None else {(ANN, PLACES["channel"]): _spotlight(case.spotlight)},
    )


def _cooldown(kind: str | None, seconds: int) -> Cooldown | None:
    return None if kind is None else Cooldown(CooldownKind(kind), timedelta(seconds=seconds))


def _spotlight(light: Light) -> Spotlight:
    auto = None if light.auto is None else persona_id(light.auto)
    return Spotlight(frozenset(map(persona_id, light.personas)), auto, NOW if light.ended else NOW + timedelta(seconds=1))


def settings_of(case: Case) -> Settings:
    """The settings of a case."""
    chosen = {
        "trigger-match-limit": case.match_limit,
        "trigger-cascade-limit": case.cascade_limit,
        "deliberate-trigger-mode": case.server_asks_signs,
        "auto-trigger-threshold": 0 if case.threshold == "none" else 3,
        "cooldown-type": case.cooldown,
        "cooldown-length": LENGTH,
        "text-quota-daily": case.daily_quota,
        "text-quota-server": case.server_quota,
        "active-per-user": case.most_per_person,
        "active-per-server": case.most_per_server,
    }
    asked = {} if case.always_reply is None else {"always-reply": case.always_reply}
    return Settings(chosen | asked, is_here=not case.is_in_server)


class NothingSaved:
    """This installation pays for everything; who else could is the subject of `domain/turns/test_funding`."""

    async def server(self, workspace):
        return ServerFunding()

    async def personal(self, person):
        return NOTHING_SAVED


class CaseWorld:
    """Every store and the platform, as far as planning asks them; and what became of it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.given = settings_of(case), access_of(case)
        self.settled: Settled | None = None
        self.told: Why | None = None
        self.takes: frozenset[str] = frozenset()
        self.roots = Roots()
        for number in range(case.of_person):
            self.roots.open(MessageId(f"p{number}"), WorkspaceId("discord:2"), ANN)
        for number in range(case.of_server):
            self.roots.open(MessageId(f"s{number}"), THE_CAST.workspace, BEN)
        everything = cast(Any, self)
        self.world = World(*[everything] * 6, cast(Any, NothingSaved()), *[everything] * 6)

    @property
    def spoken(self) -> IncomingMessage:
        case = self.case
        message = IncomingMessage(MESSAGE, THE_CAST.workspace, SESSION, Person(ANN, "Ann"), text_of(case), NOW, standing=standing_of(case))
        if case.manner in MANNERS:
            return replace(message, persona=Handle(f"p{case.subject}"), direction=MANNERS[case.manner])
        mentions = (Mention(UserId("1"), is_us=True),) if case.mentions_us else ()
        return replace(message, mentions=mentions, reply_to=None if case.replied_to is None else REPLIED)

    def place(self, called: Called) -> Place:
        case, running = self.case, None
        if case.manner in ("going on", "stopping"):
            running = Running(persona_id(case.subject), Reason.TRIGGER_WORD, ANN, case.is_using_tools, case.interrupts)
        elif case.others_speak:
            running = Running(persona_id(case.subject), Reason.TRIGGER_WORD, BEN, case.is_using_tools, case.interrupts)
        return place_arrival(ANN, self.spoken.text, called.facts(NOW), running, PHRASES)

    def heard(self, message: IncomingMessage, place: Place) -> Heard:
        reason = {Place.STOP: Reason.STOP_RESPONSE, Place.INTERRUPT: Reason.FOLLOW_UP, Place.FOLLOW_UP: Reason.FOLLOW_UP}.get(place)
        return Heard(message) if reason is None else Heard(message, persona_id(self.case.subject), reason)

    def outcome(self) -> Expected:
        if self.settled is None:
            return Expected((), dict.fromkeys(CAST, "not-called"))
        turns = tuple((turn.persona - 1, turn.reason.value) for turn in self.settled.turns)
        skipped = {persona - 1: why.value for persona, why in self.settled.skipped}
        return Expected(turns, skipped, None if self.told is None else self.told.value, self.takes)

    # Stores.

    async def cast(self, workspace):
        return THE_CAST

    async def settings(self, workspace):
        return self.given[0]

    async def access(self, workspace):
        return self.given[1]

    async def personal(self, person, locale=""):
        chosen = {"privacy": self.case.privacy, "deliberate-trigger-mode": self.case.own_signs}
        return Settings(chosen if person == ANN else {}, table=PERSONAL_BY_NAME)

    async def message(self, message):
        assert message == REPLIED
        replied = persona_id(self.case.replied_to)
        return Message(REPLIED, SESSION, PersonaVoice(replied, Handle("h"), "H"), "Yes.", NOW)

    async def facts(self, workspace, session, reply_to, now):
        last = None if self.case.last_speaker is None else persona_id(self.case.last_speaker)
        return TurnFacts(self.given[0], ChannelState(self.case.count, last), None)

    # What is limited.

    async def waits_until(self, workspace, key, now):
        earlier = await self._earlier_wait()
        return earlier.until if earlier is not None and earlier.key == key and earlier.until > now else None

    async def _earlier_wait(self):
        """What the call before this one took."""
        if self.case.last_call == "none":
            return None
        who, where = self.case.last_call.split()
        here = standing_of(self.case)
        standing = here if where == "here" else Standing(PLACES["another"], manages=here.manages)
        caller = await calling(self.world, THE_CAST.workspace, ANN, standing if who == "own" else replace(standing, manages=False))
        then = NOW - timedelta(seconds=self.case.seconds_ago)
        return claims_of(replace(caller, person=ANN if who == "own" else BEN), [Reason.MENTIONED], then).wait

    async def advance(self, workspace, drawn):
        assert drawn == 3
        return self.case.threshold == "hit"

    async def commit(self, plan: PlanCommit) -> Settled:
        refused = await self._refused(plan) if plan.turns else None
        turns, beyond = settle_turns(
            plan.turns, lambda turn: turn.counts, Cascade(0 if plan.resets else self.case.count), plan.cascade_limit
        )
        skipped = plan.skipped + tuple((turn.persona, Why.CASCADE_LIMIT) for turn in beyond)
        if refused is not None:
            turns, skipped = (), plan.skipped + tuple((turn.persona, refused) for turn in plan.turns)
        elif plan.turns:
            taken = {"unit": plan.claims.quota, "wait": plan.claims.wait}
            self.takes = frozenset(name for name, claim in taken.items() if claim is not None)
        assert self.settled is None
        self.settled = Settled(cast(Any, turns), skipped, refused)
        return self.settled

    async def _refused(self, plan: PlanCommit) -> Why | None:
        quota, wait, case = plan.claims.quota, plan.claims.wait, self.case
        if quota is not None and 0 < quota.daily <= case.used_today:
            return Why.DAILY_QUOTA
        if quota is not None and 0 < quota.server <= case.used_by_all:
            return Why.SERVER_QUOTA
        return Why.COOLDOWN if wait is not None and await self.waits_until(plan.workspace, wait.key, plan.at) else None

    # The rest.

    def __getattr__(self, name):
        raise AssertionError(f"planning asked for {name}")

    async def planned(self, session, root, message, settled, handles):
        assert settled is self.settled

    async def declined(self, message, why, until):
        assert self.told is None
        self.told = why

    def default_name(self):
        return "embedded:small"

    def now(self):
        return NOW

    def turn(self):
        return "1"

    def between(self, least, most):
        assert least == most
        return least
