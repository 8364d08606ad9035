"""Accounts with model providers, as an owner saved them. Keys leave the storage only towards a provider's client."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

BASE_URL_RULE = "takes an address that begins with http:// or https://, without a user name in it"
"""What `is_base_url` asks, behind the name of the field or variable."""


def is_base_url(url: str) -> bool:
    """Whether a provider can be reached at such an address: http(s), a host, no user name, no fragment (RFC 3986)."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    is_plain = url.isascii() and url.isprintable() and " " not in url
    return is_plain and parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None and not parts.fragment


@dataclass(frozen=True, slots=True)
class Account:
    """A saved provider entry; empty fields fall back to the environment and the catalogue."""

    provider: str
    key: str = field(default="", repr=False)
    base_url: str = ""
    model: str = ""
    problem: str = ""
    """Why a saved key is not here, as one sentence: it does not open with the secrets of this installation. Never saved."""


class Accounts(Protocol):
    """The saved accounts of this installation; keys are encrypted where they rest."""

    async def list(self) -> Sequence[Account]:
        """Every saved account."""
        ...

    async def keep(self, account: Account) -> None:
        """Add or replace the account of its provider."""
        ...

    async def forget(self, provider: str) -> bool:
        """Remove an account; false if there was none."""
        ...
