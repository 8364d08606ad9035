"""Puts a case to the product: its words, its matcher, its planner."""

from coterie.domain.conversation import Mention
from coterie.domain.ids import Handle, PersonaId, UserId, WorkspaceId
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.settings import Settings
from coterie.domain.triggers.cascade import Cascade
from coterie.domain.triggers.recognise import CastWords
from coterie.domain.turns.plan import PersonaSpoke, PersonSpoke, PlanFacts, plan_turns
from routing.cases import Case
from routing.oracle import BASE_WORDS, Expected

BOT = UserId("1")


def cast_of(case: Case) -> Cast:
    """The cast of a case; the id of a persona is its number plus one."""
    personas = [
        Persona(_id(member.number), Handle(f"p{member.number}"), member.number > 0, PersonaContent(f"P{member.number}", "", member.words))
        for member in case.cast
    ]
    return Cast(WorkspaceId("discord:1"), settle(reversed(personas), BASE_WORDS), base_words=BASE_WORDS)


def routed(case: Case) -> Expected:
    """What the product makes of a case."""
    cast = cast_of(case)
    mentions = [Mention(UserId(user)) for user in case.mentioned] + ([Mention(BOT, is_us=True)] if case.mentions_us else [])
    calls = CastWords.build(cast).called(case.text, mentions, directives=case.is_scripted)
    settings = {"trigger-match-limit": case.match_limit, "trigger-cascade-limit": case.cascade_limit, "always-reply": case.always_reply}
    waiting = frozenset(_id(number) for number in case.waiting)
    plan = plan_turns(PlanFacts(cast, _occasion(case), Settings(settings), calls, Cascade(case.count), waiting))
    return Expected(
        tuple((turn.persona - 1, turn.reason.value) for turn in plan.turns),
        {skip.persona - 1: skip.why.value for skip in plan.skipped},
    )


def _occasion(case: Case) -> PersonSpoke | PersonaSpoke:
    if case.speaker is not None:
        return PersonaSpoke(_id(case.speaker), None if case.last_speaker is None else _id(case.last_speaker))
    return PersonSpoke(None if case.replied_to is None else _id(case.replied_to), case.mentions_us)


def _id(number: int) -> PersonaId:
    return PersonaId(number + 1)
