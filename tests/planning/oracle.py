"""What is expected of a case, worked out by the rules as they are written down. Calls nothing of the product.

Deliberately another shape than the product's: it goes through the personas one by one and asks what stands against each.
"""

from dataclasses import dataclass, field

from planning.cases import CAST, LENGTH, MAIN, MARY, OWN_LENGTH, WORD, Case

MEANT = ("chosen", "impersonated", "replied-to", "mentioned", "trigger-word", "follow-up", "stop-response")
"""Reasons for which somebody is told when nobody answers."""
TOLD = ("cooldown", "busy-person", "busy-server", "daily-quota", "server-quota")
MOST_INTERRUPTS = 3
MOST_WORDS_OF_A_STOP = 5


@dataclass(frozen=True)
class Expected:
    """Who answers in order, with the reason, and why each other persona does not; what people are told, and what is taken."""

    turns: tuple[tuple[int, str], ...]
    skipped: dict[int, str]
    told: str | None = None
    takes: frozenset[str] = frozenset()


@dataclass
class _Answer:
    """A plan while it is being worked out."""

    turns: list[tuple[int, str]] = field(default_factory=list)
    skipped: dict[int, str] = field(default_factory=dict)


def expected(case: Case) -> Expected:
    """The answer to the case."""
    if case.manner == "line":
        return _of_line(case)
    manner = _manner(case)
    answer = _planned(case, manner)
    meant = any(reason in MEANT for _, reason in answer.turns)
    refusal = _refusal(case, manner, answer)
    if refusal is None:
        return _complete(answer, None, _taken(case, manner) if answer.turns else frozenset())
    # Whoever would have answered does not for that reason; what stood against the others still does.
    closed = _Answer([], answer.skipped | {persona: refusal for persona, _ in answer.turns})
    return _complete(closed, refusal if meant and refusal in TOLD else None, frozenset())


def _complete(answer: _Answer, told: str | None, takes: frozenset[str]) -> Expected:
    answering = dict(answer.turns)
    rest = {persona: answer.skipped.get(persona, "not-called") for persona in CAST if persona not in answering}
    return Expected(tuple(answer.turns), rest, told, takes)


# What kind of message it is.


def _manner(case: Case) -> str:
    """`follow-up` and `stop-response` where a person goes on with, or stops, whoever is speaking to them; else as it came."""
    if case.manner not in ("going on", "stopping"):
        return case.manner
    if _addresses_another(case):
        return "spoken"
    if case.manner == "stopping" and _is_short(case):
        return "stop-response"
    return "follow-up" if case.interrupts < MOST_INTERRUPTS else "spoken"


def _addresses_another(case: Case) -> bool:
    """Whether somebody is called on purpose who is not the one that speaks."""
    return any(persona != case.subject for persona in _called(case))


def _is_short(case: Case) -> bool:
    words = 1 + sum(1 + len(WORD[persona].split()) for persona in case.words)
    both_spellings = sum(2 for persona in case.words if persona == MARY and case.signs == "part")
    return words + both_spellings <= MOST_WORDS_OF_A_STOP


# The gates for everybody.


def _gate(case: Case, manner: str) -> str | None:
    if not case.is_in_server or manner == "stop-response":
        return None
    if case.privacy == "full" and manner not in ("chosen", "command", "impersonated"):
        return "private"
    if case.is_blacklisted:
        return "blacklisted"
    if (listed := _listed(case)) and not listed & set(case.places):
        return "not-allowed-here"
    if case.asks_for_role and case.roles in ("wrong", "none"):
        return "role-needed"
    return None


def _listed(case: Case) -> set[str]:
    return {"nothing": set(), "both": {"channel", "thread"}}.get(case.listed, {case.listed})


def _refusal(case: Case, manner: str, answer: _Answer) -> str | None:
    """Why nobody answers who would have: in the order of the gates; of the quota and the wait, the quota is looked at first."""
    if not answer.turns or not case.is_in_server:
        return _gate(case, manner)
    return _gate(case, manner) or _is_too_much(case, manner) or _used_up(case, manner) or _too_soon(case, manner)


def _is_too_much(case: Case, manner: str) -> str | None:
    """What takes the place of what it interrupts needs no room."""
    if manner in ("follow-up", "stop-response"):
        return None
    # Whoever goes on with a turn has that under way.
    if 0 < case.most_per_person <= case.of_person:
        return "busy-person"
    return "busy-server" if 0 < case.most_per_server <= case.of_server else None


def _used_up(case: Case, manner: str) -> str | None:
    if manner in ("impersonated", "stop-response"):
        return None
    if 0 < case.daily_quota <= case.used_today:
        return "daily-quota"
    return "server-quota" if 0 < case.server_quota <= case.used_by_all else None


# Waits.


def _cooldown(case: Case) -> tuple[str, int]:
    """The kind and length that count here: a listed thread's own, a listed channel's own, the server's."""
    own = {"thread": case.thread_cooldown, "channel": case.channel_cooldown}
    for place in case.places:
        if place in _listed(case) and own[place] is not None:
            return own[place], OWN_LENGTH
    return case.cooldown, LENGTH


def _waits_for(kind: str, who: str, place: str, *, manages: bool) -> tuple[str, ...] | None:
    """What two calls have in common where the second has to wait for the first."""
    if kind == "off" or (manages and kind != "server-strict"):
        return None
    return {"per-user": (kind, who), "per-channel": (kind, place)}.get(kind, (kind,))


def _too_soon(case: Case, manner: str) -> str | None:
    if manner in ("impersonated", "follow-up", "stop-response") or case.last_call == "none":
        return None
    who, where = case.last_call.split()
    kind, length = _cooldown(case)
    now = _waits_for(kind, "own", "here", manages=case.manages)
    then_kind, then_length = (kind, length) if where == "here" else (case.cooldown, LENGTH)
    then = _waits_for(then_kind, who, where, manages=case.manages and who == "own")
    return "cooldown" if now is not None and now == then and case.seconds_ago < then_length else None


def _taken(case: Case, manner: str) -> frozenset[str]:
    """What of the limited a message takes that is answered."""
    if not case.is_in_server or manner in ("impersonated", "stop-response"):
        return frozenset()
    unit = {"unit"} if case.daily_quota or case.server_quota else set()
    waits = manner != "follow-up" and _waits_for(_cooldown(case)[0], "own", "here", manages=case.manages) is not None
    return frozenset(unit | ({"wait"} if waits else set()))


# Who is called, and what stands against each.


def _barred(case: Case, persona: int) -> str | None:
    """Lists only narrow: the server's is looked at before the person's own."""
    if not case.is_in_server:
        return None
    if case.kept[persona] != "anywhere" and case.kept[persona] not in case.places:
        return "persona-not-here"
    light = _light(case)
    return "not-in-spotlight" if light is not None and persona not in light.personas else None


def _light(case: Case):
    light = case.spotlight
    return light if case.is_in_server and light is not None and light.personas and not light.ended else None


def _auto(case: Case) -> int | None:
    """Who answers in this auto-trigger channel: its persona, or main where none is named or it is gone."""
    named = {"thread": case.auto_thread, "channel": case.auto_channel}
    for place in case.places:
        if named[place] != "no":
            return named[place] if named[place] in CAST else MAIN
    return None


def _is_without_sign(case: Case, persona: int) -> bool:
    """Whether a persona is named, but not in the way that counts here."""
    if not case.is_in_server or persona not in case.words:
        return False
    asks = {"on": True, "off": False, "follow": case.server_asks_signs}[case.own_signs]
    light = _light(case)
    owners = {_auto(case), None if light is None else light.auto}
    return asks and persona not in owners and persona not in case.signed


def _planned(case: Case, manner: str) -> _Answer:
    """The plan if no gate were closed."""
    if manner in ("spoken", "line"):
        return _spoken(case)
    reason = {"command": "chosen"}.get(manner, manner)
    others = "another-chosen" if manner in ("chosen", "command", "impersonated") else "not-called"
    # Whoever is gone is stood in for by main.
    wanted = case.subject if case.subject in CAST else MAIN
    answer = _Answer(skipped={persona: others for persona in CAST if persona != wanted})
    barred = None if manner == "stop-response" else _barred(case, wanted)
    if barred is None:
        answer.turns = [(wanted, reason)]
    else:
        answer.skipped[wanted] = barred
    return answer


def _called(case: Case) -> dict[int, str]:
    """Direct targets, then those whose word counts, in order."""
    called: dict[int, str] = {}
    if case.replied_to in CAST:
        called[case.replied_to] = "replied-to"
    if case.mentions_us:
        called.setdefault(MAIN, "mentioned")
    for persona in case.words:
        if not _is_without_sign(case, persona):
            called.setdefault(persona, "trigger-word")
    return called


def _spoken(case: Case) -> _Answer:
    called = _called(case)
    answer = _Answer(skipped={persona: "not-deliberate" for persona in case.words if persona not in called})
    answer.skipped |= {persona: why for persona in called if (why := _barred(case, persona))}
    allowed = [(persona, reason) for persona, reason in called.items() if _barred(case, persona) is None]
    _trim(case, answer, allowed or _uncalled(case), spent=0)
    return answer


def _uncalled(case: Case) -> list[tuple[int, str]]:
    """The first of those who answer without a call, and may."""
    candidates: list[tuple[int, str]] = []
    light, auto = _light(case), _auto(case)
    if light is not None and light.auto is not None:
        candidates.append((light.auto, "spotlight"))
    if auto is not None and (case.threshold == "none" or _is_hit(case)):
        candidates.append((auto, "auto-trigger"))
    if case.always_reply if case.always_reply is not None else case.where in ("dm", "local"):
        candidates.append((MAIN, "always-reply"))
    return [one for one in candidates if _barred(case, one[0]) is None][:1]


def _is_hit(case: Case) -> bool:
    """Whether this message moves the count to where it was to go: nothing runs here, nobody has to wait, nobody chose their own."""
    light = _light(case)
    is_counted = case.manner == "spoken" and not case.others_speak and (light is None or light.auto is None)
    return is_counted and case.threshold == "hit" and _gate(case, "spoken") is None and _too_soon(case, "spoken") is None


def _trim(case: Case, answer: _Answer, line_up: list[tuple[int, str]], *, spent: int) -> None:
    for place, (persona, reason) in enumerate(line_up):
        if place >= case.match_limit:
            answer.skipped[persona] = "match-limit"
        elif spent + place >= case.cascade_limit + 1:
            answer.skipped[persona] = "cascade-limit"
        else:
            answer.turns.append((persona, reason))


# A persona's line.


def _of_line(case: Case) -> Expected:
    speaker = case.subject
    if not case.words:
        return _complete(_Answer(), None, frozenset())  # nothing is kept of a line that calls nobody
    answer = _Answer(skipped={speaker: "speaker-itself"} if speaker in CAST else {})
    line_up = []
    for persona in case.words:
        if persona == speaker:
            continue
        if _is_without_sign(case, persona):
            answer.skipped[persona] = "not-deliberate"
        elif (why := _barred(case, persona)) is not None:
            answer.skipped[persona] = why
        elif persona == case.last_speaker:
            answer.skipped[persona] = "spoke-last"
        elif persona in case.waiting:
            answer.skipped[persona] = "already-waiting"
        else:
            line_up.append((persona, "chain"))
    _trim(case, answer, line_up, spent=case.count)
    return _complete(answer, None, frozenset())
