"""Where people type: a text of several lines, the choices for a half-typed command above it. What a text means is in `commands`."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static, TextArea
from textual.widgets.option_list import Option

from coterie.platforms.terminal.completion import Choice, Offer
from coterie.platforms.terminal.plain import shown_text

_QUIET = "$foreground 60%"
_NEW_LINE_KEYS = frozenset({"shift+enter", "alt+enter", "ctrl+j", "ctrl+enter"})


class Choices(OptionList, can_focus=False):
    """What could follow, picked with the arrows while the composer keeps the focus."""

    def __init__(self) -> None:
        super().__init__(id="choices", compact=True)
        self._choices: tuple[Choice, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether there is anything to pick."""
        return bool(self._choices)

    @property
    def picked(self) -> Choice | None:
        """The choice that Enter takes, or nothing."""
        return self._choices[self.highlighted] if self.highlighted is not None and self._choices else None

    @property
    def first(self) -> Choice | None:
        """The choice that Tab takes when none is picked."""
        return self._choices[0] if self._choices else None

    def offer(self, offer: Offer) -> None:
        """Show these choices."""
        self._choices = offer.choices
        column = max((cell_len(choice.label) for choice in offer.choices), default=0)
        self.set_options([_row(choice, column) for choice in offer.choices])
        self.highlighted = 0 if offer.has_first else None
        self.display = bool(offer.choices)

    def choice_at(self, index: int) -> Choice:
        """The choice in this row."""
        return self._choices[index]


def _row(choice: Choice, column: int) -> Option:
    gap = " " * (column - cell_len(choice.label) + 2)
    return Option(Content.assemble(choice.label, (f"{gap}{choice.about}", _QUIET)))


class Composer(TextArea):
    """The text. Enter hands it over; every other key that is not for writing is told to the desk."""

    class Entered(Message):
        """Enter was pressed."""

    class Paged(Message):
        """The reader looks back (-1) or forth (1)."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    class LeaveWanted(Message):
        """The end of input (Ctrl+D) in an empty composer."""

    class Interrupted(Message):
        """Ctrl+C was pressed, and there is nothing to copy."""

    class Escaped(Message):
        """Esc was pressed."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(
            id="composer",
            compact=True,
            soft_wrap=True,
            highlight_cursor_line=False,
            tab_behavior="focus",
        )
        self._choices = choices

    def on_key(self, event: events.Key) -> None:
        """Keys that do something else than write or move."""
        if self._on_command_key(event.key):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is text too, not commands to the screen."""
        event.prevent_default()
        event.stop()
        self.replace(shown_text(event.text), *self.selection)

    def _on_command_key(self, key: str) -> bool:
        if key in _NEW_LINE_KEYS:
            self.insert("\n")
        elif key == "enter":
            self.post_message(self.Entered())
        elif key == "escape":
            self.post_message(self.Escaped())
        elif key in {"pageup", "pagedown"}:
            self.post_message(self.Paged(-1 if key == "pageup" else 1))
        elif key == "ctrl+d" and not self.text:
            self.post_message(self.LeaveWanted())
        elif key == "ctrl+c" and not self.selected_text and not self.screen.get_selected_text():
            self.post_message(self.Interrupted())
        else:
            return self._on_choice_key(key)
        return True

    def _on_choice_key(self, key: str) -> bool:
        if key == "tab":
            choice = self._choices.picked or self._choices.first
            if choice is not None:
                self.write(choice.text)
        elif key in {"up", "down"} and self._choices.is_open:
            self._choices.action_cursor_up() if key == "up" else self._choices.action_cursor_down()
        else:
            return False
        return True

    def write(self, text: str) -> None:
        """Put a text into the composer, the cursor behind it."""
        self.text = text
        self.move_cursor(self.document.end)


class Desk(Vertical):
    """Composer, choices, the line that is replied to, and a sentence about the last thing that did not work."""

    class Submitted(Message):
        """A text was entered. The desk is empty afterwards."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, complete: Callable[[str], Offer]) -> None:
        super().__init__(id="desk")
        self._complete = complete
        self._choices = Choices()
        self._replying = Static(id="replying")
        self._sentence = Static(id="sentence")
        self.composer = Composer(self._choices)

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield self._choices
        yield self._replying
        yield self._sentence
        yield self.composer

    def on_mount(self) -> None:
        """Nothing is open."""
        self._choices.offer(Offer())
        self.reply_to("")
        self.tell("")

    def invite(self, names: Sequence[str]) -> None:
        """Say in the empty composer whom one can talk to."""
        some = ", ".join(names[:3])
        # Names are data: a plain string would be read as markup here.
        self.composer.placeholder = Content(f"Talk to {some}; /help shows more" if some else "Say something, or /help")

    def tell(self, sentence: str) -> None:
        """One sentence above the composer, until the next text is entered."""
        _show(self._sentence, shown_text(sentence))

    def reply_to(self, summary: str) -> None:
        """What the next text replies to; empty for nothing."""
        _show(self._replying, f"Reply to {summary}" if summary else "")

    def close_choices(self) -> bool:
        """Close the choices; false when none were open."""
        was_open = self._choices.is_open
        self._choices.offer(Offer())
        return was_open

    def on_text_area_changed(self) -> None:
        """Offer what could follow."""
        self._choices.offer(self._complete(self.composer.text))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A choice was clicked."""
        event.stop()
        self.composer.write(self._choices.choice_at(event.option_index).text)
        self.composer.focus()

    def on_composer_entered(self, event: Composer.Entered) -> None:
        """Take the picked choice, or hand over what was typed."""
        event.stop()
        picked = self._choices.picked
        if picked is not None:
            self.composer.write(picked.text)
            if not picked.is_complete:
                return
        text = self.composer.text
        if not text.strip():
            return
        self.composer.write("")
        self._choices.offer(Offer())
        self.tell("")
        self.post_message(self.Submitted(text))


def _show(row: Static, text: str) -> None:
    row.update(Content(text))
    row.display = bool(text)
