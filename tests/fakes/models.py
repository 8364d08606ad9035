"""A catalogue of models without a network: `provider` takes any key but `bad`, and needs one; `free` needs none."""

from collections.abc import Sequence

from coterie.domain.turns.funding import INSTALLATION, Holder
from coterie.ports.accounts import Account
from coterie.ports.model import ModelRefused, ModelUnknown
from coterie.ports.model_list import ListedModel, ListedProvider

_PROVIDERS = (
    ListedProvider("openai", "OpenAI", default_model="gpt", default_base_url="https://api.example/v1", variables=("OPENAI_API_KEY",)),
    ListedProvider("scripted", "Scripted", needs_key=False, default_model="scripted"),
)


class ListedModels:
    """What `house.models` is."""

    def __init__(self, default: str = "scripted:scripted") -> None:
        self._default = default
        self.checked: list[Account] = []
        self.refreshed = 0

    def default_name(self) -> str:
        if not self.knows(self._default):
            raise ModelUnknown(f"There is no provider {self._default}.")
        return self._default

    def knows(self, name: str) -> bool:
        return name.partition(":")[0] in {provider.name for provider in _PROVIDERS}

    def providers(self) -> Sequence[ListedProvider]:
        return _PROVIDERS

    async def list(self) -> Sequence[ListedModel]:
        return (ListedModel("scripted:scripted", "Scripted"), ListedModel("openai:gpt", "OpenAI gpt", "Set OPENAI_API_KEY."))

    async def check_subscription(self, account: Account) -> None:
        if account.provider != "openai":
            raise ModelRefused(f"The operator of this installation has no account with {account.provider}.")

    async def check(self, account: Account, holder: Holder = INSTALLATION) -> None:
        self.checked.append(account)
        if account.key == "bad":
            raise ModelRefused("OpenAI refuses the key in OPENAI_API_KEY.")

    async def refresh(self) -> None:
        self.refreshed += 1
