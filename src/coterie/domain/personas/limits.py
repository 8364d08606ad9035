"""How much a persona may hold: one table for editing and import alike, and the two ways to apply it.

Editing refuses what is too much (`judge_content`); an import shortens it and says so (`fit_content`). What of all this reaches a
model in one turn is decided where prompts are composed.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from coterie.domain.personas.ownership import clean_trigger_words
from coterie.domain.personas.persona import Attribute, PersonaContent, SampleDialogue
from coterie.domain.personas.sprites import MOST_INSTRUCTIONS, MOST_NAME, is_label
from coterie.kit.text import boundaries


@dataclass(frozen=True, slots=True)
class Limit:
    """One row: `length` in characters (code points) of each text, `count` of texts. `part` is the field's name in the API."""

    part: str
    label: str
    length: int
    count: int = 1

    @property
    def one(self) -> str:
        """The label with its article, as a sentence begins."""
        return f"{'An' if self.label[0] in 'aeiou' else 'A'} {self.label}"


# 80 is what a webhook's name may have; 10 attributes and 15 dialogues of 2,000 are the predecessor's live limits.
NAME = Limit("name", "name", 80)
ROLE = Limit("role", "role text", 16_000)
TRIGGER_WORDS = Limit("trigger_words", "trigger word", 64, 10)
ATTRIBUTES = Limit("attributes", "attribute", 2_000, 10)
SAMPLE_DIALOGUES = Limit("sample_dialogues", "sample dialogue", 2_000, 15)

Item = TypeVar("Item")

LIMITS: tuple[Limit, ...] = (NAME, ROLE, TRIGGER_WORDS, ATTRIBUTES, SAMPLE_DIALOGUES)


class ContentRefused(Exception):
    """Content that a persona cannot have; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Shortened:
    """A part that an import had to cut, and how, as a sentence."""

    part: str
    note: str


_UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# Direction overrides, zero-width marks and fillers that look like nothing. Joiners stay: emoji, Persian and Indic names need them.
_UNSEEN = re.compile("[\u00ad\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]")
_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"(?<=[.!?…。！？])\s*"), re.compile(r"\s"))


def tidy_text(text: str) -> str:
    """A text as it is kept: line ends as `\\n`, no control characters, lone surrogates replaced, no blanks around it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSTORABLE.sub(lambda found: "\ufffd" if found[0] >= "\ud800" else "", plain).strip()


def tidy_name(text: str) -> str:
    """A name or trigger word as it is kept: one line, NFC, single blanks, nothing invisible. Empty when nothing can be seen of it."""
    line = unicodedata.normalize("NFC", _UNSEEN.sub("", tidy_text(text)))
    return " ".join(line.split()) if any(map(_is_visible, line)) else ""


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS"


def tidy_words(words: Sequence[str]) -> tuple[str, ...]:
    """Trigger words in the form in which they are stored (`clean_trigger_words`), with nothing invisible in them."""
    tidied = (tidy_name(word) for word in clean_trigger_words(map(tidy_name, words)))
    return tuple(word for word in tidied if word)


def tidy_content(content: PersonaContent) -> PersonaContent:
    """The content as it is kept; empty attributes and dialogues without an answer are left out."""
    attributes = (Attribute(tidy_text(attribute.text), attribute.is_public) for attribute in content.attributes)
    dialogues = (SampleDialogue(tidy_text(dialogue.user), tidy_text(dialogue.bot)) for dialogue in content.sample_dialogues)
    return PersonaContent(
        name=tidy_name(content.name),
        role=tidy_text(content.role),
        trigger_words=tidy_words(content.trigger_words),
        attributes=tuple(attribute for attribute in attributes if attribute.text),
        sample_dialogues=tuple(dialogue for dialogue in dialogues if dialogue.bot),
    )


def _texts(content: PersonaContent) -> Iterator[tuple[Limit, str]]:
    yield NAME, content.name
    yield ROLE, content.role
    yield from ((TRIGGER_WORDS, word) for word in content.trigger_words)
    yield from ((ATTRIBUTES, attribute.text) for attribute in content.attributes)
    for dialogue in content.sample_dialogues:
        yield SAMPLE_DIALOGUES, dialogue.user
        yield SAMPLE_DIALOGUES, dialogue.bot


def _counts(content: PersonaContent) -> Iterator[tuple[Limit, int]]:
    yield TRIGGER_WORDS, len(content.trigger_words)
    yield ATTRIBUTES, len(content.attributes)
    yield SAMPLE_DIALOGUES, len(content.sample_dialogues)


def judge_content(content: PersonaContent) -> None:
    """Pass content that can be kept as it is; `tidy_content` first makes the most of what a person typed.

    Raises `ContentRefused` with the limit that is exceeded, or with what cannot be stored.
    """
    if not tidy_name(content.name):
        raise ContentRefused("A persona needs a name with something to see in it.")
    for limit, count in _counts(content):
        if count > limit.count:
            raise ContentRefused(f"A persona can have {limit.count} {limit.label}s, not {count}.")
    for limit, text in _texts(content):
        if len(text) > limit.length:
            raise ContentRefused(f"{limit.one} can have {limit.length:,} characters, not {len(text):,}.")
        if _UNSTORABLE.search(text):
            raise ContentRefused(f"The {limit.label} holds control characters or broken Unicode, which cannot be kept.")
        if limit is TRIGGER_WORDS and not text:
            raise ContentRefused("A trigger word cannot be empty.")
        if limit in (NAME, TRIGGER_WORDS) and text != tidy_name(text):
            raise ContentRefused(f"{limit.one} is one line without invisible characters or surplus blanks.")


def judge_sprite(name: str | None, instructions: str | None) -> None:
    """Pass the name and instructions of a sprite, where they are given. Raises `ContentRefused`."""
    if name is not None and (not is_label(name) or name != tidy_name(name)):
        raise ContentRefused(f"A sprite needs a name of at most {MOST_NAME} characters, on one line, without parentheses and colons.")
    if instructions is not None and len(instructions) > MOST_INSTRUCTIONS:
        raise ContentRefused(f"The instructions of a sprite can have {MOST_INSTRUCTIONS} characters, not {len(instructions):,}.")


def cut(text: str, most: int) -> str:
    """The longest beginning of at most `most` characters that ends between two graphemes (Unicode UAX #29)."""
    if len(text) <= most:
        return text
    # The window is one wider than what fits, since a grapheme may go on behind it; one that is longer still has no good place.
    end = max((end for end in boundaries(text[: most + 1]) if end <= most), default=most)
    return text[:end].rstrip()


def shorten(text: str, most: int) -> str:
    """Cut a text to at most `most` characters with `…` at its end, at a paragraph, line, sentence or word if one is near enough."""
    if len(text) <= most:
        return text
    whole = cut(text, most - 1)
    for kind in _BREAKS:
        ends = [found.start() for found in kind.finditer(whole, most * 4 // 5)]
        if ends:
            return whole[: ends[-1]].rstrip() + "…"
    return whole + "…"


def _fit(limit: Limit, items: Sequence[Item], short: Callable[[Item], Item]) -> tuple[tuple[Item, ...], list[Shortened]]:
    """Keep the first `limit.count` items, each shortened, and say what that did."""
    kept = tuple(short(item) for item in items[: limit.count])
    notes = []
    if len(items) > limit.count:
        notes.append(Shortened(limit.part, f"{limit.count} of {len(items)} {limit.label}s fit; the others are left out."))
    changed = sum(one is not other and one != other for one, other in zip(kept, items, strict=False))
    if changed:
        notes.append(Shortened(limit.part, f"{changed} {limit.label}(s) cut to {limit.length:,} characters."))
    return kept, notes


def fit_content(content: PersonaContent) -> tuple[PersonaContent, tuple[Shortened, ...]]:
    """Tidy and shorten content until `judge_content` passes it (an empty name stays empty), with a note for each cut."""
    tidy = tidy_content(content)
    notes = []
    name, role = cut(tidy.name, NAME.length), shorten(tidy.role, ROLE.length)
    if name != tidy.name:
        notes.append(Shortened(NAME.part, f"The name had {len(tidy.name)} characters and was cut to {NAME.length}."))
    if role != tidy.role:
        notes.append(Shortened(ROLE.part, f"The role text had {len(tidy.role):,} characters and was cut to {ROLE.length:,}."))
    words = tuple(word for word in tidy.trigger_words if len(word) <= TRIGGER_WORDS.length)
    if len(words) < len(tidy.trigger_words):
        notes.append(Shortened(TRIGGER_WORDS.part, f"Words of more than {TRIGGER_WORDS.length} characters are left out."))
    words, word_notes = _fit(TRIGGER_WORDS, words, lambda word: word)
    attributes, attribute_notes = _fit(ATTRIBUTES, tidy.attributes, lambda one: replace(one, text=shorten(one.text, ATTRIBUTES.length)))
    dialogues, dialogue_notes = _fit(SAMPLE_DIALOGUES, tidy.sample_dialogues, _short_dialogue)
    fitted = PersonaContent(name, role, words, attributes, dialogues)
    return fitted, (*notes, *word_notes, *attribute_notes, *dialogue_notes)


def _short_dialogue(dialogue: SampleDialogue) -> SampleDialogue:
    return SampleDialogue(shorten(dialogue.user, SAMPLE_DIALOGUES.length), shorten(dialogue.bot, SAMPLE_DIALOGUES.length))
