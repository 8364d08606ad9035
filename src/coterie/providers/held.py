"""The models that a server or a person has brought: answered with the keys they saved, at the addresses of the catalogue."""

from collections.abc import Mapping

from coterie.ports.accounts import Account
from coterie.ports.model import Model, ModelRefused, ModelUnknown
from coterie.providers.catalogue import BY_NAME, Provider, Wire, split_name
from coterie.providers.endpoints import Client, Endpoint
from coterie.providers.hosted import HostedModel
from coterie.providers.wrappers import Rotation, WithInactivityTimeout


class HeldModels:
    """The hosted models of one holder's accounts, as they were at one version.

    Keys go to the addresses of the `catalogue` alone: whatever the operator's environment says, it was not said to who saved them.
    """

    def __init__(self, accounts: Mapping[str, Account], version: int, catalogue: Mapping[str, Provider] = BY_NAME) -> None:
        self.version = version
        self._accounts = accounts
        self._catalogue = catalogue
        self._clients: dict[tuple[str, str], Client] = {}
        self._models: dict[str, Model] = {}

    def model(self, name: str) -> Model:
        """The model `provider:model`, or a provider's own choice. Raises `ModelUnknown`, `ModelRefused`."""
        named, model = split_name(name)
        provider = self._catalogue.get(named)
        if provider is None or provider.wire is Wire.IN_PROCESS:
            raise ModelUnknown(f"There is no provider {named!r} that takes a key.")
        account = self._accounts.get(named)
        if account is None or not account.key:
            reason = account.problem if account is not None and account.problem else f"No key for {provider.title} is saved."
            raise ModelRefused(reason)
        chosen = model or account.model or provider.default_model
        full = f"{named}:{chosen}"
        if full not in self._models:
            self._models[full] = self._build(provider, account, chosen)
        return self._models[full]

    async def retire(self) -> None:
        """Close every client, each with the last stream that uses it."""
        for client in self._clients.values():
            await client.retire()
        self._clients.clear()
        self._models.clear()

    def _build(self, provider: Provider, account: Account, model: str) -> Model:
        built = [WithInactivityTimeout(HostedModel(self._client(provider, key), model)) for key in account.key.split()]
        return built[0] if len(built) == 1 else Rotation(built)

    def _client(self, provider: Provider, key: str) -> Client:
        return self._clients.setdefault((provider.name, key), Client(Endpoint(provider, provider.base_url, key)))
