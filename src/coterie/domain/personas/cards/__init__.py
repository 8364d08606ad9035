"""Character cards: any file -> a card and a report -> a persona, and back. Pure: no disk, no picture library, no model.

`read_card` opens PNG, JSON and CHARX, `to_persona` turns what was understood into a persona's content, `write_card` makes a file again.
"""

from coterie.domain.personas.cards.card import MAX_CARD_BYTES, Card, CardFormat, CardRefused, CardVersion, Fate, ReadCard, ReportLine
from coterie.domain.personas.cards.convert import to_persona
from coterie.domain.personas.cards.read import read_card
from coterie.domain.personas.cards.write import write_card

__all__ = [
    "MAX_CARD_BYTES",
    "Card",
    "CardFormat",
    "CardRefused",
    "CardVersion",
    "Fate",
    "ReadCard",
    "ReportLine",
    "read_card",
    "to_persona",
    "write_card",
]
