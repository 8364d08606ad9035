"""What of a prompt fits into a model's context window: the oldest history goes first, then the oldest examples, never the persona."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from coterie.domain.prompt.compose import EARLIER, Composed, Said
from coterie.kit.text import beginning, ending

MARGIN = 64
"""Tokens kept free for the marks that a provider puts around messages."""
_PER_MESSAGE = 8
_LEFT_OUT = "\n[… left out: the message is too long for this model …]\n"

Item = TypeVar("Item")


class PersonaTooLarge(Exception):
    """The persona alone does not fit into the model; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tokens a request may hold, and how they are counted."""

    context_window: int
    max_output: int
    count: Callable[[str], int]

    @property
    def room(self) -> int:
        """Tokens for everything that the model is shown."""
        return self.context_window - self.max_output - MARGIN

    def cost(self, text: str) -> int:
        """The tokens of a message."""
        return self.count(text) + _PER_MESSAGE

    def costs(self, pieces: Iterable[Said]) -> int:
        """The tokens of several."""
        return sum(self.cost(piece.text) for piece in pieces)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is shown: pieces in order, alternating, the first and the last not its own."""

    system: str
    pieces: tuple[Said, ...]


def fit(composed: Composed, budget: Budget) -> Prompt:
    """Drop what does not fit. Raises `PersonaTooLarge`.

    The message that is answered always stays; one too long for what is left is shortened in its middle, where a mark says so.
    Examples take at most half of what the persona leaves free, whatever was said since, so that they do not change from turn to turn.
    """
    free = budget.room - budget.cost(composed.system)
    room = free - budget.cost(composed.last)
    least = budget.cost(_LEFT_OUT) + _PER_MESSAGE
    if room < least:
        raise PersonaTooLarge(f"The persona is too large for this model: of {budget.context_window:,} tokens nothing is left for talk.")
    trigger = Said(composed.trigger.is_own, _shortened(composed.trigger.text, room, budget))
    room -= budget.cost(trigger.text)
    examples = _newest(composed.examples, min(room, free // 2), budget.costs)
    room -= sum(map(budget.costs, examples))
    after = _newest(composed.after, room, lambda piece: budget.cost(piece.text))
    room -= budget.costs(after)
    before = _newest(composed.before, room, lambda piece: budget.cost(piece.text)) if len(after) == len(composed.after) else ()
    last = [Said(is_own=False, text=composed.last)] if composed.last else []
    return Prompt(composed.system, (*chain(*examples), *_alternate([*before, trigger, *after, *last])))


def _newest(items: Sequence[Item], room: int, cost: Callable[[Item], int]) -> tuple[Item, ...]:
    kept: list[Item] = []
    for item in reversed(items):
        room -= cost(item)
        if room < 0:
            break
        kept.append(item)
    return tuple(reversed(kept))


def _shortened(text: str, room: int, budget: Budget) -> str:
    """The text, or its head and tail around a mark. Cutting by the share of tokens that fits converges in a few steps."""
    length = len(text)
    short = text
    while (cost := budget.cost(short)) > room and length > 1:
        length = min(length - 1, int(length * 0.95 * room / cost))
        half = max(length // 2, 1)
        short = beginning(text, half) + _LEFT_OUT + ending(text, half)
    return short


def _alternate(pieces: Iterable[Said]) -> list[Said]:
    """Neighbours of one side become one message; the first one is not the speaker's own."""
    merged: list[Said] = []
    for piece in pieces:
        if merged and merged[-1].is_own == piece.is_own:
            merged[-1] = Said(piece.is_own, f"{merged[-1].text}\n{piece.text}")
        else:
            merged.append(piece)
    if merged[0].is_own:
        merged.insert(0, Said(is_own=False, text=EARLIER))
    return merged
