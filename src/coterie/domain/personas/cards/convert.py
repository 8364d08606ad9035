"""From a card to a persona: which field becomes what, and a report line for each.

The role text is, parted by blank lines: system prompt, description, `Personality: …`, `Scenario: …`, post-history instructions, and the
depth prompt. Macros stay in it and are expanded where prompts are composed, bound to the persona whose text it is; only `{{original}}`
is resolved here, to nothing, because our own instructions stand around the role text anyway. `first_mes` and the alternate greetings
become sample dialogues that answer nobody, around the pairs of `mes_example`.
"""

import re
from collections.abc import Iterable, Sequence

from coterie.domain.personas.cards.card import Card, Fate, OwnPart, ReportLine
from coterie.domain.personas.cards.examples import dialogues_of
from coterie.domain.personas.cards.words import words_from
from coterie.domain.personas.limits import NAME, cut, fit_content, tidy_name
from coterie.domain.personas.persona import PersonaContent, SampleDialogue

_ORIGINAL = re.compile(r"\{\{\s*original\s*\}\}", re.IGNORECASE)
_ENDING = re.compile(r"(\.(png|apng|json|charx|zip|card|jpe?g|webp|txt))+$", re.IGNORECASE)
_UNNAMED = "Unnamed"

# Several times what the limits keep, so that a report can say how much was cut; more is not even looked at.
_MOST_OF_EXAMPLE = 250_000
_MOST_GREETINGS = 100


def to_persona(card: Card, *, file_name: str = "", base_words: Sequence[str] = ()) -> tuple[PersonaContent, tuple[ReportLine, ...]]:
    """The persona that a card describes, within the limits of `limits`, and what became of each part.

    An empty name is taken from the file's name. `base_words` belong to the main persona and never become trigger words.
    """
    report: list[ReportLine] = []
    name = _name(card, file_name, report)
    own = card.own or OwnPart()
    role = _role(card, report) if own.role is None else own.role
    dialogues = _dialogues(card, name, report) if own.sample_dialogues is None else own.sample_dialogues
    words = own.trigger_words
    if words is None:
        words = words_from([_within(name), _within(tidy_name(card.nickname))], base_words)
        report.append(ReportLine("trigger_words", Fate.USED, _said_words(words)))
    content, notes = fit_content(PersonaContent(name, role, words, own.attributes, dialogues))
    return content, (*report, *(ReportLine(note.part, Fate.REPAIRED, note.note) for note in notes))


def _within(name: str) -> str:
    return cut(name, NAME.length)


def _said_words(words: Sequence[str]) -> str:
    if not words:
        return "No trigger word could be made from the name; give it one, or call the persona by choosing it."
    return f"Made from the name: {', '.join(words[:10])}."


def _name(card: Card, file_name: str, report: list[ReportLine]) -> str:
    if name := tidy_name(card.name):
        note = "The persona's name." if name == card.name else "The persona's name, without invisible characters and surplus blanks."
        report.append(ReportLine("name", Fate.USED, note))
        return name
    # Only the last part, whatever separates it there; the name is never used as a path.
    stem = _ENDING.sub("", re.split(r"[/\\]", file_name)[-1])
    name = _within(tidy_name(stem.replace("_", " "))) or _UNNAMED
    report.append(ReportLine("name", Fate.REPAIRED, f"The card has no name; {name!r} was taken from the file's name."))
    return name


def _role(card: Card, report: list[ReportLine]) -> str:
    attributes = card.own.attributes if card.own is not None else ()
    # Our exports show attributes to other programs as the personality; they are attributes again here.
    personality = "" if attributes and card.personality == attributes_text(a.text for a in attributes) else card.personality
    parts = (
        ("system_prompt", "", _ORIGINAL.sub("", card.system_prompt)),
        ("description", "", card.description),
        ("personality", "Personality: ", personality),
        ("scenario", "Scenario: ", card.scenario),
        ("post_history_instructions", "", _ORIGINAL.sub("", card.post_history_instructions)),
        ("extensions.depth_prompt", "", card.depth_prompt),
    )
    used = [(part, heading + text.strip()) for part, heading, text in parts if text.strip()]
    report.extend(ReportLine(part, Fate.USED, "Part of the role text.") for part, _ in used)
    return "\n\n".join(text for _, text in used)


def attributes_text(texts: Iterable[str]) -> str:
    """Attributes as one text for programs that know none."""
    return "\n".join(texts)


def _dialogues(card: Card, name: str, report: list[ReportLine]) -> tuple[SampleDialogue, ...]:
    pairs, unanswered = dialogues_of(card.mes_example[:_MOST_OF_EXAMPLE], _own_names(card, _within(name)))
    greetings = [SampleDialogue("", text) for text in (card.first_mes, *card.alternate_greetings[:_MOST_GREETINGS]) if text.strip()]
    first = bool(card.first_mes.strip())
    if first:
        report.append(ReportLine("first_mes", Fate.USED, "The first sample dialogue, as a greeting."))
    if pairs:
        report.append(ReportLine("mes_example", Fate.USED, f"{len(pairs)} sample dialogue(s)."))
    elif card.mes_example.strip():
        report.append(ReportLine("mes_example", Fate.KEPT, "No example of what the persona says was found in it."))
    if unanswered:
        report.append(ReportLine("mes_example", Fate.DROPPED, f"{unanswered} example(s) without an answer of the persona are left out."))
    if len(greetings) > first:
        report.append(ReportLine("alternate_greetings", Fate.USED, f"{len(greetings) - first} further sample dialogue(s), as greetings."))
    return (*greetings[:first], *pairs, *greetings[first:])


def _own_names(card: Card, name: str) -> list[str]:
    """The names under which the persona may speak in its examples: whole, nickname, and each capitalised part of the name."""
    parts = (part for part in name.split() if len(part) > 1 and part[:1] != part[:1].lower())
    return [name, _within(tidy_name(card.nickname)), *parts]
