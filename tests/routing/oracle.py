"""What is expected of a case, worked out from its pieces by the rules as they are written down. Calls nothing of the product.

Deliberately another shape than the product's planner: it goes through the personas one by one and asks what stands against each.
"""

from dataclasses import dataclass

from routing.cases import Case

BASE_WORDS = ("coterie", "コテリー")


@dataclass(frozen=True)
class Expected:
    """Who answers in order, with the reason, and why each other persona does not. Personas by number."""

    turns: tuple[tuple[int, str], ...]
    skipped: dict[int, str]


def owners(case: Case) -> dict[str, int]:
    """Each word's one owner: main has the base words, then main's own, then the older alter."""
    owned = dict.fromkeys(BASE_WORDS, 0)
    for member in case.cast:
        for word in member.words:
            owned.setdefault(word.lower().replace("<@!", "<@"), member.number)
    return owned


def expected(case: Case) -> Expected:
    """The answer to the case."""
    called = _called_by_words(case)
    line_up = _by_persona(case, called) if case.speaker is not None else _by_person(case, called)
    spent = case.count if case.speaker is not None else 0
    turns: list[tuple[int, str]] = []
    skipped: dict[int, str] = {}
    for place, (number, reason) in enumerate(line_up):
        if place + 1 > case.match_limit:
            skipped[number] = "match-limit"
        elif spent + place + 1 > case.cascade_limit + 1:
            skipped[number] = "cascade-limit"
        else:
            turns.append((number, reason))
    for member in case.cast:
        if member.number not in dict(line_up):
            skipped[member.number] = _why_not(case, member.number, called)
    return Expected(tuple(turns), skipped)


def _called_by_words(case: Case) -> list[int]:
    """Owners of the words said, in order; two words said at once in load order; mentions without a place last."""
    owned = owners(case)
    called: list[int] = []
    for piece in case.pieces:
        words = [word for word in piece.words if not word.startswith("<@") or word[2:-1] in case.mentioned]
        called += sorted(owned[word] for word in words if word in owned)
    called += sorted(owned[f"<@{user}>"] for user in case.mentioned if f"<@{user}>" in owned)
    return list(dict.fromkeys(called))


def _by_person(case: Case, called: list[int]) -> list[tuple[int, str]]:
    line_up: dict[int, str] = {}
    if case.replied_to is not None and case.replied_to < len(case.cast):
        line_up[case.replied_to] = "replied-to"
    if case.mentions_us and 0 not in line_up:
        line_up[0] = "mentioned"
    for number in called:
        if number not in line_up:
            line_up[number] = "trigger-word"
    if not line_up and case.always_reply:
        line_up[0] = "always-reply"
    return list(line_up.items())


def _by_persona(case: Case, called: list[int]) -> list[tuple[int, str]]:
    return [(number, "chain") for number in called if _why_not(case, number, called) == "not-called"]


def _why_not(case: Case, number: int, called: list[int]) -> str:
    """What stands against a persona before any limit; `not-called` also where nothing does."""
    if case.speaker is None:
        return "not-called"
    if number == case.speaker:
        return "speaker-itself"
    if number in called and number == case.last_speaker:
        return "spoke-last"
    if number in called and number in case.waiting:
        return "already-waiting"
    return "not-called"
