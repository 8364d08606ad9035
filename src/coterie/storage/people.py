"""What each person has set for themselves, cached by version."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects.postgresql import insert

from coterie.domain.ids import UserId
from coterie.domain.settings import PERSONAL_BY_NAME, Settings, Value
from coterie.storage.database import Database
from coterie.storage.recent import Recent
from coterie.storage.schema.people import user_personalization_configs as configs
from coterie.storage.schema.people import users
from coterie.storage.tidings import PERSON, Tiding, tell

MAX_CACHED = 20_000
"""Of how many people the settings are remembered."""

_LEVELS = PERSONAL_BY_NAME["privacy"].choices
"""In the order of their numbers."""

_BESIDE = {
    "nickname": "nickname",
    "deliberate-trigger-mode": "deliberate_trigger_mode",
    "model-fallbacks": "model_fallbacks",
    "server-fallback": "personal_server_fallback_enabled",
}
"""Settings with a column of `user_personalization_configs`."""

_ROW = sa.select(
    users.c.user_disc_id,
    users.c.settings_version,
    users.c.language_pref,
    users.c.registration_locale,
    users.c.privacy_level,
    *(configs.c[column] for column in _BESIDE.values()),
).select_from(users.outerjoin(configs))
_LOAD = _ROW.where(users.c.user_disc_id == bindparam("person"))
_SEVERAL = _ROW.where(users.c.user_disc_id.in_(bindparam("people", expanding=True)))
_ADD = insert(users).on_conflict_do_nothing(index_elements=[users.c.user_disc_id])
_NEVER_SEEN = Settings({}, table=PERSONAL_BY_NAME)


class SqlPeople:
    """`People` over a database."""

    def __init__(self, database: Database, max_cached: int = MAX_CACHED) -> None:
        self._database = database
        self._listeners: list[Callable[[UserId, int], None]] = []
        self._recent: Recent[UserId, Settings] = Recent(max_cached)

    async def personal(self, person: UserId, locale: str = "") -> Settings:
        """Their settings, cached. Somebody seen for the first time is registered, in a server with its language."""
        known = self._recent.get(person)
        if known is not None and known is not _NEVER_SEEN:
            return known
        row = await self._database.read(lambda connection: _find(connection, person))
        if row is None:
            await self._database.single(lambda connection: _add(connection, person, locale))
            row = await self._database.read(lambda connection: _find(connection, person))
        return self._keep(person, row)

    async def change(self, person: UserId, values: Mapping[str, Value]) -> Settings:
        """Write judged values in one transaction and return all settings."""

        def unit(connection: Connection) -> Any:
            _write(connection, raise_person(connection, person), values)
            return _find(connection, person)

        return self._keep(person, await self._database.write(unit))

    async def locale(self, person: UserId) -> str:
        """The language they chose, else that of the server they were first seen in; blank where neither is known."""
        row = await self._database.read(lambda connection: _find(connection, person))
        return "" if row is None else row.language_pref or row.registration_locale

    async def several(self, people: Iterable[UserId]) -> Mapping[UserId, Settings]:
        """The settings of several people, with one question for all that are not known yet."""
        wanted = frozenset(people)
        found = {person: settings for person in wanted if (settings := self._recent.get(person)) is not None}
        unknown = sorted(wanted - found.keys())
        if unknown:
            rows = await self._database.read(lambda connection: connection.execute(_SEVERAL, {"people": unknown}).all())
            there = {UserId(row.user_disc_id): row for row in rows}
            found |= {person: self._keep(person, there.get(person)) for person in unknown}
        return found

    def on_version(self, listener: Callable[[UserId, int], None]) -> None:
        """Have `listener`, which remembers something of the same people, told of every version too."""
        self._listeners.append(listener)

    def seen(self, person: UserId, version: int) -> None:
        """Hear of the version that the database holds now."""
        self._recent.seen(person, version)
        for listener in self._listeners:
            listener(person, version)

    def forget(self) -> None:
        """Remember nothing: anything may have changed."""
        self._recent.forget()

    def _keep(self, person: UserId, row: Any) -> Settings:
        settings, version = (_NEVER_SEEN, 0) if row is None else (_settings(row), row.settings_version)
        self._recent.keep(person, settings, version)
        return settings


def _find(connection: Connection, person: UserId) -> Any:
    return connection.execute(_LOAD, {"person": person}).one_or_none()


def _add(connection: Connection, person: UserId, locale: str) -> int:
    return connection.execute(_ADD, {"user_disc_id": person, "registration_locale": locale}).rowcount


def raise_person(connection: Connection, person: UserId) -> int:
    """Raise the version of somebody's settings, which also locks them; the number of their row, which is made where there is none."""
    _add(connection, person, "")
    raised = sa.update(users).where(users.c.user_disc_id == person).values(settings_version=users.c.settings_version + 1)
    user_id, version = connection.execute(raised.returning(users.c.user_id, users.c.settings_version)).one()
    tell(connection, Tiding(PERSON, version, person))
    return int(user_id)


def _settings(row: Any) -> Settings:
    chosen = {
        "privacy": None if row.privacy_level is None else _LEVELS[row.privacy_level],
        "language": row.language_pref,
        **{name: getattr(row, column) for name, column in _BESIDE.items()},
    }
    return Settings({name: value for name, value in chosen.items() if value is not None}, table=PERSONAL_BY_NAME)


def _write(connection: Connection, user_id: int, values: Mapping[str, Value]) -> None:
    own: dict[str, Any] = {}
    if "language" in values:
        own["language_pref"] = values["language"]
    if "privacy" in values:
        own["privacy_level"] = _LEVELS.index(str(values["privacy"]))
    if own:
        connection.execute(sa.update(users).where(users.c.user_id == user_id).values(own))
    if set_beside := {column: values[name] for name, column in _BESIDE.items() if name in values}:
        new = insert(configs).values(user_id=user_id, **set_beside)
        replaced = {column: new.excluded[column] for column in (*set_beside, "updated_at")}
        connection.execute(new.on_conflict_do_update(index_elements=[configs.c.user_id], set_=replaced))
