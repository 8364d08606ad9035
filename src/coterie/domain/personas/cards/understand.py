"""From a card's object to what was understood of it: V1 with its dialects, V2, V3, the predecessor's envelope.

Wrong types are repaired, never refused; what other programs keep under `extensions` is theirs, carried along and never type-checked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from coterie.domain.personas.cards.card import Card, CardRefused, CardVersion, Fate, JsonObject, ReportLine, field_of
from coterie.domain.personas.cards.charx import shown
from coterie.domain.personas.cards.fields import ALIASES, Fields, fields_in
from coterie.domain.personas.cards.own import NAME as OWN
from coterie.domain.personas.cards.own import read_own, read_predecessor

NEWEST_VERSION = 3.0
MAX_UNKNOWN_LINES = 20

_FOR_PEOPLE = ("creator", "creator_notes", "creatorcomment", "creator_notes_multilingual", "character_version", "tags", "source")
_UNREMARKABLE = frozenset({
    "spec", "spec_version", "data", "extensions", "alternate_greetings", "creation_date", "modification_date", "create_date", "metadata",
    "nickname", "system_prompt", "post_history_instructions", *(key for keys in ALIASES.values() for key in keys),
})  # fmt: skip


def version_of(raw: JsonObject) -> CardVersion:
    """The shape of an object. Raises `CardRefused` when it is no character card."""
    spec, data = str(raw.get("spec")).lower(), raw.get("data")
    if field_of(data, "tomori_nickname") is not None:
        return CardVersion.PREDECESSOR
    if spec.startswith("lorebook") or _is_book(raw) or (isinstance(data, dict) and _is_book(data)):
        raise CardRefused("This is a lorebook without a character; only a whole character card can become a persona.")
    if isinstance(data, dict) and (spec.startswith("chara_card") or fields_in(data)):
        is_older = spec in ("chara_card_v1", "chara_card_v2")
        is_newer = spec == "chara_card_v3" or _number(raw) >= NEWEST_VERSION
        return CardVersion.V3 if is_newer and not is_older else CardVersion.V2
    if len(fields_in(raw)) >= 2 or spec.startswith("chara_card"):
        return CardVersion.V1
    if "tuppers" in raw or ("members" in raw and "switches" in raw):
        raise CardRefused("This is an export of a proxy service such as PluralKit or Tupperbox, not a character card.")
    raise CardRefused("This JSON is no character card: name, description and the other fields of one are missing.")


def _is_book(body: JsonObject) -> bool:
    """Whether an object is a lorebook: those have a name and a description too, but no other field of a character."""
    return "entries" in body and set(fields_in(body)) <= {"name", "description"}


def _number(raw: JsonObject) -> float:
    """The version as a number, as the V3 specification compares it; if that is unreadable, the digit in the spec's name."""
    for text in (str(raw.get("spec_version")), str(raw.get("spec")).rpartition("_v")[2]):
        try:
            return float(text)
        except ValueError:
            continue
    return 2.0


def body_of(raw: JsonObject) -> JsonObject:
    """The object that holds a card's fields: `data`, or in V1 the whole."""
    data = raw.get("data")
    return data if isinstance(data, dict) and version_of(raw) is not CardVersion.V1 else raw


def understand(raw: JsonObject) -> tuple[Card, tuple[ReportLine, ...]]:
    """What was understood, with a line for what was repaired or is kept unused. Raises `CardRefused` when it is no character card."""
    version, body = version_of(raw), body_of(raw)
    if version is CardVersion.PREDECESSOR:
        return read_predecessor(raw)
    fields = Fields(body)
    depth_prompt = field_of(field_of(body.get("extensions"), "depth_prompt"), "prompt")

    def text(field: str) -> str:
        return fields.text(*ALIASES.get(field, (field,)))

    card = Card(
        raw,
        version,
        name=text("name"),
        nickname=text("nickname"),
        description=text("description"),
        personality=text("personality"),
        scenario=text("scenario"),
        system_prompt=text("system_prompt"),
        post_history_instructions=text("post_history_instructions"),
        depth_prompt=depth_prompt if isinstance(depth_prompt, str) else "",
        first_mes=text("first_mes"),
        mes_example=text("mes_example"),
        alternate_greetings=fields.texts("alternate_greetings"),
    )
    own, notes = read_own(card, body)
    rest = (*_about_version(raw), *_about_mirror(raw, body), *_about_the_rest(raw, body))
    return replace(card, own=own), (*fields.report, *notes, *rest)


def _about_version(raw: JsonObject) -> Iterator[ReportLine]:
    if _number(raw) > NEWEST_VERSION:
        version = shown(str(raw.get("spec_version")))
        yield ReportLine("spec_version", Fate.KEPT, f"The card is of version {version}, newer than is known here; what is known was read.")


def _about_mirror(raw: JsonObject, body: JsonObject) -> Iterator[ReportLine]:
    """Fields that stand beside `data` as well, with another text."""
    if body is raw:
        return
    for keys in ALIASES.values():
        under_data = [body.get(key) for key in keys]
        for key in keys:
            if raw.get(key) and raw[key] not in under_data:
                yield ReportLine(key, Fate.KEPT, "It stands on the card twice with different texts; the one under data is used.")


def _about_the_rest(raw: JsonObject, body: JsonObject) -> Iterator[ReportLine]:
    """What is kept without being used."""
    members = body if body is raw else {**{key: value for key, value in raw.items() if key not in body}, **body}
    unknown = 0
    for key, value in members.items():
        if key in _UNREMARKABLE or value in (None, "", [], {}):
            continue
        line = _known(key, value)
        unknown += line is None
        if line is not None:
            yield line
        elif unknown <= MAX_UNKNOWN_LINES:
            yield ReportLine(shown(key), Fate.KEPT, "Not known here; kept as it is.")
    if unknown > MAX_UNKNOWN_LINES:
        yield ReportLine("others", Fate.KEPT, f"{unknown - MAX_UNKNOWN_LINES} more fields are not known here; kept as they are.")
    yield from _about_extensions(body.get("extensions"))


def _known(key: str, value: object) -> ReportLine | None:
    """The line for a field that is understood but not used."""
    count = len(value) if isinstance(value, list) else 1
    entries = field_of(value, "entries")
    match key:
        case "character_book":
            count = len(entries) if isinstance(entries, list | dict) else 0
            return ReportLine(
                key, Fate.KEPT, f"A lorebook with {count} {'entry' if count == 1 else 'entries'}; kept, but not used in answers yet."
            )
        case "assets":
            return ReportLine(key, Fate.KEPT, f"{count} picture(s) and other files; kept. Of these the main icon can become the face.")
        case "group_only_greetings":
            return ReportLine(key, Fate.KEPT, f"{count} greeting(s) for groups; kept, but not used yet.")
        case _ if key in _FOR_PEOPLE:
            return ReportLine(key, Fate.KEPT, "Meant for people; kept, and never shown to a model.")
        case _:
            return None


def _about_extensions(extensions: object) -> Iterator[ReportLine]:
    if not isinstance(extensions, Mapping):
        return
    foreign = [str(key) for key, value in extensions.items() if key not in (OWN, "depth_prompt") and value not in (None, "", [], {})]
    for key in foreign[:MAX_UNKNOWN_LINES]:
        count = f"{len(extensions[key])} of them; " if isinstance(extensions[key], list) else ""
        yield ReportLine(f"extensions.{shown(key)}", Fate.KEPT, f"{count}another program's data; kept as it is.".capitalize())
    if len(foreign) > MAX_UNKNOWN_LINES:
        yield ReportLine("extensions", Fate.KEPT, f"Data of {len(foreign) - MAX_UNKNOWN_LINES} more programs; kept as it is.")
