"""Taking fields out of a card's object: their names in all dialects, and the repair of values of the wrong type."""

from collections.abc import Mapping

from coterie.domain.personas.cards.card import Fate, ReportLine

ALIASES: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "char_name"),
    "description": ("description", "char_persona", "context"),
    "personality": ("personality",),
    "scenario": ("scenario", "world_scenario"),
    "first_mes": ("first_mes", "char_greeting", "greeting"),
    "mes_example": ("mes_example", "example_dialogue"),
}
"""The six fields of V1 and the names that other dialects (Pygmalion, text-generation-webui) have for them, the proper name first."""


def fields_in(body: Mapping[str, object]) -> list[str]:
    """Which of the six fields of V1 an object has, under any name."""
    return [field for field, keys in ALIASES.items() if any(key in body for key in keys)]


class Fields:
    """Takes fields out of one object, repairs their types, and notes what it did."""

    def __init__(self, body: Mapping[str, object]) -> None:
        self._body = body
        self.report: list[ReportLine] = []

    def text(self, *keys: str) -> str:
        """The first of these fields that holds a text; numbers, switches and lists of texts become one."""
        return next((text for key in keys if (text := self._text(key, self._body.get(key)))), "")

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts in a list; a single text or number counts as a list of one, empty ones are skipped."""
        value = self._body.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._note(key, Fate.REPAIRED, "A list was expected; the one value was taken as its only member.")
            value = [value]
        return tuple(text for member in value if (text := self._text(key, member)))

    def _text(self, key: str, value: object) -> str:
        match value:
            case None:
                return ""
            case str():
                return value
            case bool() | int() | float():
                self._note(key, Fate.REPAIRED, "A text was expected; the number or switch was taken as one.")
                return str(value).lower() if isinstance(value, bool) else str(value)
            case list() if all(isinstance(member, str) for member in value):
                self._note(key, Fate.REPAIRED, "A text was expected; the list was taken as its lines.")
                return "\n".join(map(str, value))
            case _:
                self._note(key, Fate.KEPT, "A text was expected; what is there cannot be used, but is kept.")
                return ""

    def _note(self, key: str, fate: Fate, note: str) -> None:
        line = ReportLine(key, fate, note)
        if line not in self.report:
            self.report.append(line)
