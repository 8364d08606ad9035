"""Accounts with model providers, as an operator, the owners of a server or a person saved them.

Keys leave the storage only towards a provider's client.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from urllib.parse import urlsplit

from coterie.domain.ids import UserId, WorkspaceId
from coterie.domain.turns.funding import INSTALLATION, Holder, PersonalFunding, ServerFunding

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
    """A saved provider entry; empty fields of the installation's fall back to the environment and the catalogue.

    `key` may hold several keys, one on a line. With `is_subscription` there is none: the operator's account answers, while that is granted.
    A person's entry answers their messages with `is_enabled`; of the entries of one person at most one does.
    """

    provider: str
    key: str = field(default="", repr=False)
    base_url: str = ""
    model: str = ""
    is_subscription: bool = False
    is_enabled: bool = False
    problem: str = ""
    """Why a saved key is not here, as one sentence: it does not open with the secrets of this installation. Never saved."""


MOST_KEYS = 10
"""How many keys a server or a person may save for one provider; they take turns."""


class AccountRefused(Exception):
    """An account cannot be saved as it is; the text is one sentence for a person."""


def judge_account(account: Account) -> None:
    """Raise `AccountRefused` for keys, models and addresses that cannot be."""
    if not all(key.isascii() and (key.isprintable() or not key) and " " not in key for key in account.key.split("\n")):
        raise AccountRefused("key takes printable ASCII characters without blanks.")
    if not account.model.isprintable():
        raise AccountRefused("model takes a text on one line.")
    if account.base_url and not is_base_url(account.base_url):
        raise AccountRefused(f"base_url {BASE_URL_RULE}.")


def judge_brought(account: Account) -> None:
    """The same for what a server or a person brings: several keys, but no address, which would be asked from the operator's network."""
    judge_account(account)
    if account.key.count("\n") >= MOST_KEYS:
        raise AccountRefused(f"key takes one key; servers and people may save up to {MOST_KEYS}, one on a line.")
    if account.base_url:
        raise AccountRefused("base_url can be set for this installation only.")


@dataclass(frozen=True, slots=True)
class Subscription:
    """That somebody may use the operator's accounts; `until` nothing: until it is revoked."""

    holder: Holder
    until: datetime | None = None


class Accounts(Protocol):
    """Saved accounts; keys are encrypted where they rest."""

    async def list(self, holder: Holder = INSTALLATION) -> Sequence[Account]:
        """Every account that this holder saved, the oldest first."""
        ...

    async def keep(self, account: Account, holder: Holder = INSTALLATION) -> None:
        """Add or replace the account of its provider. Where a person's is enabled, their others no longer are."""
        ...

    async def forget(self, provider: str, holder: Holder = INSTALLATION) -> bool:
        """Remove an account; false if there was none."""
        ...


class Fundings(Protocol):
    """What has been saved about who pays, without any key; and the subscriptions that were granted."""

    async def server(self, workspace: WorkspaceId) -> ServerFunding:
        """What a workspace has saved, cached by its version."""
        ...

    async def personal(self, person: UserId) -> PersonalFunding:
        """What a person has saved, cached by the version of their settings."""
        ...

    async def subscriptions(self) -> Sequence[Subscription]:
        """Every subscription that was granted, also those that have run out."""
        ...

    async def grant(self, subscription: Subscription) -> None:
        """Grant a subscription to a workspace or a person, or change when it ends."""
        ...

    async def revoke(self, holder: Holder) -> bool:
        """End a subscription; false if there was none."""
        ...
