"""Every setting of a workspace once: name, kind, default, bounds, label. Every face is made from this table."""

from collections.abc import Mapping
from dataclasses import dataclass

Value = bool | int | str


@dataclass(frozen=True, slots=True)
class Setting:
    """One row. `least` and `most` bound a number; for a text, `most` is its length in characters."""

    name: str
    default: Value
    label: str
    least: int = 0
    most: int = 0
    default_here: Value | None = None
    """The default in `local` and in direct messages, where it differs (a room behaves like a direct message)."""


SETTINGS: tuple[Setting, ...] = (
    Setting("trigger-match-limit", 3, "How many personas one message can call", least=1, most=10),
    Setting("trigger-cascade-limit", 3, "How many further calls may follow the first", least=0, most=10),
    Setting("see-earlier-replies", True, "A persona sees what the others just answered to the same message"),
    Setting("always-reply", False, "Main answers when nobody is called", default_here=True),
    Setting("message-fetch-limit", 80, "How many messages of history a persona is shown at most", least=20, most=100),
    Setting("humanizer", 1, "How a reply is said on Discord: 0 in one message, 1 paragraph by paragraph, 2 the same as if typed", most=2),
    Setting("model", "", "The model of this workspace as provider:model; empty means the installation's", most=200),
)

BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


class SettingRefused(Exception):
    """A value that a setting does not take; the text says what it takes."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one workspace: what was set, over the defaults."""

    chosen: Mapping[str, Value]
    is_here: bool = False
    """Whether the workspace behaves like a direct message (`local`, `dm:…`)."""

    def __getitem__(self, name: str) -> Value:
        """The effective value of a setting."""
        setting = BY_NAME[name]
        default = setting.default_here if self.is_here and setting.default_here is not None else setting.default
        return self.chosen.get(name, default)

    def number(self, name: str) -> int:
        """The effective value of a whole number."""
        return int(self[name])

    def flag(self, name: str) -> bool:
        """The effective value of a switch."""
        return bool(self[name])

    def text(self, name: str) -> str:
        """The effective value of a text."""
        return str(self[name])

    def all(self) -> dict[str, Value]:
        """Every setting with its effective value, in the order of the table."""
        return {setting.name: self[setting.name] for setting in SETTINGS}


def accepts(setting: Setting) -> str:
    """What a setting takes, as words for a person."""
    match setting.default:
        case bool():
            return "true or false"
        case int():
            return f"a whole number from {setting.least} to {setting.most}"
        case _:
            return f"a text of at most {setting.most} characters"


def judge(name: str, value: object) -> Value:
    """Return `value` as the setting keeps it. Raises `SettingRefused` with the setting's bounds."""
    setting = BY_NAME.get(name)
    if setting is None:
        raise SettingRefused(f"There is no setting {name!r}; there are {', '.join(BY_NAME)}.")
    refused = SettingRefused(f"{name} takes {accepts(setting)}.")
    match setting.default:
        case bool():
            if not isinstance(value, bool):
                raise refused
            return value
        case int():
            if isinstance(value, bool) or not isinstance(value, int) or not setting.least <= value <= setting.most:
                raise refused
            return value
        case _:
            if not isinstance(value, str) or len(value) > setting.most:
                raise refused
            return value.strip()


def read_value(name: str, text: str) -> Value:
    """Read a value typed by a person (`true`, `5`, a text) and judge it."""
    setting = BY_NAME.get(name)
    words: Mapping[str, object] = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    if setting is not None and isinstance(setting.default, bool):
        return judge(name, words.get(text.strip().lower(), text))
    if setting is not None and isinstance(setting.default, int):
        stripped = text.strip()
        return judge(name, int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) < 10 else text)
    return judge(name, text)
