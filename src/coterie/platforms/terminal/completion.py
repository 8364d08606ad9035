"""What could follow in a half-typed command. Pure: text and what is known in, choices out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coterie.platforms.terminal.commands import COMMANDS, Command
from coterie.platforms.terminal.shapes import Line, Room

MOST_CHOICES = 50


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on: `text` is the whole composer then; complete means that Enter can run it at once."""

    text: str
    label: str
    about: str = ""
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class Offer:
    """The choices for a text; `first` is the one to take on Enter unless another is picked, or nothing."""

    choices: tuple[Choice, ...] = ()
    has_first: bool = False


def complete(text: str, rooms: Sequence[Room], lines: Sequence[Line]) -> Offer:
    """The choices for a text. `lines` are those shown, oldest first.

    A word that is typed in full, or not begun, is left as it is on Enter; one that is begun is completed by the first choice.
    """
    if not text.startswith("/") or text.startswith("//") or "\n" in text:
        return Offer()
    words = [command for command in COMMANDS if command.word.startswith(text[1:].lower())]
    if text[1:].lower() in {command.word for command in COMMANDS}:
        further = [command for command in words if command.word != text[1:].lower()]
        return Offer(tuple(map(_of_command, further)))
    if words:
        return Offer(tuple(map(_of_command, words)), has_first=text not in {"/", "/session "})
    return _of_values(text, rooms, lines)


def _of_command(command: Command) -> Choice:
    needs_more = bool(command.takes)
    return Choice(f"/{command.word}{' ' if needs_more else ''}", command.usage, command.about, is_complete=not needs_more)


def _of_values(text: str, rooms: Sequence[Room], lines: Sequence[Line]) -> Offer:
    lowered = text.lower()
    for start, choices in (
        ("/session switch ", _of_rooms(rooms)),
        ("/why ", _of_lines("why", lines, of_personas_only=False)),
        ("/reply ", _of_lines("reply", lines, of_personas_only=True)),
    ):
        if lowered.startswith(start):
            begun = lowered.removeprefix(start).strip()
            fitting = [choice for choice in choices if begun in choice.label.lower() or choice.text.lower().endswith(f" {begun}")]
            is_whole = any(choice.text.lower() == lowered.strip() for choice in fitting)
            return Offer(() if is_whole else tuple(fitting[:MOST_CHOICES]), has_first=bool(begun and fitting and not is_whole))
    return Offer()


def _of_rooms(rooms: Sequence[Room]) -> Iterator[Choice]:
    for room in rooms:
        yield Choice(f"/session switch {room.self_id or room.session_id}", room.title, room.self_id)


def _of_lines(word: str, lines: Sequence[Line], *, of_personas_only: bool) -> Iterator[Choice]:
    for line in reversed(lines):
        if line.persona is not None or not of_personas_only:
            yield Choice(f"/{word} {line.message_id}", line.summary, f"{line.at:%H:%M}")
