"""Who is called by words in a text, and where. Pure; a matcher is compiled once per version of a cast and kept by the caller.

Direct addressing (a reply, a mention of us, a choice by hand) and every limit belong to `turns.plan`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ahocorasick_rs import AhoCorasick

from coterie.domain.conversation import Mention
from coterie.domain.ids import PersonaId, UserId
from coterie.domain.personas.ownership import mentioned_user, word_key
from coterie.domain.personas.persona import Cast
from coterie.domain.triggers.not_text import what_is_not_text
from coterie.kit.folding import Collapse, Graphemes, comparable, compose, holds_on


@dataclass(frozen=True, slots=True)
class Call:
    """A persona called by one of its words; `position` is the offset of the first one in the text as it came."""

    persona: PersonaId
    position: int
    word: str


@dataclass(frozen=True, slots=True, eq=False)
class _Word:
    """A trigger word of one persona, told from others by being itself.

    `runs` are the letters it repeats: their offset in the collapsed word, and how often they stand there at least.
    """

    persona: PersonaId
    shown: str
    runs: tuple[tuple[int, int], ...] = ()


class CastWords:
    """The trigger words of a cast, ready to be looked for in any number of texts."""

    __slots__ = ("_collapse", "_finder", "_holds", "_load_order", "_mentions", "_words")

    def __init__(
        self, load_order: Sequence[PersonaId], words: Iterable[tuple[str, _Word]], mentions: Iterable[tuple[UserId, _Word]]
    ) -> None:
        written = list(words)
        self._load_order = {persona: place for place, persona in enumerate(load_order)}
        self._mentions = tuple(mentions)
        self._collapse = Collapse(char for key, _ in written for char in key)
        collapsed: dict[str, list[_Word]] = {}
        for key, word in written:
            collapsed.setdefault(self._collapse(key).text, []).append(_Word(word.persona, word.shown, self._runs(key)))
        self._words = list(collapsed.values())
        self._holds = [(holds_on(text[0]), holds_on(text[-1])) for text in collapsed]
        self._finder = AhoCorasick(collapsed) if collapsed else None

    @classmethod
    def build(cls, cast: Cast) -> "CastWords":
        """Compile the effective trigger words of a settled cast."""
        owned = [(word, persona.id) for persona in cast.personas for word in persona.effective_trigger_words]
        mentions = [(user, _Word(persona, word)) for word, persona in owned if (user := mentioned_user(word))]
        words = [(key, _Word(persona, word)) for word, persona in owned if not mentioned_user(word) and (key := word_key(word))]
        return cls([persona.id for persona in cast.personas], words, mentions)

    def called(self, text: str, mentions: Sequence[Mention] = (), *, directives: bool = False) -> tuple[Call, ...]:
        """Everyone called by a word, in order of first appearance; ties by load order.

        `mentions` are the message's own. `directives`: whether the scripted model is active, whose `{{…}}` are then no trigger text.
        """
        return self._in_order((*self._spoken(text, directives=directives), *self._mentioned(text, mentions)))

    def called_deliberately(self, text: str, mentions: Sequence[Mention] = (), *, directives: bool = False) -> tuple[Call, ...]:
        """Everyone called on purpose: by `@` right before a word, or before the first part of one whose whole stands in the text too.

        Behind such a word anything may follow. What is mentioned is always called on purpose. Arguments and order as for `called`.
        """
        signed = self._signed(text, directives=directives) if "@" in text else ()
        return self._in_order((*signed, *self._mentioned(text, mentions)))

    def _in_order(self, calls: Iterable[Call]) -> tuple[Call, ...]:
        first: dict[PersonaId, Call] = {}
        for call in calls:
            known = first.get(call.persona)
            if known is None or call.position < known.position:
                first[call.persona] = call
        return tuple(sorted(first.values(), key=lambda call: (call.position, self._load_order[call.persona])))

    def _runs(self, key: str) -> tuple[tuple[int, int], ...]:
        collapsed = self._collapse(key)
        lengths = ((offset, collapsed.source(offset + 1) - collapsed.source(offset)) for offset in range(len(collapsed.text)))
        # A blank stands for any number of blanks, so only letters are counted.
        return tuple((offset, length) for offset, length in lengths if length > 1 and collapsed.text[offset] != " ")

    def _spoken(self, text: str, *, directives: bool) -> Iterator[Call]:
        """The first place of each word that stands in the text."""
        reading = _Reading(text, self._collapse, directives=directives)
        found: set[_Word] = set()
        for pattern, start, end in self._standing(reading.text):
            wanted = [word for word in self._words[pattern] if word not in found and reading.holds_runs(start, word.runs)]
            if wanted and (place := reading.place(start, end)) is not None:
                found.update(wanted)
                for word in wanted:
                    yield Call(word.persona, place, word.shown)

    def _signed(self, text: str, *, directives: bool) -> Iterator[Call]:
        """Every place of a word, or of the first part of a word that also stands there whole, with `@` before it."""
        reading = _Reading(text, self._collapse, directives=directives)
        for pattern, start, end in self._finder.find_matches_as_indexes(reading.text, overlapping=True) if self._finder else ():
            if reading.is_signed(start) and (place := reading.place(start, end)) is not None:
                for word in self._words[pattern]:
                    if reading.holds_runs(start, word.runs):
                        yield Call(word.persona, place, word.shown)
        for call in self._spoken(text, directives=directives):
            begun = self._collapse(word_key(call.word).split(" ")[0]).text
            if " " in word_key(call.word) and (place := reading.first_signed(begun)) is not None:
                yield Call(call.persona, place, call.word)

    def _standing(self, text: str) -> list[tuple[int, int, int]]:
        """Finds that are not part of a longer word: pattern, start, end. In a large cast hardly any find is one, so this comes first."""
        if self._finder is None:
            return []
        framed, holds = f" {text} ", self._holds
        return [
            (pattern, start, end)
            for pattern, start, end in self._finder.find_matches_as_indexes(text, overlapping=True)
            if not (holds[pattern][0] and holds_on(framed[start])) and not (holds[pattern][1] and holds_on(framed[end + 1]))
        ]

    def _mentioned(self, text: str, mentions: Sequence[Mention]) -> Iterator[Call]:
        """Words that are user mentions are matched against the message's mentions; without a place in the text they come last."""
        users = {mention.user for mention in mentions} if self._mentions else set()
        for user, word in self._mentions:
            if user in users:
                places = [place for token in (f"<@{user}>", f"<@!{user}>") if (place := text.find(token)) >= 0]
                yield Call(word.persona, min(places, default=len(text)), word.shown)


class _Reading:
    """One text while it is searched: `text` is what the words are looked for in; the rest answers whether a find counts."""

    __slots__ = ("_collapsed", "_compared", "_composed", "_directives", "_graphemes", "_spans", "text")

    def __init__(self, text: str, collapse: Collapse, *, directives: bool) -> None:
        self._composed = compose(text)
        self._compared = comparable(self._composed.text)
        self._collapsed = collapse(self._compared.text)
        self._directives = directives
        self._graphemes = Graphemes(self._composed.text)
        self._spans: tuple[list[int], list[int]] | None = None
        self.text = self._collapsed.text

    def place(self, start: int, end: int) -> int | None:
        """The offset of these characters in the text as it came; nothing where they cut a grapheme or are no speech."""
        begin = self._compared.source(self._collapsed.source(start))
        stop = self._compared.source(self._collapsed.source(end))
        if self._graphemes.may_cut(begin) and self._graphemes.may_cut(stop) and self._is_spoken(begin, stop):
            return self._composed.source(begin)
        return None

    def holds_runs(self, start: int, runs: Sequence[tuple[int, int]]) -> bool:
        """Whether letters that the word repeats are repeated at least as often here: `ana` does not call `anna`."""
        if not runs:
            return True
        source = self._collapsed.source
        return all(source(start + offset + 1) - source(start + offset) >= least for offset, least in runs)

    def is_signed(self, start: int) -> bool:
        """Whether `@` stands right before this character, and is no part of an address."""
        return start > 0 and self.text[start - 1] == "@" and not (start > 1 and holds_on(self.text[start - 2]))

    def first_signed(self, part: str) -> int | None:
        """The place of the first `@` with `part` behind it, in the text as it came."""
        start = self.text.find(f"@{part}")
        while start >= 0:
            if self.is_signed(start + 1) and (place := self.place(start + 1, start + 1 + len(part))) is not None:
                return place
            start = self.text.find(f"@{part}", start + 1)
        return None

    def _is_spoken(self, start: int, end: int) -> bool:
        if self._spans is None:
            spans = what_is_not_text(self._composed.text, directives=self._directives)
            self._spans = [span[0] for span in spans], [span[1] for span in spans]
        begins, ends = self._spans
        # Spans lie apart, so the last one that begins before our end is the only one that can reach into us.
        last = bisect_right(begins, end - 1) - 1
        return last < 0 or ends[last] <= start
