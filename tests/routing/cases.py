"""Makes the routing set: 2,000 cases from a fixed seed, each text put together from pieces whose meaning is known.

What is expected is worked out in `oracle` from the pieces, never from the text.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from routing.lexicon import BASE, FILLERS, MARY, MENTIONED, NAMES, Name

SEED = 20261130
COUNT = 2000
T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """A persona: its words as its owner wrote them. Number 0 is main; the others are alters in order of creation."""

    number: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """A stretch of text. `words` are the trigger words said by it, all at its beginning; none for decoys and fillers.

    `shape`: `flow` stands among others, `line` needs a line of its own, `rest` swallows everything behind it.
    """

    text: str
    words: tuple[str, ...] = ()
    kind: str = "filler"
    shape: str = "flow"
    script: str = "latin"


@dataclass(frozen=True)
class Case:
    """One message or line, and everything its routing depends on. Personas are given by number."""

    id: int
    cast: tuple[Member, ...]
    speaker: int | None
    pieces: tuple[Piece, ...]
    text: str
    replied_to: int | None = None
    mentions_us: bool = False
    mentioned: tuple[str, ...] = ()
    match_limit: int = 3
    cascade_limit: int = 3
    count: int = 0
    always_reply: bool = False
    is_scripted: bool = False
    last_speaker: int | None = None
    waiting: frozenset[int] = field(default_factory=frozenset)


class Dice:
    """Chance of which only `random()` is used, since Python promises only that to stay the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, bound: int) -> int:
        return int(self._random.random() * bound)

    def chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def one(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], count: int) -> list[T]:
        left, taken = list(options), []
        while left and len(taken) < count:
            taken.append(left.pop(self.below(len(left))))
        return taken


def all_cases() -> list[Case]:
    """The whole set."""
    dice = Dice(SEED)
    return [_case(dice, number) for number in range(COUNT)]


def _case(dice: Dice, number: int) -> Case:
    cast, names, users = _cast(dice)
    speaker = dice.below(len(cast)) if dice.chance(0.3) else None
    is_scripted = dice.chance(0.15)
    pieces = _pieces(dice, names, users, is_scripted=is_scripted)
    spoken_users = tuple(user for user in users if dice.chance(0.7) and any(user in piece.text for piece in pieces))
    case = Case(
        id=number,
        cast=cast,
        speaker=speaker,
        pieces=pieces,
        text=_text(dice, pieces),
        match_limit=1 + dice.below(5),
        cascade_limit=dice.below(5),
        count=dice.below(5),
        always_reply=dice.chance(0.5),
        is_scripted=is_scripted,
    )
    return _by_persona(case, dice) if speaker is not None else _by_person(case, dice, (*spoken_users, *_silent_mention(dice, users)))


def _by_person(case: Case, dice: Dice, mentioned: tuple[str, ...]) -> Case:
    """A reply to main, to an alter, to a persona that is gone, or none; with or without a mention of the bot."""
    replied = dice.one((None, None, None, 0, 1 + dice.below(len(case.cast) - 1), 99))
    return replace(case, replied_to=replied, mentions_us=dice.chance(0.2), mentioned=tuple(dict.fromkeys(mentioned)))


def _by_persona(case: Case, dice: Dice) -> Case:
    others = [member.number for member in case.cast if member.number != case.speaker]
    last = dice.one((case.speaker, None, dice.one(others), dice.one(others)))
    waiting = frozenset(dice.some(others, dice.one((0, 0, 1, 2))))
    return replace(case, last_speaker=last, waiting=waiting)


def _silent_mention(dice: Dice, users: Sequence[str]) -> tuple[str, ...]:
    """A mention without a place in the text, as a reply's ping is."""
    return (dice.one(users),) if users and dice.chance(0.1) else ()


def _cast(dice: Dice) -> tuple[tuple[Member, ...], list[Name], list[str]]:
    """Three to six personas with one or two words each; some words contested, some alters without any, some with a base word."""
    size = 3 + dice.below(4)
    names = dice.some(NAMES, size + dice.below(3))
    if any(name.word == "mary ann" for name in names) and dice.chance(0.7):
        names.append(MARY)
    users = dice.some(MENTIONED, 1) if dice.chance(0.15) else []
    words: list[list[str]] = [[] for _ in range(size)]
    for name in names:
        words[dice.below(size)].append(name.word if dice.chance(0.7) else name.word.title())
    for user in users:
        words[dice.below(size)].append(f"<@{user}>" if dice.chance(0.5) else f"<@!{user}>")
    for own in words:
        if dice.chance(0.2):
            own.append(dice.one(names).word)
        if dice.chance(0.2):
            own.append(dice.one(BASE).word)
    return tuple(Member(number, tuple(own)) for number, own in enumerate(words)), names, users


def _pieces(dice: Dice, names: Sequence[Name], users: Sequence[str], *, is_scripted: bool) -> tuple[Piece, ...]:
    callable_names = [*names, *names, *BASE]
    pieces = [_call(dice, dice.one(callable_names), names) for _ in range(dice.one((0, 0, 0, 1, 1, 2, 2, 3, 4)))]
    pieces += [_decoy(dice, dice.one(callable_names), names, is_scripted=is_scripted) for _ in range(dice.one((0, 0, 1, 2)))]
    pieces += [Piece(dice.one((f"<@{user}>", f"<@!{user}>")), (f"<@{user}>",), "mention") for user in users if dice.chance(0.7)]
    for _ in range(1 + dice.below(3)):
        script = dice.one(tuple(FILLERS))
        pieces.append(Piece(dice.one(FILLERS[script]), script=script))
    ordered = dice.some(pieces, len(pieces))
    # What swallows the rest of the message comes last, and only once.
    swallowing = [piece for piece in ordered if piece.shape == "rest"]
    return (*(piece for piece in ordered if piece.shape != "rest"), *swallowing[:1])


def _call(dice: Dice, name: Name, names: Sequence[Name]) -> Piece:
    spelling = dice.one(name.calls)
    both = name.word == "mary ann" and any(other.word == "mary" for other in names)
    # A spelling may begin with other letters; no other name is in them, so the order of pieces is the order of calls.
    return Piece(spelling, ("mary", "mary ann") if both else (name.word,), "call", script=name.script)


_HIDING: tuple[tuple[str, Callable[[str], str], str], ...] = (
    ("code", "`{}`".format, "flow"),
    ("code", "``{} ` {}``".format, "flow"),
    ("code", "```{}```".format, "flow"),
    ("code", "```py\n{} = 1\n```".format, "flow"),
    ("code", "```\n{}".format, "rest"),
    ("url", "https://x.example/{}?a={}".format, "flow"),
    ("url", "HTTP://{}".format, "flow"),
    ("url", "<https://x.example/{}>".format, "flow"),
    ("quote", "> {} said so".format, "line"),
    ("quote", "> `{}\n> {}`".format, "line"),
    ("quote", ">>> so\n{}".format, "rest"),
)


def _decoy(dice: Dice, name: Name, names: Sequence[Name], *, is_scripted: bool) -> Piece:
    """A text that holds the word, or nearly, and does not say it."""
    kind = dice.one(("word", "word", "hidden", "hidden", "markup", "directive"))
    if kind == "word":
        own = name.decoys
        if name.word in ("mary ann", "mary"):  # what is no `mary ann` may well be a `mary`, and the reverse
            own = ("rosemary", "maryland")
        return Piece(dice.one(own), (), "inside a word", script=name.script)
    if kind == "markup":
        return Piece(
            dice.one(("<:ren:123456789012345678>", "<a:lilya:5>", "</anna mary:12>", "<@&5>", "<#71>", "<t:1700000000:R>")), (), "markup"
        )
    if kind == "directive":
        spoken = dice.one(name.calls[:1])
        text = dice.one((f"{{{{say: {spoken}}}}}", f"{{{{say@bram: well, {spoken} }}}}"))
        called = ("mary", "mary ann") if name.word == "mary ann" and any(other.word == "mary" for other in names) else (name.word,)
        return Piece(text, () if is_scripted else called, "directive")
    label, wrap, shape = dice.one(_HIDING)
    word = name.word.replace(" ", "") if label == "url" else name.word
    return Piece(wrap(word, word), (), label, shape)


def _text(dice: Dice, pieces: Sequence[Piece]) -> str:
    """The pieces in order: lines of their own where needed, blanks else, nothing between two of a script that needs none."""
    text, before = "", None
    for piece in pieces:
        if before is not None:
            text += _between(dice, before, piece)
        elif piece.shape in ("rest", "line"):
            text += dice.one(("", "well\n"))
        text += piece.text
        before = piece
    return text


def _between(dice: Dice, before: Piece, after: Piece) -> str:
    if "line" in (before.shape, after.shape) or after.shape == "rest":
        return "\n"
    blank = dice.one((" ", " ", "  ", "\n", "\u3000"))
    if before.script == after.script == "cjk" and "inside a word" not in (before.kind, after.kind):
        return dice.one(("", "、", blank))
    # A blank after `>` at the start of a line would make a quotation of it.
    return " " if before.text.startswith(">") or after.text.startswith(">") else blank
