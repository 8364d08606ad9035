"""The models of an installation as they are shown and set up; asking one is `model`'s business."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from coterie.domain.turns.funding import INSTALLATION, Holder
from coterie.ports.accounts import Account


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that could be chosen. `needs` is empty, or a sentence that says what is missing (a key)."""

    name: str
    """`provider:model`."""
    title: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True)
class ListedProvider:
    """A provider of the catalogue. `variables` are the environment's names for its key; `from_environment` says whether one is set."""

    name: str
    title: str = ""
    needs_key: bool = True
    default_model: str = ""
    default_base_url: str = ""
    variables: tuple[str, ...] = ()
    from_environment: bool = False


class ModelList(Protocol):
    """The models of this installation, to be shown and set up."""

    def default_name(self) -> str:
        """The installation's default as `provider:model`."""
        ...

    def knows(self, name: str) -> bool:
        """Whether the provider of `provider:model` (or a bare provider) is in the catalogue."""
        ...

    def providers(self) -> Sequence[ListedProvider]:
        """The catalogue, in its order."""
        ...

    async def list(self) -> Sequence[ListedModel]:
        """The models that can be named, those that can answer at once first."""
        ...

    async def check(self, account: Account, holder: Holder = INSTALLATION) -> None:
        """Ask the provider whether it takes every key of this account. Raises a `ModelError` with one sentence."""
        ...

    async def check_subscription(self, account: Account) -> None:
        """Whether the operator has an account that could answer in its place. Raises a `ModelError` with one sentence."""
        ...

    async def refresh(self) -> None:
        """Read the saved accounts again."""
        ...
