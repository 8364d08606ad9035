"""The rows at the top and at the bottom: where we are, how the model and the connection are, what happens, which keys help."""

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from coterie.platforms.terminal.happenings import Activity

_QUIET = "$foreground 60%"


class TopBar(Horizontal):
    """The session's name on the left, the model or the lost connection on the right."""

    def __init__(self) -> None:
        super().__init__(id="top")
        self._title = Static(id="title")
        self._state = Static(id="state")

    def compose(self) -> ComposeResult:
        """Whose program this is, where there is room for it, and two texts."""
        yield Static("Coterie", id="brand")
        yield self._title
        yield self._state

    def show_title(self, title: str) -> None:
        """The session is called so."""
        self._title.update(Content(title))

    def show_state(self, state: str, *, is_trouble: bool = False) -> None:
        """How things are, in few words."""
        self._state.update(Content.styled(state, "bold $error" if is_trouble else _QUIET))


class StatusBar(Horizontal):
    """What happens on the left, the keys that help now on the right."""

    def __init__(self) -> None:
        super().__init__(id="status")
        self._doing = Static(id="doing")
        self._keys = Static(id="keys")

    def compose(self) -> ComposeResult:
        """Two texts."""
        yield self._doing
        yield self._keys

    def show(self, doing: str, keys: str) -> None:
        """Draw both anew."""
        self._doing.update(Content(doing))
        self._keys.update(Content.styled(keys, _QUIET))


def doing_text(named: Iterable[tuple[str, Activity]], *, is_working: bool) -> str:
    """Who writes and who waits, as one short sentence."""
    rows = list(named)
    writing = ", ".join(name for name, activity in rows if activity == "writing")
    waiting = ", ".join(name for name, activity in rows if activity == "waiting")
    said = [f"{writing} writes" if writing else "", f"{waiting} waits" if waiting else ""]
    return ", ".join(filter(None, said)) or ("One moment" if is_working else "")
