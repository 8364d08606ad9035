"""Texts in the languages of people: English as written in the code, others from gettext catalogues (`LANGUAGE/LC_MESSAGES/NAME.po`).

Catalogues are compiled in memory when they are first asked for, so that there is no compiled copy that could be behind.
"""

import gettext
import io
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

SOURCE = "en"


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language."""

    language: str
    catalogue: gettext.NullTranslations

    def say(self, text: str, **values: object) -> str:
        """The text in this language, with `{name}` filled in from `values`; in English where it has none."""
        said = self.catalogue.gettext(text)
        return said.format(**values) if values else said

    def count(self, one: str, many: str, number: int) -> str:
        """One text or the other, by the language's own rule, with `{number}` filled in."""
        return self.catalogue.ngettext(one, many, number).format(number=number)

    def known(self, text: str) -> str | None:
        """The text in this language, if it has one of its own."""
        said = self.catalogue.gettext(text)
        return None if said == text else said


class Tongues:
    """The languages whose catalogues lie in a folder."""

    def __init__(self, folder: Traversable, name: str) -> None:
        self._folder = folder
        self._name = name
        self._by_locale = lru_cache(maxsize=64)(self._read)

    def of(self, locale: str) -> Tongue:
        """The language of a locale such as `ja`, `en-US`, `pt-BR`; English where there is none."""
        return self._by_locale(locale)

    def _read(self, locale: str) -> Tongue:
        for language in (locale, locale.partition("-")[0]):
            source = self._folder / language / "LC_MESSAGES" / f"{self._name}.po"
            if source.is_file():
                return Tongue(language, compiled(source))
        return Tongue(SOURCE, gettext.NullTranslations())


def compiled(source: Traversable) -> gettext.GNUTranslations:
    """A catalogue as gettext reads it. Entries marked as doubtful (`fuzzy`) are left out."""
    machine = io.BytesIO()
    with source.open("rb") as file:
        write_mo(machine, read_po(file))
    machine.seek(0)
    return gettext.GNUTranslations(machine)
