"""Every setting once: name, kind, default, bounds, label. Commands, page, API and documentation are made from these tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from coterie.domain.access import Cooldown, CooldownKind

Value = bool | int | str


class Group(StrEnum):
    """Under which heading a setting stands where all are shown."""

    TALK = "talk"
    CALLERS = "who may call"
    FREQUENCY = "how often"
    QUOTAS = "quotas"


@dataclass(frozen=True, slots=True)
class Setting:
    """One row. `least` and `most` bound a number; for a text, `most` is its length in characters; `choices` are all it can be."""

    name: str
    default: Value
    label: str
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    default_here: Value | None = None
    """The default in `local` and in direct messages, where it differs (a room behaves like a direct message)."""
    only_servers: bool = False
    """Whether it says something only where many people talk: in a server of Discord."""
    group: Group = Group.TALK


SETTINGS: tuple[Setting, ...] = (
    Setting("trigger-match-limit", 3, "How many personas one message can call", least=1, most=10),
    Setting("trigger-cascade-limit", 3, "How many further calls may follow the first", least=0, most=10),
    Setting("see-earlier-replies", True, "A persona sees what the others just answered to the same message"),
    Setting("always-reply", False, "Main answers when nobody is called", default_here=True),
    Setting("message-fetch-limit", 80, "How many messages of history a persona is shown at most", least=20, most=100),
    Setting("humanizer", 1, "How a reply is said on Discord: 0 in one message, 1 paragraph by paragraph, 2 the same as if typed", most=2),
    Setting("model", "", "The model of this workspace as provider:model; empty means the installation's", most=200),
    Setting("model-fallbacks", "", "Models to ask when that one fails, in order, separated by commas", most=500),
    Setting("timezone", "UTC", "The time zone of this workspace by its IANA name, such as Europe/Rome", most=64),
    Setting("deliberate-trigger-mode", False, "A word calls a persona only with @ before it", only_servers=True, group=Group.CALLERS),
    Setting(
        "auto-trigger-threshold",
        0,
        "After how many messages somebody answers in the auto-trigger channels; 0 means every message",
        most=100,
        only_servers=True,
        group=Group.FREQUENCY,
    ),
    Setting(
        "auto-trigger-threshold-max",
        0,
        "Above the threshold, the number of messages is drawn anew each time, up to this one; 0 means always the threshold",
        most=100,
        only_servers=True,
        group=Group.FREQUENCY,
    ),
    Setting(
        "cooldown-type",
        CooldownKind.OFF.value,
        "Who has to wait after calling somebody; those who manage the server only with server-strict",
        choices=tuple(kind.value for kind in CooldownKind),
        only_servers=True,
        group=Group.FREQUENCY,
    ),
    Setting("cooldown-length", 5, "How many seconds have to be waited", least=1, most=86_400, only_servers=True, group=Group.FREQUENCY),
    Setting(
        "active-per-user",
        3,
        "How many messages of one person may be worked on at once; 0 means any number",
        most=100,
        only_servers=True,
        group=Group.FREQUENCY,
    ),
    Setting(
        "active-per-server",
        10,
        "How many answers may be under way or waiting at once; 0 means any number",
        most=1_000,
        only_servers=True,
        group=Group.FREQUENCY,
    ),
    Setting(
        "user-byok",
        False,
        "Members bring a model provider of their own; the server's answers none of them",
        only_servers=True,
        group=Group.CALLERS,
    ),
    Setting(
        "text-quota-daily",
        0,
        "How many messages of one member are answered a day; 0 means any number",
        most=100,
        only_servers=True,
        group=Group.QUOTAS,
    ),
    Setting(
        "text-quota-server",
        0,
        "How many messages of all members are answered in a period; 0 means any number",
        most=99_999,
        only_servers=True,
        group=Group.QUOTAS,
    ),
    Setting("text-quota-period", 365, "How many days that period has", least=1, most=365, only_servers=True, group=Group.QUOTAS),
)
"""What the owners of a workspace set."""

PERSONAL: tuple[Setting, ...] = (
    Setting("nickname", "", "What the personas call you; 2 to 32 characters, empty for the name they see", most=32),
    Setting(
        "privacy",
        "minimal",
        "minimal: nothing is withheld; partial: your nickname is not used; full: in servers no persona reads or answers you",
        choices=("minimal", "partial", "full"),
    ),
    Setting("language", "", "The language in which you are told things; empty for that of your Discord", choices=("", "en", "ja")),
    Setting(
        "deliberate-trigger-mode",
        "follow",
        "Whether a word of yours calls a persona only with @ before it; follow means as the server has it",
        choices=("off", "follow", "on"),
        only_servers=True,
    ),
    Setting("model-fallbacks", "", "Models of your own to ask when your provider's fails, in order, separated by commas", most=500),
    Setting("server-fallback", True, "Where none of your own models answers, the server's may"),
)
"""What each person sets for themselves, everywhere."""

BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}
PERSONAL_BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in PERSONAL}


class SettingRefused(Exception):
    """A value that a setting does not take; the text says what it takes."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one workspace, or of one person with `table=PERSONAL_BY_NAME`: what was set, over the defaults."""

    chosen: Mapping[str, Value]
    is_here: bool = False
    """Whether the workspace behaves like a direct message (`local`, `dm:…`)."""
    table: Mapping[str, Setting] = field(default_factory=lambda: BY_NAME, repr=False)

    def __getitem__(self, name: str) -> Value:
        """The effective value of a setting."""
        setting = self.table[name]
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
        return {name: self[name] for name in self.table}

    @property
    def cooldown(self) -> Cooldown:
        """The usual cooldown of the workspace."""
        return Cooldown(CooldownKind(self.text("cooldown-type")), timedelta(seconds=self.number("cooldown-length")))


def accepts(setting: Setting) -> str:
    """What a setting takes, as words for a person."""
    match setting.default:
        case bool():
            return "true or false"
        case int():
            return f"a whole number from {setting.least} to {setting.most}"
        case _ if setting.choices:
            return f"one of {', '.join(choice or 'nothing' for choice in setting.choices)}"
        case _:
            return f"a text of at most {setting.most} characters"


def judge(name: str, value: object, table: Mapping[str, Setting] = BY_NAME) -> Value:
    """Return `value` as the setting keeps it. Raises `SettingRefused` with the setting's bounds."""
    setting = table.get(name)
    if setting is None:
        raise SettingRefused(f"There is no setting {name!r}; there are {', '.join(table)}.")
    match setting.default:
        case bool():
            fits = isinstance(value, bool)
        case int():
            fits = isinstance(value, int) and not isinstance(value, bool) and setting.least <= value <= setting.most
        case _:
            fits = isinstance(value, str) and (value.strip() in setting.choices if setting.choices else len(value) <= setting.most)
    if not fits:
        raise SettingRefused(f"{name} takes {accepts(setting)}.")
    assert isinstance(value, (bool, int, str))
    kept = value.strip() if isinstance(value, str) else value
    if name in _ALSO:
        _ALSO[name](kept)
    return kept


def judge_together(settings: Settings, change: Mapping[str, Value]) -> None:
    """Raise `SettingRefused` where judged values contradict each other, or what is set already."""
    if "auto-trigger-threshold" not in change and "auto-trigger-threshold-max" not in change:
        return
    after = replace(settings, chosen={**settings.chosen, **change})
    least, most = after.number("auto-trigger-threshold"), after.number("auto-trigger-threshold-max")
    if 0 < most < least:
        raise SettingRefused(
            f"auto-trigger-threshold would be {least} and auto-trigger-threshold-max {most}; the second takes 0, or at least the first."
        )


def _judge_zone(value: Value) -> None:
    try:
        ZoneInfo(str(value))
    except (OSError, ValueError, LookupError) as error:
        raise SettingRefused(f"timezone takes the IANA name of a time zone, such as Europe/Rome; there is no {value}.") from error


def _judge_nickname(value: Value) -> None:
    if (value and not 2 <= len(str(value)) <= 32) or not str(value).isprintable():
        raise SettingRefused("nickname takes 2 to 32 characters on one line, or nothing.")


_ALSO: Mapping[str, Callable[[Value], None]] = {"timezone": _judge_zone, "nickname": _judge_nickname}
"""What a value has to be besides."""


def read_value(name: str, text: str, table: Mapping[str, Setting] = BY_NAME) -> Value:
    """Read a value typed by a person (`true`, `5`, a text) and judge it."""
    setting = table.get(name)
    words: Mapping[str, object] = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    if setting is not None and isinstance(setting.default, bool):
        return judge(name, words.get(text.strip().lower(), text), table)
    if setting is not None and isinstance(setting.default, int):
        stripped = text.strip()
        return judge(name, int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) < 10 else text, table)
    return judge(name, text, table)
