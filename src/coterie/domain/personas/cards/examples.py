"""Example dialogue of a card (`mes_example`) as question and answer pairs, and back.

Blocks begin with `<START>`; a line begins with `{{user}}:`, `{{char}}:` or a literal name (V1 specification). Somebody who is neither
the person nor the persona keeps their name in front of what they say, so that their words are never taken for the persona's.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from coterie.domain.personas.persona import SampleDialogue

_START = re.compile(r"<start>", re.IGNORECASE)
_CHARACTER = frozenset({"{{char}}", "{char}", "<char>", "<bot>", "{bot}", "{{bot}}", "char", "bot", "assistant"})
_PERSON = frozenset({"{{user}}", "{user}", "<user>", "you", "user", "anonymous user"})
_LABEL = re.compile(r"\s*(?:\*\*|__)?(?P<name>[^\s:*_][^:\n*]{0,60}?)(?:\*\*|__)?\s?[:：](?:\*\*|__)?(?P<gap>\s*)(?P<rest>.*)")
_NO_NAMES_LIST = (
    "note notes ps p.s. warning tip example examples question answer step option result summary title name age height gender species "
    "personality appearance likes dislikes scenario time date location setting context status mood thoughts thought narration action "
    "first second third finally however remember http https"
)
_NO_NAMES = frozenset(_NO_NAMES_LIST.split())


def dialogues_of(example: str, names: Sequence[str]) -> tuple[tuple[SampleDialogue, ...], int]:
    """The pairs in an example, and how many questions had no answer and were left out.

    `names` are the names that the persona itself goes by. Text without any label is the persona's.
    """
    own = {name.casefold() for name in names if name} | _CHARACTER
    pairs: list[SampleDialogue] = []
    unanswered = 0
    for block in _START.split(example):
        question = ""
        for is_answer, lines in groupby(_spoken(block, own), key=lambda said: said[0]):
            text = "\n".join(line for _, line in lines).strip()
            if is_answer and text:
                pairs.append(SampleDialogue(question, text))
            question = "" if is_answer else text
        unanswered += bool(question)
    return tuple(pairs), unanswered


def _spoken(block: str, own: set[str]) -> Iterator[tuple[bool, str]]:
    """The lines of a block without labels of the two speakers, each with whether the persona says it."""
    is_answer = True
    for line in block.strip().splitlines():
        found = _LABEL.fullmatch(line)
        label = found["name"].strip().casefold() if found else ""
        if found and (label in own or label in _PERSON):
            is_answer = label in own
            yield is_answer, found["rest"].strip()
            continue
        if found and _is_name(found["name"].strip()) and (found["gap"] or not found["rest"]):
            is_answer = False
        yield is_answer, line.strip()


def _is_name(label: str) -> bool:
    """Whether a label is somebody's name rather than a heading such as `Note`: up to three words that are written as names are."""
    words = label.split(" ")
    return len(words) <= 3 and words[0][:1].isalpha() and all(map(_is_capitalised, words)) and label.casefold() not in _NO_NAMES


def _is_capitalised(word: str) -> bool:
    """Whether a word begins with a capital, a figure or a letter of a script without capitals, and holds only letters and the like."""
    return word[:1].isalnum() and not word[:1].islower() and all(char in "'’.-" or unicodedata.category(char)[0] in "LMN" for char in word)


def example_of(dialogues: Sequence[SampleDialogue]) -> str:
    """An example that programs read as these pairs (those that answer something)."""
    return "\n".join(f"<START>\n{{{{user}}}}: {dialogue.user}\n{{{{char}}}}: {dialogue.bot}" for dialogue in dialogues if dialogue.user)
