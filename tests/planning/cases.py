"""The decision table: cases from a fixed seed over every gate, so many that each two values of any two columns meet.

A case is only facts, in words of its own: what is expected is worked out in `oracle`, what the product does in `ours`.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

SEED = 20261201
COUNT = 6000

MAIN, BRAM, MARY, WREN, GONE = 0, 1, 2, 3, 98
"""The cast: main and three alters, in load order. `GONE` was in it once."""
CAST = (MAIN, BRAM, MARY, WREN)
WORD = ("odile", "bram", "mary ann", "wren")
"""The one trigger word of each."""

LENGTH, OWN_LENGTH = 30, 60
"""Seconds of the server's cooldown, and of those that channels have of their own."""


@dataclass(frozen=True)
class Light:
    """A person's spotlight in this channel; `ended` once it has run out."""

    personas: frozenset[int]
    auto: int | None = None
    ended: bool = False


@dataclass(frozen=True)
class Case:
    """One message of a person, or one line of a persona (`manner` is `line`), and everything that its plan depends on.

    Lists name places: `channel` and `thread` are those of the message, `another` is any other channel of the server.
    """

    id: int
    privacy: str
    is_blacklisted: bool
    manages: bool
    asks_for_role: bool
    roles: str
    where: str
    listed: str
    manner: str
    subject: int
    """Whoever was chosen by hand, is speaking to the person, or has said the line."""
    words: tuple[int, ...]
    signs: str
    mentions_us: bool
    replied_to: int | None
    interrupts: int
    is_using_tools: bool
    others_speak: bool
    count: int
    last_speaker: int | None
    waiting: frozenset[int]
    server_asks_signs: bool
    own_signs: str
    auto_channel: int | str
    auto_thread: int | str
    threshold: str
    always_reply: bool | None
    main_kept: str
    bram_kept: str
    mary_kept: str
    wren_kept: str
    spotlight: Light | None
    match_limit: int
    cascade_limit: int
    cooldown: str
    channel_cooldown: str | None
    thread_cooldown: str | None
    last_call: str
    seconds_ago: int
    daily_quota: int
    used_today: int
    server_quota: int
    used_by_all: int
    most_per_person: int
    of_person: int
    most_per_server: int
    of_server: int

    @property
    def is_in_server(self) -> bool:
        """Whether there are gates at all."""
        return self.where in ("channel", "thread")

    @property
    def places(self) -> tuple[str, ...]:
        """How lists call where this is, the nearest first."""
        return {"channel": ("channel",), "thread": ("thread", "channel")}.get(self.where, ())

    @property
    def kept(self) -> Mapping[int, str]:
        """To which places each persona is kept."""
        return dict(zip(CAST, (self.main_kept, self.bram_kept, self.mary_kept, self.wren_kept), strict=True))

    @property
    def signed(self) -> frozenset[int]:
        """Those of the named whose word has a sign."""
        return frozenset({"none": (), "first": self.words[:1], "all": self.words, "part": self.words}[self.signs])


class Column(NamedTuple):
    """The values of one column. Where it belongs to a `gate`, its first value leaves that open."""

    values: tuple[Any, ...]
    gate: str = ""


_KEPT = ("anywhere", "channel", "thread", "another")
_OWN_COOLDOWN = (None, "off", "per-user", "per-channel", "server", "server-strict")

COLUMNS: Mapping[str, Column] = {
    "privacy": Column(("minimal", "partial", "full"), "who"),
    "is_blacklisted": Column((False, True), "who"),
    "manages": Column((False, True)),
    "asks_for_role": Column((False, True), "who"),
    "roles": Column(("right", "wrong", "none", "unknown"), "who"),
    "where": Column(("channel", "channel", "thread", "thread", "dm", "local")),
    "listed": Column(("nothing", "channel", "thread", "both", "another"), "where"),
    "manner": Column(("spoken", "spoken", "spoken", "chosen", "command", "impersonated", "going on", "stopping", "line")),
    "subject": Column((BRAM, MAIN, MARY, WREN, GONE)),
    "words": Column(((), (), (), (), (BRAM,), (MAIN,), (WREN,), (MARY,), (WREN, BRAM), (BRAM, MARY, MAIN), (WREN, MARY, BRAM, MAIN))),
    "signs": Column(("none", "first", "all", "part")),
    "mentions_us": Column((False, True), "how"),
    "replied_to": Column((None, MAIN, BRAM, WREN, GONE), "how"),
    "interrupts": Column((0, 2, 3), "talk"),
    "is_using_tools": Column((False, True), "talk"),
    "others_speak": Column((False, True), "talk"),
    "count": Column((0, 1, 2, 3, 4, 5)),
    "last_speaker": Column((None, MAIN, BRAM, WREN), "talk"),
    "waiting": Column((frozenset(), frozenset({MAIN}), frozenset({BRAM, WREN})), "talk"),
    "server_asks_signs": Column((False, True), "how"),
    "own_signs": Column(("follow", "off", "on"), "how"),
    "auto_channel": Column(("no", "unnamed", MAIN, WREN, GONE), "uncalled"),
    "auto_thread": Column(("no", "unnamed", BRAM, GONE), "uncalled"),
    "threshold": Column(("none", "hit", "miss"), "uncalled"),
    "always_reply": Column((None, False, True), "uncalled"),
    "main_kept": Column(_KEPT, "where"),
    "bram_kept": Column(_KEPT, "where"),
    "mary_kept": Column(_KEPT, "where"),
    "wren_kept": Column(_KEPT, "where"),
    "spotlight": Column(
        (
            None,
            Light(frozenset({BRAM})),
            Light(frozenset({BRAM, WREN}), WREN),
            Light(frozenset({MAIN, MARY}), MAIN),
            Light(frozenset()),
            Light(frozenset({MARY}), MARY, ended=True),
        ),
        "uncalled",
    ),
    "match_limit": Column((3, 1, 2, 10), "limits"),
    "cascade_limit": Column((3, 0, 1, 2, 10), "limits"),
    "cooldown": Column(("off", "per-user", "per-channel", "server", "server-strict"), "wait"),
    "channel_cooldown": Column(_OWN_COOLDOWN, "wait"),
    "thread_cooldown": Column(_OWN_COOLDOWN, "wait"),
    "last_call": Column(("none", "own here", "own elsewhere", "other's here", "other's elsewhere"), "wait"),
    "seconds_ago": Column((LENGTH, LENGTH - 1, OWN_LENGTH, OWN_LENGTH - 1), "wait"),
    "daily_quota": Column((0, 1, 3), "quota"),
    "used_today": Column((0, 1, 3), "quota"),
    "server_quota": Column((0, 1, 3), "quota"),
    "used_by_all": Column((0, 1, 3), "quota"),
    "most_per_person": Column((0, 1, 3), "room"),
    "of_person": Column((0, 1, 3), "room"),
    "most_per_server": Column((0, 1, 3), "room"),
    "of_server": Column((0, 1, 3), "room"),
}
_GATES = ("who", "where", "how", "talk", "uncalled", "uncalled", "uncalled", "limits", "wait", "wait", "quota", "room")
"""More than once, where there are many ways in which nothing happens."""


def all_cases() -> list[Case]:
    """The whole table."""
    chance = random.Random(SEED)
    return [_case(chance, number) for number in range(COUNT)]


def _case(chance: random.Random, number: int) -> Case:
    # Two gates are looked at closely; of the others hardly any is touched in some cases, so that these two decide, and all in some.
    closely = (_one(chance, _GATES), _one(chance, _GATES))
    elsewhere = _one(chance, (0.05, 0.05, 0.2, 0.8))
    values = {}
    for name, column in COLUMNS.items():
        is_touched = not column.gate or column.gate in closely or chance.random() < elsewhere
        values[name] = _one(chance, column.values) if is_touched else column.values[0]
    case = Case(number, **values)
    # Nobody can choose, or hear a line of, a persona that is not there; one that is speaking may be removed meanwhile.
    return replace(case, subject=BRAM) if case.subject == GONE and case.manner not in ("going on", "stopping") else case


def _one(chance: random.Random, values: Sequence[Any]) -> Any:
    # Only `random()`, since Python promises only that to stay the same.
    return values[int(chance.random() * len(values))]


def text_of(case: Case) -> str:
    """What is said. `part` signs only the first part of a word of several."""
    said = [_spelt(case, persona) for persona in case.words]
    asked = ["stop"] if case.manner == "stopping" else []
    return " and ".join([*asked, *said]) or "good evening"


def _spelt(case: Case, persona: int) -> str:
    word = WORD[persona]
    if persona not in case.signed:
        return word
    first, _, rest = word.partition(" ")
    return f"@{first} or {word}" if case.signs == "part" and rest else f"@{word}"
