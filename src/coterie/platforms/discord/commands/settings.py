"""The commands that settings have, made from their tables: one for each path, an option for each setting. Without a value they show."""

import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from discord import app_commands
from discord.app_commands import locale_str
from discord.utils import escape_markdown

from coterie.domain.settings import (
    BY_NAME,
    CHOICE,
    CONTRADICTION,
    NO_NICKNAME,
    NO_ZONE,
    PERSONAL,
    PERSONAL_BY_NAME,
    SETTINGS,
    Setting,
    SettingRefused,
    Settings,
    Value,
    bounds,
    judge,
    judge_together,
)
from coterie.domain.turns.funding import model_names
from coterie.kit.tongues import Tongue
from coterie.platforms.discord.commands.answering import Command, answered
from coterie.platforms.discord.commands.choosing import chosen_model, offer_models, offer_zones
from coterie.platforms.discord.commands.desk import Declined, Desk, here_of, person_of
from coterie.platforms.discord.commands.managing import require_manager, require_server

if TYPE_CHECKING:
    from coterie.platforms.discord.commands.desk import At

_LONGEST_CHOICE = 100
NOTHING = "-"
"""What stands for an empty text; Discord takes none."""

DESCRIPTIONS: Mapping[str, locale_str] = {
    "server auto-trigger threshold": locale_str("After how many messages somebody answers in the auto-trigger channels."),
    "server cooldown triggers": locale_str("Who has to wait after calling somebody, and how long."),
    "server active-limits": locale_str("How much may be under way at once."),
    "server quota text-generation": locale_str("How many messages are answered, of each member and of all."),
}
"""What a command of several settings does; that of one setting does what its label says."""

_OWN_NAMES = {"en": "English", "ja": "日本語"}
"""Languages call themselves the same everywhere."""


class Holder(Protocol):
    """Whose settings they are."""

    table: Mapping[str, Setting]

    def require(self, interaction: "At", tongue: Tongue, rows: Sequence[Setting]) -> None:
        """Whether the person may change them here. Raises `Declined`."""
        ...

    async def read(self, desk: Desk, interaction: "At") -> Settings:
        """What is set now."""
        ...

    async def write(self, desk: Desk, interaction: "At", values: Mapping[str, Value]) -> Settings:
        """Change judged values."""
        ...


class OfWorkspace:
    """Those of a server or of somebody's direct messages."""

    table = BY_NAME

    def require(self, interaction: "At", tongue: Tongue, rows: Sequence[Setting]) -> None:
        """For those who manage a server."""
        require_manager(interaction, tongue)
        if any(row.only_servers for row in rows):
            require_server(interaction, tongue)

    async def read(self, desk: Desk, interaction: "At") -> Settings:
        """As they are here."""
        return await desk.settings_of(here_of(interaction))

    async def write(self, desk: Desk, interaction: "At", values: Mapping[str, Value]) -> Settings:
        """Change them here."""
        return await desk.set(here_of(interaction), values)


class OfPerson:
    """Those of whoever gives the command, everywhere."""

    table = PERSONAL_BY_NAME

    def require(self, interaction: "At", tongue: Tongue, rows: Sequence[Setting]) -> None:
        """For everybody."""

    async def read(self, desk: Desk, interaction: "At") -> Settings:
        """As this person has them."""
        person = person_of(interaction)
        return (await desk.people.several([person]))[person]

    async def write(self, desk: Desk, interaction: "At", values: Mapping[str, Value]) -> Settings:
        """Change them for this person."""
        return await desk.people.change(person_of(interaction), values)


@dataclass(frozen=True, slots=True)
class _Form:
    """A command and its settings."""

    path: str
    rows: tuple[Setting, ...]
    holder: Holder

    @property
    def description(self) -> locale_str:
        return DESCRIPTIONS.get(self.path) or locale_str(self.rows[0].label)

    async def judged(self, desk: Desk, tongue: Tongue, given: Mapping[str, object]) -> dict[str, Value]:
        """The values of the options that were given. Raises `Declined`."""
        return {row.name: await self._judged(desk, tongue, row, given[row.option]) for row in self.rows if given[row.option] is not None}

    async def _judged(self, desk: Desk, tongue: Tongue, row: Setting, value: object) -> Value:
        if row.empty and isinstance(value, str) and value.strip() == NOTHING:
            value = ""
        if row.name == "model":
            value = await chosen_model(desk, tongue, str(value)) or ""
        elif row.name == "model-fallbacks":
            value = ", ".join([str(await chosen_model(desk, tongue, name)) for name in model_names(str(value))])
        try:
            return judge(row.name, value, self.holder.table)
        except SettingRefused as refused:
            raise Declined(tongue.say(refused.text, **refused.values)) from refused

    def told(self, settings: Settings, tongue: Tongue) -> str:
        """What is set, what it does, and what it takes."""
        names = [row.option for row in self.rows] if len(self.rows) > 1 else [self.path.rpartition(" ")[2]]
        return "\n".join(_line(row, name, settings, tongue) for row, name in zip(self.rows, names, strict=True))


def setting_commands() -> Iterator[tuple[str, Command]]:
    """Every command that settings have, with the path of its group."""
    for rows, holder in ((SETTINGS, OfWorkspace()), (PERSONAL, OfPerson())):
        by_path: defaultdict[str, list[Setting]] = defaultdict(list)
        for row in rows:
            by_path[row.command].append(row)
        for path, together in by_path.items():
            yield path.rpartition(" ")[0], _command(_Form(path, tuple(together), holder))


def table_texts() -> Iterable[str]:
    """Every text of the tables that people read in their language."""
    for row in (*SETTINGS, *PERSONAL):
        yield from filter(None, (row.label, row.empty, bounds(row)[0]))
        yield from (choice for choice in row.choices if choice and choice not in _OWN_NAMES)
    yield from (NO_ZONE, NO_NICKNAME, CONTRADICTION)


def _command(form: _Form) -> Command:
    async def callback(interaction: "At", **given: object) -> None:
        async def work(desk: Desk, tongue: Tongue) -> str:
            form.holder.require(interaction, tongue, form.rows)
            if values := await form.judged(desk, tongue, given):
                try:
                    judge_together(await form.holder.read(desk, interaction), values)
                except SettingRefused as refused:
                    raise Declined(tongue.say(refused.text, **refused.values)) from refused
                settings = await form.holder.write(desk, interaction, values)
                return tongue.say("It is set now.") + "\n" + form.told(settings, tongue)
            return form.told(await form.holder.read(desk, interaction), tongue)

        await answered(interaction, work)

    # The library reads a command's options from a signature.
    at = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    callback.__signature__ = inspect.Signature([at, *map(_parameter, form.rows)])  # type: ignore[attr-defined]
    app_commands.describe(**{row.option: locale_str(row.label) for row in form.rows})(callback)
    app_commands.choices(**{row.option: choices_of(row) for row in form.rows if row.choices})(callback)
    app_commands.autocomplete(**{row.option: _OFFERS[row.name] for row in form.rows if row.name in _OFFERS})(callback)
    return app_commands.Command(name=form.path.rpartition(" ")[2], description=form.description, callback=callback)


def _parameter(row: Setting) -> inspect.Parameter:
    return inspect.Parameter(row.option, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=_kind(row) | None)


def _kind(row: Setting) -> Any:
    within: Any = app_commands.Range
    match row.default:
        case bool():
            return bool
        case int():
            return within[int, row.least, row.most]
        case _ if row.choices:
            return str
        case _:
            return within[str, 1, row.most]


def choices_of(row: Setting) -> list[app_commands.Choice[str | int | float]]:
    """What can be chosen for a setting, as people read it."""
    return [app_commands.Choice(name=locale_str(_choice_name(row, choice)), value=choice or NOTHING) for choice in row.choices]


def _choice_name(row: Setting, choice: str) -> str:
    return _OWN_NAMES.get(choice, choice) or row.empty


async def _offer_nothing(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    """A nickname is anybody's own; but that there may be none has to be told."""
    return [app_commands.Choice(name=locale_str("nothing"), value=NOTHING)] if not typed.strip(" -") else []


async def _offer_models(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    return [*(await _offer_nothing(interaction, typed)), *(await offer_models(interaction, typed))][:25]


async def _offer_fallbacks(interaction: "At", typed: str) -> list[app_commands.Choice[str]]:
    """One model more behind those that were typed already."""
    before, _, last = typed.rpartition(",")
    offered = await offer_models(interaction, last)
    named = [f"{before.strip()}, {choice.value}" for choice in offered] if before.strip() else [choice.value for choice in offered]
    further = [app_commands.Choice(name=name, value=name) for name in named if len(name) <= _LONGEST_CHOICE]
    return [*(await _offer_nothing(interaction, typed)), *further][:25]


_OFFERS = {"model": _offer_models, "model-fallbacks": _offer_fallbacks, "timezone": offer_zones, "nickname": _offer_nothing}


def _line(row: Setting, name: str, settings: Settings, tongue: Tongue) -> str:
    words, blanks = bounds(row)
    if words == CHOICE:
        blanks = {"choices": ", ".join(tongue.say(_choice_name(row, choice)) for choice in row.choices)}
    takes = tongue.say(words, **blanks)
    nothing = tongue.say("`-` for nothing") if row.empty and not row.choices else ""
    allowed = "; ".join(filter(None, (takes, nothing)))
    return f"`{name}`: **{_shown(row, settings[row.name], tongue)}** – {tongue.say(row.label)} ({allowed})"


def _shown(row: Setting, value: Value, tongue: Tongue) -> str:
    match value:
        case bool():
            return tongue.say("on") if value else tongue.say("off")
        case str() if row.choices or not value:
            return tongue.say(_choice_name(row, value))
        case _:
            return escape_markdown(str(value))
