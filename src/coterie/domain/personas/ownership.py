"""Trigger words as people write them, and who owns each; what calls a persona in a text is in `triggers.recognise`.

Words are stored as written and trimmed to one owner each time they are read, so old contests heal by themselves (specification 000).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from coterie.domain.ids import UserId
from coterie.domain.personas.persona import Persona
from coterie.kit.folding import comparable, compose, simple_lower

_SEPARATORS = re.compile("[,、]")
_QUOTE_PAIRS = frozenset(('""', "''", "``", "“”", "‘’", "「」", "『』", "｢｣", "«»", "‹›"))
_BLANKS = re.compile(" +")
_USER_MENTION = re.compile(r"<@!?([0-9]{1,20})>")


def parse_trigger_words(text: str) -> tuple[str, ...]:
    """Read a list typed by a person: parted by commas (also `、`), quotes taken off, lower-cased, each word once."""
    return clean_trigger_words((text,))


def clean_trigger_words(items: Iterable[str]) -> tuple[str, ...]:
    """Bring words into the form in which they are stored; an item may itself be a list. The first of equal words stays."""
    words: dict[str, str] = {}
    for item in items:
        for part in _SEPARATORS.split(item):
            if key := word_key(word := simple_lower(compose(_unquoted(part)).text)):
                words.setdefault(key, word)
    return tuple(words.values())


def _unquoted(word: str) -> str:
    """Take off pairs of quotes for as long as both ends match."""
    word = word.strip()
    while len(word) > 1 and word[0] + word[-1] in _QUOTE_PAIRS:
        word = word[1:-1].strip()
    return word


def word_key(word: str) -> str:
    """What makes two trigger words the same word: composed, folded, one blank for many, both spellings of a user mention."""
    if user := mentioned_user(word):
        return f"<@{user}>"
    return _BLANKS.sub(" ", comparable(compose(word).text).text).strip()


def mentioned_user(word: str) -> UserId | None:
    """The user that a trigger word mentions, when it is a mention (`<@5>`, `<@!5>`)."""
    match = _USER_MENTION.fullmatch(word.strip())
    return UserId(match.group(1)) if match else None


def settle(personas: Iterable[Persona], base_words: Sequence[str]) -> tuple[Persona, ...]:
    """Give each trigger word one owner and return the personas in load order: main first, then alters by rising id.

    Main is never trimmed and owns the base words too; an alter keeps what nobody before it owns (specification 000).
    """
    owned = {word_key(word) for word in base_words}
    settled: list[Persona] = []
    for persona in sorted(personas, key=lambda persona: (persona.is_alter, persona.id)):
        own = persona.content.trigger_words
        words = [word for word in own if word_key(word) not in owned] if persona.is_alter else [*own, *base_words]
        effective = clean_trigger_words(words)
        owned.update(map(word_key, effective))
        settled.append(replace(persona, effective_trigger_words=effective))
    return tuple(settled)
