"""Every setting once: name, kind, default, bounds, label. Commands, page, API and documentation are made from these tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from coterie.domain.access import Cooldown, CooldownKind

Value = bool | int | str

LONGEST_COOLDOWN = 86_400
"""Seconds: a day."""


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
    command: str = ""
    """The command that sets it on Discord. Settings with the same one are its options."""
    option: str = "value"
    """The option of that command which takes its value."""
    empty: str = ""
    """What an empty text stands for, as words; nothing where it cannot be empty."""


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "trigger-match-limit",
        3,
        "How many personas one message can call",
        least=1,
        most=10,
        command="config trigger-match-limit",
        option="limit",
    ),
    Setting(
        "trigger-cascade-limit",
        3,
        "How many further calls may follow the first",
        most=10,
        command="config trigger-cascade-limit",
        option="limit",
    ),
    Setting(
        "see-earlier-replies",
        True,
        "A persona sees what the others just answered to the same message",
        command="config see-earlier-replies",
        option="enabled",
    ),
    Setting(
        "always-reply", False, "Main answers when nobody is called", default_here=True, command="server always-reply", option="enabled"
    ),
    Setting(
        "message-fetch-limit",
        80,
        "How many messages of history a persona is shown at most",
        least=20,
        most=100,
        command="config message-fetch-limit",
        option="limit",
    ),
    Setting(
        "humanizer",
        1,
        "How a reply is said on Discord: 0 in one message, 1 paragraph by paragraph, 2 the same as if typed",
        most=2,
        command="config humanizer",
        option="degree",
    ),
    Setting(
        "model",
        "",
        "The model of this workspace as provider:model; empty means the installation's",
        most=200,
        command="config model",
        option="model",
        empty="the installation's own",
    ),
    Setting(
        "model-fallbacks",
        "",
        "Models to ask when that one fails, in order, separated by commas",
        most=500,
        command="config model-fallbacks",
        option="models",
        empty="none",
    ),
    Setting("timezone", "UTC", "The time zone of this workspace by its IANA name, such as Europe/Rome", most=64, command="config timezone"),
    Setting(
        "deliberate-trigger-mode",
        False,
        "A word calls a persona only with @ before it",
        only_servers=True,
        group=Group.CALLERS,
        command="server deliberate-trigger-mode",
        option="enabled",
    ),
    Setting(
        "auto-trigger-threshold",
        0,
        "After how many messages somebody answers in the auto-trigger channels; 0 means every message",
        most=100,
        only_servers=True,
        group=Group.FREQUENCY,
        command="server auto-trigger threshold",
        option="threshold",
    ),
    Setting(
        "auto-trigger-threshold-max",
        0,
        "Above the threshold: the number is drawn anew each time, up to this one; 0 means the threshold",
        most=100,
        only_servers=True,
        group=Group.FREQUENCY,
        command="server auto-trigger threshold",
        option="max",
    ),
    Setting(
        "cooldown-type",
        CooldownKind.OFF.value,
        "Who has to wait after calling somebody; those who manage the server only with server-strict",
        choices=tuple(kind.value for kind in CooldownKind),
        only_servers=True,
        group=Group.FREQUENCY,
        command="server cooldown triggers",
        option="cooldown_type",
    ),
    Setting(
        "cooldown-length",
        5,
        "How many seconds have to be waited",
        least=1,
        most=LONGEST_COOLDOWN,
        only_servers=True,
        group=Group.FREQUENCY,
        command="server cooldown triggers",
        option="cooldown_length",
    ),
    Setting(
        "active-per-user",
        3,
        "How many messages of one person may be worked on at once; 0 means any number",
        most=100,
        only_servers=True,
        group=Group.FREQUENCY,
        command="server active-limits",
        option="per_user",
    ),
    Setting(
        "active-per-server",
        10,
        "How many answers may be under way or waiting at once; 0 means any number",
        most=1_000,
        only_servers=True,
        group=Group.FREQUENCY,
        command="server active-limits",
        option="per_server",
    ),
    Setting(
        "user-byok",
        False,
        "Members bring a model provider of their own; the server's answers none of them",
        only_servers=True,
        group=Group.CALLERS,
        command="server user-byok",
        option="enabled",
    ),
    Setting(
        "text-quota-daily",
        0,
        "How many messages of one member are answered a day; 0 means any number",
        most=100,
        only_servers=True,
        group=Group.QUOTAS,
        command="server quota text-generation",
        option="daily_user_quota",
    ),
    Setting(
        "text-quota-server",
        0,
        "How many messages of all members are answered in a period; 0 means any number",
        most=99_999,
        only_servers=True,
        group=Group.QUOTAS,
        command="server quota text-generation",
        option="serverwide_quota",
    ),
    Setting(
        "text-quota-period",
        365,
        "How many days that period has",
        least=1,
        most=365,
        only_servers=True,
        group=Group.QUOTAS,
        command="server quota text-generation",
        option="serverwide_quota_resets_in",
    ),
)
"""What the owners of a workspace set."""

PERSONAL: tuple[Setting, ...] = (
    Setting(
        "nickname",
        "",
        "What the personas call you; 2 to 32 characters, empty for the name they see",
        most=32,
        command="personal nickname",
        option="name",
        empty="the name they see",
    ),
    Setting(
        "privacy",
        "minimal",
        "minimal: nothing is withheld; partial: no nickname; full: in servers no persona reads or answers you",
        choices=("minimal", "partial", "full"),
        command="personal privacy",
        option="level",
    ),
    Setting(
        "language",
        "",
        "The language in which you are told things; empty for that of your Discord",
        choices=("", "en", "ja"),
        command="personal language",
        option="language",
        empty="that of your Discord",
    ),
    Setting(
        "deliberate-trigger-mode",
        "follow",
        "Whether a word of yours calls a persona only with @ before it; follow means as the server has it",
        choices=("off", "follow", "on"),
        only_servers=True,
        command="personal deliberate-trigger-mode",
        option="mode",
    ),
    Setting(
        "model-fallbacks",
        "",
        "Models of your own to ask when your provider's fails, in order, separated by commas",
        most=500,
        command="personal model-fallbacks",
        option="models",
        empty="none",
    ),
    Setting(
        "server-fallback",
        True,
        "Where none of your own models answers, the server's may",
        command="personal server-fallback",
        option="enabled",
    ),
)
"""What each person sets for themselves, everywhere."""

BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}
PERSONAL_BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in PERSONAL}


class SettingRefused(Exception):
    """A value that a setting does not take; the text, with `values` filled in, says what it takes."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text.format(**values) if values else text)
        self.text, self.values = text, values


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


SWITCH = "true or false"
NUMBER = "a whole number from {least} to {most}"
CHOICE = "one of {choices}"
TEXT = "a text of at most {most} characters"
NO_ZONE = "timezone takes the IANA name of a time zone, such as Europe/Rome; there is no {value}."
CONTRADICTION = "auto-trigger-threshold would be {least} and auto-trigger-threshold-max {most}; the second takes 0, or at least the first."
NO_NICKNAME = "nickname takes 2 to 32 characters on one line, or nothing."


def bounds(setting: Setting) -> tuple[str, Mapping[str, object]]:
    """What a setting takes, as words with blanks, and what fills them."""
    match setting.default:
        case bool():
            return SWITCH, {}
        case int():
            return NUMBER, {"least": setting.least, "most": setting.most}
        case _ if setting.choices:
            return CHOICE, {"choices": ", ".join(choice or "nothing" for choice in setting.choices)}
        case _:
            return TEXT, {"most": setting.most}


def accepts(setting: Setting) -> str:
    """What a setting takes, as words for a person."""
    words, values = bounds(setting)
    return words.format(**values)


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
        raise SettingRefused("{name} takes {accepts}.", name=name, accepts=accepts(setting))
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
        raise SettingRefused(CONTRADICTION, least=least, most=most)


def _judge_zone(value: Value) -> None:
    try:
        ZoneInfo(str(value))
    except (OSError, ValueError, LookupError) as error:
        raise SettingRefused(NO_ZONE, value=value) from error


def _judge_nickname(value: Value) -> None:
    if (value and not 2 <= len(str(value)) <= 32) or not str(value).isprintable():
        raise SettingRefused(NO_NICKNAME)


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
