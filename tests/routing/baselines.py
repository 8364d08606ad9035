"""Two ways in which others choose who answers, written anew from their public rules, to be measured beside ours.

Both get for nothing what is not in question: replies, mentions and limits where their rules have them.
"""

import random
import re
from collections.abc import Callable

from routing.cases import Case

Router = Callable[[Case], list[int]]

_WORDS = re.compile(r"\b\w+\b", re.ASCII)


def by_substring(case: Case) -> list[int]:
    """Substring triggers: whoever's word occurs anywhere in the lower-cased text, first occurrence first; direct targets before them."""
    text = case.text.lower()
    found: list[tuple[int, int]] = []
    for member in case.cast:
        if member.number != case.speaker:
            places = [place for word in member.words if (place := text.find(word.lower())) >= 0]
            found += [(min(places), member.number)] if places else []
    line_up = [number for _, number in sorted(found)]
    if case.speaker is None:
        direct = [case.replied_to] if case.replied_to is not None and case.replied_to < len(case.cast) else []
        line_up = [*direct, *([0] if case.mentions_us else []), *line_up]
        if not line_up and case.always_reply:
            line_up = [0]
    return list(dict.fromkeys(line_up))[: case.match_limit]


def natural_order(case: Case, *, talkativeness: float = 0.5) -> list[int]:
    """SillyTavern's natural order: ASCII words of the text that are words of a name, in order; then each member by a throw of the dice;
    one at random when nobody was chosen. The speaker of a line is left out. It knows no reply, no mention and no limit.
    """
    chance = random.Random(case.id)
    members = [member for member in case.cast if member.number != case.speaker]
    chosen: list[int] = []
    for word in _WORDS.findall(case.text.lower()):
        for member in members:
            if any(word in _WORDS.findall(name.lower()) for name in member.words):
                chosen.append(member.number)
                break
    thrown = list(members)
    chance.shuffle(thrown)
    chosen += [member.number for member in thrown if chance.random() <= talkativeness]
    if not chosen and members:
        chosen.append(chance.choice(members).number)
    return list(dict.fromkeys(chosen))
