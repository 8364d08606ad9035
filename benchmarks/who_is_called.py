"""Who-is-called: 50 personas x 10 words x 2,000 characters, and the growth from 10 to 10,000 words.

`uv run python benchmarks/who_is_called.py`. Compare the ratios within one run; the naive baseline (a pattern for each word, tried one by
one, as the predecessors do) is measured in the same process on the same messages.
"""

import re
import time
from collections.abc import Callable, Sequence
from itertools import chain
from random import Random
from statistics import quantiles

from coterie.domain.ids import Handle, PersonaId, WorkspaceId
from coterie.domain.personas.ownership import settle
from coterie.domain.personas.persona import Cast, Persona, PersonaContent
from coterie.domain.triggers.recognise import CastWords

LETTERS = "eeeeeetttttaaaaooooiiiinnnnssshhhrrrddllluuccmmwwffggyyppbbvk"
SEED = 7
MESSAGES = 400
LENGTH = 2000


def made_word(chance: Random) -> str:
    return "".join(chance.choice(LETTERS) for _ in range(chance.randint(3, 9)))


def made_cast(chance: Random, personas: int, words_each: int) -> Cast:
    """A cast of invented words, a fifth of them in kana, Han or Cyrillic."""
    alphabets = ("アイウエオカキクケコサシスセソ", "塔山川空海森花鳥風月", "абвгдежзиклмнопрст")

    def word() -> str:
        if chance.random() < 0.8:
            return made_word(chance)
        return "".join(chance.choice(chance.choice(alphabets)) for _ in range(chance.randint(2, 5)))

    members = [
        Persona(
            PersonaId(number), Handle(f"p{number}"), number > 0, PersonaContent(f"P{number}", "", tuple(word() for _ in range(words_each)))
        )
        for number in range(personas)
    ]
    return Cast(WorkspaceId("local"), settle(members, ("coterie", "コテリー")))


def made_message(chance: Random, cast: Cast) -> str:
    """Talk of 2,000 characters: mostly ordinary words, some calls, now and then code, an address, Japanese, an emoji, capitals."""
    owned = [word for persona in cast.personas for word in persona.effective_trigger_words]
    extras = (
        "`code here`",
        "https://x.example/a/b?c=d",
        "<:smile:123456789012345678>",
        "今日はいい天気ですね",
        "🦊\ufe0f",
        "Straße",
        "sooooo",
        "WELL",
    )
    parts: list[str] = []
    length = 0
    while length < LENGTH:
        roll = chance.random()
        part = chance.choice(owned) if roll < 0.02 else chance.choice(extras) if roll < 0.05 else made_word(chance)
        parts.append(part)
        length += len(part) + 1
    return " ".join(parts)[:LENGTH]


def naive(cast: Cast) -> Callable[[str], object]:
    """A pattern for each word, with stretched letters and look-arounds, tried one by one."""
    patterns = [
        (re.compile(r"(?<!\w)" + "".join(re.escape(char) + "+" for char in word) + r"(?!\w)", re.IGNORECASE), persona.id)
        for persona in cast.personas
        for word in persona.effective_trigger_words
    ]

    def called(text: str) -> list[tuple[int, int]]:
        found: dict[int, int] = {}
        for pattern, persona in patterns:
            if match := pattern.search(text):
                found[persona] = min(match.start(), found.get(persona, match.start()))
        return sorted((place, persona) for persona, place in found.items())

    return called


def timings(function: Callable[[str], object], messages: Sequence[str], rounds: int) -> list[list[float]]:
    """Milliseconds of each call, one list a message, by the process's own time."""
    taken: list[list[float]] = [[] for _ in messages]
    for _ in range(rounds):
        for message, own in zip(messages, taken, strict=True):
            begun = time.process_time_ns()
            function(message)
            own.append((time.process_time_ns() - begun) / 1e6)
    return taken


def p50_p99(taken: list[list[float]]) -> tuple[float, float]:
    """Over all calls."""
    cuts = quantiles(chain.from_iterable(taken), n=100)
    return cuts[49], cuts[98]


def quietest_p99(taken: list[list[float]]) -> float:
    """Over messages, each at its best: what remains when other programs on the machine do not disturb."""
    return quantiles(map(min, taken), n=100)[98]


def main() -> None:
    chance = Random(SEED)
    cast = made_cast(chance, 50, 10)
    messages = [made_message(chance, cast) for _ in range(MESSAGES)]
    words = CastWords.build(cast)
    taken = timings(words.called, messages, 20)
    p50, p99 = p50_p99(taken)
    slow50, slow99 = p50_p99(timings(naive(cast), messages[:20], 2))
    print("50 personas x 10 words, 2,000 characters, milliseconds of processor time")
    print(f"  ours   p50 {p50:.3f}   p99 {p99:.3f}   p99 of each message's best {quietest_p99(taken):.3f}   (target: p99 at most 0.3)")
    print(f"  naive  p50 {slow50:.3f}   p99 {slow99:.3f}   (ratio of the medians {slow50 / p50:.0f})")
    print("growth with the number of words, same length of message")
    first = 0.0
    for personas, each in ((1, 10), (10, 10), (50, 20), (100, 100)):
        grown = made_cast(chance, personas, each)
        talk = [made_message(chance, grown) for _ in range(100)]
        begun = time.process_time_ns()
        compiled = CastWords.build(grown)
        build = (time.process_time_ns() - begun) / 1e6
        median, worst = p50_p99(timings(compiled.called, talk, 5))
        first = first or median
        print(f"  {personas * each:>6} words  p50 {median:.3f}   p99 {worst:.3f}   x{median / first:.2f}   compiled in {build:.1f}")


if __name__ == "__main__":
    main()
