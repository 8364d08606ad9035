"""Checks bodies field by field and collects what is wrong into one «Invalid Form Body» (50035). Knows no state."""

import re
from collections.abc import Iterable
from typing import Any

from discord_loopback.refusals import Json, Refused

Where = tuple[str | int, ...]
"""A path to a field: names, and places in lists."""


class Form:
    """One body under examination. Call the checks, then `done`, which raises if anything was wrong."""

    def __init__(self, body: Json) -> None:
        self.body = body
        self._errors: Json = {}

    def wrong(self, where: str | Where, code: str, message: str) -> None:
        """Note an error of a field."""
        place = self._errors
        for step in (where,) if isinstance(where, str) else where:
            place = place.setdefault(str(step), {})
        place.setdefault("_errors", []).append({"code": code, "message": message})

    def done(self) -> None:
        """Raise `Refused` (400, 50035) with everything that was wrong."""
        if self._errors:
            raise Refused(400, 50035, "Invalid Form Body", self._errors)

    def text(self, where: str | Where, value: Any, *, least: int = 0, most: int, needed: bool = False) -> str | None:
        """A text whose length, without white space around it, lies between two bounds; counted in code points."""
        if value is None:
            if needed:
                self.wrong(where, "BASE_TYPE_REQUIRED", "This field is required")
            return None
        if not isinstance(value, str):
            self.wrong(where, "STRING_TYPE_CONVERT", "Could not interpret as string.")
            return None
        length = len(value.strip())
        if length < least and not value.strip() and least == 1 and needed:
            self.wrong(where, "BASE_TYPE_REQUIRED", "This field is required")
        elif length < least or length > most:
            self._length(where, least, most)
        return value

    def _length(self, where: str | Where, least: int, most: int) -> None:
        if least:
            self.wrong(where, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        else:
            self.wrong(where, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")

    def items(self, where: str | Where, value: Any, *, least: int = 0, most: int) -> list[Any]:
        """A list with a bounded number of items; null is an empty one."""
        if value is None:
            return []
        if not isinstance(value, list):
            self.wrong(where, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not least <= len(value) <= most:
            self.wrong(where, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return value

    def whole(self, where: str | Where, value: Any, *, least: int, most: int) -> int | None:
        """A whole number between two bounds."""
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(where, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return None
        if value > most:
            self.wrong(where, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")
        elif value < least:
            self.wrong(where, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        return value

    def choice(self, where: str | Where, value: Any, allowed: Iterable[Any]) -> Any:
        """A value out of a few."""
        allowed = tuple(allowed)
        if value is not None and value not in allowed:
            self.wrong(where, "BASE_TYPE_CHOICES", f"Value must be one of {{{', '.join(map(repr, allowed))}}}.")
        return value

    def address(self, where: str | Where, value: Any, *, schemes: tuple[str, ...] = ("http", "https"), most: int = 2048) -> None:
        """A URL of one of some schemes."""
        if value in (None, ""):
            return
        if not isinstance(value, str) or not re.match(rf"(?:{'|'.join(schemes)})://", value):
            named = f"Scheme must be one of {schemes}."
            self.wrong(
                where, "URL_TYPE_INVALID_SCHEME" if "://" in str(value) else "URL_TYPE_INVALID_URL", f"Not a well formed URL. {named}"
            )
        elif len(value) > most:
            self._length(where, 0, most)


def snowflake(form: Form, where: str | Where, value: Any) -> int:
    """An id, as text or number; 0 if there is none."""
    if value is None:
        return 0
    text = str(value)
    if not text.isascii() or not text.isdigit() or int(text) >= 1 << 63:
        form.wrong(where, "NUMBER_TYPE_COERCE", f'Value "{text[:40]}" is not snowflake.')
        return 0
    return int(text)
